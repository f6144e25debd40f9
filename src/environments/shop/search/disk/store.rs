//! The two files of an index: `data`, which holds pieces of bytes whose places and checksums are known, and `header`,
//! which is written last and says what the data is.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::ShopError;
use rolecall_core::files;

/// The number of this format. An index with another one is refused.
const FORMAT: u64 = 2;
const DATA: &str = "data";
const HEADER: &str = "header";
const AGAIN: &str =
    "remove the folder, or name another one, and build it: `rolecall data index shop --data ... --out ...`";

/// Where a piece lies.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Piece {
    at: u64,
    length: usize,
    checksum: u32,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u64,
    catalogue: String,
    /// Bytes of the data.
    length: u64,
    tables: Piece,
}

fn checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

fn refused(path: &Path, problem: &str) -> ShopError {
    ShopError::data(path, format!("{problem}; {AGAIN}"))
}

/// Waits until nobody else builds the index of this folder, and keeps others waiting while it is held.
pub(super) fn lock(folder: &Path) -> Result<File, ShopError> {
    let mut path = folder.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
        .and_then(|()| File::create(&path))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(ShopError::io(&path))
}

/// Whether there is an index in the folder, whichever it is.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(HEADER).exists()
}

/// Removes what was written of an index that is not to be finished.
pub(super) fn remove_part(folder: &Path) {
    // What cannot be removed does not count as an index, and the next attempt removes it.
    let _ = fs::remove_dir_all(files::part_of(folder));
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
        let made = files::if_there(fs::remove_dir_all(&part)).and_then(|_| fs::create_dir_all(&part));
        let file = made.and_then(|()| File::create(part.join(DATA))).map_err(ShopError::io(&part))?;
        Ok(Self { folder: folder.to_owned(), file: BufWriter::with_capacity(1 << 20, file), length: 0, part })
    }

    /// Adds a value.
    pub(super) fn add(&mut self, value: &impl Serialize) -> Result<Piece, ShopError> {
        let bytes = postcard::to_stdvec(value).map_err(|error| refused(&self.part, &error.to_string()))?;
        let written = self.file.write_all(&bytes);
        written.map_err(ShopError::io(&self.part))?;
        let piece = Piece { at: self.length, length: bytes.len(), checksum: checksum(&bytes) };
        self.length += bytes.len() as u64;
        Ok(piece)
    }

    /// Puts the finished index in its place.
    pub(super) fn finish(mut self, catalogue: &str, tables: &impl Serialize) -> Result<(), ShopError> {
        let header =
            Header { format: FORMAT, catalogue: catalogue.to_owned(), tables: self.add(tables)?, length: self.length };
        self.put_there(&header).map_err(ShopError::io(&self.folder))
    }

    fn put_there(&mut self, header: &Header) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        files::replace(&self.part.join(HEADER), &serde_json::to_vec(header)?)?;
        files::step();
        fs::rename(&self.part, &self.folder)?;
        files::step();
        files::sync_folder(self.folder.parent().unwrap_or(Path::new("")))
    }
}

/// Reads the data of an index.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    length: u64,
}

impl Reader {
    /// Opens the index of a catalogue with its tables.
    pub(super) fn open<T: DeserializeOwned>(folder: &Path, catalogue: &str) -> Result<(Self, T), ShopError> {
        let header = header(folder)?;
        if header.catalogue != catalogue {
            return Err(refused(folder, "it is the index of another catalogue"));
        }
        let path = folder.join(DATA);
        let length = fs::metadata(&path).map_err(ShopError::io(&path))?.len();
        if length != header.length {
            let problem = format!("it has {length} bytes where the index has {}", header.length);
            return Err(refused(&path, &problem));
        }
        let reader = Self { path, length };
        let tables = reader.value(header.tables)?;
        Ok((reader, tables))
    }

    /// The value that a piece holds.
    pub(super) fn value<T: DeserializeOwned>(&self, piece: Piece) -> Result<T, ShopError> {
        let damaged = || refused(&self.path, "it is damaged");
        // A damaged length fills no memory.
        let rest = self.length.checked_sub(piece.at);
        if rest.is_none_or(|rest| (piece.length as u64) > rest) {
            return Err(damaged());
        }
        let mut bytes = vec![0; piece.length];
        let read = self.read(piece.at, &mut bytes);
        read.map_err(ShopError::io(&self.path))?;
        if checksum(&bytes) != piece.checksum {
            return Err(damaged());
        }
        postcard::from_bytes(&bytes).map_err(|_| damaged())
    }

    /// Opens the file each time: several may read at once, and a file has one position.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = files::open(&self.path)?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

fn header(folder: &Path) -> Result<Header, ShopError> {
    let path = folder.join(HEADER);
    let found = files::if_there(files::read(&path, 1 << 16));
    let bytes = match found.map_err(ShopError::io(&path))? {
        Some(bytes) => bytes,
        None if folder.exists() => return Err(refused(folder, "it holds no index")),
        None => return Err(ShopError::io(folder)(io::ErrorKind::NotFound.into())),
    };
    let no_header = || refused(&path, "it is no header of an index");
    // Format 1 has a second line.
    let line = bytes.split(|byte| *byte == b'\n').next();
    let header: Value = serde_json::from_slice(line.unwrap_or_default()).map_err(|_| no_header())?;
    let format = header["format"].as_u64().ok_or_else(no_header)?;
    if format != FORMAT {
        let problem = format!("the index has format {format}, and this program reads {FORMAT}");
        return Err(refused(folder, &problem));
    }
    serde_json::from_value(header).map_err(|_| no_header())
}
