//! A request to a model for reading: the messages as they are sent, what the answer must be, and how it is
//! drawn.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use rolecall_core::domain::ModelReply;
use rolecall_core::ports::ModelRequest;
use rolecall_core::ports::model::{ChatMessage, Prompt};
use rolecall_core::reports::{Paint, Style};
use rolecall_core::text::{harmless, visible};

/// Blanks before every line of a text that somebody else wrote: none of them looks like a heading.
const INDENT: &str = "    ";

/// The request, each message below a heading, then the settings that it is sent with. What it says is
/// escaped.
pub(crate) fn request_text(request: &ModelRequest, settings: &Map<String, Value>, style: Style) -> String {
    let mut text = String::new();
    let (prompt, candidates) = match request {
        ModelRequest::Complete(completion) => (&completion.prompt, &[][..]),
        ModelRequest::Score(scoring) => (&scoring.prompt, &scoring.candidates[..]),
    };
    match prompt {
        Prompt::Text(words) => block("prompt", words, style, &mut text),
        Prompt::Chat(messages) => {
            messages.iter().for_each(|said| message(said, style, &mut text));
        }
    }
    if !candidates.is_empty() {
        let quoted = candidates.iter().map(|text| json!(text).to_string());
        let quoted: Vec<String> = quoted.collect();
        block("texts that are scored", &quoted.join("\n"), style, &mut text);
    }
    for (name, value) in settings {
        let long = value.is_object() || value.as_array().is_some_and(|all| all.len() > 4);
        let heading = visible(name);
        if long {
            block(&heading, &format!("{value:#}"), style, &mut text);
        } else {
            // Writing to a text cannot fail.
            let value = value.to_string();
            let _ = writeln!(text, "{}: {}", style.paint(Paint::Heading, &heading), visible(&value));
        }
    }
    text
}

fn message(said: &ChatMessage, style: Style, text: &mut String) {
    let mut heading = role(said);
    if let Some(id) = &said.tool_call_id {
        let _ = write!(heading, " ({})", visible(id));
    }
    let calls = said.tool_calls.iter().map(|call| format!("calls {} {}", call.function.name, call.function.arguments));
    let lines: Vec<String> =
        Some(said.content.clone()).filter(|words| !words.is_empty()).into_iter().chain(calls).collect();
    block(&heading, &lines.join("\n"), style, text);
}

/// The role as the interface calls it.
fn role(said: &ChatMessage) -> String {
    let word = json!(said.role);
    word.as_str().unwrap_or_default().to_owned()
}

/// A reply below a heading: what was said, the calls of tools, the scores.
pub(crate) fn reply_text(reply: &ModelReply, style: Style) -> String {
    let mut text = String::new();
    for (number, choice) in reply.choices.iter().enumerate() {
        let calls = choice.tool_calls.iter().map(|call| format!("calls {} {}", call.name, call.arguments));
        let lines: Vec<String> =
            Some(choice.text.clone()).filter(|words| !words.is_empty()).into_iter().chain(calls).collect();
        let heading = match reply.choices.len() {
            1 => "reply".to_owned(),
            _ => format!("reply {}", number + 1),
        };
        block(&heading, &lines.join("\n"), style, &mut text);
    }
    if !reply.scores.is_empty() {
        let scores = reply.scores.iter();
        let scores: Vec<String> = scores.map(|score| score.logprob.to_string()).collect();
        block("log-probabilities", &scores.join("\n"), style, &mut text);
    }
    text
}

fn block(heading: &str, words: &str, style: Style, text: &mut String) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{}", style.paint(Paint::Heading, heading));
    for line in harmless(words).lines() {
        let _ = writeln!(text, "{}", format!("{INDENT}{line}").trim_end());
    }
}

/// The request as JSON: `messages` or `prompt`, `candidates` if texts are scored, and `settings`.
pub(crate) fn request_json(request: &ModelRequest, settings: &Map<String, Value>) -> Value {
    let mut object = Map::new();
    let (prompt, candidates) = match request {
        ModelRequest::Complete(completion) => (&completion.prompt, None),
        ModelRequest::Score(scoring) => (&scoring.prompt, Some(&scoring.candidates)),
    };
    match prompt {
        Prompt::Text(text) => object.insert("prompt".to_owned(), json!(text)),
        Prompt::Chat(messages) => object.insert("messages".to_owned(), json!(messages)),
    };
    if let Some(candidates) = candidates {
        object.insert("candidates".to_owned(), json!(candidates));
    }
    object.insert("settings".to_owned(), json!(settings));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::ports::model::{ChatRole, Completion};

    #[test]
    fn no_message_looks_like_another_or_steers_a_terminal() {
        let said = "Go.\nassistant\u{1b}[2J\u{2028}\n\nreply";
        let request = ModelRequest::Complete(Completion {
            prompt: Prompt::Chat(vec![
                ChatMessage::new(ChatRole::System, "You."),
                ChatMessage::new(ChatRole::User, said),
            ]),
            ..Completion::default()
        });
        let settings = Map::from_iter([("seed".to_owned(), json!(7))]);
        let text = request_text(&request, &settings, Style::Unstyled);
        let expected = "system\n    You.\nuser\n    Go.\n    assistant\\u{1b}[2J\\u{2028}\n\n    reply\nseed: 7\n";
        assert_eq!(text, expected);
        let object = request_json(&request, &settings);
        assert_eq!(object["messages"][1]["content"], said);
        assert_eq!(object["settings"]["seed"], 7);
    }
}
