//! Compressed segments: zstd frames of about a megabyte of whole lines, and at the end a table of
//! them, so that an episode can be read without decompressing everything.
//!
//! The table is a skippable frame as in zstd's own seekable format, with checksums, so an ordinary
//! `zstd -dc` reads the file as well.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::log::lines::LINE_LIMIT;

/// Bytes of lines in a frame, about.
pub(super) const FRAME_BYTES: usize = 1 << 20;
/// The effort to make frames small. More of it saves little, for several times the time.
const LEVEL: i32 = 3;

/// The numbers that the table begins and ends with.
const SKIPPABLE: u32 = 0x184D_2A5E;
const SEEKABLE: u32 = 0x8F92_EAB1;
/// Bytes before the entries, of an entry, and behind the entries.
const HEADER: usize = 8;
const ENTRY: usize = 12;
const FOOTER: usize = 9;
/// The entries hold checksums.
const CHECKSUMS: u8 = 1 << 7;
/// No frame of ours holds more.
const LARGEST_FRAME: u64 = LINE_LIMIT + (FRAME_BYTES as u64) * 2;

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The start of its lines among those of the segment, and their bytes.
    pub(crate) lines_start: u64,
    pub(crate) lines: u64,
    /// Its start in the file, and its bytes there.
    start: u64,
    length: u64,
}

/// The frames of a compressed segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameTable {
    pub(crate) frames: Vec<Frame>,
    /// Bytes of all lines.
    pub(crate) lines: u64,
    /// A hash of the table: since it holds the checksums of all lines, of the lines.
    pub(crate) fingerprint: u64,
}

fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

/// Compresses whole lines. Fails if the last one lacks its newline.
pub(crate) fn pack(lines: &mut impl Read, packed: &mut impl Write) -> io::Result<()> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    let mut table = Vec::new();
    let mut waiting = Vec::new();
    loop {
        let searched = waiting.len();
        let read = lines.by_ref().take(FRAME_BYTES as u64);
        if { read }.read_to_end(&mut waiting)? == 0 {
            break;
        }
        let newline = waiting[searched..].iter().rposition(|byte| *byte == b'\n');
        let Some(end) = newline.map(|place| searched + place + 1) else {
            if waiting.len() as u64 > LINE_LIMIT {
                return Err(invalid(format!("a line is longer than {LINE_LIMIT} bytes")));
            }
            continue;
        };
        let frame = compressor.compress(&waiting[..end])?;
        packed.write_all(&frame)?;
        add_entry(&mut table, &frame, end)?;
        waiting.drain(..end);
    }
    if !waiting.is_empty() {
        return Err(invalid("its last line is cut off"));
    }
    packed.write_all(&whole_table(&table)?)
}

fn add_entry(table: &mut Vec<u8>, frame: &[u8], lines: usize) -> io::Result<()> {
    table.extend(number(frame.len())?);
    table.extend(number(lines)?);
    // A frame ends with the checksum that the table repeats.
    let checksum = frame.last_chunk::<4>();
    table.extend(checksum.ok_or_else(|| invalid("a frame without a checksum"))?);
    Ok(())
}

fn whole_table(entries: &[u8]) -> io::Result<Vec<u8>> {
    let mut table = Vec::with_capacity(HEADER + entries.len() + FOOTER);
    table.extend(SKIPPABLE.to_le_bytes());
    table.extend(number(entries.len() + FOOTER)?);
    table.extend(entries);
    table.extend(number(entries.len() / ENTRY)?);
    table.push(CHECKSUMS);
    table.extend(SEEKABLE.to_le_bytes());
    Ok(table)
}

/// A number of the table.
fn number(length: usize) -> io::Result<[u8; 4]> {
    let length = u32::try_from(length);
    length.map(u32::to_le_bytes).map_err(|_| invalid("it is too large to be compressed"))
}

fn u32_at(bytes: &[u8], position: usize) -> Option<u32> {
    let bytes = bytes.get(position..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes))
}

impl FrameTable {
    /// Reads the table at the end of a compressed segment, and nothing else. Fails if it does not
    /// fit the file.
    pub(crate) fn read(file: &mut File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Self::find(file, length)?.ok_or_else(|| {
            invalid(
                "the table of frames at its end is not there or does not fit: the file was cut \
                 off or changed, or another program made it; restore it from a copy or, if its \
                 frames are whole, run `zstd -d` on it and `rolecall logs compact`",
            )
        })
    }

    fn find(file: &mut File, length: u64) -> io::Result<Option<Self>> {
        let mut footer = [0; FOOTER];
        let Some(place) = length.checked_sub(FOOTER as u64) else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(&mut footer)?;
        let count = u32_at(&footer, 0).unwrap_or_default();
        if footer[4] != CHECKSUMS || u32_at(&footer, 5) != Some(SEEKABLE) {
            return Ok(None);
        }
        let entries = u64::from(count) * ENTRY as u64;
        let size = entries + (HEADER + FOOTER) as u64;
        let Some(start) = length.checked_sub(size) else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(start))?;
        let mut table = Vec::new();
        file.take(size).read_to_end(&mut table)?;
        let fits = u32_at(&table, 0) == Some(SKIPPABLE)
            && u32_at(&table, 4).map(u64::from) == Some(entries + FOOTER as u64)
            && table.len() as u64 == size;
        Ok(fits.then(|| Self::parse(&table, start)).flatten())
    }

    /// The frames, if they fill the file up to the table.
    fn parse(table: &[u8], table_start: u64) -> Option<Self> {
        let entries = table.get(HEADER..table.len() - FOOTER)?;
        let mut found =
            Self { frames: Vec::with_capacity(entries.len() / ENTRY), lines: 0, fingerprint: xxh3_64(table) };
        let mut start = 0_u64;
        for entry in entries.chunks_exact(ENTRY) {
            let length = u64::from(u32_at(entry, 0)?);
            let lines = u64::from(u32_at(entry, 4)?);
            if length == 0 || lines == 0 || lines > LARGEST_FRAME {
                return None;
            }
            found.frames.push(Frame { lines_start: found.lines, lines, start, length });
            start += length;
            found.lines += lines;
        }
        (start == table_start).then_some(found)
    }

    /// The frame that holds a byte of the lines.
    pub(crate) fn at(&self, position: u64) -> Option<usize> {
        let frames = &self.frames;
        let after = frames.partition_point(|frame| frame.lines_start <= position);
        after.checked_sub(1).filter(|_| position < self.lines)
    }
}

/// Decompresses frames, one at a time.
pub(crate) struct Unpacker {
    decompressor: Decompressor<'static>,
    packed: Vec<u8>,
}

impl Unpacker {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { decompressor: Decompressor::new()?, packed: Vec::new() })
    }

    /// Puts the lines of a frame into the place of what is in `lines`. Fails if they are not those
    /// that were written.
    pub(crate) fn unpack(&mut self, mut file: &File, frame: &Frame, lines: &mut Vec<u8>) -> io::Result<()> {
        self.packed.clear();
        file.seek(SeekFrom::Start(frame.start))?;
        file.take(frame.length).read_to_end(&mut self.packed)?;
        lines.clear();
        let expected = usize::try_from(frame.lines).map_err(|_| invalid("a frame is too large"))?;
        lines.reserve(expected);
        let unpacked = self.decompressor.decompress_to_buffer(&self.packed, lines).map_err(|error| {
            let why = "a frame is damaged; restore the file from a copy";
            invalid(format!("{why} ({error})"))
        })?;
        if unpacked != expected || lines.last() != Some(&b'\n') {
            return Err(invalid("a frame does not hold what the table says; restore the file from a copy"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<u8> {
        let line = |number| format!("{{\"number\":{number},\"text\":\"go to drawer\"}}\n");
        (0..count).map(line).collect::<String>().into_bytes()
    }

    fn packed(lines: &[u8]) -> (tempfile::NamedTempFile, File) {
        let file = tempfile::NamedTempFile::new().unwrap();
        pack(&mut { lines }, &mut file.as_file()).unwrap();
        let opened = File::open(file.path()).unwrap();
        (file, opened)
    }

    fn unpacked(file: &mut File) -> io::Result<Vec<u8>> {
        let table = FrameTable::read(file)?;
        let (mut unpacker, mut all, mut some) = (Unpacker::new()?, Vec::new(), Vec::new());
        for frame in &table.frames {
            unpacker.unpack(file, frame, &mut some)?;
            assert_eq!(frame.lines_start, all.len() as u64);
            all.extend_from_slice(&some);
        }
        assert_eq!(table.lines, all.len() as u64);
        Ok(all)
    }

    #[test]
    fn what_is_packed_is_unpacked_by_frames_and_by_zstd_itself() {
        let long = [lines(10), vec![b'x'; 3 * FRAME_BYTES], b"\n".to_vec(), lines(2)].concat();
        for content in [lines(0), lines(1), lines(200_000), long] {
            let (name, mut file) = packed(&content);
            assert_eq!(unpacked(&mut file).unwrap(), content);
            let whole = zstd::decode_all(File::open(name.path()).unwrap()).unwrap();
            assert_eq!(whole, content);
            let table = FrameTable::read(&mut file).unwrap();
            assert!(table.frames.len() >= content.len() / FRAME_BYTES / 4);
            for place in [0, 1, content.len() / 2, content.len().saturating_sub(1)] {
                let frame = table.at(place as u64).map(|frame| table.frames[frame]);
                let holds = |frame: Frame| {
                    let lines = frame.lines_start..frame.lines_start + frame.lines;
                    lines.contains(&(place as u64))
                };
                assert!(frame.map_or(content.is_empty(), holds));
            }
            assert_eq!(table.at(content.len() as u64), None);
        }
    }

    #[test]
    fn a_line_that_is_cut_off_is_not_packed() {
        let error = pack(&mut &b"{}\n{"[..], &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("cut off"), "{error}");
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let content = lines(50_000);
        let (name, _) = packed(&content);
        let good = std::fs::read(name.path()).unwrap();
        let table = good.len() - FOOTER - HEADER - 2 * ENTRY;
        let mut places: Vec<usize> = (0..good.len()).step_by(good.len() / 200).collect();
        places.extend(table..good.len());
        let mut noticed = 0;
        for place in places {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            std::fs::write(name.path(), &bad).unwrap();
            let read = unpacked(&mut File::open(name.path()).unwrap());
            // Bits of a frame's header may mean nothing; what is read is right or refused.
            assert!(read.as_ref().map_or(true, |read| *read == content), "{place}");
            noticed += usize::from(read.is_err());
            std::fs::write(name.path(), &good[..place]).unwrap();
            assert!(unpacked(&mut File::open(name.path()).unwrap()).is_err());
        }
        assert!(noticed > 180, "{noticed}");
    }
}
