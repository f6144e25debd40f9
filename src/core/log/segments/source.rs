//! Reading events from anywhere.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::frames::Unpacker;
use super::pieces::{Content, Pieces};
use crate::files;
use crate::log::LogError;

/// Frames that are kept decompressed: of about a megabyte each.
const KEPT: usize = 4;

/// The lines of a run, read from any place. Keeps the frames that were read last.
pub(crate) struct Source {
    pieces: Pieces,
    unpacker: Option<Unpacker>,
    /// The compressed segment that was read last.
    file: Option<(usize, File)>,
    /// The newest last.
    kept: Vec<Kept>,
}

struct Kept {
    piece: usize,
    frame: usize,
    lines: Vec<u8>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pieces.fmt(formatter)
    }
}

impl Source {
    pub(crate) fn new(pieces: Pieces) -> Self {
        Self { pieces, unpacker: None, file: None, kept: Vec::new() }
    }

    /// The name of the file that holds a position.
    pub(crate) fn path(&self, position: u64) -> &Path {
        self.pieces.path(position)
    }

    /// Fills the buffer with what is from this position on. Fails if there is less.
    pub(crate) fn read(&mut self, position: u64, buffer: &mut [u8]) -> Result<(), LogError> {
        let (mut position, mut left) = (position, buffer);
        while !left.is_empty() {
            let number = self.pieces.at(position).unwrap_or_default();
            let read = self.read_some(number, position, left);
            let read = read.map_err(|error| LogError::read(self.pieces.path(position), &error))?;
            position += read as u64;
            left = left.get_mut(read..).unwrap_or_default();
        }
        Ok(())
    }

    fn read_some(&mut self, number: usize, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let shorter = || {
            let why = "it became shorter while it was read";
            io::Error::new(ErrorKind::UnexpectedEof, why)
        };
        let piece = self.pieces.get(number).ok_or_else(shorter)?;
        let at = position - piece.start;
        let read = match &piece.content {
            Content::Unpacked(file) => {
                let mut file: &File = file;
                file.seek(SeekFrom::Start(at))?;
                file.read(buffer)?
            }
            Content::Packed(table) => {
                let frame = table.at(at).ok_or_else(shorter)?;
                let before = at - table.frames.get(frame).map_or(0, |found| found.lines_start);
                let lines = self.frame(number, frame)?;
                let from = usize::try_from(before).map_err(|_| shorter())?;
                let mut rest = lines.get(from..).unwrap_or_default();
                rest.read(buffer)?
            }
        };
        if read == 0 {
            return Err(shorter());
        }
        Ok(read)
    }

    fn frame(&mut self, piece: usize, frame: usize) -> io::Result<&[u8]> {
        let same = |kept: &Kept| (kept.piece, kept.frame) == (piece, frame);
        if let Some(place) = self.kept.iter().position(same) {
            self.kept[place..].rotate_left(1);
        } else {
            let mut lines = if self.kept.len() < KEPT { Vec::new() } else { self.kept.remove(0).lines };
            self.unpack(piece, frame, &mut lines)?;
            self.kept.push(Kept { piece, frame, lines });
        }
        Ok(self.kept.last().map_or(&[], |kept| &kept.lines))
    }

    fn unpack(&mut self, piece: usize, frame: usize, lines: &mut Vec<u8>) -> io::Result<()> {
        let Some((path, Content::Packed(table))) = self.pieces.get(piece).map(|found| (&found.path, &found.content))
        else {
            return Ok(());
        };
        let file = match self.file.take().filter(|(open, _)| *open == piece) {
            Some((_, file)) => file,
            None => files::open(path)?,
        };
        let unpacker = match &mut self.unpacker {
            Some(unpacker) => unpacker,
            none => none.insert(Unpacker::new()?),
        };
        if let Some(frame) = table.frames.get(frame) {
            unpacker.unpack(&file, frame, lines)?;
        }
        self.file = Some((piece, file));
        Ok(())
    }
}
