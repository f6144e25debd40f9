//! The databases of hotels, restaurants, attractions and trains, with an index whose answers equal a scan from the
//! first record to the last.

mod column;
mod rows;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

pub use column::{Column, Filter};
pub use rows::Rows;

use super::api::Domain;
use rolecall_core::text::{python, unique};

/// A record: a venue or a train.
pub type Record = Map<String, Value>;

/// The text of a field; empty if there is none.
pub fn text<'r>(record: &'r Record, key: &str) -> &'r str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

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
        let mut columns = FxHashMap::default();
        for key in records.iter().flat_map(Map::keys) {
            if !columns.contains_key(key) {
                columns.insert(key.clone(), Column::new(domain, key, records.iter().map(|record| record.get(key))));
            }
        }
        Self { texts: texts.collect(), columns, records }
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

    /// The text of a field of a record; empty if there is none.
    pub fn field(&self, row: usize, key: &str) -> &str {
        self.records.get(row).map_or("", |record| text(record, key))
    }

    /// The first value of a key that equals this one, as its record writes it.
    pub fn equal(&self, key: &str, value: &str) -> Option<&str> {
        let row = self.column(key)?.equal(value)?;
        Some(self.field(row, key))
    }

    /// The values of a key that are like this one, each once.
    pub fn alike(&self, key: &str, value: &str) -> Vec<&str> {
        let rows = self.column(key).map(|column| column.alike(value));
        let rows = rows.iter().flat_map(|rows| rows.iter());
        unique(rows.map(|row| self.field(row, key)))
    }

    /// The records that match these pairs of keys and values, and the first at which the original program would
    /// stop with an error.
    pub fn scan<'q>(&self, pairs: impl Iterator<Item = (&'q str, &'q str)>) -> (Rows, Option<usize>) {
        let mut passing = Rows::all(self.records.len());
        let mut failing: Option<Rows> = None;
        let filters = pairs.filter_map(|(key, value)| self.column(key)?.filter(value));
        for (passed, unreadable) in filters {
            if let Some(unreadable) = unreadable {
                let mut reached = Rows::clone(&unreadable);
                reached.keep(&passing);
                passing.remove(&reached);
                failing.get_or_insert_with(|| Rows::none(self.records.len())).add(&reached);
            }
            passing.keep(&passed);
        }
        (passing, failing.and_then(|failing| failing.iter().next()))
    }
}

/// The databases of a city.
#[derive(Debug)]
pub struct Database {
    /// In the order of the domains.
    tables: Vec<Table>,
    /// Colours of taxis.
    pub taxi_colors: Vec<String>,
    /// Makes of taxis.
    pub taxi_types: Vec<String>,
}

impl Database {
    /// The databases of these records of hotels, restaurants, attractions and trains.
    pub fn new(records: [Vec<Record>; 4], taxi_colors: Vec<String>, taxi_types: Vec<String>) -> Self {
        let tables = Domain::ALL.into_iter().zip(records);
        Self { tables: tables.map(|(domain, records)| Table::new(domain, records)).collect(), taxi_colors, taxi_types }
    }

    /// The table of a domain; of taxis there is none.
    pub fn table(&self, domain: Domain) -> Option<&Table> {
        self.tables.get(domain as usize)
    }
}
