//! A config as it was written: a tree of TOML values, each with its place.

use std::collections::BTreeMap;

use serde_json::{Number, Value};
use toml::de::{DeTable, DeValue};

use super::error::quoted;
use super::origin::Origin;

/// Tables and lists within each other; no config needs more, and deeper ones could exhaust the
/// stack of whoever walks over them.
const DEEPEST: usize = 16;

/// A table by key.
pub(super) type Table = BTreeMap<String, Node>;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Its place.
    pub(super) origin: Origin,
    /// The value.
    pub(super) kind: Kind,
}

/// The sorts of values. Dates have no use in a config.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    List(Vec<Node>),
    Table(Table),
}

impl Kind {
    /// The value as messages name it.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("the text {}", quoted(text)),
            Self::Integer(number) => format!("the whole number `{number}`"),
            Self::Number(number) if number.is_finite() && number.abs() >= 1e15 => {
                format!("the number `{number:e}`")
            }
            Self::Number(number) => format!("the number `{number}`"),
            Self::Flag(flag) => format!("`{flag}`"),
            Self::List(_) => "a list".to_owned(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

impl Node {
    /// A table.
    pub(super) fn of_table(origin: Origin, table: Table) -> Self {
        Self { origin, kind: Kind::Table(table) }
    }

    /// A text.
    pub(super) fn of_text(origin: Origin, text: &str) -> Self {
        Self { origin, kind: Kind::Text(text.to_owned()) }
    }

    /// The entries, if it is a table.
    pub(super) fn table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub(super) fn list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value as JSON; none if a number is none of JSON.
    pub(super) fn json(&self) -> Option<Value> {
        Some(match &self.kind {
            Kind::Text(text) => Value::String(text.clone()),
            Kind::Integer(number) => Value::Number((*number).into()),
            Kind::Number(number) => Value::Number(Number::from_f64(*number)?),
            Kind::Flag(flag) => Value::Bool(*flag),
            Kind::List(items) => items.iter().map(Self::json).collect::<Option<_>>()?,
            Kind::Table(table) => {
                let entry = |(key, node): (&String, &Self)| Some((key.clone(), node.json()?));
                Value::Object(table.iter().map(entry).collect::<Option<_>>()?)
            }
        })
    }

    /// Marks the place of the value and of all in it.
    pub(super) fn mark(&mut self, mark: &dyn Fn(&mut Origin)) {
        mark(&mut self.origin);
        match &mut self.kind {
            Kind::List(items) => items.iter_mut().for_each(|item| item.mark(mark)),
            Kind::Table(table) => table.values_mut().for_each(|node| node.mark(mark)),
            Kind::Text(_) | Kind::Integer(_) | Kind::Number(_) | Kind::Flag(_) => {}
        }
    }
}

/// A value that is valid TOML but cannot stand in a config: its place, its key, and why not.
pub(super) type Unusable = (Origin, String, String);

/// Turns parsed TOML into nodes. What cannot be used is left out and noted.
pub(super) struct Reader {
    source: usize,
    line_starts: Vec<usize>,
    /// Values that were left out.
    pub(super) unusable: Vec<Unusable>,
}

impl Reader {
    /// A reader for a file.
    pub(super) fn of_file(source: usize, text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { line_starts: std::iter::once(0).chain(breaks).collect(), ..Self::of_value(source) }
    }

    /// A reader for a single value, which has no lines.
    pub(super) fn of_value(source: usize) -> Self {
        Self { source, line_starts: Vec::new(), unusable: Vec::new() }
    }

    /// The place of a byte of the text.
    pub(super) fn origin(&self, offset: usize) -> Origin {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        Origin { source: self.source, line: u32::try_from(line).unwrap_or(u32::MAX), ..Origin::default() }
    }

    /// Where the line of a byte of the text begins.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.line_starts.iter().rev().copied().find(|start| *start <= offset).unwrap_or(0)
    }

    /// A whole file.
    pub(super) fn table(&mut self, table: &DeTable<'_>) -> Table {
        self.entries(table, "", 0)
    }

    fn entries(&mut self, table: &DeTable<'_>, path: &str, depth: usize) -> Table {
        let mut entries = Table::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            let origin = self.origin(key.span().start);
            let path = join(path, name);
            if let Some(node) = self.value(value.get_ref(), origin, &path, depth) {
                entries.insert(name.to_owned(), node);
            }
        }
        entries
    }

    /// One value.
    pub(super) fn value(&mut self, value: &DeValue<'_>, origin: Origin, path: &str, depth: usize) -> Option<Node> {
        let kind = match value {
            _ if depth > DEEPEST => Err(format!("is nested more than {DEEPEST} deep")),
            DeValue::String(text) => Ok(Kind::Text(text.to_string())),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map(Kind::Integer)
                .map_err(|_| "is a whole number beyond 64 bits".to_owned()),
            DeValue::Float(number) => number.as_str().parse().map(Kind::Number).map_err(|_| "is no number".to_owned()),
            DeValue::Boolean(flag) => Ok(Kind::Flag(*flag)),
            DeValue::Datetime(_) => Err("is a date; write a text in quotes".to_owned()),
            DeValue::Array(items) => Ok(Kind::List(self.items(items, origin, path, depth + 1))),
            DeValue::Table(table) => Ok(Kind::Table(self.entries(table, path, depth + 1))),
        };
        match kind {
            Ok(kind) => Some(Node { origin, kind }),
            Err(problem) => {
                self.unusable.push((origin, path.to_owned(), problem));
                None
            }
        }
    }

    fn items(&mut self, items: &toml::de::DeArray<'_>, origin: Origin, path: &str, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let path = join(path, &index.to_string());
            let origin = Origin { line: self.origin(item.span().start).line, ..origin };
            nodes.extend(self.value(item.get_ref(), origin, &path, depth));
        }
        nodes
    }
}

/// Whether keys and names may hold the letter without quotes.
pub(super) fn is_key_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-".contains(letter)
}

/// The path of a key within the table at `path`, as `--set` writes it.
pub(super) fn join(path: &str, key: &str) -> String {
    let key = match !key.is_empty() && key.chars().all(is_key_letter) {
        true => key.to_owned(),
        false => format!("\"{}\"", quoted(key).trim_matches('`')),
    };
    match path {
        "" => key,
        path => format!("{path}.{key}"),
    }
}

/// The keys of a cell besides its name; they may also stand outside the cells.
pub(super) const CELL_KEYS: [&str; 6] = ["environment", "strategy", "roles", "user", "users", "limits"];

/// The key of the cells.
pub(super) const CELLS: &str = "cells";

/// The key of the axes whose product is cells.
pub(super) const MATRIX: &str = "matrix";

/// The name of a cell, if it has one.
pub(super) fn name_of(item: &Node) -> Option<&str> {
    item.table()?.get("name")?.text()
}
