//! The results of a run that is read: those that it wrote itself, as far as they are of its events.

use rustc_hash::FxHashMap;

use super::{EpisodeResult, Seal, Stored, measure};
use crate::domain::EpisodeId;
use crate::log::{LogError, RecordedEpisode, RunLog};
use crate::ports::Metric;

/// Results that are computed as well, to see whether these metrics give what the run's gave.
const LOOKED_AT: usize = 8;

/// Computes the results of all episodes of a run, in canonical order, on all cores. Fails at the first
/// episode that cannot be read.
pub fn measure_run(run: &RunLog, metrics: &[&dyn Metric]) -> Result<Vec<EpisodeResult>, LogError> {
    measured(run, run.ids(), metrics)
}

/// The same results, of which are not computed again those that the run wrote: the line is as it was written,
/// of events with the digest of those that are there, and by this version. If one of a few that are looked at
/// is not what the metrics give, all are computed.
pub fn recorded_or_measured(run: &RunLog, metrics: &[&dyn Metric]) -> Result<Vec<EpisodeResult>, LogError> {
    let mut recorded = recorded(run);
    let known = run.ids().filter(|id| recorded.contains_key(*id));
    let looked_at = known.step_by(recorded.len().div_ceil(LOOKED_AT).max(1));
    let computed = measured(run, looked_at, metrics)?;
    let same = |own: &EpisodeResult| recorded.get(&own.episode) == Some(own);
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
    let lines = stored.flatten().into_iter().flat_map(|stored| stored.results);
    let of_events = lines.filter(|line| {
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
