//! Making an index, or completing it, from the lines of the events.

use std::io::{BufRead, BufReader, Read};

use rustc_hash::FxHashMap;

use super::location::{Index, Indexed};
use crate::domain::EpisodeId;
use crate::log::line::{decode_head, plain_head};
use crate::log::lines::{Line, Lines, TornLine, is_unfilled};
use crate::log::segments::{Piece, Pieces};
use crate::log::{LogError, RunRecord};

/// The size of the buffer for reading, in bytes.
const CHUNK: usize = 1 << 16;

/// Adds the events that the index does not cover yet. Only the last line of the last file may be cut off.
pub(super) fn extend(index: Index, pieces: &Pieces, record: &RunRecord) -> Result<Index, LogError> {
    let mut builder = Builder { positions: None, index };
    let first = builder.index.covered.piece;
    // Made small file by file, as there may be a million: an episode hardly goes on beyond the next one.
    let mut settled = 0;
    for (number, piece) in pieces.iter().enumerate().skip(first) {
        let before = builder.index.episodes.len();
        builder.scan(number, piece, number + 1 == pieces.len())?;
        builder.settle(settled);
        settled = before;
    }
    if builder.positions.take().is_some() {
        builder.settle(0);
    }
    Ok(builder.index.in_order(record))
}

struct Builder {
    index: Index,
    /// Made with the first line that is added: most indexes are complete.
    positions: Option<Positions>,
}

/// The position of each episode in the index.
type Positions = FxHashMap<EpisodeId, u32>;

impl Builder {
    /// Reads those lines of a file that are not indexed yet.
    fn scan(&mut self, number: usize, piece: &Piece, last: bool) -> Result<(), LogError> {
        let path = &piece.path;
        let covered = &mut self.index.covered;
        if covered.piece != number {
            covered.piece = number;
            covered.lines = 0;
        }
        let start = covered.bytes - piece.start;
        // Not what is appended meanwhile: it would follow a line that was cut off when the file was opened.
        let unread = piece.lines.saturating_sub(start);
        let reader = BufReader::with_capacity(CHUNK, piece.reader(start)?.take(unread));
        let mut lines = Lines::behind(reader, covered.lines);
        while let Some(line) = lines.next().map_err(|error| LogError::read(path, &error))? {
            if !line.complete && !last {
                let problem = "cut off, although the file is closed";
                return Err(LogError::damaged(path, line.number, problem));
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

    /// Puts the spans of the episodes from this one on in order.
    fn settle(&mut self, first: usize) {
        for episode in self.index.episodes.iter_mut().skip(first) {
            episode.spans = std::mem::take(&mut episode.spans).sorted();
        }
    }

    /// Adds a line and returns true; false if it is cut off, or was never filled at the end of the last file.
    fn add(&mut self, piece: &Piece, line: &Line<'_>, last: bool) -> Result<bool, LogError> {
        let index = &mut self.index;
        let offset = index.covered.bytes;
        let positions = &mut self.positions;
        let positions =
            positions.get_or_insert_with(|| index.episodes.iter().map(|episode| episode.id.clone()).zip(0..).collect());
        if let Some((id, seq)) = plain_head(line.bytes).filter(|_| line.complete)
            && let Some(id) = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok())
            && let Some(position) = positions.get::<EpisodeId>(&id)
            && let Some(episode) = index.episodes.get_mut(*position as usize)
        {
            episode.add(seq, offset, line);
            return Ok(true);
        }
        let head = match decode_head(&piece.path, line.number, line.bytes) {
            Ok(head) => head,
            Err(_) if !line.complete || (last && is_unfilled(line.bytes)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let entry = positions.entry(head.episode);
        let position = *entry.or_insert_with_key(|id| {
            index.episodes.push(Indexed::new(id.clone()));
            (index.episodes.len() - 1) as u32
        });
        if let Some(episode) = index.episodes.get_mut(position as usize) {
            episode.add(head.seq, offset, line);
        }
        Ok(true)
    }
}

/// Checks that no complete line follows one that was cut off.
fn check_rest(piece: &Piece, lines: &mut Lines<impl BufRead>) -> Result<(), LogError> {
    let path = &piece.path;
    while let Some(line) = lines.next().map_err(|error| LogError::read(path, &error))? {
        if line.complete && !is_unfilled(line.bytes) {
            let problem = "comes after lines that were never written to their ends";
            return Err(LogError::damaged(path, line.number, problem));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;
    use crate::log::EVENTS;
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
