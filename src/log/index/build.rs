//! An index from lines.

use std::io::{BufRead, BufReader, Read};

use rustc_hash::FxHashMap;

use super::location::{Index, Indexed};
use crate::domain::EpisodeId;
use crate::log::line::{decode_head, plain_head};
use crate::log::lines::{Line, Lines, TornLine, is_unfilled};
use crate::log::segments::{Piece, Pieces};
use crate::log::{LogError, RunRecord};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Adds what comes after what is indexed. Only the very last line may be cut off.
pub(super) fn extend(index: Index, pieces: &Pieces, record: &RunRecord) -> Result<Index, LogError> {
    let mut builder = Builder {
        places: None,
        index,
    };
    let first = builder.index.covered.piece;
    for (number, piece) in pieces.iter().enumerate().skip(first) {
        builder.scan(number, piece, number + 1 == pieces.len())?;
    }
    let mut index = builder.index;
    if builder.places.is_some() {
        for episode in &mut index.episodes {
            episode.spans.sort_by_key(|span| (span.seq, span.offset));
            episode.spans.shrink_to_fit();
        }
    }
    Ok(index.in_order(record))
}

struct Builder {
    index: Index,
    /// The places of the episodes that were met; not needed as long as there is nothing to add.
    places: Option<Places>,
}

#[derive(Default)]
struct Places {
    known: FxHashMap<EpisodeId, usize>,
    /// The same by the bytes that name the episode in a line.
    written: FxHashMap<Box<[u8]>, usize>,
}

impl Builder {
    /// Reads a file, but for what of it is indexed already.
    fn scan(&mut self, number: usize, piece: &Piece, last: bool) -> Result<(), LogError> {
        let path = &piece.path;
        let covered = &mut self.index.covered;
        if covered.piece != number {
            covered.piece = number;
            covered.lines = 0;
        }
        let begun = covered.bytes - piece.start;
        // What is appended while this reads would follow a line that was not whole a moment ago.
        let there = piece.lines.saturating_sub(begun);
        let reader = BufReader::with_capacity(CHUNK, piece.reader(begun)?.take(there));
        let mut lines = Lines::behind(reader, covered.lines);
        while let Some(line) = lines.next().map_err(|error| LogError::read(path, &error))? {
            if !line.complete && !last {
                let why = "cut off, although the file is closed";
                return Err(LogError::damaged(path, line.number, why));
            }
            let length = line.whole.len() as u64;
            self.index.is_cut_off = !line.complete;
            if !self.add(piece, &line, last)? {
                let (line, bytes) = (line.number, line.bytes.len());
                self.index.torn = Some(TornLine { line, bytes });
                self.index.is_cut_off = true;
                return check_rest(piece, &mut lines);
            }
            self.index.covered.bytes += length;
            self.index.covered.lines = line.number;
            self.index.scanned += length;
        }
        Ok(())
    }

    /// Adds a line; not if it is cut off, or was never filled at the end of the last file.
    fn add(&mut self, piece: &Piece, line: &Line<'_>, last: bool) -> Result<bool, LogError> {
        let index = &mut self.index;
        let offset = index.covered.bytes;
        let places = &mut self.places;
        let places = places.get_or_insert_with(|| Places::of(&index.episodes));
        let written = plain_head(line.bytes).filter(|_| line.complete);
        if let Some((id, seq)) = written
            && let Some(place) = places.written.get(id)
            && let Some(episode) = index.episodes.get_mut(*place)
        {
            episode.add(seq, offset, line);
            return Ok(true);
        }
        let head = match decode_head(&piece.path, line.number, line.bytes) {
            Ok(head) => head,
            Err(_) if !line.complete || (last && is_unfilled(line.bytes)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let place = *places.known.entry(head.episode).or_insert_with_key(|id| {
            index.episodes.push(Indexed::new(id.clone()));
            index.episodes.len() - 1
        });
        if let Some((id, _)) = written {
            places.written.insert(id.into(), place);
        }
        if let Some(episode) = index.episodes.get_mut(place) {
            episode.add(head.seq, offset, line);
        }
        Ok(true)
    }
}

/// Checks that nothing whole follows a line that was cut off.
fn check_rest(piece: &Piece, lines: &mut Lines<impl BufRead>) -> Result<(), LogError> {
    let path = &piece.path;
    while let Some(line) = lines.next().map_err(|error| LogError::read(path, &error))? {
        if line.complete && !is_unfilled(line.bytes) {
            let why = "comes after lines that were never written to their ends";
            return Err(LogError::damaged(path, line.number, why));
        }
    }
    Ok(())
}

impl Places {
    fn of(episodes: &[Indexed]) -> Self {
        let ids = episodes.iter().map(|episode| episode.id.clone());
        Self {
            known: ids.enumerate().map(|(place, id)| (id, place)).collect(),
            written: FxHashMap::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;
    use crate::log::folder::EVENTS;
    use crate::log::line::EventEncoder;

    /// The lines of an episode of so many events.
    fn lines(id: &EpisodeId, events: u32) -> Vec<u8> {
        let mut lines = Vec::new();
        for seq in 0..events {
            let event = serde_json::json!({
                "seq": seq, "from": "environment", "to": "conductor",
                "message": {"observed": {"text": "Nothing happens."}},
            });
            let event = serde_json::from_value(event).unwrap();
            EventEncoder::new(id).encode(&event, &mut lines).unwrap();
        }
        lines
    }

    #[test]
    fn what_is_appended_while_it_is_indexed_does_not_matter() {
        let record = RunRecord::parse("schema = 1", "run").unwrap();
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let lines = lines(&id, 3);
        for there in 0..=lines.len() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(EVENTS);
            fs::write(&path, &lines[..there]).unwrap();
            let pieces = Pieces::open(folder.path()).unwrap();
            let alone = extend(Index::default(), &pieces, &record).unwrap();
            let mut file = OpenOptions::new().append(true).open(&path).unwrap();
            file.write_all(&lines[there..]).unwrap();
            let meanwhile = extend(Index::default(), &pieces, &record).unwrap();
            assert_eq!(meanwhile, alone, "{there}");
        }
    }
}
