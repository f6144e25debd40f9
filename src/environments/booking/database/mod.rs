//! The databases of hotels, restaurants, attractions and trains, with an index that gives what a scan from the
//! first record to the last would give.

mod column;
mod rows;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

pub use column::{Column, Filter};
pub use rows::Rows;

use super::api::Domain;
use crate::text::python;

/// A record: a venue or a train.
pub type Record = Map<String, Value>;

/// The records of one domain.
#[derive(Debug)]
pub struct Table {
    records: Vec<Record>,
    /// Each record as the original program writes it.
    texts: Vec<String>,
    columns: FxHashMap<String, Column>,
}

impl Table {
    /// The table of these records.
    pub fn new(domain: Domain, records: Vec<Record>) -> Self {
        let texts = records.iter().map(|record| {
            let mut text = String::new();
            python::push_json_object(&mut text, record);
            text
        });
        let texts = texts.collect();
        let mut columns = FxHashMap::default();
        for key in records.iter().flat_map(Map::keys) {
            if !columns.contains_key(key) {
                let values = records.iter().map(|record| record.get(key));
                columns.insert(key.clone(), Column::new(domain, key, values));
            }
        }
        Self {
            records,
            texts,
            columns,
        }
    }

    /// The records, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The text of a record.
    pub fn text(&self, row: usize) -> &str {
        self.texts.get(row).map_or("", String::as_str)
    }

    /// A key of the records.
    pub fn column(&self, key: &str) -> Option<&Column> {
        self.columns.get(key)
    }

    /// The records that pass these pairs of keys and values, and the first at which the original program would
    /// stop with an error.
    pub fn scan<'q>(
        &self,
        pairs: impl Iterator<Item = (&'q str, &'q str)>,
    ) -> (Rows, Option<usize>) {
        let mut passing = Rows::all(self.records.len());
        let mut failing: Option<Rows> = None;
        let filters = pairs.filter_map(|(key, value)| self.column(key)?.filter(value));
        for filter in filters {
            if let Some(unreadable) = filter.failing {
                let mut reached = Rows::clone(&unreadable);
                reached.keep(&passing);
                passing.remove(&reached);
                match &mut failing {
                    Some(failing) => failing.add(&reached),
                    None => failing = Some(reached),
                }
            }
            passing.keep(&filter.passing);
        }
        let first = failing.and_then(|failing| failing.iter().next());
        (passing, first)
    }
}

/// The databases of a city.
#[derive(Debug)]
pub struct Database {
    tables: [Table; 4],
    /// What taxis look like.
    pub taxi_colors: Vec<String>,
    /// What makes there are.
    pub taxi_types: Vec<String>,
}

impl Database {
    /// The databases of these records of hotels, restaurants, attractions and trains.
    pub fn new(
        records: [Vec<Record>; 4],
        taxi_colors: Vec<String>,
        taxi_types: Vec<String>,
    ) -> Self {
        let [hotels, restaurants, attractions, trains] = records;
        Self {
            tables: [
                Table::new(Domain::Hotel, hotels),
                Table::new(Domain::Restaurant, restaurants),
                Table::new(Domain::Attraction, attractions),
                Table::new(Domain::Train, trains),
            ],
            taxi_colors,
            taxi_types,
        }
    }

    /// The table of a domain; of taxis there is none.
    pub fn table(&self, domain: Domain) -> Option<&Table> {
        self.tables.get(domain as usize)
    }
}
