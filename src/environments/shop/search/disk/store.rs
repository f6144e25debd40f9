//! The two files of an index: `data`, which holds pieces of bytes that know their place and their checksum, and
//! `header`, which is written last and says what the data is.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::environments::shop::ShopError;
use crate::files;

/// The number of this format. An index with another one is refused.
const FORMAT: u32 = 1;
/// The largest piece that is read, in bytes: a damaged length fills no memory.
const LARGEST: u32 = 1 << 30;
const DATA: &str = "data";
const HEADER: &str = "header";
const AGAIN: &str = "remove the folder, or name another one, and build it: `rolecall data index shop --data ... --out ...`";

/// Where a piece lies.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Piece {
    at: u64,
    length: u32,
    checksum: u32,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    catalogue: String,
    /// Bytes of the data.
    length: u64,
    tables: Piece,
}

fn checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

fn io_error(path: &Path, source: io::Error) -> ShopError {
    ShopError::Io {
        path: path.display().to_string(),
        source,
    }
}

fn refused(path: &Path, problem: &str) -> ShopError {
    ShopError::Data {
        path: path.display().to_string(),
        problem: format!("{problem}; {AGAIN}"),
    }
}

/// Waits until nobody else builds the index of this folder, and keeps others waiting while it is held.
pub(super) fn lock(folder: &Path) -> Result<File, ShopError> {
    let mut path = folder.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let locked = fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
        .and_then(|()| File::create(&path))
        .and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| io_error(&path, error))
}

/// Whether there is an index in the folder, whichever it is.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(HEADER).exists()
}

/// Writes the files of an index in a folder beside the one that they will be in.
pub(super) struct Writer {
    folder: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl Writer {
    /// Begins. What an earlier attempt left is removed.
    pub(super) fn new(folder: &Path) -> Result<Self, ShopError> {
        let part = files::part_of(folder);
        let made = files::if_there(fs::remove_dir_all(&part));
        let made = made.and_then(|_| fs::create_dir_all(&part));
        let file = made.and_then(|()| File::create(part.join(DATA)));
        let file = file.map_err(|error| io_error(&part, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            length: 0,
            part,
        })
    }

    /// Adds a piece.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<Piece, ShopError> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if length > LARGEST {
            return Err(refused(
                &self.part,
                "a part of the index is larger than 1 GiB",
            ));
        }
        let piece = Piece {
            at: self.length,
            length,
            checksum: checksum(bytes),
        };
        self.length += u64::from(length);
        let written = self.file.write_all(bytes);
        written.map_err(|error| io_error(&self.part, error))?;
        Ok(piece)
    }

    /// Adds a value.
    pub(super) fn add_value(&mut self, value: &impl Serialize) -> Result<Piece, ShopError> {
        let bytes = postcard::to_stdvec(value);
        let bytes = bytes.map_err(|error| refused(&self.part, &error.to_string()))?;
        self.add(&bytes)
    }

    /// Puts the finished index in its place.
    pub(super) fn finish(
        mut self,
        catalogue: &str,
        tables: &impl Serialize,
    ) -> Result<(), ShopError> {
        let header = Header {
            format: FORMAT,
            catalogue: catalogue.to_owned(),
            tables: self.add_value(tables)?,
            length: self.length,
        };
        self.put_there(&header)
            .map_err(|error| io_error(&self.folder, error))
    }

    fn put_there(&mut self, header: &Header) -> io::Result<()> {
        let json = serde_json::to_string(header)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        let line = format!("{json}\n{:08x}\n", checksum(json.as_bytes()));
        files::replace(&self.part.join(HEADER), line.as_bytes())?;
        files::step();
        fs::rename(&self.part, &self.folder)?;
        files::step();
        files::sync_folder(self.folder.parent().unwrap_or(Path::new("")))
    }

    /// Removes what was written, after a failure.
    pub(super) fn remove(part: &Path) {
        // What cannot be removed does not count as an index, and the next one removes it.
        let _ = fs::remove_dir_all(files::part_of(part));
    }
}

/// Reads the data of an index.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Reader {
    /// Opens the index of a catalogue with its tables.
    pub(super) fn open<T: DeserializeOwned>(
        folder: &Path,
        catalogue: &str,
    ) -> Result<(Self, T), ShopError> {
        let header = header(folder)?;
        if header.catalogue != catalogue {
            return Err(refused(folder, "it is the index of another catalogue"));
        }
        let path = folder.join(DATA);
        let opened = files::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = opened.map_err(|error| io_error(&path, error))?;
        if length != header.length {
            let problem = format!(
                "it has {length} bytes where the index has {}",
                header.length
            );
            return Err(refused(&path, &problem));
        }
        let reader = Self { path, file, length };
        let tables = reader.value(header.tables)?;
        Ok((reader, tables))
    }

    /// The bytes of a piece.
    pub(super) fn bytes(&self, piece: Piece) -> Result<Vec<u8>, ShopError> {
        let end = piece.at.checked_add(piece.length.into());
        if piece.length > LARGEST || end.is_none_or(|end| end > self.length) {
            return Err(self.damaged());
        }
        let mut bytes = vec![0; piece.length as usize];
        let read = read_exact_at(&self.file, &mut bytes, piece.at);
        read.map_err(|error| io_error(&self.path, error))?;
        if checksum(&bytes) != piece.checksum {
            return Err(self.damaged());
        }
        Ok(bytes)
    }

    /// The value that a piece holds.
    pub(super) fn value<T: DeserializeOwned>(&self, piece: Piece) -> Result<T, ShopError> {
        let bytes = self.bytes(piece)?;
        postcard::from_bytes(&bytes).map_err(|_| self.damaged())
    }

    /// The error of an index that holds what no index holds.
    pub(super) fn damaged(&self) -> ShopError {
        refused(&self.path, "it is damaged")
    }
}

fn header(folder: &Path) -> Result<Header, ShopError> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let path = folder.join(HEADER);
    let found = files::if_there(files::read(&path, 1 << 16));
    let bytes = match found.map_err(|error| io_error(&path, error))? {
        Some(bytes) => bytes,
        None if folder.exists() => return Err(refused(folder, "it holds no index")),
        None => return Err(io_error(folder, io::ErrorKind::NotFound.into())),
    };
    let text = String::from_utf8_lossy(&bytes);
    let (json, sum) = text.trim_end().split_once('\n').unwrap_or((&text, ""));
    let no_header = || refused(&path, "it is no header of an index");
    let Format { format } = serde_json::from_str(json).map_err(|_| no_header())?;
    if format != FORMAT {
        let problem = format!("the index has format {format}, and this program reads {FORMAT}");
        return Err(refused(folder, &problem));
    }
    if u32::from_str_radix(sum, 16) != Ok(checksum(json.as_bytes())) {
        return Err(no_header());
    }
    serde_json::from_str(json).map_err(|_| no_header())
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}
