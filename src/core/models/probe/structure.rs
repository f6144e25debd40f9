//! Answers that have to keep a form: a schema, or calls of tools.

use serde_json::{Value, json};

use super::asking::{Asking, CHAT, Unanswered, choices, shown, text_of};
use super::finding::{Checked, Found};
use crate::text::json;

/// The number of tries of a schema: some servers fail now and then with a poor model.
const TRIES: u32 = 3;

/// Whether an answer keeps a JSON schema. A cut answer counts if the server also reads schemas: it
/// refuses one that makes no sense.
pub(super) async fn json_schema(asking: &Asking<'_>) -> Checked {
    let mut last = Found::Unknown.by("");
    for seed in 0..TRIES {
        let fields = json!({"max_tokens": 128, "seed": seed, "response_format": format(&schema())});
        let said = match asking.ask(CHAT, &asking.chat(fields)).await {
            Ok(said) => said,
            Err(failed @ Unanswered::Failed(_)) => {
                last = failed.into();
                continue;
            }
            Err(refused) => return Err(refused.into()),
        };
        let text = choices(&said).first().map(text_of).unwrap_or_default();
        let short = shown(text);
        last = match kept(text) {
            Kept::Yes => return Ok(Found::Supported.by(format!("{short} keeps it"))),
            Kept::No => return Ok(Found::Ignored.by(format!("{short} does not keep it"))),
            Kept::SoFar if nonsense_is_refused(asking).await => {
                return Ok(Found::Supported
                    .by(format!("{short} keeps it as far as it goes, and a schema of nonsense is refused")));
            }
            Kept::SoFar => Found::Unknown.by(format!("{short} is cut")),
        };
    }
    Ok(last)
}

async fn nonsense_is_refused(asking: &Asking<'_>) -> bool {
    let nonsense = json!({"type": "nonsense"});
    let fields = json!({"max_tokens": 10, "response_format": format(&nonsense)});
    let answer = asking.ask(CHAT, &asking.chat(fields)).await;
    matches!(answer, Err(Unanswered::Refused(_)))
}

fn format(schema: &Value) -> Value {
    let described = json!({"name": "act", "strict": true, "schema": schema});
    json!({"type": "json_schema", "json_schema": described})
}

/// Whether a tool is called where one must be, with an object of arguments.
pub(super) async fn tools(asking: &Asking<'_>) -> Checked {
    called(asking, json!("required")).await
}

/// Whether the tool is called that is named.
pub(super) async fn named_tool(asking: &Asking<'_>) -> Checked {
    let function = json!({"name": "go_to"});
    called(asking, json!({"type": "function", "function": function})).await
}

/// The tools that are offered.
fn offered() -> Value {
    let tool = |name: &str, description: &str, argument: &str, schema: Value| {
        let parameters = json!({
            "type": "object",
            "properties": {argument: schema},
            "required": [argument],
        });
        let function = json!({"name": name, "description": description, "parameters": parameters});
        json!({"type": "function", "function": function})
    };
    let rooms = json!({"enum": ["fridge", "table"]});
    let short = json!({"type": "string", "maxLength": 12});
    json!([tool("go_to", "Walk", "place", rooms), tool("ask_user", "Ask", "question", short),])
}

async fn called(asking: &Asking<'_>, choice: Value) -> Checked {
    let tools = offered();
    let is_named = choice.is_object();
    let fields = json!({"max_tokens": 200, "seed": 4, "tools": tools, "tool_choice": choice});
    let said = asking.ask(CHAT, &asking.chat(fields)).await?;
    let choice = choices(&said).first().unwrap_or(&Value::Null);
    let Some(call) = choice.pointer("/message/tool_calls/0") else {
        let text = format!("no tool is called; it says {}", shown(text_of(choice)));
        return Ok(Found::Ignored.by(text));
    };
    let function = &call["function"];
    let name = function["name"].as_str().unwrap_or_default();
    let arguments = match function["arguments"].clone() {
        Value::String(text) => json::read(&text).unwrap_or(Value::String(text)),
        other => other,
    };
    let (tool, with) = (shown(name), shown(&arguments.to_string()));
    Ok(if is_named && name != "go_to" {
        Found::Ignored.by(format!("{tool} is called where `go_to` must be"))
    } else if keeps(name, &arguments) {
        Found::Supported.by(format!("{tool} is called with {with}"))
    } else {
        Found::Ignored.by(format!("{tool} is called, but with {with}, which does not keep its schema"))
    })
}

fn keeps(name: &str, arguments: &Value) -> bool {
    match name {
        "go_to" => matches!(arguments["place"].as_str(), Some("fridge" | "table")),
        "ask_user" => arguments["question"].is_string(),
        _ => false,
    }
}

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
