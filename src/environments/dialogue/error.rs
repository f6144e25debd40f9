//! Errors of reading data sets of dialogues.

use std::io;

use thiserror::Error;

use rolecall_core::text::visible;

/// An error in reading the samples of a data set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file or folder could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file or folder.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A file is not JSON, or in none of the known formats.
    #[error(
        "`{file}` is no file of a known data set: {defect}; expected are the official JSON files of FoCus \
         (an object with `data`), CIMA (an object with `prepDataset`) or PsyQA (a list), or a file `.jsonl` of \
         your own"
    )]
    Unknown {
        /// The file.
        file: String,
        /// The defect and its place.
        defect: String,
    },
    /// A record lacks a field or has one of another form than its data set defines.
    #[error("`{file}`, {place}{field}: {defect}", place = record_named(record), field = field_part(field))]
    Record {
        /// The file.
        file: String,
        /// The record: its index from 0 (of own data its line from 1), its id if it has one, and its turn or
        /// answer.
        record: String,
        /// The field; empty if it is the record itself.
        field: String,
        /// The defect, and the expected form.
        defect: String,
    },
    /// Two samples of a file have the same id.
    #[error(
        "`{file}`: {place} makes a sample `{id}`, and so does {first}{counted}; samples are told apart by their \
         ids: leave one of the two out, or give it an id of its own",
        place = record_named(record), id = visible(id), first = record_named(first),
        counted = if is_line(record) { "" } else { " (places are counted from 0)" }
    )]
    Twice {
        /// The file.
        file: String,
        /// The id.
        id: String,
        /// The record that has it first.
        first: String,
        /// The record that has it again.
        record: String,
    },
    /// A file holds no sample.
    #[error("`{file}` holds no sample: {reason}")]
    Empty {
        /// The file.
        file: String,
        /// A possible cause.
        reason: &'static str,
    },
    /// A folder holds no file, or several.
    #[error("`{folder}` does not say which file to read: it holds {found}; name the file")]
    Folder {
        /// The folder.
        folder: String,
        /// The files that could be meant.
        found: String,
    },
}

/// Whether a record is named by its line.
fn is_line(record: &str) -> bool {
    record.starts_with("line ")
}

/// A record in a message.
fn record_named(record: &str) -> String {
    let word = if is_line(record) { "" } else { "record " };
    format!("{word}{}", visible(record))
}

/// The part of a message that names the field; empty if the record itself is wrong.
fn field_part(field: &str) -> String {
    match field {
        "" => String::new(),
        field => format!(", field `{}`", visible(field)),
    }
}
