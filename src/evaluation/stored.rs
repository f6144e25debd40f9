//! Results as the run wrote them, for lists of long runs: reading `results.jsonl` takes a small
//! part of the time that it takes to compute them from the events.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::EpisodeResult;
use crate::log::{RESULTS, RunRecord, Tail};

/// The results in the run's folder, in canonical order; none if the file is missing or holds
/// anything but one result per episode, so that they must be computed from the events.
///
/// While the run goes on, and after it was interrupted, episodes without a result are missing.
pub fn stored_results(folder: &Path, record: &RunRecord) -> Option<Vec<EpisodeResult>> {
    let mut results = read(&folder.join(RESULTS))?;
    let mut seen = FxHashSet::default();
    if !results.iter().all(|result| seen.insert(&result.episode)) {
        return None;
    }
    results.sort_by_cached_key(|result| {
        let id = &result.episode;
        (record.position(&id.cell), id.clone())
    });
    Some(results)
}

fn read(path: &Path) -> Option<Vec<EpisodeResult>> {
    let mut tail = Tail::new(path);
    let mut results = Vec::new();
    while let Some(chunk) = tail.grown().ok()? {
        for (_, line) in chunk.lines() {
            results.push(EpisodeResult::decode(line).ok()?);
        }
    }
    path.exists().then_some(results)
}
