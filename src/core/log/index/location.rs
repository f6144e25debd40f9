//! The places of events.

use std::cmp::Ordering;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::spans::{Span, Spans};
use crate::domain::EpisodeId;
use crate::log::lines::{Line, TornLine};
use crate::log::{Digest, LogError, RunRecord};

/// One episode of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Indexed {
    pub(crate) id: EpisodeId,
    /// In the order of `seq`.
    pub(crate) spans: Spans,
    /// The digest of its lines, as long as they are in the order of `seq`; no writer leaves them
    /// behind in another one.
    pub(crate) digest: Option<Digest>,
}

/// The extent of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Covered {
    /// Bytes of lines.
    pub(crate) bytes: u64,
    /// The file in which the last of them is, counted from 0, and lines of that file.
    pub(crate) piece: usize,
    pub(crate) lines: u64,
}

/// The episodes of a run in canonical order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Index {
    pub(crate) episodes: Vec<Indexed>,
    pub(crate) torn: Option<TornLine>,
    pub(crate) covered: Covered,
    /// Bytes of lines that were not in the index file.
    pub(crate) scanned: u64,
    /// The last line lacks its newline.
    pub(crate) is_cut_off: bool,
}

impl Index {
    /// Puts the episodes in canonical order.
    pub(crate) fn in_order(mut self, record: &RunRecord) -> Self {
        // There may be a million of them.
        let place = |episode: &Indexed| record.position(&episode.id.cell) as u32;
        let order = |episode: &Indexed| (place(episode), episode.id.clone());
        self.episodes.sort_by_cached_key(order);
        self
    }
}

impl Indexed {
    pub(crate) fn new(id: EpisodeId) -> Self {
        Self { id, spans: Spans::default(), digest: Some(Digest::default()) }
    }

    /// Adds an event, given its position in the episode and where its line begins among all.
    pub(super) fn add(&mut self, seq: u32, offset: u64, line: &Line<'_>) {
        let last = self.spans.last();
        let expected = last.map_or(Some(0), |last| last.seq.checked_add(last.count));
        match &mut self.digest {
            Some(digest) if expected == Some(seq) && line.complete => digest.add(line.whole),
            Some(digest) if expected == Some(seq) => digest.add(&[line.bytes, b"\n"].concat()),
            digest => *digest = None,
        }
        self.add_span(Span { seq, count: 1, offset, length: line.whole.len() as u64, line: line.number });
    }

    fn add_span(&mut self, next: Span) {
        if let Some(last) = self.spans.last_mut()
            && last.offset + last.length == next.offset
            && last.seq.checked_add(last.count) == Some(next.seq)
            // The lines of another file are counted from 1 again.
            && last.line + u64::from(last.count) == next.line
        {
            last.count += 1;
            last.length += next.length;
        } else {
            self.spans.push(next);
        }
    }

    /// Checks that the events are numbered from 0 without gaps and without doubles. `path` names the
    /// file that holds a position among all lines.
    pub(crate) fn check(&self, path: impl Fn(u64) -> PathBuf) -> Result<(), LogError> {
        let mut expected = 0;
        for span in self.spans.iter() {
            let (id, found) = (&self.id, span.seq);
            let wrong = match found.cmp(&expected) {
                Ordering::Equal => None,
                Ordering::Less => Some(format!("episode `{id}` has event {found} twice")),
                Ordering::Greater => Some(format!(
                    "episode `{id}` has event {found} where event {expected} belongs: events are \
                     missing"
                )),
            };
            if let Some(wrong) = wrong {
                return Err(LogError::damaged(&path(span.offset), span.line, wrong));
            }
            expected = span.seq.saturating_add(span.count);
        }
        Ok(())
    }

    /// Checks that its lines are in the order of its events. Readers do without that, but who goes on
    /// with the episode cannot: its digest is one of the lines in their order.
    pub(crate) fn check_order(&self, path: impl Fn(u64) -> PathBuf) -> Result<(), LogError> {
        let mut moved =
            self.spans.iter().zip(self.spans.iter().skip(1)).filter(|(earlier, later)| later.offset < earlier.offset);
        let Some((_, later)) = moved.next() else {
            return Ok(());
        };
        let why = format!(
            "event {} of episode `{}` stands before event {}: its lines are not in the order of `seq`",
            later.seq,
            self.id,
            later.seq.saturating_sub(1)
        );
        Err(LogError::damaged(&path(later.offset), later.line, why))
    }

    /// Whether its lines are some, and among the first so many bytes.
    pub(super) fn lies_within(&self, bytes: u64) -> bool {
        self.spans.iter().all(|span| {
            let end = span.offset.checked_add(span.length);
            let counted = span.line.checked_add(span.count.into());
            span.count > 0 && counted.is_some() && end.is_some_and(|end| end <= bytes)
        })
    }

    /// Number of events.
    pub(crate) fn events(&self) -> u64 {
        self.spans.iter().map(|span| u64::from(span.count)).sum()
    }

    /// Bytes of its lines.
    pub(crate) fn bytes(&self) -> u64 {
        self.spans.iter().map(|span| span.length).fold(0, u64::saturating_add)
    }
}
