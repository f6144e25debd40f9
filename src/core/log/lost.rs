//! Episodes that were noted as closed and whose events do not say so: what a failed machine can
//! explain, and what not.
//!
//! The events of an episode's end are written before its result, and that before the line of
//! `timings.jsonl` with their digest. A process that ends, however it ends, leaves no result without
//! its events. A machine that fails may: what it had not written yet of one file may have been written
//! of another, whatever `sync` says. But then it is the last of the events that are gone: whoever
//! closed later than an episode that is lost is lost as well.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::folder::TIMINGS;
use super::lines::Lines;
use super::timings::{timing_of, without_digests};
use super::{Digest, LogError, RunLog, Tail};
use crate::domain::EpisodeId;
use crate::files::{self, if_there};

/// The episodes that are lost.
pub(super) struct Lost {
    /// The first that was noted.
    pub(super) first: EpisodeId,
    /// All of them.
    pub(super) episodes: FxHashSet<EpisodeId>,
    /// The file that notes the first, and the line, from 1.
    pub(super) file: PathBuf,
    pub(super) line: u64,
    /// No episode that was noted later is there.
    pub(super) is_tail: bool,
}

#[derive(Default)]
struct Noted {
    /// The last line of `timings.jsonl` that has a digest of the episode.
    digest: Option<(u64, Digest)>,
    /// The file and the line of its result.
    result: Option<(usize, u64)>,
}

/// Finds them; none if everything is there.
pub(super) fn find(folder: &Path, log: &RunLog) -> Result<Option<Lost>, LogError> {
    let (mut there, mut lost) = (0, Vec::new());
    let (noted, files) = noted(folder)?;
    for (id, noted) in noted {
        let digest = noted.digest.map(|(_, digest)| digest);
        let same = digest.is_some() && log.digest(&id) == digest;
        let line = noted.digest.map_or(0, |(line, _)| line);
        if same || (log.has(&id) && log.is_closed(&id)?) {
            there = there.max(line);
        } else {
            let place = match (noted.digest, noted.result) {
                (Some((line, _)), _) => (folder.join(TIMINGS), line),
                (None, result) => {
                    let (file, line) = result.unwrap_or_default();
                    (files.get(file).cloned().unwrap_or_default(), line)
                }
            };
            lost.push((line, place, id));
        }
    }
    lost.sort();
    let Some((_, (file, line), first)) = lost.first().cloned() else {
        return Ok(None);
    };
    let before = |(line, _, _): &(u64, _, _)| *line > 0 && *line < there;
    Ok(Some(Lost {
        is_tail: !lost.iter().any(before),
        episodes: lost.into_iter().map(|(_, _, id)| id).collect(),
        first,
        file,
        line,
    }))
}

/// The text of `timings.jsonl` without the digests of these episodes.
pub(super) fn forget(folder: &Path, lost: &Lost) -> Result<Vec<u8>, LogError> {
    let path = folder.join(TIMINGS);
    let mut text = Vec::new();
    each(&path, |_, line| {
        let noted = timing_of(line).ok().flatten();
        if noted.is_some_and(|(id, _)| lost.episodes.contains(&id)) {
            text.extend(without_digests(line));
        } else {
            text.extend(line);
        }
        text.push(b'\n');
    })?;
    Ok(text)
}

/// The notes on each episode, and the files of results. Lines that cannot be read say nothing.
fn noted(folder: &Path) -> Result<(BTreeMap<EpisodeId, Noted>, Vec<PathBuf>), LogError> {
    #[derive(Deserialize)]
    struct Closed {
        episode: EpisodeId,
    }
    let mut all: BTreeMap<EpisodeId, Noted> = BTreeMap::new();
    each(&folder.join(TIMINGS), |number, line| {
        if let Ok(Some((id, digest))) = timing_of(line) {
            all.entry(id).or_default().digest = Some((number, digest));
        }
    })?;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut results = Tail::results(folder);
    while let Some(chunk) = results.grown()? {
        if files.last().is_none_or(|last| last != chunk.path()) {
            files.push(chunk.path().to_owned());
        }
        for (number, line) in chunk.lines() {
            if let Ok(Closed { episode }) = serde_json::from_slice(line) {
                all.entry(episode).or_default().result = Some((files.len() - 1, number));
            }
        }
    }
    Ok((all, files))
}

fn each(path: &Path, mut line: impl FnMut(u64, &[u8])) -> Result<(), LogError> {
    let failed = |error| LogError::read(path, &error);
    let Some(file) = if_there(files::open(path)).map_err(failed)? else {
        return Ok(());
    };
    let mut lines = Lines::new(BufReader::new(file));
    while let Some(found) = lines.next().map_err(failed)? {
        line(found.number, found.bytes);
    }
    Ok(())
}
