//! Finds out which data set a file is of, and reads its samples.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::error::DataError;
use super::sample::{Options, Sample};
use super::{cima, focus, psyqa};
use crate::environments::dialogue::language::Dataset;
use crate::files;
use crate::ports::load_shared;

/// The largest file that is read, in bytes.
const BYTE_LIMIT: u64 = 1 << 30;

/// The official names of files, in the order in which a folder is searched for them.
const OFFICIAL: [&str; 5] = [
    "valid_focus.json",
    "dataset.json",
    "PsyQA_full.json",
    "PsyQA_example.json",
    "train_focus.json",
];

/// The samples of a file, or of a folder with one: an official file of FoCus, CIMA or PsyQA, which is
/// found out from what it holds.
///
/// # Errors
/// When the file cannot be read, is of no known form, holds a malformed record, or no sample.
pub fn load(path: &Path, options: &Options) -> Result<Vec<Sample>, DataError> {
    let path = file(path)?;
    let bytes = files::read(&path, BYTE_LIMIT).map_err(|source| unreadable(&path, source))?;
    read(&path.display().to_string(), &bytes, options)
}

/// The same, held once for all who read the file in the same way.
///
/// # Errors
/// As [`load`].
pub(super) fn load_once(
    path: &Path,
    options: &Options,
) -> Result<Arc<Vec<Arc<Sample>>>, DataError> {
    let path = file(path)?;
    load_shared(&format!("{} {options:?}", files::stamp(&path)), || {
        Ok(load(&path, options)?.into_iter().map(Arc::new).collect())
    })
}

fn unreadable(path: &Path, source: std::io::Error) -> DataError {
    DataError::Read {
        path: path.display().to_string(),
        source,
    }
}

/// The file itself, or the one of the folder.
fn file(path: &Path) -> Result<PathBuf, DataError> {
    if path.is_dir() {
        return file_of(path).map_err(|source| unreadable(path, source))?;
    }
    Ok(path.to_owned())
}

/// The samples of the content of a file; its name is part of FoCus' ids and of errors.
///
/// # Errors
/// As [`load`].
pub fn read(file: &str, bytes: &[u8], options: &Options) -> Result<Vec<Sample>, DataError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let content = serde_json::from_slice(bytes).map_err(|error| DataError::Unknown {
        file: file.to_owned(),
        defect: crate::text::visible(&error.to_string()).into_owned(),
    })?;
    let Content { records, shapes } = content;
    let (samples, reason) = match records {
        Records::Focus(records) => {
            let split = split_of(file);
            let samples = focus::samples(file, &split, &records)?;
            (samples, "no dialogue has a turn")
        }
        Records::Cima(records) => {
            cima::without_shapes(file, &shapes)?;
            let samples = cima::samples(file, &records, options)?;
            (samples, "`prepDataset` is empty")
        }
        Records::Psyqa(records) => {
            let samples = psyqa::samples(file, &records)?;
            (samples, "no answer has labelled spans")
        }
    };
    if samples.is_empty() {
        let file = file.to_owned();
        return Err(DataError::Empty { file, reason });
    }
    Ok(samples)
}

/// The split that the name of a file tells: `valid` of `valid_focus.json` or `focus_sample_valid.json`.
fn split_of(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let words = stem.split(['_', '-']);
    let words: Vec<&str> = words
        .filter(|word| !["", "focus", "sample"].contains(&word.to_lowercase().as_str()))
        .collect();
    if words.is_empty() {
        "all".to_owned()
    } else {
        words.join("_")
    }
}

/// The file of a folder: the one with an official name, or the only one.
fn file_of(folder: &Path) -> std::io::Result<Result<PathBuf, DataError>> {
    for name in OFFICIAL {
        let file = folder.join(name);
        if file.is_file() {
            return Ok(Ok(file));
        }
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|own| own == "json") && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    if let [one] = found.as_slice() {
        return Ok(Ok(one.clone()));
    }
    let names = found.iter().filter_map(|path| path.file_name());
    let names: Vec<String> = names.map(|name| format!("`{}`", name.display())).collect();
    let found = match (names.as_slice(), folders_of(folder).as_slice()) {
        ([], []) => "no JSON file".to_owned(),
        ([], folders) => format!(
            "folders, of which `environment.dataset` can choose {}",
            folders.join(", ")
        ),
        (names, _) => names.join(", "),
    };
    let folder = folder.display().to_string();
    Ok(Err(DataError::Folder { folder, found }))
}

/// Which folders of data sets a folder holds, in quotes.
fn folders_of(folder: &Path) -> Vec<String> {
    let names = Dataset::ALL.iter().map(|dataset| dataset.name());
    names
        .filter(|name| folder.join(name).is_dir())
        .map(|name| format!("`{name}`"))
        .collect()
}

/// What a file holds.
struct Content {
    records: Records,
    /// What stands in CIMA's `shapeDataset`.
    shapes: Value,
}

enum Records {
    Focus(Vec<Value>),
    Cima(Vec<(String, Value)>),
    Psyqa(Vec<Value>),
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object or a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Content, A::Error> {
        let records = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(Content {
            records: Records::Psyqa(records),
            shapes: Value::Null,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Content, A::Error> {
        let mut found = None;
        let mut shapes = Value::Null;
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "data" => {
                    let records: Vec<Slim> = object.next_value()?;
                    let records = records.into_iter().map(|record| record.0);
                    found = Some(Records::Focus(records.collect()));
                }
                "prepDataset" => found = Some(Records::Cima(object.next_value::<Keyed>()?.0)),
                "shapeDataset" => shapes = object.next_value()?,
                _ => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        let missing = "it is an object without `data` or `prepDataset`";
        let records = found.ok_or_else(|| serde::de::Error::custom(missing))?;
        Ok(Content { records, shapes })
    }
}

/// Records by key, in the order of the file; a key that comes twice is there twice.
struct Keyed(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Keyed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeyedVisitor)
    }
}

struct KeyedVisitor;

impl<'de> Visitor<'de> for KeyedVisitor {
    type Value = Keyed;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object of records")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Keyed, A::Error> {
        let mut records = Vec::new();
        while let Some(record) = object.next_entry()? {
            records.push(record);
        }
        Ok(Keyed(records))
    }
}

/// A record of FoCus without the whole article, which takes most of the file and is no source.
struct Slim(Value);

impl<'de> Deserialize<'de> for Slim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut record = Value::deserialize(deserializer)?;
        if let Some(fields) = record.as_object_mut() {
            fields.shift_remove("knowledge");
        }
        Ok(Self(record))
    }
}
