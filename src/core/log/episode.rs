//! One episode, read back.

use std::io::{self, Write};
use std::path::Path;

use super::index::Indexed;
use super::line::{OTHERWISE, decode_event, is_as_written};
use super::{EncodeError, EventEncoder, LogError, RunLog};
use crate::domain::{EpisodeId, Event};
use crate::ports::EpisodeLog;

/// The events of one episode as the log has them.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEpisode {
    /// Which episode.
    pub id: EpisodeId,
    /// Its events in order, numbered from 0 without gaps.
    pub events: Vec<Event>,
}

impl RecordedEpisode {
    /// The episode as metrics are given it.
    pub fn log(&self) -> EpisodeLog<'_> {
        EpisodeLog::new(&self.id, self.events.iter().collect())
    }

    /// Decodes its lines, given those of all its spans. `path` names the file that holds a
    /// position among all lines. Fails if `exact` and a line is not what writing its event again gives.
    pub(super) fn decode<'p>(
        entry: &Indexed,
        mut all: &[u8],
        path: impl Fn(u64) -> &'p Path,
        exact: bool,
    ) -> Result<Self, LogError> {
        let mut episode = Self { id: entry.id.clone(), events: Vec::new() };
        for span in entry.spans.iter() {
            let length = usize::try_from(span.length).unwrap_or(usize::MAX);
            let (part, rest) = all.split_at_checked(length).unwrap_or((all, &[]));
            all = rest;
            for (number, line) in (span.line..).zip(lines(part)) {
                let path = path(span.offset);
                let (id, event) = decode_event(path, number, line)?;
                if id != episode.id || event.seq as usize != episode.events.len() {
                    return Err(misplaced(path, number));
                }
                if let Some(cause) = event.cause.filter(|cause| *cause >= event.seq) {
                    let seq = event.seq;
                    let why = format!(
                        "episode `{id}` event {seq} names event {cause} as its cause, which is no \
                         earlier one"
                    );
                    return Err(LogError::damaged(path, number, why));
                }
                if exact && !is_as_written(line, &id, &event) {
                    return Err(LogError::damaged(path, number, OTHERWISE));
                }
                episode.events.push(event);
            }
        }
        if episode.events.len() as u64 != entry.events() {
            return Err(misplaced(path(0), 1));
        }
        Ok(episode)
    }
}

fn misplaced(path: &Path, line: u64) -> LogError {
    let why = "another event than the index says; `rolecall logs index RUN` makes the index again";
    LogError::line(path, line, why)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    whole.split(|byte| *byte == b'\n')
}

/// The reason why the canonical log cannot be written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An event cannot be written as it was read.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The output takes no more.
    #[error("the canonical log cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Writes the canonical log, the same for the same episodes: every event line in the order cell (as in the config), task, repeat, seq.
pub fn write_canonical(run: &RunLog, output: &mut impl Write) -> Result<(), CanonicalError> {
    let encoded = |_: &_, episode: Result<RecordedEpisode, LogError>| {
        let episode = episode?;
        let encoder = EventEncoder::new(&episode.id);
        let mut lines = Vec::new();
        for event in &episode.events {
            encoder.encode(event, &mut lines)?;
        }
        Ok::<_, CanonicalError>(lines)
    };
    run.over_episodes(run.ids(), encoded, |lines| output.write_all(&lines?).map_err(CanonicalError::Output))?;
    output.flush()?;
    Ok(())
}
