//! Reading of samples from files, whose data set is recognised by their form.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::error::DataError;
use super::sample::{Options, Sample};
use super::{builtin, cima, focus, own, psyqa};
use crate::language::Dataset;
use rolecall_core::files;
use rolecall_core::ports::load_shared;

/// The word for samples that come with the program.
pub(crate) const BUILTIN: &str = "builtin";

/// The largest file that is read, in bytes.
const BYTE_LIMIT: u64 = 1 << 30;

/// The official names of files, in the order in which a folder is searched for them.
const OFFICIAL: [&str; 5] =
    ["valid_focus.json", "dataset.json", "PsyQA_full.json", "PsyQA_example.json", "train_focus.json"];

/// The samples of a file, or of a folder with one: an official file of FoCus, CIMA or PsyQA, which is recognised by its
/// form, or own data in a file `.jsonl`.
///
/// # Errors
/// When the file cannot be read, is of no known form, holds a malformed record, or no sample.
pub fn load(path: &Path, options: &Options) -> Result<Vec<Sample>, DataError> {
    let path = file(path)?;
    let bytes = files::read_text(&path, BYTE_LIMIT).map_err(|source| unreadable(&path, source))?;
    read(&path.display().to_string(), &bytes, options)
}

/// The built-in samples, or those of a file; of a folder with one folder for each data set, those of the wanted one.
/// Readers with the same options share the samples of a file.
///
/// # Errors
/// As [`load`].
pub(super) fn load_or_builtin(
    data: &Path,
    wanted: Option<Dataset>,
    options: &Options,
) -> Result<Arc<Vec<Arc<Sample>>>, DataError> {
    if data == Path::new(BUILTIN) {
        return Ok(Arc::new(builtin::samples(options.references).into_iter().map(Arc::new).collect()));
    }
    let folder = wanted.map(|dataset| data.join(dataset.name()));
    let path = file(folder.as_deref().filter(|folder| folder.is_dir()).unwrap_or(data))?;
    load_shared(&format!("{} {options:?}", files::stamp(&path)), || {
        Ok(load(&path, options)?.into_iter().map(Arc::new).collect())
    })
}

fn unreadable(path: &Path, source: std::io::Error) -> DataError {
    DataError::Read { path: path.display().to_string(), source }
}

/// The samples of the content of a file; its name is part of FoCus' ids and of errors.
///
/// # Errors
/// As [`load`].
pub fn read(file: &str, bytes: &[u8], options: &Options) -> Result<Vec<Sample>, DataError> {
    let (samples, reason) = if is_own(Path::new(file)) {
        let samples = own::samples(file, bytes, options)?;
        (samples, "after its first line there is no record")
    } else if bytes.trim_ascii_start().starts_with(b"[") {
        let records: Vec<Value> = json(file, bytes)?;
        let samples = psyqa::samples(file, &records)?;
        (samples, "no answer has labelled spans")
    } else {
        let content: Content = json(file, bytes)?;
        if let Some(records) = content.data {
            let records: Vec<Value> = records.into_iter().map(|record| record.0).collect();
            let samples = focus::samples(file, &split_of(file), &records)?;
            (samples, "no dialogue has a turn")
        } else if let Some(Keyed(records)) = content.prep {
            cima::without_shapes(file, &content.shapes)?;
            let samples = cima::samples(file, &records, options)?;
            (samples, "`prepDataset` is empty")
        } else {
            let (line, column) = end(bytes);
            let missing = format!("it is an object without `data` or `prepDataset` at line {line} column {column}");
            return Err(unknown(file, &missing));
        }
    };
    if samples.is_empty() {
        return Err(DataError::Empty { file: file.to_owned(), reason });
    }
    Ok(samples)
}

/// Whether a file is of the form of own data, by its name.
fn is_own(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
}

fn json<'a, T: Deserialize<'a>>(file: &str, bytes: &'a [u8]) -> Result<T, DataError> {
    serde_json::from_slice(bytes).map_err(|error| unknown(file, &error.to_string()))
}

/// Line and column of the last sign that is no blank, from 1, as errors of JSON count them.
fn end(bytes: &[u8]) -> (usize, usize) {
    bytes.trim_ascii_end().split(|byte| *byte == b'\n').fold((0, 0), |(count, _), line| (count + 1, line.len()))
}

fn unknown(file: &str, defect: &str) -> DataError {
    DataError::Unknown { file: file.to_owned(), defect: rolecall_core::text::visible(defect).into_owned() }
}

/// The split that the name of a file tells: `valid` of `valid_focus.json` or `focus_sample_valid.json`.
fn split_of(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let is_own = |word: &&str| !["", "focus", "sample"].contains(&word.to_lowercase().as_str());
    let words: Vec<&str> = stem.split(['_', '-']).filter(is_own).collect();
    if words.is_empty() { "all".to_owned() } else { words.join("_") }
}

/// The file itself, or that of the folder: the one with an official name, or the only one.
fn file(path: &Path) -> Result<PathBuf, DataError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let folder = path;
    let mut official = OFFICIAL.iter().map(|name| folder.join(name));
    if let Some(file) = official.find(|file| file.is_file()) {
        return Ok(file);
    }
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|all| all.map(|one| Ok(one?.path())).collect())
        .map_err(|source| unreadable(folder, source))?;
    found.retain(|path| (path.extension().is_some_and(|ending| ending == "json") || is_own(path)) && path.is_file());
    found.sort();
    if let [one] = found.as_slice() {
        return Ok(one.clone());
    }
    let names: Vec<String> =
        found.iter().filter_map(|path| path.file_name()).map(|name| format!("`{}`", name.display())).collect();
    let found = match (names.as_slice(), folders_of(folder).as_slice()) {
        ([], []) => "no JSON file".to_owned(),
        ([], folders) => format!("folders, of which `environment.dataset` can choose {}", folders.join(", ")),
        (names, _) => names.join(", "),
    };
    Err(DataError::Folder { folder: folder.display().to_string(), found })
}

/// The folders of data sets in a folder, in quotes.
fn folders_of(folder: &Path) -> Vec<String> {
    let names = Dataset::OFFICIAL.iter().map(|dataset| dataset.name()).filter(|name| folder.join(name).is_dir());
    names.map(|name| format!("`{name}`")).collect()
}

/// The objects of FoCus and CIMA, by their keys.
#[derive(Deserialize)]
#[serde(expecting = "an object or a list")]
struct Content {
    #[serde(default, deserialize_with = "some")]
    data: Option<Vec<Slim>>,
    #[serde(default, deserialize_with = "some", rename = "prepDataset")]
    prep: Option<Keyed>,
    #[serde(default, rename = "shapeDataset")]
    shapes: Value,
}

/// A value that is there; null counts as there.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// Records by key, in the order of the file; a repeated key is kept twice.
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
