#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(text: &str) -> (Value, String) {
    let Repaired { value, fixes } = repair(text).unwrap();
    let codes: Vec<&str> = fixes.into_iter().map(|fix| &fix.code()[5..]).collect();
    (value, codes.join(" "))
}

fn look() -> Value {
    json!({"kind": "act", "command": "look"})
}

/// Broken JSON, what it means, and what has to be mended.
fn table() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (r#"{"kind": "act", "command": "look"}"#, look(), ""),
        ("```json\n{\"kind\": \"act\", \"command\": \"look\"}\n```", look(), "around"),
        ("Sure: {'kind': 'act', 'command': 'look'} - done", look(), "around quotes"),
        ("{kind: \"act\", command: look}", look(), "quotes words"),
        ("{\"kind\": \"act\", \"command\": \"look\",}", look(), "commas"),
        ("{\"kind\": \"act\" \"command\": \"look\"}", look(), "commas"),
        ("{\"kind\": \"act\", // so\n\"command\": \"look\"", look(), "comment end"),
        ("{\"kind\": \"act\", \"command\": \"loo", json!({"kind": "act", "command": "loo"}), "end"),
        ("{“kind”: “act”, “command”: “look”}", look(), "quotes"),
        ("{\"text\": \"a\nb\"}", json!({"text": "a\nb"}), "escapes"),
        ("{'text': 'don't go'}", json!({"text": "don't go"}), "quotes"),
        ("{\"text\": \"say \"hi\" to me\"}", json!({"text": "say \"hi\" to me"}), "quotes"),
        ("[True, None, .5, +2, 1_000]", json!([true, null, 0.5, 2, 1000]), "words"),
        ("{\"a\": [1, 2}", json!({"a": [1, 2]}), "commas"),
        ("{\"a\": {\"b\": [1, {\"c\":", json!({"a": {"b": [1, {"c": null}]}}), "end"),
        (r#"{"t": "😀 \x"}"#, json!({"t": "😀 \\x"}), "escapes"),
    ]
}

#[test]
fn what_models_write_is_read() {
    for (text, value, fixes) in table() {
        assert_eq!(read(text), (value, fixes.to_owned()), "{text}");
    }
    assert_eq!(repair("nothing here"), Err(NoJson::Absent));
    assert_eq!(repair(&"[".repeat(1000)), Err(NoJson::TooDeep));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:'\\\\ua-f0-9/* \n“”]{0,60}") {
        if let Ok(found) = repair(&text) {
            let written = found.value.to_string();
            let again = repair(&written).unwrap();
            prop_assert_eq!(again.value, found.value);
            prop_assert!(again.fixes.is_empty());
        }
    }

    #[test]
    fn every_beginning_of_a_value_is_read(at in 1usize..70) {
        let whole = r#"{"moves": [{"kind": "think", "text": "Grüße \"x\", 世界"}], "n": 1.5}"#;
        let cut: String = whole.chars().take(at).collect();
        let found = repair(&cut).unwrap();
        prop_assert!(found.value.is_object());
    }
}
