//! Results as the run wrote them: reading `results.jsonl` takes a small part of the time that it takes to compute them
//! from the events.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::{EpisodeResult, Measures, Seal, measure};
use crate::domain::EpisodeId;
use crate::log::{LogError, RESULTS, RecordedEpisode, RunLog, RunRecord, Tail};
use crate::ports::{Measurement, Metric};

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
        let file = self.0.iter().rev().find(|(before, _)| *before < line);
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
        if !results.iter().all(|stored| seen.insert(&stored.result.episode)) {
            return None;
        }
        results.sort_by_cached_key(|stored| {
            let id = &stored.result.episode;
            (record.position(&id.cell), id.clone())
        });
        Some(Self { results, files })
    }

    /// The first line that somebody changed.
    pub fn changed(&self) -> Option<&StoredResult> {
        self.results.iter().filter(|stored| stored.seal == Seal::Broken).min_by_key(|stored| stored.line)
    }

    /// The results; none if a line is not as it was written or does not say so.
    pub fn believed(self) -> Option<Vec<EpisodeResult>> {
        let whole = |stored: StoredResult| matches!(stored.seal, Seal::Whole(_)).then_some(stored.result);
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
        let (noted, other) = (written.measures.get(name), computed.measures.get(name));
        if noted != other && written.measures.names().any(|known| known == name) {
            return Some(differs(name, &figure(noted), &figure(other)));
        }
    }
    let [written, computed] = [written, computed].map(|result| {
        let mut result = result.clone();
        result.measures = Measures::default();
        // Names and figures always have a JSON form.
        serde_json::to_value(result).unwrap_or_default()
    });
    let names = [&written, &computed].map(|result| result.as_object());
    let name = names
        .into_iter()
        .flatten()
        .flat_map(|fields| fields.keys())
        .find(|name| written.get(name) != computed.get(name))?;
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

/// Results that are computed as well, to see whether these metrics give what the run's gave.
const LOOKED_AT: usize = 8;

/// Computes the results of all episodes of a run, in canonical order, on all cores. Fails at the first
/// episode that cannot be read.
pub fn measure_run(run: &RunLog, metrics: &[&dyn Metric]) -> Result<Vec<EpisodeResult>, LogError> {
    measured(run, run.ids(), metrics)
}

/// Results of all episodes of a run, without computing again the ones that it wrote itself: the line is as this version
/// wrote it, of events with the digest of those in the log. If one of a few samples is not what the metrics give, all
/// are computed.
pub fn recorded_or_measured(run: &RunLog, metrics: &[&dyn Metric]) -> Result<Vec<EpisodeResult>, LogError> {
    let mut recorded = recorded(run);
    let looked_at =
        run.ids().filter(|id| recorded.contains_key(*id)).step_by(recorded.len().div_ceil(LOOKED_AT).max(1));
    let computed = measured(run, looked_at, metrics)?;
    let same = |result: &EpisodeResult| recorded.get(&result.episode) == Some(result);
    if !computed.iter().all(same) {
        recorded.clear();
    }
    let missing = run.ids().filter(|id| !recorded.contains_key(*id));
    let missing: Vec<&EpisodeId> = missing.collect();
    let mut computed = measured(run, missing, metrics)?.into_iter();
    let all = run.ids().map(|id| recorded.remove(id).or_else(|| computed.next()));
    Ok(all.flatten().collect())
}

/// The results that the run wrote of the events that are there.
fn recorded(run: &RunLog) -> FxHashMap<EpisodeId, EpisodeResult> {
    let record = run.record();
    let own_version = record.version.as_deref() == Some(env!("CARGO_PKG_VERSION"));
    let stored = own_version.then(|| Stored::read(run.folder(), record));
    let of_events = stored.flatten().into_iter().flat_map(|stored| stored.results).filter(|line| {
        let digest = run.digest(&line.result.episode);
        digest.is_some_and(|digest| line.seal == Seal::Whole(digest))
    });
    of_events.map(|line| (line.result.episode.clone(), line.result)).collect()
}

fn measured<'a>(
    run: &RunLog,
    ids: impl IntoIterator<Item = &'a EpisodeId>,
    metrics: &[&dyn Metric],
) -> Result<Vec<EpisodeResult>, LogError> {
    let computed =
        |_: &_, episode: Result<RecordedEpisode, LogError>| Ok::<_, LogError>(measure(&episode?.log(), metrics));
    let mut results = Vec::new();
    run.over_episodes(ids, computed, |result| {
        results.push(result?);
        Ok::<_, LogError>(())
    })?;
    Ok(results)
}
