//! Values of a config that may be secrets, and so are neither recorded nor shown.

use serde_json::Value as Json;
use toml::Value;

use super::error::{NOT_WRITTEN, is_secret};
use rolecall_core::ports::model::is_known_field;

/// The table of further fields of requests.
pub(super) const EXTRA_BODY: &str = "extra_body";
/// The table of further headers.
pub(super) const HEADERS: &str = "headers";
/// The prefix with which a value of `headers` names an environment variable.
pub(super) const VARIABLE: &str = "env:";

/// Whether a value may be a secret or hold one: texts of keys that say so, and whatever stands below
/// `headers` and `extra_body`, but for names of variables and [known](is_known_field) fields.
pub(super) fn holds_secret(value: &Value) -> bool {
    holds("", value, None)
}

fn holds(key: &str, value: &Value, table: Option<&str>) -> bool {
    let inner = match (table, key) {
        (None, HEADERS) => Some(HEADERS),
        (None, EXTRA_BODY) => Some(EXTRA_BODY),
        (table, _) => table,
    };
    match (value, table) {
        (Value::Table(entries), _) => {
            let opens = inner != table;
            (!opens && is_secret(key)) || entries.iter().any(|(key, value)| holds(key, value, inner))
        }
        (Value::Array(items), Some(EXTRA_BODY)) => items.iter().any(|item| holds(key, item, table)),
        (Value::Array(items), _) => is_secret(key) || items.iter().any(|item| holds("", item, None)),
        (Value::String(text), Some(HEADERS)) => !text.trim().starts_with(VARIABLE),
        (_, Some(HEADERS)) => true,
        (value, Some(EXTRA_BODY)) => !is_known(key, value),
        _ => is_secret(key),
    }
}

fn is_known(key: &str, value: &Value) -> bool {
    match value {
        Value::Boolean(_) => true,
        value => is_known_field(key, value.as_str()),
    }
}

/// Leaves out of a field of requests, or of a table of them, what [may be a secret](is_known_field).
pub(crate) fn hide(name: &str, value: &mut Json) {
    let shown = match value {
        Json::Object(fields) => {
            fields.iter_mut().for_each(|(name, field)| hide(name, field));
            !is_secret(name)
        }
        Json::Array(items) => {
            items.iter_mut().for_each(|item| hide(name, item));
            items.iter().all(|item| item != NOT_WRITTEN)
        }
        Json::Bool(_) | Json::Null => true,
        Json::String(text) => is_known_field(name, Some(text)),
        Json::Number(_) => is_known_field(name, None),
    };
    if !shown {
        *value = NOT_WRITTEN.into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hidden(text: &str) -> bool {
        holds_secret(&Value::Table(text.parse().unwrap()))
    }

    #[test]
    fn below_headers_and_extra_body_only_what_is_known_is_shown() {
        let shown = [
            "models.m.extra_body.top_k = 20",
            "models.m.extra_body = { min_p = 0.1, chat_template_kwargs = { enable_thinking = false } }",
            "models.m.extra_body.reasoning_effort = 'high'",
            "models.m.extra_body.anything = true",
            "models.m.extra_body.stop_token_ids = [1, 2]",
            "models.m.headers.X-Key = 'env:NAME'",
            "models.m.max_tokens = 3",
            "limits.steps = 20",
        ];
        for text in shown {
            assert!(!hidden(text), "{text}");
        }
        let kept = [
            "models.m.extra_body.anything = 'x'",
            "models.m.extra_body.account = 12345678",
            "models.m.extra_body = 'x'",
            "models.m.extra_body.options = { team = 'x' }",
            "models.m.extra_body.top_k = 'sk-1'",
            "models.m.extra_body.reasoning_effort = 'sk-proj-0123456789 and more'",
            "models.m.extra_body.list = ['x']",
            "models.m.extra_body.list = [{ top_k = 1 }, { a = 1.5 }]",
            "models.m.extra_body.api_key = 1",
            "models.m.headers.X = 'y'",
            "models.m.headers.X = 1",
            "models.m.headers = 'env:X'",
            "models.m.api_key = 'x'",
            "cells = [{ name = 'a', models = { m = { headers = { X = 'y' } } } }]",
        ];
        for text in kept {
            assert!(hidden(text), "{text}");
        }
    }

    #[test]
    fn of_fields_only_what_is_known_is_left() {
        let mut fields = json!({
            "top_k": 20, "any": true, "reasoning_effort": "high", "inner": {"min_p": 0.1, "team": "x"},
            "stop_token_ids": [1, 2], "list": [{"top_p": 1}, {"a": "x"}], "texts": ["x", 1],
            "account": 12_345_678, "auth_token": {"top_k": 1},
        });
        hide("", &mut fields);
        let left = json!({
            "top_k": 20, "any": true, "reasoning_effort": "high",
            "inner": {"min_p": 0.1, "team": NOT_WRITTEN},
            "stop_token_ids": [1, 2], "list": [{"top_p": 1}, {"a": NOT_WRITTEN}],
            "texts": NOT_WRITTEN, "account": NOT_WRITTEN, "auth_token": NOT_WRITTEN,
        });
        assert_eq!(fields, left);
    }
}
