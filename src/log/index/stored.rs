//! The index file: what was indexed, and of which lines.
//!
//! A line of text with the number of the format, then a zstd frame of numbers (LEB128) and names. It
//! is used only if hashes of the lines are those that it names: of what is compressed, the table of
//! checksums is hashed, of other files all their lines.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process;

use xxhash_rust::xxh3::Xxh3Default;

use super::place::{Covered, Index, Indexed, Span};
use crate::domain::EpisodeId;
use crate::files::{self, PART};
use crate::log::Digest;
use crate::log::folder::INDEX;
use crate::log::segments::{Content, Piece, Pieces};

/// What the file begins with. Another format gets another number.
const START: &[u8] = b"rolecall index 1\n";
/// No index has more bytes.
const LARGEST: u64 = 4 << 30;
/// Hardly anything is gained by more effort.
const LEVEL: i32 = 1;

/// Whether the name is that of an index file that was never finished.
pub(in crate::log) fn is_left_over(name: &str) -> bool {
    name.starts_with(INDEX) && name.ends_with(PART)
}

/// Writes the file. Several may do so at the same time, also while the run goes on.
pub(super) fn store(index: &Index, folder: &Path, pieces: &Pieces) -> io::Result<()> {
    let mut body = Vec::new();
    put(&mut body, index.covered.piece as u64);
    put(&mut body, index.covered.lines);
    for (piece, bytes) in covered_pieces(index.covered, pieces) {
        put(&mut body, bytes);
        let packed = matches!(piece.content, Content::Packed(_));
        body.push(u8::from(packed));
        body.extend(fingerprint(piece, bytes, packed)?.to_le_bytes());
    }
    put(&mut body, index.episodes.len() as u64);
    let mut end = 0;
    for episode in &index.episodes {
        end = put_episode(&mut body, episode, end);
    }
    let part = folder.join(format!("{INDEX}.{}{PART}", process::id()));
    let written = write(&part, &body).and_then(|()| fs::rename(&part, folder.join(INDEX)));
    written.inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

fn write(part: &Path, body: &[u8]) -> io::Result<()> {
    let mut file = File::create(part)?;
    file.write_all(START)?;
    let mut encoder = zstd::Encoder::new(file, LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.write_all(body)?;
    // Not made to survive the end of the machine: what is damaged is not used.
    encoder.finish()?.flush()
}

/// The files that hold what is covered, and how many bytes of each are.
fn covered_pieces(covered: Covered, pieces: &Pieces) -> impl Iterator<Item = (&Piece, u64)> {
    let files = pieces.iter().take(covered.piece + 1).enumerate();
    files.map(move |(number, piece)| {
        let last = number == covered.piece;
        let bytes = if last {
            covered.bytes.saturating_sub(piece.start)
        } else {
            piece.lines
        };
        (piece, bytes)
    })
}

/// A hash that is another one if the first so many bytes of lines are others.
fn fingerprint(piece: &Piece, bytes: u64, packed: bool) -> io::Result<u64> {
    if let Content::Packed(table) = &piece.content
        && packed
    {
        return Ok(table.fingerprint);
    }
    let failed = |error| io::Error::other(format!("{error}"));
    let mut lines = piece.reader(0).map_err(failed)?.take(bytes);
    let mut hash = Xxh3Default::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match lines.read(&mut chunk)? {
            0 => return Ok(hash.digest()),
            read => hash.update(chunk.get(..read).unwrap_or_default()),
        }
    }
}

fn put(body: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        body.push(number as u8 | 0x80);
        number >>= 7;
    }
    body.push(number as u8);
}

/// A number that may be the difference of a smaller and a larger one.
fn put_difference(body: &mut Vec<u8>, from: u64, to: u64) {
    let difference = to.wrapping_sub(from) as i64;
    put(body, ((difference << 1) ^ (difference >> 63)) as u64);
}

/// Returns where its last line ends: the next one is likely to begin near there.
fn put_episode(body: &mut Vec<u8>, episode: &Indexed, near: u64) -> u64 {
    let id = episode.id.to_string();
    put(body, id.len() as u64);
    body.extend(id.as_bytes());
    body.push(u8::from(episode.digest.is_some()));
    body.extend(episode.digest.unwrap_or_default().0.to_le_bytes());
    put(body, episode.spans.len() as u64);
    let (mut seq, mut end, mut line) = (0, near, 0);
    for span in &episode.spans {
        put_difference(body, seq, span.seq.into());
        put(body, span.count.into());
        put_difference(body, end, span.offset);
        put(body, span.length);
        put_difference(body, line, span.line);
        seq = u64::from(span.seq) + u64::from(span.count);
        end = span.offset.wrapping_add(span.length);
        line = span.line.wrapping_add(span.count.into());
    }
    end
}

/// Reads the file. None if it is not there, cannot be read or does not fit the lines: it can always
/// be made again.
pub(super) fn load(folder: &Path, pieces: &Pieces) -> Option<Index> {
    let mut file = files::open(&folder.join(INDEX)).ok()?;
    let mut start = [0; START.len()];
    file.read_exact(&mut start).ok()?;
    if start != START {
        return None;
    }
    let mut bytes = Vec::new();
    let decoder = zstd::Decoder::new(file).ok()?;
    decoder.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let mut body = Body(&bytes);
    let covered = covered(&mut body, pieces)?;
    let episodes = body.number()?;
    let mut index = Index {
        covered,
        // Every episode has a byte at least: what says more is refused before it is believed.
        episodes: Vec::with_capacity(usize::try_from(episodes).ok()?.min(bytes.len())),
        ..Index::default()
    };
    let mut end = 0;
    for _ in 0..episodes {
        let episode = body.episode(&mut end, covered.bytes)?;
        index.episodes.push(episode);
    }
    body.0.is_empty().then_some(index)
}

/// How far the index goes, if the lines are those that it is of.
fn covered(body: &mut Body<'_>, pieces: &Pieces) -> Option<Covered> {
    let mut covered = Covered {
        bytes: 0,
        piece: usize::try_from(body.number()?).ok()?,
        lines: body.number()?,
    };
    if covered.piece >= pieces.len() {
        return None;
    }
    for (number, piece) in pieces.iter().take(covered.piece + 1).enumerate() {
        let bytes = body.number()?;
        let packed = body.byte()? == 1;
        let written = u64::from_le_bytes(*body.some::<8>()?);
        let whole = if number == covered.piece {
            bytes <= piece.lines
        } else {
            bytes == piece.lines
        };
        let fits = whole && fingerprint(piece, bytes, packed).ok()? == written;
        if !fits {
            return None;
        }
        covered.bytes = piece.start + bytes;
    }
    Some(covered)
}

/// What of the file was not read yet.
struct Body<'a>(&'a [u8]);

impl Body<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn some<const COUNT: usize>(&mut self) -> Option<&[u8; COUNT]> {
        let (some, rest) = self.0.split_first_chunk::<COUNT>()?;
        self.0 = rest;
        Some(some)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn difference(&mut self, from: u64) -> Option<u64> {
        let number = self.number()?;
        let difference = (number >> 1) ^ (number & 1).wrapping_neg();
        Some(from.wrapping_add(difference))
    }

    fn text(&mut self) -> Option<&str> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// An episode whose lines are among the first so many bytes.
    fn episode(&mut self, near: &mut u64, bytes: u64) -> Option<Indexed> {
        let id: EpisodeId = self.text()?.parse().ok()?;
        let ordered = self.byte()? == 1;
        let digest = Digest(u64::from_le_bytes(*self.some::<8>()?));
        let spans = usize::try_from(self.number()?).ok()?;
        let mut episode = Indexed::new(id);
        episode.digest = ordered.then_some(digest);
        episode.spans.reserve_exact(spans.min(self.0.len()));
        let (mut seq, mut line) = (0, 0);
        for _ in 0..spans {
            let span = Span {
                seq: u32::try_from(self.difference(seq)?).ok()?,
                count: u32::try_from(self.number()?).ok()?,
                offset: self.difference(*near)?,
                length: self.number()?,
                line: self.difference(line)?,
            };
            *near = span.offset.checked_add(span.length)?;
            seq = u64::from(span.seq) + u64::from(span.count);
            line = span.line.checked_add(span.count.into())?;
            if *near > bytes || span.count == 0 {
                return None;
            }
            episode.spans.push(span);
        }
        Some(episode)
    }
}
