//! The schema that a server is asked to keep, and whether an answer keeps it.

use serde_json::{Value, json};

use crate::text::json;

/// The values that the schema's only field may have.
const WORDS: [&str; 5] = ["ask", "go", "go to", "pick up", "stop"];

/// An object with one action: no model answers like this unless it is made to.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"action": {"enum": WORDS}},
        "required": ["action"],
    })
}

/// The relation of an answer to the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is an object with one of the actions.
    Yes,
    /// It is the beginning of one, cut at the limit of tokens.
    SoFar,
    /// It is something else.
    No,
}

/// Compares an answer with the schema.
pub(super) fn kept(answer: &str) -> Kept {
    let is_word = |word: &str| WORDS.contains(&word);
    if let Ok(value) = json::read::<Value>(answer) {
        return match value["action"].as_str().is_some_and(is_word) {
            true => Kept::Yes,
            false => Kept::No,
        };
    }
    // `{`, the field's name, `:`, the word, each with space around it, as far as it goes.
    let mut rest = answer.trim_start();
    for part in ["{", "\"action\"", ":"] {
        match rest.strip_prefix(part) {
            Some(after) => rest = after.trim_start(),
            None if part.starts_with(rest) && !answer.trim().is_empty() => return Kept::SoFar,
            None => return Kept::No,
        }
    }
    let begins = |word: &str| {
        let word = format!("\"{word}\"");
        word.starts_with(rest) || rest.starts_with(&word)
    };
    match WORDS.into_iter().any(begins) {
        true => Kept::SoFar,
        false => Kept::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_with_the_schema() {
        for yes in [r#"{"action":"go" }"#, "{\r\"action\":\t\"pick up\", \"object\": 1}"] {
            assert_eq!(kept(yes), Kept::Yes, "{yes}");
        }
        for so_far in ["{", "{ \"act", r#"{"action": "pick"#, r#"{"action": "pick up""#] {
            assert_eq!(kept(so_far), Kept::SoFar, "{so_far}");
        }
        for no in ["", " ", "go", "[", r#"{"action":"fly"}"#, r#"{"action":"fl"#, "{}", "{x"] {
            assert_eq!(kept(no), Kept::No, "{no}");
        }
    }
}
