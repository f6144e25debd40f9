//! The parts that schemas are made of.

use serde_json::{Map, Value, json};

use rolecall_core::ports::{Parameter, ParameterKind, ParameterValue, Settings};

/// Properties by key.
pub(super) type Properties = Map<String, Value>;

/// Names of roles (`RoleName`).
pub(super) const ROLE: &str = "^[a-z][a-z0-9_-]*$";

/// The schema of a parameter's values, with its default and what it means.
pub fn parameter_schema(parameter: &Parameter) -> Value {
    let mut schema = of_kind(parameter.kind);
    schema["description"] = json!(parameter.help);
    if let Some(default) = parameter.default() {
        schema["default"] = value(&default);
    }
    schema
}

fn of_kind(kind: ParameterKind) -> Value {
    match kind {
        ParameterKind::Text { .. } | ParameterKind::Model => json!({"type": "string"}),
        ParameterKind::Choice { words } => json!({"enum": words}),
        ParameterKind::Integer { min, max, .. } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        ParameterKind::Number { min, max, .. } => {
            json!({"type": "number", "minimum": min, "maximum": max})
        }
        ParameterKind::Flag { .. } => json!({"type": "boolean"}),
        ParameterKind::Path { words: [], .. } => json!({"type": "string", "minLength": 1}),
        ParameterKind::Path { words, .. } => {
            json!({"type": "string", "minLength": 1, "examples": words})
        }
        ParameterKind::Roles { default } => {
            let item = json!({"type": "string", "pattern": ROLE});
            json!({"type": "array", "items": item, "minItems": usize::from(!default.is_empty())})
        }
        ParameterKind::List { words: [] } | ParameterKind::Models => {
            json!({"type": "array", "items": {"type": "string"}})
        }
        ParameterKind::Command => {
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1})
        }
        ParameterKind::Free => json!({"type": "object"}),
        ParameterKind::List { words } => json!({"type": "array", "items": {"enum": words}}),
        ParameterKind::Table { values } => {
            json!({"type": "object", "additionalProperties": of_kind(*values)})
        }
    }
}

fn value(value: &ParameterValue) -> Value {
    match value {
        ParameterValue::Text(text) => json!(text),
        ParameterValue::Integer(number) => json!(number),
        ParameterValue::Number(number) => json!(number),
        ParameterValue::Flag(flag) => json!(flag),
        ParameterValue::Path(path) => json!(path.to_string_lossy()),
        ParameterValue::Roles(roles) => {
            json!(roles.iter().map(|role| role.as_str()).collect::<Vec<_>>())
        }
        ParameterValue::List(texts) => json!(texts),
        ParameterValue::Command(command) => json!(command.arguments),
        ParameterValue::Free(value) => value.clone(),
        ParameterValue::Table(table) => {
            Value::Object(table.iter().map(|(key, entry)| (key.clone(), self::value(entry))).collect())
        }
    }
}

pub(super) fn properties<const N: usize>(entries: [(&str, Value); N]) -> Properties {
    entries.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect()
}

/// A table that takes these keys and no others.
pub(super) fn object(properties: Properties, about: &str) -> Value {
    let mut schema = json!({"type": "object", "additionalProperties": false});
    schema["properties"] = Value::Object(properties);
    schema["description"] = json!(about);
    schema
}

/// A table with keys of the user's own.
pub(super) fn keyed(values: Value, about: &str) -> Value {
    json!({"type": "object", "additionalProperties": values, "description": about})
}

pub(super) fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

pub(super) fn texts(about: &str) -> Value {
    let list = json!({"type": "array", "items": {"type": "string"}});
    json!({"anyOf": [{"type": "string"}, list], "description": about})
}

pub(super) fn flag(about: &str) -> Value {
    json!({"type": "boolean", "default": false, "description": about})
}

pub(super) fn settings_properties<T: Settings>() -> Properties {
    T::PARAMETERS.iter().map(|parameter| (parameter.name.to_owned(), parameter_schema(parameter))).collect()
}

pub(super) fn settings<T: Settings>() -> Value {
    object(settings_properties::<T>(), "docs/settings.md has every key")
}
