//! Answers that have to keep a form: a schema, or calls of tools.

use serde_json::{Value, json};

use super::asking::{Asking, Outcome, choices, shown, text_of};
use super::basics::CHAT;
use super::finding::Found;
use super::schema::{Kept, kept, schema};

/// How often a schema is tried: some servers fail now and then with a poor model.
const TRIES: u32 = 3;

type Check = (Found, String);

/// Whether an answer keeps a JSON schema. A cut answer counts if the server also reads schemas: it
/// refuses one that makes no sense.
pub(super) async fn json_schema(asking: &Asking<'_>) -> Check {
    let mut last = (Found::Unknown, String::new());
    for seed in 0..TRIES {
        let fields = json!({"max_tokens": 128, "seed": seed, "response_format": format(&schema())});
        let said = match asking.ask(CHAT, &asking.chat(fields)).await {
            Outcome::Said(said) => said,
            Outcome::Failed(text) => {
                last = (Found::Unknown, text);
                continue;
            }
            Outcome::Refused(text) => return (Found::Refused, text),
        };
        let text = choices(&said).first().map(text_of).unwrap_or_default();
        match kept(text) {
            Kept::Yes => return (Found::Supported, format!("{} keeps it", shown(text))),
            Kept::No => return (Found::Ignored, format!("{} does not keep it", shown(text))),
            Kept::SoFar if nonsense_is_refused(asking).await => {
                let text = format!(
                    "{} keeps it as far as it goes, and a schema of nonsense is refused",
                    shown(text)
                );
                return (Found::Supported, text);
            }
            Kept::SoFar => last = (Found::Unknown, format!("{} is cut", shown(text))),
        }
    }
    last
}

async fn nonsense_is_refused(asking: &Asking<'_>) -> bool {
    let nonsense = json!({"type": "nonsense"});
    let fields = json!({"max_tokens": 10, "response_format": format(&nonsense)});
    let outcome = asking.ask(CHAT, &asking.chat(fields)).await;
    matches!(outcome, Outcome::Refused(_))
}

fn format(schema: &Value) -> Value {
    let described = json!({"name": "act", "strict": true, "schema": schema});
    json!({"type": "json_schema", "json_schema": described})
}

/// Whether a tool is called where one must be, with an object of arguments.
pub(super) async fn tools(asking: &Asking<'_>) -> Check {
    called(asking, json!("required")).await
}

/// Whether the tool is called that is named.
pub(super) async fn named_tool(asking: &Asking<'_>) -> Check {
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
    json!([
        tool(
            "go_to",
            "Walk",
            "place",
            json!({"enum": ["fridge", "table"]})
        ),
        tool(
            "ask_user",
            "Ask",
            "question",
            json!({"type": "string", "maxLength": 12})
        ),
    ])
}

async fn called(asking: &Asking<'_>, choice: Value) -> Check {
    let tools = offered();
    let is_named = choice.is_object();
    let fields = json!({"max_tokens": 200, "seed": 4, "tools": tools, "tool_choice": choice});
    let said = match asking.ask(CHAT, &asking.chat(fields)).await {
        Outcome::Said(said) => said,
        other => return other.without_answer(),
    };
    let choice = choices(&said).first().cloned().unwrap_or_default();
    let calls = choice
        .pointer("/message/tool_calls")
        .and_then(Value::as_array);
    let Some(call) = calls.and_then(|calls| calls.first()) else {
        let text = format!("no tool is called; it says {}", shown(text_of(&choice)));
        return (Found::Ignored, text);
    };
    let name = call.pointer("/function/name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let arguments = call
        .pointer("/function/arguments")
        .cloned()
        .unwrap_or_default();
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    };
    let shown_arguments = shown(&arguments.to_string());
    if is_named && name != "go_to" {
        let text = format!("{} is called where `go_to` must be", shown(name));
        return (Found::Ignored, text);
    }
    if keeps(name, &arguments) {
        let text = format!("{} is called with {shown_arguments}", shown(name));
        return (Found::Supported, text);
    }
    let text = format!(
        "{} is called, but with {shown_arguments}, which does not keep its schema",
        shown(name)
    );
    (Found::Ignored, text)
}

fn keeps(name: &str, arguments: &Value) -> bool {
    match name {
        "go_to" => matches!(arguments["place"].as_str(), Some("fridge" | "table")),
        "ask_user" => arguments["question"].is_string(),
        _ => false,
    }
}
