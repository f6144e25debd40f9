//! Analyses of dialogue tasks: responses beside their references, planned strategies beside annotated
//! ones, and retrieved texts beside right ones (TPE sections 5.1 and 5.2, appendices B.3 and B.5).

mod planned;
mod responses;
mod retrievals;
mod strategies;

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::Value;

use super::answered::Answered;
use rolecall_core::evaluation::analyses::{OwnPart, Row, Tagger, Tally};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::Table;
use rolecall_core::reports::analyses::{Analyses, AnalysisEntry};

pub use strategies::{Slice, Strategies};

/// The parts, in the order in which they are shown.
pub(super) static ANALYSES: &[AnalysisEntry] = &[
    AnalysisEntry {
        part: part("responses", tally::<responses::Responses>),
        heading: "Responses beside their references",
        tables: responses::tables,
        object: responses::object,
        shares: None,
    },
    AnalysisEntry {
        part: part("strategies", tally::<planned::Planned>),
        heading: "Strategies of responses",
        tables: planned::tables,
        object: planned::object,
        shares: Some(planned::combinations),
    },
    AnalysisEntry {
        part: part("retrieval", tally::<retrievals::Retrievals>),
        heading: "Retrieval",
        tables: retrievals::tables,
        object: retrievals::object,
        shares: None,
    },
];

const fn part(name: &'static str, tally: fn() -> Box<dyn Tally>) -> OwnPart {
    OwnPart { name, tally }
}

/// The number of samples that TPE played of each data set; its counts are over these.
const PAPER_SAMPLES: f64 = 200.0;

/// A collection of figures over the samples of one data set.
trait Collected: Debug + Send + Sync + 'static {
    /// An empty collection of a data set in this language.
    fn new(language: &str) -> Self;

    /// Takes the outcome of an episode.
    fn add(&mut self, answered: &Answered);
}

/// The collections of a row by data set.
#[derive(Debug)]
struct ByDataset<T>(BTreeMap<String, T>);

impl<T: Collected> Tally for ByDataset<T> {
    /// An episode on another task adds nothing.
    fn add(&mut self, log: &EpisodeLog<'_>, _: &Tagger) {
        if let Some(answered) = Answered::of(log) {
            let collection =
                self.0.entry(answered.dataset.clone()).or_insert_with(|| T::new(&answered.response.language));
            collection.add(&answered);
        }
    }
}

fn tally<T: Collected>() -> Box<dyn Tally> {
    Box::new(ByDataset::<T>(BTreeMap::new()))
}

/// The collections of a row, with the names of the data sets.
fn collected<T: Collected>(row: &Row) -> impl Iterator<Item = (&str, &T)> {
    row.tally::<ByDataset<T>>()
        .into_iter()
        .flat_map(|tally| tally.0.iter().map(|(name, collection)| (name.as_str(), collection)))
}

/// Each row with each data set that it played, in the order of rows.
fn played<T: Collected>(analyses: &Analyses) -> impl Iterator<Item = (&Row, &str, &T)> {
    analyses.rows.iter().flat_map(|row| collected(row).map(move |(dataset, collection)| (row, dataset, collection)))
}

/// The JSON of each data set of a row; null if it played none.
fn by_dataset<T: Collected>(row: &Row, value: impl Fn(&T) -> Value) -> Value {
    let all: serde_json::Map<String, Value> =
        collected(row).map(|(name, collection)| (name.to_owned(), value(collection))).collect();
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}

fn table(title: &str, keys: &[&str], columns: &[&str]) -> Table {
    Table::new(title).keys_of(keys.iter().copied()).numbers(columns.iter().copied())
}
