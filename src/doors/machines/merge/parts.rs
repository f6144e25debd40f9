//! Adding the folders of several runs to one: shards, spools of workers, copies.

use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::merger::{Added, MergeError, Merger, is_closed};
use crate::machines::PlayedEpisode;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{Seal, measure};
use rolecall_core::log::{Batch, Digest, LogError, RecordedEpisode, RunLog, TIMINGS, Tail};
use rolecall_core::ports::Metric;

/// A run of which all episodes are to be added to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPart {
    /// Its folder.
    pub folder: PathBuf,
    /// The name of who played it, for episodes that do not say so.
    pub worker: String,
}

/// Counts of the episodes of all parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Episodes that were added, or of which more was.
    pub added: u64,
    /// Episodes that were there already, in the run or in another part.
    pub equal: u64,
    /// Other versions of episodes that the run has, with other answers from outside. They do not count.
    pub other: u64,
}

/// The version of an episode that goes furthest.
struct Best {
    part: u32,
    closed: bool,
    events: u64,
    digest: Option<Digest>,
}

/// Adds the episodes of these runs, of each the version that goes furthest, or else the first. `watch` learns how
/// many of so many were looked at.
///
/// # Errors
/// If a part is damaged, or an episode cannot be added ([`Merger::add`]). What was added until then stays; doing the
/// same once more adds the rest.
pub async fn merge(
    merger: &mut Merger,
    parts: &[RunPart],
    metrics: &[&'static dyn Metric],
    watch: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Merged, MergeError> {
    let (best, all) = choose(parts)?;
    let (mut merged, mut seen) = (Merged::default(), 0);
    // First the versions that are to count.
    for chosen in [true, false] {
        for (number, part) in (0_u32..).zip(parts) {
            let log = RunLog::open(&part.folder)?;
            let (mut ids, mut equal) = (Vec::new(), 0);
            for id in log.ids() {
                let Some(best) = best.get(id).filter(|best| (best.part == number) == chosen) else {
                    continue;
                };
                let digest = log.digest(id);
                if digest.is_some_and(|digest| merger.has(id, digest)) || (!chosen && digest == best.digest) {
                    equal += 1
                } else {
                    ids.push(id)
                }
            }
            merged.equal += equal;
            seen += equal;
            watch(seen, all);
            add(merger, part, &log, &ids, metrics, &mut |added| {
                match added {
                    Added::New => merged.added += 1,
                    Added::Equal => merged.equal += 1,
                    Added::Other => merged.other += 1,
                }
                seen += 1;
                watch(seen, all);
            })
            .await?;
        }
    }
    Ok(merged)
}

/// The best version of each episode, and the number of all versions.
fn choose(parts: &[RunPart]) -> Result<(FxHashMap<EpisodeId, Best>, u64), MergeError> {
    let (mut chosen, mut all) = (FxHashMap::<EpisodeId, Best>::default(), 0);
    for (part, run) in (0..).zip(parts) {
        let log = RunLog::open(&run.folder)?;
        for id in log.ids() {
            log.check_order(id)?;
            let recorded = log.recorded_digest(id);
            if recorded.is_some() && recorded != log.digest(id) {
                return Err(MergeError::Damaged {
                    folder: Some(run.folder.clone()),
                    episode: id.clone(),
                    problem: "its events are not those that were there when it closed; `rolecall logs verify` names \
                              everything that is wrong: restore the folder from a copy, or merge without it"
                        .to_owned(),
                });
            }
            let best = Best { part, closed: is_closed(&log, id)?, events: log.events_of(id), digest: log.digest(id) };
            all += 1;
            match chosen.get_mut(id) {
                None => drop(chosen.insert(id.clone(), best)),
                Some(known) => {
                    let further = best.closed == known.closed && !best.closed && best.events > known.events;
                    if further || (best.closed && !known.closed) {
                        *known = best;
                    }
                }
            }
        }
    }
    Ok((chosen, all))
}

/// Adds these episodes of a part.
async fn add(
    merger: &mut Merger,
    part: &RunPart,
    log: &RunLog,
    ids: &[&EpisodeId],
    metrics: &[&'static dyn Metric],
    added: &mut (dyn FnMut(Added) + Send),
) -> Result<(), MergeError> {
    if ids.is_empty() {
        return Ok(());
    }
    let wanted: FxHashSet<&EpisodeId> = ids.iter().copied().collect();
    let mut results = lines(Tail::results(&part.folder), &wanted, false)?;
    let mut timings = lines(Tail::new(&part.folder.join(TIMINGS)), &wanted, true)?;
    let mut all = log.lines_of(ids.iter().copied())?;
    for id in ids {
        let mut episode = PlayedEpisode::new((*id).clone());
        episode.lines = Batch {
            events: all.next().transpose()?.unwrap_or_default(),
            result: results.remove(*id).unwrap_or_default(),
            timing: timings.remove(*id).unwrap_or_default(),
        };
        let named = |error: MergeError| error.of_part(&part.folder, log);
        complete(&mut episode, is_closed(log, id)?, metrics).map_err(named)?;
        added(merger.add(&episode, &part.worker).await.map_err(named)?);
    }
    Ok(())
}

/// Gives an episode that is closed its result if the part has none that is of these events, and takes from one that
/// is open what is no result of it.
fn complete(episode: &mut PlayedEpisode, closed: bool, metrics: &[&'static dyn Metric]) -> Result<(), MergeError> {
    let digest = episode.digest();
    if closed && episode.lines.result.strip_suffix(b"\n").is_some_and(|line| Seal::of(line) == Seal::Whole(digest)) {
        return Ok(());
    }
    episode.lines.result.clear();
    if closed {
        let events = episode.events().map_err(|error| MergeError::Damaged {
            folder: None,
            episode: episode.id.clone(),
            problem: error.to_string(),
        })?;
        let recorded = RecordedEpisode { id: episode.id.clone(), events };
        measure(&recorded.log(), metrics).encode_sealed(digest, &mut episode.lines.result);
    }
    Ok(())
}

/// Which episode a line is about.
#[derive(Deserialize)]
struct About {
    episode: EpisodeId,
}

/// The lines of a file that are about these episodes, of each all or only the last; what cannot be read is passed
/// over.
fn lines(mut tail: Tail, wanted: &FxHashSet<&EpisodeId>, all: bool) -> Result<FxHashMap<EpisodeId, Vec<u8>>, LogError> {
    let mut lines: FxHashMap<EpisodeId, Vec<u8>> = FxHashMap::default();
    while let Some(chunk) = tail.grown()? {
        for (_, line) in chunk.lines() {
            if let Ok(About { episode }) = serde_json::from_slice(line)
                && wanted.contains(&episode)
            {
                let kept = lines.entry(episode).or_default();
                if !all {
                    kept.clear();
                }
                kept.extend_from_slice(line);
                kept.push(b'\n');
            }
        }
    }
    Ok(lines)
}
