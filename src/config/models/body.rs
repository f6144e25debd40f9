//! Further fields of a request's body: any TOML, as JSON for the server and as TOML for the record.

use serde_json::{Map, Number, Value};

use crate::config::error::{NOT_WRITTEN, is_secret};
use crate::config::node::{Kind, Node};
use crate::config::secrets::EXTRA_BODY;
use crate::config::walk::Section;
use crate::maps::ordered;
use crate::ports::model::is_known_field;

/// Fields that no further field may replace: the prompt, and how the reply comes.
const OWN: [&str; 4] = ["messages", "prompt", "stream", "stream_options"];

/// The fields of `extra_body`, for the server and for the record.
pub(super) fn extra_body(section: &mut Section<'_>) -> (Map<String, Value>, toml::Table) {
    let mut table = section.section(EXTRA_BODY);
    let mut body = Map::new();
    let mut shown = toml::Table::new();
    for (key, node) in table.entries() {
        table.node(key);
        let problem = match json(node) {
            _ if OWN.contains(&key) => {
                "is a field that the client writes itself (`stream` is a key of the model)"
            }
            None => "holds a number that JSON does not have (`nan` or `inf`)",
            Some(value) => {
                body.insert(key.to_owned(), value);
                shown.insert(key.to_owned(), recorded(key, node));
                continue;
            }
        };
        table.wrong(key, problem);
    }
    (body, shown)
}

fn json(node: &Node) -> Option<Value> {
    Some(match &node.kind {
        Kind::Text(text) => Value::String(text.clone()),
        Kind::Integer(number) => Value::Number((*number).into()),
        Kind::Number(number) => Value::Number(Number::from_f64(*number)?),
        Kind::Flag(flag) => Value::Bool(*flag),
        Kind::List(items) => Value::Array(items.iter().map(json).collect::<Option<_>>()?),
        Kind::Table(table) => {
            let entry = |(key, node): (&String, &Node)| Some((key.clone(), json(node)?));
            Value::Object(table.iter().map(entry).collect::<Option<_>>()?)
        }
    })
}

/// The value for the record, which has nothing that [may be a secret](is_known_field).
fn recorded(key: &str, node: &Node) -> toml::Value {
    let known = is_known_field(key, node.text());
    match &node.kind {
        Kind::Table(table) if !is_secret(key) => {
            let entry = |(key, node): (&String, &Node)| (key.clone(), recorded(key, node));
            toml::Value::Table(ordered(table.iter().map(entry)))
        }
        Kind::List(items) => {
            let items: Vec<toml::Value> = items.iter().map(|item| recorded(key, item)).collect();
            match items.iter().any(|item| item.as_str() == Some(NOT_WRITTEN)) {
                true => NOT_WRITTEN.into(),
                false => items.into(),
            }
        }
        Kind::Flag(flag) => (*flag).into(),
        Kind::Text(text) if known => text.as_str().into(),
        Kind::Integer(number) if known => (*number).into(),
        Kind::Number(number) if known => (*number).into(),
        _ => NOT_WRITTEN.into(),
    }
}
