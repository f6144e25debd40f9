//! Where in `events.jsonl` the events of each episode are.

use std::io::BufRead;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::line::{decode_head, plain_head};
use super::lines::{Line, Lines, TornLine};
use super::{LogError, RunRecord};
use crate::domain::EpisodeId;

/// Events of one episode that follow each other in the file as well as in the episode: usually
/// those of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Position of the first event in its episode.
    pub(super) seq: u32,
    /// Number of events.
    pub(super) count: u32,
    /// Where the first line begins, in bytes.
    pub(super) offset: u64,
    /// Bytes of all lines, newlines included.
    pub(super) length: u64,
    /// Number of the first line, from 1.
    pub(super) line: u64,
}

/// One episode of the file.
#[derive(Clone, Debug)]
pub(super) struct Indexed {
    pub(super) id: EpisodeId,
    /// In the order of `seq`.
    pub(super) spans: Vec<Span>,
}

/// The episodes of a file in canonical order.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub(super) episodes: Vec<Indexed>,
    pub(super) torn: Option<TornLine>,
}

impl Index {
    /// Reads the whole file once. Only the last line may be torn.
    pub(super) fn build(
        path: &Path,
        input: impl BufRead,
        record: &RunRecord,
    ) -> Result<Self, LogError> {
        let mut index = Self::default();
        let mut places = Places::default();
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next().map_err(|error| LogError::read(path, &error))? {
            if let Some((id, seq)) = plain_head(line.bytes).filter(|_| line.complete)
                && let Some(place) = places.written.get(id)
            {
                index.add(*place, seq, &line);
                continue;
            }
            let head = match decode_head(path, line.number, line.bytes) {
                Ok(head) => head,
                Err(_) if !line.complete => {
                    index.torn = Some(TornLine {
                        line: line.number,
                        bytes: line.bytes.len(),
                    });
                    break;
                }
                Err(error) => return Err(error),
            };
            let place = *places.known.entry(head.episode.clone()).or_insert_with(|| {
                index.episodes.push(Indexed {
                    id: head.episode,
                    spans: Vec::new(),
                });
                index.episodes.len() - 1
            });
            if let Some((id, _)) = plain_head(line.bytes) {
                places.written.insert(id.into(), place);
            }
            index.add(place, head.seq, &line);
        }
        for episode in &mut index.episodes {
            episode.spans.sort_by_key(|span| (span.seq, span.offset));
            episode.spans.shrink_to_fit();
        }
        let order = |episode: &Indexed| (record.position(&episode.id.cell), episode.id.clone());
        index.episodes.sort_by_cached_key(order);
        Ok(index)
    }

    fn add(&mut self, place: usize, seq: u32, line: &Line<'_>) {
        let span = Span {
            seq,
            count: 1,
            offset: line.offset,
            length: line.bytes.len() as u64 + u64::from(line.complete),
            line: line.number,
        };
        if let Some(episode) = self.episodes.get_mut(place) {
            add(&mut episode.spans, span);
        }
    }
}

/// Where the episodes stand that were met.
#[derive(Default)]
struct Places {
    known: FxHashMap<EpisodeId, usize>,
    /// The same by the bytes that name the episode in a line.
    written: FxHashMap<Box<[u8]>, usize>,
}

fn add(spans: &mut Vec<Span>, next: Span) {
    if let Some(last) = spans.last_mut()
        && last.offset + last.length == next.offset
        && last.seq.checked_add(last.count) == Some(next.seq)
    {
        last.count += 1;
        last.length += next.length;
    } else {
        spans.push(next);
    }
}

impl Indexed {
    /// Checks that the events are numbered from 0 without gaps and without doubles.
    pub(super) fn check(&self) -> Result<(), LogError> {
        let mut expected = 0;
        for span in &self.spans {
            if span.seq > expected {
                return Err(LogError::Gap {
                    episode: self.id.clone(),
                    expected,
                    found: span.seq,
                });
            }
            if span.seq < expected {
                return Err(LogError::Duplicate {
                    episode: self.id.clone(),
                    seq: span.seq,
                });
            }
            expected = span.seq.saturating_add(span.count);
        }
        Ok(())
    }

    /// Number of events.
    pub(super) fn events(&self) -> u64 {
        self.spans.iter().map(|span| u64::from(span.count)).sum()
    }
}
