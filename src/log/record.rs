//! `run.toml`: the few keys of a run's record that readers need.
//!
//! Everything else in the file is the resolved config and belongs to whoever wrote it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use toml::{Table, Value};

use super::folder::RUN;
use super::{LogError, SCHEMA};
use crate::domain::{CellName, Seed};

/// The table in which the record's own keys may stand instead of at the top.
const OWN_TABLE: &str = "record";

/// What a run says about itself.
///
/// Read at the top of `run.toml` or in its table `record`: `schema`, `name`, `rolecall` (or
/// `version`), `seed`, and `cells`, which is a list of names or of tables with a `name`. All of them may be absent
/// but none may be of another type.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// The run's name; that of the folder if the file gives none.
    pub name: String,
    /// The version of the program that played it.
    pub version: Option<String>,
    /// The seed of the run.
    pub seed: Option<Seed>,
    /// The cells in the order of the config; empty if the file does not say.
    pub cells: Vec<CellName>,
    /// The whole file.
    pub table: Table,
}

impl RunRecord {
    /// Reads `run.toml` in the folder.
    pub fn read(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => LogError::NoRun {
                folder: folder.to_owned(),
            },
            _ => LogError::read(&path, &error),
        })?;
        let fallback = folder.file_name().unwrap_or_default().to_string_lossy();
        Self::parse(&text, &fallback).map_err(|reason| LogError::Record { path, reason })
    }

    fn parse(text: &str, fallback: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error| not_toml(text, &error))?;
        if table.is_empty() {
            return Err("empty: it does not say what was played".to_owned());
        }
        let integer = |key| match find(&table, key) {
            None => Ok(None),
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(_) => Err(format!("`{key}` must be a whole number")),
        };
        let string = |key| match find(&table, key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{key}` must be a text")),
        };
        if let Some(schema) = integer("schema")?
            && schema != i64::from(SCHEMA)
        {
            return Err(format!(
                "written in schema {schema}, but this version reads schema {SCHEMA}"
            ));
        }
        Ok(Self {
            name: string("name")?.unwrap_or_else(|| fallback.to_owned()),
            version: match string("rolecall")? {
                Some(version) => Some(version),
                None => string("version")?,
            },
            // TOML has no unsigned numbers; large seeds are written as negative ones.
            seed: integer("seed")?.map(|seed| Seed(seed.cast_unsigned())),
            cells: cells(&table)?,
            table,
        })
    }

    /// Where the cell stands in the order of the config; cells that it does not name come last.
    pub fn position(&self, cell: &CellName) -> usize {
        let place = self.cells.iter().position(|listed| listed == cell);
        place.unwrap_or(self.cells.len())
    }
}

/// The reader's own text draws the place over several lines; here a line's number is enough.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.unwrap_or_default().matches('\n').count() + 1;
    let said = error.message().lines().collect::<Vec<_>>().join(", ");
    format!("not TOML: line {line}: {said}")
}

fn find<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    let own = table.get(OWN_TABLE).and_then(Value::as_table);
    own.and_then(|own| own.get(key)).or_else(|| table.get(key))
}

fn cells(table: &Table) -> Result<Vec<CellName>, String> {
    let Some(value) = find(table, "cells") else {
        return Ok(Vec::new());
    };
    let names = value.as_array().ok_or("`cells` must be a list")?;
    let name = |value: &Value| {
        let own = value.as_table().and_then(|cell| cell.get("name"));
        let name = own.unwrap_or(value).as_str();
        let name = name.ok_or("`cells` must hold names, or tables with a `name`")?;
        CellName::new(name).map_err(|error| error.to_string())
    };
    names.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(record: &RunRecord) -> Vec<&str> {
        record.cells.iter().map(CellName::as_str).collect()
    }

    #[test]
    fn keys_may_stand_at_the_top_or_in_a_table() {
        let top = "schema = 1\nname = \"a\"\nseed = 7\ncells = [\"react\", \"respact\"]";
        let record = RunRecord::parse(top, "folder").unwrap();
        assert_eq!((record.name.as_str(), record.seed), ("a", Some(Seed(7))));
        assert_eq!(names(&record), ["react", "respact"]);
        let own = "[record]\ncells = [\"b\", \"a\"]\n[[cells]]\nname = \"c\"";
        assert_eq!(names(&RunRecord::parse(own, "folder").unwrap()), ["b", "a"]);
        let tables = "[[cells]]\nname = \"c\"\n[[cells]]\nname = \"d\"";
        let record = RunRecord::parse(tables, "folder").unwrap();
        assert_eq!(names(&record), ["c", "d"]);
        assert_eq!(record.name, "folder");
        let record = RunRecord::parse("rolecall = \"0.1.0\"", "folder").unwrap();
        assert_eq!(record.version.as_deref(), Some("0.1.0"));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        let wrong = [
            ("schema = 2", "schema 2"),
            ("seed = \"x\"", "`seed` must be a whole number"),
            ("cells = 3", "`cells` must be a list"),
            ("cells = [3]", "`cells` must hold names"),
            ("name", "not TOML"),
        ];
        for (text, part) in wrong {
            let error = RunRecord::parse(text, "folder").unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
