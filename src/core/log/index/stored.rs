//! The index file: what was indexed, and of which lines.
//!
//! A line of text with the number of the format, then a zstd frame of [`Stored`] as postcard writes it. It
//! is used only if hashes of the lines are those that it names: of what is compressed, the table of
//! checksums is hashed, of other files all their lines.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::location::{Covered, Index, Indexed};
use crate::files::{self, PART};
use crate::log::folder::INDEX;
use crate::log::segments::{Content, Piece, Pieces};

/// The beginning of the file. Another format gets another number.
const START: &[u8] = b"rolecall index 3\n";
/// No index has more bytes.
const LARGEST: u64 = 4 << 30;
/// Hardly anything is gained by more effort.
const LEVEL: i32 = 1;

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored<E> {
    /// Lines of the last file that is covered.
    lines: u64,
    /// The files that hold what is covered.
    files: Vec<Fingerprint>,
    episodes: E,
}

/// A file, and what of it was indexed.
#[derive(Serialize, Deserialize)]
struct Fingerprint {
    /// Bytes of lines.
    bytes: u64,
    packed: bool,
    hash: u64,
}

/// Whether the name is that of an index file that was never finished.
pub(crate) fn is_left_over(name: &str) -> bool {
    name.starts_with(INDEX) && name.ends_with(PART)
}

/// Writes the file. Several may do so at the same time, also while the run goes on.
pub(super) fn store(index: &Index, folder: &Path, pieces: &Pieces) -> io::Result<()> {
    let files = covered_pieces(index.covered, pieces).map(|(piece, bytes)| {
        let packed = matches!(piece.content, Content::Packed(_));
        let hash = fingerprint(piece, bytes, packed)?;
        Ok(Fingerprint { bytes, packed, hash })
    });
    let stored = Stored {
        lines: index.covered.lines,
        files: files.collect::<io::Result<_>>()?,
        episodes: index.episodes.as_slice(),
    };
    let part = folder.join(format!("{INDEX}.{}{PART}", process::id()));
    write(&part, &stored).and_then(|()| fs::rename(&part, folder.join(INDEX))).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

fn write(part: &Path, stored: &Stored<&[Indexed]>) -> io::Result<()> {
    let mut file = File::create(part)?;
    file.write_all(START)?;
    let mut encoder = zstd::Encoder::new(file, LEVEL)?;
    encoder.include_checksum(true)?;
    postcard::to_io(stored, &mut encoder).map_err(io::Error::other)?;
    // Not made to survive the end of the machine: what is damaged is not used.
    encoder.finish()?.flush()
}

/// The files that hold what is covered, and how many bytes of each are.
fn covered_pieces(covered: Covered, pieces: &Pieces) -> impl Iterator<Item = (&Piece, u64)> {
    pieces.iter().take(covered.piece + 1).enumerate().map(move |(number, piece)| {
        let last = number == covered.piece;
        let bytes = if last { covered.bytes.saturating_sub(piece.start) } else { piece.lines };
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
    zstd::Decoder::new(file).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let (stored, rest) = postcard::take_from_bytes::<Stored<Vec<Indexed>>>(&bytes).ok()?;
    let covered = covered(&stored, pieces)?;
    let mut episodes = stored.episodes.iter();
    let sound = rest.is_empty() && episodes.all(|episode| episode.lies_within(covered.bytes));
    sound.then(|| Index { covered, episodes: stored.episodes, ..Index::default() })
}

/// The extent of the index, if the lines are those that it is of.
fn covered(stored: &Stored<Vec<Indexed>>, pieces: &Pieces) -> Option<Covered> {
    let piece = stored.files.len().checked_sub(1)?;
    if piece >= pieces.len() {
        return None;
    }
    let mut bytes = 0;
    for (number, (written, file)) in stored.files.iter().zip(pieces.iter()).enumerate() {
        let may_have_grown = number == piece && written.bytes < file.lines;
        if written.bytes != file.lines && !may_have_grown {
            return None;
        }
        if fingerprint(file, written.bytes, written.packed).ok()? != written.hash {
            return None;
        }
        bytes = file.start + written.bytes;
    }
    Some(Covered { bytes, piece, lines: stored.lines })
}
