//! Single values laid over a config file: environment variables, `--set` and other options.

use std::ffi::OsStr;
use std::path::Path;

use toml::de::DeValue;

use super::error::{is_secret, listed, quoted};
use super::merge::merge;
use super::node::{CELLS, Kind, MATRIX, Node, Reader, Table, is_key_letter, name_of};
use super::origin::{Origin, Sources};
use rolecall_core::maps::ordered;

/// Environment variables that begin with this are laid over the config file.
pub(super) const PREFIX: &str = "ROLECALL__";

/// An option of the command line that stands for a config value, such as `--limit 10` for
/// `tasks.limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// The option as it is written.
    pub option: &'static str,
    /// The dotted key.
    pub key: &'static str,
    /// The value.
    pub value: toml::Value,
}

/// One value and its path in the config.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Override {
    path: Vec<String>,
    value: Node,
}

/// An override that cannot be read or has no place to go: who wrote it, and why not.
pub(super) type Misplaced = (Origin, String);

impl Override {
    /// Reads `key=value` of a `--set`.
    pub(super) fn from_set(text: &str, sources: &mut Sources, working: &Path) -> Result<Self, Misplaced> {
        let origin = Origin::of(sources.add("`--set`", working));
        let (path, value) = split_set(text).map_err(|problem| (origin, problem))?;
        Self::new(path, value, origin)
    }

    /// Reads a variable `ROLECALL__A__B=value`; nothing if it has another name.
    pub(super) fn from_variable(
        name: &OsStr,
        value: &OsStr,
        sources: &mut Sources,
        working: &Path,
    ) -> Option<Result<Self, Misplaced>> {
        let shown = name.to_string_lossy();
        let path = shown.strip_prefix(PREFIX)?;
        let origin = Origin::of(sources.add(format!("environment variable {}", quoted(&shown)), working));
        let path: Vec<String> = path.split("__").map(str::to_ascii_lowercase).collect();
        let nameless = path.iter().any(String::is_empty);
        Some(match value.to_str() {
            None => Err((origin, "is not UTF-8".to_owned())),
            Some(_) if nameless => Err((origin, "names no key between two `__`".to_owned())),
            Some(value) => Self::new(path, value, origin),
        })
    }

    /// Takes over an option of the command line.
    pub(super) fn from_flag(flag: &Flag, sources: &mut Sources, working: &Path) -> Result<Self, Misplaced> {
        let origin = Origin::of(sources.add(format!("`{}`", flag.option), working));
        Self::new(flag.key.split('.').map(str::to_owned).collect(), &flag.value.to_string(), origin)
    }

    fn new(path: Vec<String>, value: &str, origin: Origin) -> Result<Self, Misplaced> {
        let refuse = |problem: String| Err((origin, problem));
        if path.first().is_some_and(|first| first == "extends") {
            return refuse("`extends` can only be written in a file".to_owned());
        }
        if path.len() > 8 {
            return refuse("names a key deeper than any in a config".to_owned());
        }
        match typed(value, origin) {
            Ok(value) => Ok(Self { path, value }),
            Err(problem) if path.iter().any(|key| is_secret(key)) => refuse(problem),
            Err(problem) => refuse(format!("{} {problem}", quoted(value))),
        }
    }

    /// Whether the value is for a cell that the config's matrix is yet to make.
    pub(super) fn waits_for_matrix(&self, config: &Table) -> bool {
        let [first, cell, _, ..] = self.path.as_slice() else {
            return false;
        };
        let cells = config.get(CELLS).and_then(Node::list).unwrap_or_default();
        let written = cells.iter().any(|item| name_of(item) == Some(cell));
        first == CELLS && config.contains_key(MATRIX) && !written
    }

    /// Lays the value over a config.
    pub(super) fn lay_over(self, config: &mut Table) -> Result<(), Misplaced> {
        let origin = self.value.origin;
        if let [first, cell, ..] = self.path.as_slice()
            && first == "cells"
            && !config.contains_key(first)
        {
            let cell = quoted(cell);
            let problem = "the config has no `[[cells]]`; leave out `cells` and its name";
            return Err((origin, format!("`cells` has no cell {cell}: {problem}")));
        }
        let root = Node::of_table(origin, config.clone());
        let over = nest(Some(&root), &self.path, self.value).map_err(|problem| (origin, problem))?;
        let Kind::Table(over) = over.kind else {
            return Err((origin, "names no key".to_owned()));
        };
        *config = merge(std::mem::take(config), over);
        Ok(())
    }
}

/// The value as TOML if it is valid TOML, and else the words as a text.
fn typed(value: &str, origin: Origin) -> Result<Node, String> {
    let value = value.trim();
    let Ok(parsed) = DeValue::parse(value) else {
        return Ok(Node::of_text(origin, value));
    };
    let mut reader = Reader::of_value(origin.source);
    let node = reader.value(parsed.get_ref(), origin, "", 0);
    match (node, reader.unusable.into_iter().next()) {
        (Some(node), None) => Ok(node),
        (_, unusable) => Err(unusable.map_or_else(String::new, |(_, _, problem)| problem)),
    }
}

/// Splits `a."b c".d=value` into its path and its value.
pub(super) fn split_set(text: &str) -> Result<(Vec<String>, &str), String> {
    let wrong = |why: &str| {
        let shown = match is_secret(text) {
            true => "this".to_owned(),
            false => quoted(text),
        };
        Err(format!("{shown} {why}; write `key=value`, for instance `limits.steps=20`"))
    };
    let mut path = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let Some((key, after)) = split_key(rest) else {
            return wrong("does not begin with a dotted key");
        };
        path.push(key.to_owned());
        let after = after.trim_start();
        if let Some(value) = after.strip_prefix('=') {
            return Ok((path, value));
        }
        let Some(inner) = after.strip_prefix('.') else {
            return wrong("has no `=` after its key");
        };
        rest = inner.trim_start();
    }
}

/// The first key, quoted or bare, and what follows it.
fn split_key(text: &str) -> Option<(&str, &str)> {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).filter(|(key, _)| !key.is_empty());
        }
    }
    let end = text.find(|letter| !is_key_letter(letter)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The value in as many tables as its path has keys. An item of a list that is there already is
/// changed in place: the whole list becomes the new value.
fn nest(current: Option<&Node>, path: &[String], value: Node) -> Result<Node, String> {
    let Some((key, rest)) = path.split_first() else {
        return Ok(value);
    };
    if let Some(list) = current
        && let Kind::List(items) = &list.kind
    {
        let index = position(items, key)?;
        let mut items = items.clone();
        let item = &mut items[index];
        let over = nest(Some(item), rest, value)?;
        *item = merge_nodes(item.clone(), over);
        return Ok(Node { origin: list.origin, kind: Kind::List(items) });
    }
    let origin = value.origin;
    let inner = nest(current.and_then(Node::table).and_then(|table| table.get(key)), rest, value)?;
    Ok(Node::of_table(origin, ordered([(key.clone(), inner)])))
}

fn merge_nodes(under: Node, over: Node) -> Node {
    match (under.kind, over.kind) {
        (Kind::Table(below), Kind::Table(above)) => Node::of_table(under.origin, merge(below, above)),
        (_, kind) => Node { kind, ..over },
    }
}

/// The item of a list that a key names: by its number, or by its `name`.
fn position(items: &[Node], key: &str) -> Result<usize, String> {
    let names: Vec<Option<&str>> = items.iter().map(name_of).collect();
    let by_name = names.iter().position(|name| *name == Some(key));
    let by_number = || key.parse().ok().filter(|index| *index < items.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let named = match listed(names.iter().flatten().copied()) {
            none if none.is_empty() => none,
            named => format!(" or {named}"),
        };
        let why = match items.len().checked_sub(1) {
            Some(last) => format!(": write a number from 0 to {last}{named}"),
            None => ", which is empty".to_owned(),
        };
        format!("{} is no item of the list{why}", quoted(key))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value_of(text: &str) -> Kind {
        typed(text, Origin::default()).unwrap().kind
    }

    #[test]
    fn values_are_toml_and_else_texts() {
        assert_eq!(value_of("5"), Kind::Integer(5));
        assert_eq!(value_of("\"5\""), Kind::Text("5".to_owned()));
        assert_eq!(value_of("0.5"), Kind::Number(0.5));
        assert_eq!(value_of("true"), Kind::Flag(true));
        for text in ["/path/x", "unhelpful", "dialogue+observations", "[1,", ""] {
            assert_eq!(value_of(text), Kind::Text(text.to_owned()));
        }
        assert!(typed("2020-01-01", Origin::default()).is_err());
        assert!(typed("99999999999999999999", Origin::default()).is_err());
    }

    #[test]
    fn keys_are_split_at_dots_outside_quotes() {
        let (path, value) = split_set("roles.\"x-y.z\".'k' = a=b").unwrap();
        assert_eq!((path.join("|").as_str(), value), ("roles|x-y.z|k", " a=b"));
        for wrong in ["", "=", "a", "a.=1", ".a=1", "a b=1", "\"a=1", "\"\"=1", "é=1"] {
            assert!(split_set(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_set_is_read_or_refused(text in ".{0,60}") {
            let mut sources = Sources::default();
            if let Ok(set) = Override::from_set(&text, &mut sources, Path::new("/")) {
                let _ = set.lay_over(&mut Table::new());
            }
        }

        #[test]
        fn a_set_that_is_well_formed_arrives(
            path in proptest::collection::vec("[a-zA-Z0-9_-]{1,8}", 1..5),
            number in any::<i64>(),
        ) {
            prop_assume!(path[0] != "extends");
            let text = format!("{}={number}", path.join("."));
            let set = Override::from_set(&text, &mut Sources::default(), Path::new("/")).unwrap();
            let mut node = Table::new();
            set.lay_over(&mut node).unwrap();
            let (last, folders) = path.split_last().unwrap();
            for key in folders {
                let Some(Node { kind: Kind::Table(table), .. }) = node.remove(key) else {
                    panic!("no table at {key}");
                };
                node = table;
            }
            assert_eq!(node.remove(last).unwrap().kind, Kind::Integer(number));
        }
    }
}
