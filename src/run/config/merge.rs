//! Laying one part of a config over another. The `config` crate does the merging and carries the
//! place of every value along as its origin; it converts nothing, because nothing is read out of
//! it but whole trees.

use config::{Config, ConfigError, Map, Source, Value, ValueKind};

use super::node::{Kind, Node, Table};
use super::origin::Origin;
use rolecall_core::maps::ordered;

/// The only key that the crate gets to see at the top, because it reads top-level keys as path
/// expressions (`"a[9999999999]"` would be a very long list).
const ROOT: &str = "root";

/// `over` laid over `under`: tables are merged, everything else is replaced. Only one of `user`
/// and `users` can hold, so naming one takes the other away.
#[expect(clippy::expect_used, reason = "the layers below have no input that could be wrong")]
pub(super) fn merge(mut under: Table, over: Table) -> Table {
    for (named, other) in [("user", "users"), ("users", "user")] {
        if over.contains_key(named) && !over.contains_key(other) {
            under.remove(other);
        }
    }
    let mut root = Config::builder()
        .add_source(Layer(to_values(under)))
        .add_source(Layer(to_values(over)))
        .build()
        .and_then(|merged| merged.collect())
        .expect("both layers are in memory and have one well-formed key");
    match root.remove(ROOT).map(|value| from_value(value).kind) {
        Some(Kind::Table(table)) => table,
        _ => Table::new(),
    }
}

/// A table as a source of the `config` crate.
#[derive(Clone, Debug)]
struct Layer(Map<String, Value>);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, ConfigError> {
        Ok(Map::from_iter([(ROOT.to_owned(), Value::new(None, ValueKind::Table(self.0.clone())))]))
    }
}

fn to_values(table: Table) -> Map<String, Value> {
    table.into_iter().map(|(key, node)| (key, to_value(node))).collect()
}

fn to_value(node: Node) -> Value {
    let kind = match node.kind {
        Kind::Text(text) => ValueKind::String(text),
        Kind::Integer(number) => ValueKind::I64(number),
        Kind::Number(number) => ValueKind::Float(number),
        Kind::Flag(flag) => ValueKind::Boolean(flag),
        Kind::List(items) => ValueKind::Array(items.into_iter().map(to_value).collect()),
        Kind::Table(table) => ValueKind::Table(to_values(table)),
    };
    Value::new(Some(&node.origin.to_label()), kind)
}

fn from_value(value: Value) -> Node {
    let origin = value.origin().and_then(Origin::from_label);
    let kind = match value.kind {
        ValueKind::String(text) => Kind::Text(text),
        ValueKind::I64(number) => Kind::Integer(number),
        ValueKind::Float(number) => Kind::Number(number),
        ValueKind::Boolean(flag) => Kind::Flag(flag),
        ValueKind::Array(items) => Kind::List(items.into_iter().map(from_value).collect()),
        ValueKind::Table(table) => Kind::Table(ordered(table.into_iter().map(|(key, value)| (key, from_value(value))))),
        // `to_value` makes none of these.
        ValueKind::Nil | ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_) => Kind::Table(Table::new()),
    };
    let origin = origin.or_else(|| origin_of_parts(&kind));
    Node { origin: origin.unwrap_or_default(), kind }
}

/// The crate forgets where a table stood when it merges it: it then stands where the first of its
/// strongest values stands.
fn origin_of_parts(kind: &Kind) -> Option<Origin> {
    let Kind::Table(table) = kind else {
        return None;
    };
    let strongest = table.values().map(|node| node.origin.rank()).max()?;
    table.values().map(|node| node.origin).filter(|origin| origin.rank() == strongest).min()
}
