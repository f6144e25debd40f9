//! The files of a city: databases, goals and conversations, in the official formats.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::api::Domain;
use super::database::{Database, Record};
use rolecall_core::files;

pub use rolecall_core::files::DataError;

/// Contents of a file, unpacked if its name ends in `.gz`.
fn open(file: &Path) -> Result<Box<dyn Read>, DataError> {
    files::unpacked(file).map_err(|source| DataError::io(file, source))
}

/// The text of a file, unpacked if its name ends in `.gz`.
///
/// # Errors
/// When it cannot be read or unpacked, or is no text.
pub fn read_text(file: &Path) -> Result<String, DataError> {
    let mut text = String::new();
    let read = open(file)?.read_to_string(&mut text);
    read.map_err(|source| DataError::io(file, source))?;
    Ok(text)
}

/// The JSON of a file.
///
/// # Errors
/// As [`read_text`], and when it is not of this form.
pub fn read_json<T: DeserializeOwned>(file: &Path, form: &str) -> Result<T, DataError> {
    let text = read_text(file)?;
    rolecall_core::text::json::read(&text)
        .map_err(|error| DataError::data(file, format!("{error}; the file has to hold {form}")))
}

/// The files of the databases of a folder: hotels, restaurants, attractions, trains and taxis.
#[derive(Clone, Debug)]
pub struct DatabaseFiles([PathBuf; 5]);

impl DatabaseFiles {
    /// Finds `db/hotel.json` and so on, or `hotel_db.json` as MultiWOZ calls them.
    ///
    /// # Errors
    /// When one is missing.
    pub fn find(folder: &Path) -> Result<Self, DataError> {
        let files = Domain::ALL.map(|domain| {
            let places = [format!("db/{domain}.json"), format!("{domain}_db.json"), format!("{domain}.json")];
            let found = places.iter().find_map(|place| files::find(folder, place));
            let problem = format!(
                "there is no database of {domain}s: neither `db/{domain}.json` nor `{domain}_db.json`; name a folder \
                 with the databases and goals of MultiWOZ, or `builtin`"
            );
            found.ok_or_else(|| DataError::data(folder, problem))
        });
        let [hotels, restaurants, attractions, trains, taxis] = files;
        Ok(Self([hotels?, restaurants?, attractions?, trains?, taxis?]))
    }

    /// The files.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }

    /// Reads them.
    ///
    /// # Errors
    /// When one cannot be read, or is no list of records.
    pub fn read(&self) -> Result<Database, DataError> {
        let [hotels, restaurants, attractions, trains, taxis] = &self.0;
        let text = read_text(taxis)?;
        let words = |key: &str| {
            let words = Some(words_of(&text, key)).filter(|words| !words.is_empty());
            let problem = || format!("it has no list `{key}`; add one");
            words.ok_or_else(|| DataError::data(taxis, problem()))
        };
        let records = |file: &PathBuf| read_json::<Vec<Record>>(file, "a list of records");
        let tables = [hotels, restaurants, attractions, trains].map(records);
        let [hotels, restaurants, attractions, trains] = tables;
        let tables = [hotels?, restaurants?, attractions?, trains?];
        let (colours, makes) = (words("taxi_colors")?, words("taxi_types")?);
        Ok(Database::new(tables, colours, makes))
    }
}

/// The databases of a folder.
///
/// # Errors
/// As [`DatabaseFiles::find`] and [`DatabaseFiles::read`].
pub fn read_database(folder: &Path) -> Result<Database, DataError> {
    DatabaseFiles::find(folder)?.read()
}

/// Gives each wanted entry of a file that holds an object, with its key; other entries are skipped unread, and one
/// entry is held at a time.
///
/// # Errors
/// When the file cannot be read, or is no object.
pub fn each_entry(
    file: &Path,
    wanted: impl Fn(&str) -> bool,
    take: impl FnMut(String, Value),
) -> Result<(), DataError> {
    let mut reader = serde_json::Deserializer::from_reader(io::BufReader::new(open(file)?));
    reader.deserialize_map(Entries(wanted, take)).and_then(|()| reader.end()).map_err(|error| {
        let form = "the file has to hold an object of conversations by their names";
        DataError::data(file, format!("{error}; {form}"))
    })
}

/// Takes the entries whose keys are wanted.
struct Entries<W, T>(W, T);

impl<'de, W: Fn(&str) -> bool, T: FnMut(String, Value)> Visitor<'de> for Entries<W, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if (self.0)(&key) {
                (self.1)(key, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Hash of the contents of files, whatever their names.
///
/// # Errors
/// When one cannot be read.
pub fn digest<'f>(files: impl Iterator<Item = &'f Path>) -> Result<String, DataError> {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let before = hasher.count();
        files::open(file)
            .and_then(|open| hasher.update_reader(open).map(|_| ()))
            .map_err(|source| DataError::io(file, source))?;
        let length = hasher.count() - before;
        hasher.update(&length.to_le_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// The quoted words of the list behind a key. The official file of taxis is not JSON: its list lacks commas and has
/// both kinds of quotes.
fn words_of(text: &str, key: &str) -> Vec<String> {
    let list =
        text.split_once(key).and_then(|(_, rest)| rest.split_once('[')).and_then(|(_, rest)| rest.split_once(']'));
    let list = list.map_or("", |(list, _)| list);
    list.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect()
}
