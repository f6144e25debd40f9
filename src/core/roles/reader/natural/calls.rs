//! Calls of tools that a model wrote into its text, in the forms of its own training: Hermes and Qwen, Mistral,
//! Llama, harmony, Kimi, DeepSeek, Granite, GLM, OpenAI's objects, and calls as Python writes them.
//!
//! All of these are a name and a JSON object with marks around both; the marks are taken off, and the rest is read.

use serde_json::{Map, Value, json};

use super::super::{Unreadable, shown};
use crate::domain::ToolCall;
use crate::text::joined_by;
use crate::text::json_repair::{self, Fix, Repaired};

/// Marks of which each says that a call follows.
const MARKS: &[&str] = &[
    "<tool_call>",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "<function=",
    "<|tool_call|>",
    "functools[",
    "to=functions.",
    "<|tool_call_begin|>",
    "<|tool_calls_section_begin|>",
    "<\u{ff5c}tool\u{2581}call",
    "```tool_code",
    "```tool_call",
    "<invoke name=",
    "<|python_start|>",
    "<|tool_call_start|>",
    "<|START_ACTION|>",
    "<start_function_call>call:",
];

/// Other tokens of the same forms.
const TOKENS: &[&str] = &[
    "</tool_call>",
    "</function>",
    "[ARGS]",
    "[CALL_ID]",
    "functools",
    "assistant<|",
    "```",
    "tool_code",
    "commentary",
];

/// Fields that name the tool of a call.
const NAMES: &[&str] = &["name", "tool_name", "tool", "function_name", "api_name", "api"];

/// Fields that hold its arguments.
const ARGUMENTS: &[&str] = &["arguments", "parameters", "args", "api_input", "input", "action_input", "tool_input"];

/// The calls in a text; none if it holds none. `is_known` says which names a call without marks may have.
///
/// # Errors
/// When there is a mark of a call, and no call after it that is whole.
pub(super) fn written(text: &str, is_known: &dyn Fn(&str) -> bool) -> Result<Option<Vec<ToolCall>>, Unreadable> {
    // Several calls have a mark each.
    if let Some(places) =
        Some(text.match_indices("<tool_call>").map(|(place, _)| place).collect::<Vec<_>>()).filter(|all| all.len() > 1)
    {
        let ends = places.iter().skip(1).copied().chain([text.len()]);
        let read = places.iter().zip(ends).map(|(start, end)| written(&text[*start..end], is_known));
        return Ok(Some(read.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().flatten().collect()));
    }
    let marked = MARKS.iter().filter_map(|mark| text.find(mark)).min();
    let Some(start) = marked else {
        let inner = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
        let text = inner.and_then(|text| text.split_once('\n')).map_or(text, |(_, inside)| inside).trim();
        let is_json =
            text.starts_with('{') || text.strip_prefix('[').is_some_and(|text| text.trim_start().starts_with('{'));
        let calls = match text.find("[{").or(text.find("[\n")).or(text.find('{')) {
            // A sentence or a label may stand before the call of a tool that is known.
            Some(place) => {
                let value =
                    json_repair::repair(&text[place..]).ok().and_then(|read| whole(read).ok()).unwrap_or_default();
                let stated = of_value(&value);
                let calls = if stated.is_empty() { named_by_key(&value, is_known).unwrap_or_default() } else { stated };
                Some(calls).filter(|calls| is_json || calls.iter().all(|call| is_known(&call.name)))
            }
            None => None,
        };
        // `Finish()` may be a command of the world.
        let python = || python(text, is_known).filter(|calls| calls.iter().all(|call| call.arguments != json!({})));
        return Ok(calls.filter(|calls| !calls.is_empty()).or_else(python));
    };
    let (name, rest) = unmarked(&text[start..]);
    let broken = |problem: &str| Unreadable::Call(format!("`{}` {problem}", shown(text[start..].trim())));
    if let Some(call) = tagged(&rest) {
        return Ok(Some(vec![call]));
    }
    if let Some(calls) = python(rest.trim(), &|name: &str| !name.is_empty()) {
        return Ok(Some(calls));
    }
    let read = json_repair::repair(&rest).map_err(|_| broken("holds no arguments as a JSON object"))?;
    let value = whole(read).map_err(|()| broken("ends in the middle"))?;
    let calls = match name.filter(|_| value.is_object()) {
        Some(name) if !has(&value, NAMES) => vec![ToolCall { name, arguments: value }],
        _ => of_value(&value),
    };
    if calls.is_empty() { Err(broken("names no tool")) } else { Ok(Some(calls)) }
}

fn whole(read: Repaired) -> Result<Value, ()> {
    if read.fixes.contains(&Fix::End) { Err(()) } else { Ok(read.value) }
}

/// The text without marks, and the name that stood before its JSON.
fn unmarked(text: &str) -> (Option<String>, String) {
    let mut plain = text
        .replace("<escape>", "\"")
        .replace("<start_function_call>call:", " ")
        .replace("<end_function_call>", " ")
        .replace("<function=", " ")
        .replace("[TOOL_CALLS]", " ")
        .replace("<tool_call>", " ");
    for token in TOKENS {
        plain = plain.replace(token, " ");
    }
    // Tokens of chat templates: `<|...|>`, with DeepSeek's bars too.
    let mut rest = String::new();
    let mut parts = plain.split('<');
    rest.push_str(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once('>').filter(|(token, _)| token.starts_with(['|', '\u{ff5c}'])) {
            Some((_, after)) => {
                rest.push(' ');
                rest.push_str(after);
            }
            None => {
                rest.push('<');
                rest.push_str(part);
            }
        }
    }
    let place = rest.find(['{', '[']).unwrap_or(0);
    let before = rest[..place].replace('>', " ");
    let name = before.split_whitespace().rfind(|word| !["json", "function"].contains(word)).map(|word| {
        let word = word.trim_start_matches("to=").trim_start_matches("functions.");
        word.split(':').next().unwrap_or(word).to_owned()
    });
    (name, rest)
}

/// `name` and pairs of tags: `<parameter=key>value</parameter>`, `<arg_key>key</arg_key><arg_value>value</arg_value>`.
fn tagged(text: &str) -> Option<ToolCall> {
    // Claude's form: `<invoke name="act"><parameter name="command">look</parameter></invoke>`.
    let plain = text.replace("<invoke name=\"", " ").replace("<parameter name=\"", "<parameter=").replace("\">", ">");
    let text = &*plain;
    let (open, close, end) = if text.contains("<parameter=") {
        ("<parameter=", ">", "</parameter>")
    } else {
        ("<arg_key>", "</arg_key>", "</arg_value>")
    };
    let (before, mut rest) = text.split_once(open)?;
    let name = before.split(|letter: char| letter.is_whitespace() || letter == '>').find(|word| !word.is_empty())?;
    let mut arguments = Map::new();
    loop {
        let (key, after) = rest.split_once(close)?;
        let (value, after) = after.split_once(end)?;
        let value = value.trim().trim_start_matches("<arg_value>").trim();
        let read = serde_json::from_str::<Value>(value).ok().filter(|read| read.is_object() || read.is_array());
        arguments.insert(key.trim().to_owned(), read.unwrap_or_else(|| value.into()));
        match after.split_once(open) {
            Some((_, next)) => rest = next,
            None => return Some(ToolCall { name: name.to_owned(), arguments: arguments.into() }),
        }
    }
}

fn has(value: &Value, names: &[&str]) -> bool {
    names.iter().any(|name| value.get(*name).is_some())
}

/// `{"query_trains": {"day": "monday"}}`
fn named_by_key(value: &Value, is_known: &dyn Fn(&str) -> bool) -> Option<Vec<ToolCall>> {
    let mut fields = value.as_object()?.iter();
    let (name, arguments) = fields.next().filter(|(name, arguments)| is_known(name) && arguments.is_object())?;
    fields.next().is_none().then(|| vec![ToolCall { name: name.clone(), arguments: arguments.clone() }])
}

/// The calls that JSON states.
fn of_value(value: &Value) -> Vec<ToolCall> {
    match value {
        Value::Array(items) => items.iter().flat_map(of_value).collect(),
        Value::Object(fields) => {
            for wrapper in ["function", "functionCall", "function_call", "tool_call", "tool_calls", "action", "move"] {
                if let Some(inner @ (Value::Object(_) | Value::Array(_))) = fields.get(wrapper) {
                    return of_value(inner);
                }
            }
            let name = NAMES.iter().find_map(|name| fields.get(*name)?.as_str());
            let arguments = ARGUMENTS.iter().find_map(|name| fields.get(*name));
            match (name, arguments) {
                // The description of a tool is no call.
                (Some(_), Some(arguments)) if arguments.get("properties").is_some() => Vec::new(),
                (Some(name), Some(arguments)) => {
                    vec![ToolCall { name: name.trim().to_owned(), arguments: arguments.clone() }]
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The call that all of a text is, as Python writes it, whatever its name.
pub fn python_call(text: &str) -> Option<ToolCall> {
    python(text.trim(), &|name: &str| !name.is_empty())?.pop()
}

/// Calls as Python writes them, if all of the text is such calls: `[name(key="value")]`, one a line or more.
fn python(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<Vec<ToolCall>> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let is_call = |line: &&str| !line.is_empty() && !line.starts_with("```") && !line.starts_with("print(");
    let lines = inner.lines().map(str::trim).filter(is_call);
    // `result = name(...)`
    let assigned = lines.map(|line| match line.split_once(" = ").filter(|(name, _)| !name.contains(['(', ' '])) {
        Some((_, call)) => call,
        None => line,
    });
    let call = |line: &str| {
        let (name, inside) = line.strip_suffix(',').unwrap_or(line).strip_suffix(')')?.split_once('(')?;
        let name = name.trim();
        let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let arguments = named(inside).filter(|_| is_word && is_known(name))?;
        Some(ToolCall { name: name.to_owned(), arguments })
    };
    let calls: Option<Vec<ToolCall>> = assigned.map(call).collect();
    calls.filter(|calls| !calls.is_empty())
}

/// `key="value", key=2` as an object.
fn named(inside: &str) -> Option<Value> {
    if inside.trim().starts_with('{') {
        return json_repair::repair(inside).ok().map(|read| read.value);
    }
    // As JSON, whose reader mends quotation marks and words: `{key: "value", key: 2}`.
    let mut json = Vec::new();
    let mut quote = None;
    let mut start = 0;
    let mut parts = Vec::new();
    let mut depth = 0_u32;
    for (place, letter) in inside.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&inside[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=')?;
        let is_key = key.trim().chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        json.push(is_key.then(|| format!("\"{}\": {}", key.trim(), value.trim()))?);
    }
    let text = format!("{{{}}}", joined_by(", ", json));
    json_repair::repair(&text).ok().map(|read| read.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_the_forms_of_many_models() {
        let call = vec![ToolCall { name: "act".to_owned(), arguments: json!({ "command": "go" }) }];
        for text in [
            "<tool_call>\n{\"name\": \"act\", \"arguments\": {\"command\": \"go\"}}\n</tool_call>",
            "[TOOL_CALLS][{\"name\": \"act\", \"arguments\": {\"command\": \"go\"}}]",
            "[TOOL_CALLS]act[ARGS]{\"command\": \"go\"}",
            "<|python_tag|>{\"name\": \"act\", \"parameters\": {\"command\": \"go\"}}",
            "<function=act>{\"command\": \"go\"}</function>",
            "<tool_call>\n<function=act>\n<parameter=command>\ngo\n</parameter>\n</function>\n</tool_call>",
            "<tool_call>act\n<arg_key>command</arg_key>\n<arg_value>go</arg_value>\n</tool_call>",
            "<|channel|>commentary to=functions.act <|constrain|>json<|message|>{\"command\":\"go\"}<|call|>",
            "<|tool_call_begin|>functions.act:0<|tool_call_argument_begin|>{\"command\": \"go\"}<|tool_call_end|>",
            "functools[{\"name\": \"act\", \"arguments\": {\"command\": \"go\"}}]",
            "```tool_code\nact(command='go')\n```",
            "[act(command=\"go\")]",
            "{\"type\": \"function\", \"function\": {\"name\": \"act\", \"arguments\": {\"command\": \"go\"}}}",
        ] {
            assert_eq!(written(text, &|name| name == "act"), Ok(Some(call.clone())), "{text}");
        }
        for text in ["look(at=\"it\")", "go to desk 1", "{\"thought\": \"x\", \"action\": \"y\"}", "I act (now)"] {
            assert_eq!(written(text, &|name| name == "act"), Ok(None), "{text}");
        }
        for text in
            ["<tool_call>\n{\"name\": \"act\", \"arguments\": {\"comm", "[TOOL_CALLS]", "<tool_call></tool_call>"]
        {
            assert!(written(text, &|name| name == "act").is_err(), "{text}");
        }
    }
}
