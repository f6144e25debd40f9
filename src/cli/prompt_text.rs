//! A request to a model for reading: the messages as they are sent, what the answer must be, and how it is
//! drawn.

use std::fmt::{Display, Write};

use serde_json::{Map, Value, json};

use rolecall_core::domain::ModelReply;
use rolecall_core::ports::ModelRequest;
use rolecall_core::ports::model::{ChatMessage, Prompt};
use rolecall_core::reports::{Paint, Style};
use rolecall_core::text::{harmless, joined_by, visible};

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
        Prompt::Chat(messages) => messages.iter().for_each(|said| message(said, style, &mut text)),
    }
    if !candidates.is_empty() {
        let quoted = joined_by("\n", candidates.iter().map(|text| json!(text)));
        block("texts that are scored", &quoted, style, &mut text);
    }
    for (name, value) in settings {
        let heading = visible(name);
        if value.is_object() || value.as_array().is_some_and(|all| all.len() > 4) {
            block(&heading, &format!("{value:#}"), style, &mut text);
        } else {
            // Writing to a text cannot fail.
            let heading = style.paint(Paint::Heading, &heading);
            let _ = writeln!(text, "{heading}: {}", visible(&value.to_string()));
        }
    }
    text
}

fn message(said: &ChatMessage, style: Style, text: &mut String) {
    // The role as the interface calls it.
    let mut heading = json!(said.role).as_str().unwrap_or_default().to_owned();
    if let Some(id) = &said.tool_call_id {
        let _ = write!(heading, " ({})", visible(id));
    }
    let calls = said.tool_calls.iter().map(|call| (&*call.function.name, &call.function.arguments));
    block(&heading, &with_calls(&said.content, calls), style, text);
}

/// The words of a message if there are any, then a line for each call of a tool.
fn with_calls<'a>(words: &str, calls: impl Iterator<Item = (&'a str, impl Display)>) -> String {
    let words = Some(words.to_owned()).filter(|words| !words.is_empty());
    joined_by("\n", words.into_iter().chain(calls.map(|(name, arguments)| format!("calls {name} {arguments}"))))
}

/// A reply below a heading: what was said, the calls of tools, the scores.
pub(crate) fn reply_text(reply: &ModelReply, style: Style) -> String {
    let mut text = String::new();
    for (number, choice) in reply.choices.iter().enumerate() {
        let calls = choice.tool_calls.iter().map(|call| (&*call.name, &call.arguments));
        let heading = match reply.choices.len() {
            1 => "reply".to_owned(),
            _ => format!("reply {}", number + 1),
        };
        block(&heading, &with_calls(&choice.text, calls), style, &mut text);
    }
    if !reply.scores.is_empty() {
        let scores = joined_by("\n", reply.scores.iter().map(|score| score.logprob));
        block("log-probabilities", &scores, style, &mut text);
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
