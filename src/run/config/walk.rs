//! The walk over the raw values: types, bounds and unknown keys. Nothing is converted, and every
//! problem is reported, not only the first.

use std::borrow::Cow;

use super::context::Context;
use super::error::{instead, is_secret, nearest, quoted};
use super::node::{Kind, Node, Table, join};
use super::origin::Origin;
use super::secrets::{EXTRA_BODY, HEADERS};
use rolecall_core::text::unique;

static EMPTY: Table = Table::new();

/// One table of a config while it is being checked. Asking for a key makes it a known key;
/// [`Section::finish`] reports all others.
pub(super) struct Section<'a> {
    /// The state that all checks share.
    pub(super) context: &'a Context,
    /// The place of the table, or else where it would have to be.
    pub(super) origin: Origin,
    cell: Option<&'a str>,
    path: String,
    table: &'a Table,
    known: Vec<Cow<'a, str>>,
    /// The table is not a table: what it lacks is not worth a message.
    mistyped: bool,
    /// No value of the table is shown.
    secret: bool,
}

impl<'a> Section<'a> {
    /// The top of a file.
    pub(super) fn top(context: &'a Context, origin: Origin, table: &'a Table, cell: Option<&'a str>) -> Self {
        Self { context, origin, cell, path: String::new(), table, known: Vec::new(), mistyped: false, secret: false }
    }

    /// The table under a key; an empty one if there is none.
    pub(super) fn section(&mut self, key: &'a str) -> Self {
        let node = self.node(key);
        self.section_of(key, node)
    }

    /// The table under a key whose name is not part of the program; an empty one if there is none.
    pub(super) fn section_named(&mut self, name: &str) -> Self {
        match self.table.get_key_value(name) {
            Some((key, _)) => self.section(key),
            None => {
                self.known.push(name.to_owned().into());
                self.section_of(name, None)
            }
        }
    }

    /// A table that stands in this one, such as an item of a list.
    pub(super) fn section_of(&self, key: &str, node: Option<&'a Node>) -> Self {
        let table = node.and_then(Node::table);
        let mistyped = node.is_some() && table.is_none();
        let origin = node.map_or(self.origin, |node| node.origin);
        let section = Self {
            path: join(&self.path, key),
            mistyped: mistyped || self.mistyped,
            secret: self.secret || [HEADERS, EXTRA_BODY].contains(&key),
            ..Self::top(self.context, origin, table.unwrap_or(&EMPTY), self.cell)
        };
        if let Some(node) = node.filter(|_| mistyped) {
            self.mistake::<()>(key, node, "a table");
        }
        section
    }

    /// This section with other values.
    pub(super) fn over<'b>(&self, table: &'b Table) -> Section<'b>
    where
        'a: 'b,
    {
        Section {
            path: self.path.clone(),
            mistyped: self.mistyped,
            secret: self.secret,
            ..Section::top(self.context, self.origin, table, self.cell)
        }
    }

    /// All values.
    pub(super) fn table(&self) -> &'a Table {
        self.table
    }

    /// Whether the key was written.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Everything that was written.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        self.table.iter().map(|(key, node)| (key.as_str(), node))
    }

    /// The place of the key, or else where it would have to be.
    pub(super) fn origin_of(&self, key: &str) -> Origin {
        self.table.get(key).map_or(self.origin, |node| node.origin)
    }

    /// The value of a key, whatever it is.
    pub(super) fn node(&mut self, key: &'a str) -> Option<&'a Node> {
        self.known.push(key.into());
        self.table.get(key)
    }

    /// A text.
    pub(super) fn text(&mut self, key: &'a str) -> Option<&'a str> {
        let node = self.node(key)?;
        node.text().or_else(|| self.mistake(key, node, "a text in quotes"))
    }

    /// One of several words.
    pub(super) fn choice(&mut self, key: &'a str, words: &[&str]) -> Option<&'a str> {
        let text = self.text(key)?;
        if words.contains(&text) {
            return Some(text);
        }
        let shown = self.shown_value(key, quoted(text));
        self.wrong(key, format!("is {shown}{}", instead(text, words)));
        None
    }

    /// A whole number within bounds.
    pub(super) fn integer(&mut self, key: &'a str, min: i64, max: i64) -> Option<i64> {
        let node = self.node(key)?;
        match node.kind {
            Kind::Integer(number) if (min..=max).contains(&number) => Some(number),
            _ => self.mistake(key, node, &format!("a whole number from {min} to {max}")),
        }
    }

    /// A count within bounds, the bounds included.
    pub(super) fn count(&mut self, key: &'a str, min: u32, max: u32) -> Option<u32> {
        self.integer(key, min.into(), max.into())?.try_into().ok()
    }

    /// A number within bounds. A whole number is a number too.
    pub(super) fn number(&mut self, key: &'a str, min: f64, max: f64) -> Option<f64> {
        let node = self.node(key)?;
        let number = match node.kind {
            Kind::Number(number) => Some(number),
            // Beyond 2^53 not every whole number is there, but bounds are far below.
            Kind::Integer(number) => Some(number as f64),
            _ => None,
        };
        match number {
            Some(number) if (min..=max).contains(&number) => Some(number),
            _ => self.mistake(key, node, &format!("a number from {min} to {max}")),
        }
    }

    /// True or false.
    pub(super) fn flag(&mut self, key: &'a str) -> Option<bool> {
        let node = self.node(key)?;
        match node.kind {
            Kind::Flag(flag) => Some(flag),
            _ => self.mistake(key, node, "`true` or `false`"),
        }
    }

    /// A list.
    pub(super) fn list(&mut self, key: &'a str) -> Option<&'a [Node]> {
        let node = self.node(key)?;
        node.list().or_else(|| self.mistake(key, node, "a list, written as `[\"one\", \"two\"]`"))
    }

    /// Reports that a value is not what it must be.
    fn mistake<T>(&self, key: &str, node: &Node, expected: &str) -> Option<T> {
        let found = self.shown_value(key, node.kind.describe());
        self.wrong(key, format!("is {found}; it must be {expected}"));
        None
    }

    /// A value as messages show it, unless the key says that it is a secret.
    pub(super) fn shown_value(&self, key: &str, value: String) -> String {
        if self.secret || is_secret(key) {
            return "a value that is not shown".to_owned();
        }
        value
    }

    /// Reports that something is wrong with the value of a key.
    pub(super) fn wrong(&self, key: &str, problem: impl Into<String>) {
        let origin = self.origin_of(key);
        self.context.report(origin, Some(&self.path_to(key, origin)), problem);
    }

    /// Whether the key was written, which is reported if not.
    pub(super) fn needs(&mut self, key: &'a str, remedy: &str) -> bool {
        let written = self.node(key).is_some();
        if !written {
            self.missing(key, remedy);
        }
        written
    }

    /// Reports that a key is missing.
    pub(super) fn missing(&self, key: &str, remedy: &str) {
        if self.mistyped {
            return;
        }
        let unknown = self
            .entries()
            .map(|(written, _)| written)
            .filter(|written| !self.known.iter().any(|known| known == written));
        let slip = nearest(key, unknown);
        let slip = slip.map_or_else(String::new, |slip| format!(" (did you mean it by `{slip}`?)"));
        self.wrong(key, format!("is missing{slip}: {remedy}"));
    }

    /// Reports that something is wrong with the table.
    pub(super) fn wrong_here(&self, problem: String) {
        self.context.report(self.origin, Some(&self.rooted(self.path.clone(), self.origin)), problem);
    }

    /// The dotted key from the top of the file.
    pub(super) fn path_to(&self, key: &str, origin: Origin) -> String {
        self.rooted(join(&self.path, key), origin)
    }

    fn rooted(&self, path: String, origin: Origin) -> String {
        // A point of a matrix stands for many cells: it is reported once.
        match self.cell.filter(|_| origin.cell && !origin.point) {
            Some(cell) => format!("{}.{path}", join("cells", cell)),
            None => path,
        }
    }

    /// Reports every key that nobody asked for.
    pub(super) fn finish(&self) {
        self.finish_but(|_, _| None);
    }

    /// Reports every key that nobody asked for, except those for which `excuse` has a reason,
    /// which is noted.
    pub(super) fn finish_but(&self, excuse: impl Fn(&str, Origin) -> Option<String>) {
        for (key, node) in self.entries() {
            if self.known.iter().any(|known| known == key) {
                continue;
            }
            let path = self.path_to(key, node.origin);
            if let Some(reason) = excuse(key, node.origin) {
                self.context.remark(node.origin, &format!("`{path}` is left out: {reason}"));
                continue;
            }
            // Some keys are asked for by several readers.
            let known = unique(self.known.iter().map(|known| &**known));
            self.context.report(node.origin, Some(&path), format!("is unknown{}", instead(key, &known)));
        }
    }
}
