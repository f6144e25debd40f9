//! Reading fields of a record, with errors that say where.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::error::DataError;
use rolecall_core::text::joined;

/// A record of a file, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Record<'a> {
    file: &'a str,
    /// Its name in errors.
    name: String,
    fields: &'a Map<String, Value>,
}

impl<'a> Record<'a> {
    /// A record of that name, if it is an object.
    pub(super) fn new(file: &'a str, name: String, value: &'a Value) -> Result<Self, DataError> {
        match value.as_object() {
            Some(fields) => Ok(Self { file, name, fields }),
            None => Err(DataError::Record {
                file: file.to_owned(),
                record: name,
                field: String::new(),
                defect: format!("expected an object, got {}", kind(value)),
            }),
        }
    }

    /// The record of that name, with its id, which is a field.
    pub(super) fn with_id(
        file: &'a str,
        name: String,
        value: &'a Value,
        field: &str,
    ) -> Result<(Self, String), DataError> {
        let mut record = Self::new(file, name, value)?;
        let id = record.read(field, "a text or a whole number", |value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) if !number.is_f64() => Some(number.to_string()),
            _ => None,
        })?;
        record.name.push_str(&format!(" (`{id}`)"));
        Ok((record, id))
    }

    /// Its part, an object.
    pub(super) fn part(&self, name: &str, value: &'a Value) -> Result<Self, DataError> {
        Self::new(self.file, format!("{}, {name}", self.name), value)
    }

    /// A field that must be there.
    pub(super) fn field(&self, field: &str) -> Result<&'a Value, DataError> {
        self.optional(field).ok_or_else(|| {
            self.defect(field, format!("it is missing; the record has {}", joined(self.fields.keys().take(12))))
        })
    }

    /// A field that is there and not null.
    pub(super) fn optional(&self, field: &str) -> Option<&'a Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// A field that must be there, in its expected form.
    fn read<T>(&self, field: &str, expected: &str, read: impl FnOnce(&'a Value) -> Option<T>) -> Result<T, DataError> {
        let value = self.field(field)?;
        read(value).ok_or_else(|| self.wrong(field, expected, value))
    }

    /// A text.
    pub(super) fn text(&self, field: &str) -> Result<&'a str, DataError> {
        self.read(field, "a text", Value::as_str)
    }

    /// A text; the default if the field is missing.
    pub(super) fn text_or(&self, field: &str, missing: &'a str) -> Result<&'a str, DataError> {
        match self.optional(field) {
            Some(_) => self.text(field),
            None => Ok(missing),
        }
    }

    /// The names of its fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &'a str> {
        self.fields.keys().map(String::as_str)
    }

    /// Refuses fields that are none of these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), DataError> {
        match self.fields().find(|field| !known.contains(field)) {
            None => Ok(()),
            Some(other) => Err(self.defect(other, format!("there is no such field; there are {}", known.join(", ")))),
        }
    }

    /// A list.
    pub(super) fn list(&self, field: &str) -> Result<&'a [Value], DataError> {
        Ok(self.read(field, "a list", Value::as_array)?)
    }

    /// A list of texts.
    pub(super) fn texts(&self, field: &str) -> Result<Vec<&'a str>, DataError> {
        let text = |value: &'a Value| {
            let wrong = || self.wrong(field, "a list of texts", value);
            value.as_str().ok_or_else(wrong)
        };
        self.list(field)?.iter().map(text).collect()
    }

    /// A list of truth values, which may be written as texts.
    pub(super) fn truths(&self, field: &str) -> Result<Vec<bool>, DataError> {
        self.list(field)?.iter().map(|value| self.truth(field, value)).collect()
    }

    /// A truth value, which may be written as a text.
    pub(super) fn truth(&self, field: &str, value: &Value) -> Result<bool, DataError> {
        match (value.as_bool(), value.as_str()) {
            (Some(truth), _) => Ok(truth),
            (None, Some("True" | "true")) => Ok(true),
            (None, Some("False" | "false")) => Ok(false),
            _ => Err(self.wrong(field, "true or false", value)),
        }
    }

    /// A place or a length.
    pub(super) fn number(&self, field: &str) -> Result<usize, DataError> {
        let whole = |value: &Value| usize::try_from(value.as_u64()?).ok();
        self.read(field, "a whole number from 0", whole)
    }

    /// The error of a field with the wrong form.
    pub(super) fn wrong(&self, field: &str, expected: &str, value: &Value) -> DataError {
        self.defect(field, format!("expected {expected}, got {}", kind(value)))
    }

    /// The error of a field.
    pub(super) fn defect(&self, field: &str, defect: impl Into<String>) -> DataError {
        DataError::Record {
            file: self.file.to_owned(),
            record: self.name.clone(),
            field: field.to_owned(),
            defect: defect.into(),
        }
    }
}

/// The ids of samples, each with its record.
#[derive(Debug, Default)]
pub(super) struct Ids(FxHashMap<String, String>);

impl Ids {
    /// Notes an id of a record.
    ///
    /// # Errors
    /// If another sample has it.
    pub(super) fn take(&mut self, id: &str, record: &Record<'_>) -> Result<(), DataError> {
        match self.0.insert(id.to_owned(), record.name.clone()) {
            None => Ok(()),
            Some(first) => Err(DataError::Twice {
                file: record.file.to_owned(),
                id: id.to_owned(),
                first,
                record: record.name.clone(),
            }),
        }
    }
}

/// The kind of a value, for errors.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
