//! Results as the run wrote them, for lists of long runs: reading `results.jsonl` takes a small
//! part of the time that it takes to compute them from the events.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::{EpisodeResult, Measures, Seal};
use crate::log::{RESULTS, RunRecord, Tail};
use crate::ports::Measurement;

/// A line of `results.jsonl`.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// Number of the line among all ([`ResultFiles::locate`]).
    pub line: u64,
    /// Whether it is as it was written.
    pub seal: Seal,
    /// The result.
    pub result: EpisodeResult,
}

/// The content of `results.jsonl`: one result per episode, in canonical order. While the run goes on, and
/// after it was interrupted, episodes without a result are missing.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The results.
    pub results: Vec<StoredResult>,
    /// The files that they are in.
    pub files: ResultFiles,
}

/// The files of results, each with the number of lines before it.
#[derive(Clone, Debug, Default)]
pub struct ResultFiles(Vec<(u64, PathBuf)>);

impl ResultFiles {
    /// The file of a line, and its number there, from 1.
    pub fn locate(&self, line: u64) -> (&Path, u64) {
        let mut files = self.0.iter().rev();
        let file = files.find(|(before, _)| *before < line);
        file.map_or((Path::new(RESULTS), line), |(before, path)| (path, line - before))
    }

    /// Takes a line of a file behind those that were taken, and gives its number among all.
    pub fn add(&mut self, path: &Path, line: u64, before: u64) -> u64 {
        if self.0.last().is_none_or(|(_, last)| last != path) {
            self.0.push((before, path.to_owned()));
        }
        self.0.last().map_or(line, |(before, _)| before + line)
    }
}

impl Stored {
    /// Reads the file; none if it is missing or holds anything but one result per episode, so that
    /// results must be computed from the events.
    pub fn read(folder: &Path, record: &RunRecord) -> Option<Self> {
        let Self { mut results, files } = read(folder)?;
        let mut seen = FxHashSet::default();
        if !results.iter().all(|own| seen.insert(&own.result.episode)) {
            return None;
        }
        results.sort_by_cached_key(|own| {
            let id = &own.result.episode;
            (record.position(&id.cell), id.clone())
        });
        Some(Self { results, files })
    }

    /// The first line that somebody changed.
    pub fn changed(&self) -> Option<&StoredResult> {
        let changed = self.results.iter().filter(|own| own.seal == Seal::Broken);
        changed.min_by_key(|own| own.line)
    }

    /// The results; none if a line is not as it was written or does not say so.
    pub fn believed(self) -> Option<Vec<EpisodeResult>> {
        let whole = |own: StoredResult| matches!(own.seal, Seal::Whole(_)).then_some(own.result);
        self.results.into_iter().map(whole).collect()
    }
}

/// The results in the run's folder that are as they were written, in canonical order; none if any
/// is not, so that they must be computed from the events.
pub fn stored_results(folder: &Path, record: &RunRecord) -> Option<Vec<EpisodeResult>> {
    Stored::read(folder, record)?.believed()
}

/// The first part of a result that is not what the events give, in words; none if all is. Figures
/// are compared that both have: another program may compute others.
pub fn difference(written: &EpisodeResult, computed: &EpisodeResult) -> Option<String> {
    let differs = |name: &str, written: &dyn Display, computed: &dyn Display| {
        format!("`{name}` is {written}, but the events give {computed}")
    };
    for name in computed.measures.names() {
        let (own, other) = (written.measures.get(name), computed.measures.get(name));
        if own != other && written.measures.names().any(|known| known == name) {
            return Some(differs(name, &figure(own), &figure(other)));
        }
    }
    let [written, computed] = [written, computed].map(|result| {
        let mut result = result.clone();
        result.measures = Measures::default();
        // Names and figures always have a JSON form.
        serde_json::to_value(result).unwrap_or_default()
    });
    let names = [&written, &computed].map(|result| result.as_object());
    let mut names = names.into_iter().flatten().flat_map(|fields| fields.keys());
    let name = names.find(|name| written.get(name) != computed.get(name))?;
    let value = |result: &Value| result.get(name).unwrap_or(&Value::Null).clone();
    Some(differs(name, &value(&written), &value(&computed)))
}

fn figure(measurement: Measurement) -> String {
    match measurement {
        Measurement::Rate(yes) => yes.to_string(),
        Measurement::Value(value) => value.to_string(),
        Measurement::Share { hits, n } => format!("{hits} of {n}"),
        Measurement::Sum { sum, n } => format!("{sum} of {n}"),
        Measurement::Absent => "nothing".to_owned(),
    }
}

fn read(folder: &Path) -> Option<Stored> {
    let mut tail = Tail::results(folder);
    let (mut results, mut files) = (Vec::new(), ResultFiles::default());
    while let Some(chunk) = tail.grown().ok()? {
        for (number, line) in chunk.lines() {
            results.push(StoredResult {
                line: files.add(chunk.path(), number, results.len() as u64),
                seal: Seal::of(line),
                result: EpisodeResult::decode(line).ok()?,
            });
        }
    }
    let is_there = !results.is_empty() || folder.join(RESULTS).exists();
    is_there.then_some(Stored { results, files })
}
