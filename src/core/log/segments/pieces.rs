//! The files that hold the events of a run, found and opened, also while they are closed and
//! compressed by the one who writes the run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frames::{FrameTable, Unpacker};
use super::names::{self, SegmentForm, Series};
use crate::files::{self, if_there};
use crate::log::LogError;
use crate::log::folder::EVENTS;

/// The number of looks for files that are replaced while they are looked for. Each time, the
/// writer has closed a segment meanwhile.
const LOOKS: usize = 1000;

/// One file of events.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The name under which it was found.
    pub(crate) path: PathBuf,
    /// The start of its lines among all lines.
    pub(crate) start: u64,
    /// Bytes of its lines; `events.jsonl` may have grown since.
    pub(crate) lines: u64,
    pub(crate) content: Content,
}

/// The form in which the lines are kept.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// As they are. Kept open: once they are compressed, the file has no name any more.
    Unpacked(Arc<File>),
    /// Compressed. Opened when it is read: it stays where it is.
    Packed(Arc<FrameTable>),
}

impl Piece {
    /// A file of lines that are as they are; none if it is not there.
    pub(crate) fn open(path: &Path, start: u64) -> Result<Option<Self>, LogError> {
        if_there(Self::unpacked(path, start)).map_err(|error| LogError::read(path, &error))
    }

    /// Bytes of its lines now.
    pub(crate) fn length(&self) -> Option<u64> {
        match &self.content {
            Content::Unpacked(file) => Some(file.metadata().ok()?.len()),
            Content::Packed(_) => Some(self.lines),
        }
    }

    fn unpacked(path: &Path, start: u64) -> io::Result<Self> {
        let file = files::open(path)?;
        Ok(Self {
            path: path.to_owned(),
            start,
            lines: file.metadata()?.len(),
            content: Content::Unpacked(Arc::new(file)),
        })
    }

    pub(super) fn packed(path: &Path, start: u64) -> io::Result<Self> {
        let table = FrameTable::read(&mut files::open(path)?)?;
        Ok(Self { path: path.to_owned(), start, lines: table.lines, content: Content::Packed(Arc::new(table)) })
    }

    /// Its lines from a position of its own on.
    pub(crate) fn reader(&self, position: u64) -> Result<Box<dyn Read + Send>, LogError> {
        match &self.content {
            Content::Unpacked(file) => Ok(Box::new(PlainReader { file: Arc::clone(file), position })),
            Content::Packed(table) => {
                let reader = FrameReader::open(&self.path, Arc::clone(table), position)
                    .map_err(|error| LogError::read(&self.path, &error))?;
                Ok(Box::new(reader))
            }
        }
    }
}

struct PlainReader {
    file: Arc<File>,
    position: u64,
}

impl Read for PlainReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The position of an open file is shared by all who read it.
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.position))?;
        let read = file.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

/// The lines of a compressed segment, one frame in memory.
struct FrameReader {
    file: File,
    table: Arc<FrameTable>,
    unpacker: Unpacker,
    next: usize,
    lines: Vec<u8>,
    /// Bytes of the lines that were handed out.
    read: usize,
}

impl FrameReader {
    fn open(path: &Path, table: Arc<FrameTable>, position: u64) -> io::Result<Self> {
        let mut reader = Self {
            file: files::open(path)?,
            next: table.at(position).unwrap_or(table.frames.len()),
            table,
            unpacker: Unpacker::new()?,
            lines: Vec::new(),
            read: 0,
        };
        if let Some(frame) = reader.table.frames.get(reader.next) {
            let before = position.saturating_sub(frame.lines_start);
            reader.unpack()?;
            reader.read = usize::try_from(before).unwrap_or(usize::MAX);
        }
        Ok(reader)
    }

    fn unpack(&mut self) -> io::Result<()> {
        if let Some(frame) = self.table.frames.get(self.next) {
            self.unpacker.unpack(&self.file, frame, &mut self.lines)?;
            (self.next, self.read) = (self.next + 1, 0);
        }
        Ok(())
    }
}

impl Read for FrameReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read >= self.lines.len() && self.next < self.table.frames.len() {
            self.unpack()?;
        }
        let mut left = self.lines.get(self.read..).unwrap_or_default();
        let read = left.read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

/// All files of events, in order. `events.jsonl` is the last, if it is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(Vec<Piece>);

impl Pieces {
    /// Finds and opens them.
    ///
    /// Fails if there is none, or if one is missing between others.
    pub(crate) fn open(folder: &Path) -> Result<Self, LogError> {
        for _ in 0..LOOKS {
            let mut pieces = Self::default();
            let mut number = 1;
            while let Some(piece) = open_segment(folder, Series::Events, number, pieces.end())? {
                pieces.0.push(piece);
                number += 1;
            }
            let path = folder.join(EVENTS);
            let tail = match Piece::unpacked(&path, pieces.end()) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(LogError::read(&path, &error));
                }
                tail => tail,
            };
            // Closed in the meantime: then what was opened may be what comes after it.
            if is_there(folder, Series::Events, number) || !check_none_is_missing(folder, number)? {
                continue;
            }
            match tail {
                Ok(tail) => pieces.0.push(tail),
                Err(_) if number > 1 => {}
                Err(error) => return Err(LogError::read(&path, &error)),
            }
            return Ok(pieces);
        }
        let why = io::Error::other("its segments are closed faster than they can be looked for");
        Err(LogError::read(&folder.join(EVENTS), &why))
    }

    /// Finds and opens what is there and can be read, and says what is not. Nobody should be writing
    /// the run.
    pub(crate) fn open_some(folder: &Path) -> Result<(Self, Vec<LogError>), LogError> {
        let listed = names::list(folder, Series::Events)?;
        let last = listed
            .iter()
            .filter(|(_, kind)| *kind != SegmentForm::Part)
            .map(|(number, _)| *number)
            .max()
            .unwrap_or_default();
        let there: BTreeSet<u32> = listed.iter().map(|(number, _)| *number).collect();
        let (mut pieces, mut wrong) = (Self::default(), Vec::new());
        // A number of any size may stand in a name: what is missing up to it is told once.
        let mut expected = 1;
        for number in there.into_iter().filter(|number| *number <= last) {
            match open_segment(folder, Series::Events, number, pieces.end()) {
                Ok(Some(piece)) => {
                    if number > expected {
                        let path = names::packed(folder, Series::Events, expected);
                        wrong.push(LogError::Missing { path });
                    }
                    expected = number.saturating_add(1);
                    pieces.0.push(piece);
                }
                Ok(None) => {}
                Err(error) => {
                    expected = number.saturating_add(1);
                    wrong.push(error);
                }
            }
        }
        let path = folder.join(EVENTS);
        match Piece::unpacked(&path, pieces.end()) {
            Ok(tail) => pieces.0.push(tail),
            Err(error) if error.kind() == ErrorKind::NotFound && last > 0 => {}
            Err(error) => wrong.push(LogError::read(&path, &error)),
        }
        Ok((pieces, wrong))
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Piece> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Piece> {
        self.0.get(number)
    }

    /// Bytes of all lines, when the files were found.
    pub(crate) fn end(&self) -> u64 {
        self.0.last().map_or(0, |last| last.start + last.lines)
    }

    /// The file that holds a position; the last one also what it has grown by.
    pub(crate) fn at(&self, position: u64) -> Option<usize> {
        let after = self.0.partition_point(|piece| piece.start <= position);
        // Those that are empty begin where the next one does.
        after.checked_sub(1)
    }

    /// The name of the file that holds a position.
    pub(crate) fn path(&self, position: u64) -> &Path {
        let piece = self.at(position).and_then(|number| self.0.get(number));
        piece.map_or(Path::new(EVENTS), |piece| &piece.path)
    }
}

/// Whether there is a closed segment of that number.
pub(crate) fn is_there(folder: &Path, series: Series, number: u32) -> bool {
    // In this order: a segment is removed only after its compressed form is there.
    names::unpacked(folder, series, number).exists() || names::packed(folder, series, number).exists()
}

/// Opens a closed segment, if there is one of that number.
pub(crate) fn open_segment(folder: &Path, series: Series, number: u32, start: u64) -> Result<Option<Piece>, LogError> {
    // Both may be there: then the compressed one may not be whole.
    if let Some(piece) = Piece::open(&names::unpacked(folder, series, number), start)? {
        return Ok(Some(piece));
    }
    let path = names::packed(folder, series, number);
    if_there(Piece::packed(&path, start)).map_err(|error| LogError::read(&path, &error))
}

/// Whether `next` is the number that the next segment will have. It is not if it was made in this
/// moment; if others come after it without it, it is missing.
fn check_none_is_missing(folder: &Path, next: u32) -> Result<bool, LogError> {
    let listed = names::list(folder, Series::Events)?;
    let there = |(number, kind): &(u32, SegmentForm)| *number >= next && *kind != SegmentForm::Part;
    if !listed.iter().any(there) {
        return Ok(true);
    }
    if is_there(folder, Series::Events, next) {
        return Ok(false);
    }
    Err(LogError::Missing { path: names::packed(folder, Series::Events, next) })
}
