//! The notations of agents: a thought, and then a call with its input, or a response (spec section 2).

use serde_json::Value;

use crate::words::BookingWords;
use rolecall_core::domain::{Action, Call, Move, MoveKind, MoveKinds};
use rolecall_core::ports::{Asked, Format, Mended, Unreadable, Words};
use rolecall_core::roles::reader::{labelled, own_words, python_call};
use rolecall_core::text::after_reasoning;
use rolecall_core::text::json_repair::{self, Fix};

/// The formats, in the order in which they are listed.
pub const FORMATS: &[&dyn Format] = &[&BookingFormat::Turn, &BookingFormat::Reply, &BookingFormat::Reference];

/// The label of a thought.
pub const THOUGHT: &str = "Thought: ";
/// The label of a call's name.
pub const NAME: &str = "API Name: ";
/// The label of a call's input.
pub const INPUT: &str = "API Input: ";
/// The label of a call's result. The agent writes it, and the world what follows.
pub const RESULT: &str = "API Result:";
/// The label of a reply to the user.
pub const RESPONSE: &str = "Response: ";

/// A notation of booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingFormat {
    /// A call or a response, each after a thought if there is one. A text that is neither is an action that
    /// the world refuses.
    Turn,
    /// A response; a text without its label is all of it.
    Reply,
    /// The text format as the original program reads it: all of the text is the thought, and the first call in it
    /// counts.
    Reference,
}

rolecall_core::names! { BookingFormat, as_str:
    Turn => "booking", Reply => "booking-reply", Reference => "booking-reference",
}

impl Format for BookingFormat {
    fn name(&self) -> &'static str {
        (*self).as_str()
    }

    fn stops(&self) -> &'static [&'static str] {
        match self {
            Self::Turn => &[RESULT],
            Self::Reply | Self::Reference => &[],
        }
    }

    fn offered(&self, open: MoveKinds) -> MoveKinds {
        let all = [MoveKind::Think, MoveKind::Act, MoveKind::Speak].into_iter();
        all.filter(|kind| open.contains(*kind)).collect::<Vec<_>>().into()
    }

    fn read(&self, text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        if asked.natural && *self != Self::Reference {
            return natural(text, mended);
        }
        let text = match self {
            Self::Reference => text,
            Self::Turn | Self::Reply => after_reasoning(text),
        };
        if text.trim().is_empty() {
            return Err(Unreadable::Empty);
        }
        Ok(match self {
            Self::Reference => as_recorded(text),
            Self::Turn => turn(text),
            Self::Reply => match text.split_once(RESPONSE) {
                Some((before, reply)) => with_thought(before, Move::speak(reply.trim())),
                None => vec![Move::speak(text.trim())],
            },
        })
    }

    fn of_moves(&self, moves: &[Move], _: &Asked<'_>, _: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        Ok(moves.to_vec())
    }
}

/// A call, or a response, whichever comes first.
fn turn(text: &str) -> Vec<Move> {
    let call = text.split_once(NAME.trim_end());
    let reply = text.split_once(RESPONSE.trim_end());
    match (call, reply) {
        (Some((before, rest)), _) if reply.is_none_or(|(other, _)| before.len() < other.len()) => {
            let written = rest.split(RESULT).next().unwrap_or(rest);
            let (name, input) = written.split_once(INPUT.trim_end()).unwrap_or((written, ""));
            with_thought(before, called(name.trim(), input.trim()))
        }
        (_, Some((before, reply))) => with_thought(before, Move::speak(reply.trim())),
        _ => vec![Move::act(text.trim())],
    }
}

/// Parts of a turn under labels of any spelling.
#[derive(Default)]
struct Parts {
    thought: String,
    name: String,
    input: String,
    words: String,
}

/// A turn as models write it: labels in other words and marks, inputs as Python writes them, plain speech.
fn natural(text: &str, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
    let mut parts = Parts::default();
    let mut now: Option<&str> = None;
    // Labels within a line begin one of their own.
    let lines = [NAME, INPUT, RESULT, RESPONSE]
        .into_iter()
        .fold(text.to_owned(), |text, label| text.replace(&format!(" {}", label.trim_end()), &format!("\n{label}")));
    for line in lines.lines() {
        let found = labelled(line).and_then(|(label, rest)| Some((part_of(&label)?, rest)));
        match found {
            Some(("end", _)) => break,
            Some((part, _)) if now == Some("words") || part == "name" && !parts.name.is_empty() => break,
            Some((part, rest)) => {
                if part == "words" {
                    parts.words.clear();
                }
                parts.part(part).push_str(rest);
                now = Some(part);
            }
            None => {
                let part = parts.part(now.unwrap_or("words"));
                part.push('\n');
                part.push_str(line);
            }
        }
    }
    let written = parts.name.split(" #").next().unwrap_or_default().trim().trim_matches(['*', '`', '"', '\'', ' ']);
    let name = written.strip_suffix("()").unwrap_or(written);
    let made = if let Some(call) = python_call(name) {
        called(&call.name, &call.arguments.to_string())
    } else if !name.is_empty() {
        called(name, &input(&parts.input, mended)?)
    } else if let Some((name, input_text)) = one_line_call(&parts.words) {
        called(name, &input(input_text, mended)?)
    } else {
        match own_words(&parts.words, BookingWords.user_labels()) {
            Some(words) if words.contains('_') && !words.contains(' ') => {
                return Err(Unreadable::Incomplete { kind: "act", problem: "has no input".to_owned() });
            }
            Some(words) => Move::speak(words),
            None if !parts.thought.trim().is_empty() => return Ok(vec![Move::think(parts.thought.trim())]),
            None => return Err(Unreadable::Empty),
        }
    };
    Ok(with_thought(&parts.thought, made))
}

impl Parts {
    fn part(&mut self, name: &str) -> &mut String {
        match name {
            "thought" => &mut self.thought,
            "name" => &mut self.name,
            "input" => &mut self.input,
            _ => &mut self.words,
        }
    }
}

fn part_of(label: &str) -> Option<&'static str> {
    Some(match label {
        "thought" | "think" | "reasoning" => "thought",
        "api name" | "api" | "action" | "tool" | "tool name" | "function" => "name",
        "api input" | "action input" | "tool input" | "input" | "arguments" | "parameters" => "input",
        "response" | "assistant" | "agent" | "bot" | "reply" | "answer" | "final answer" | "desk" => "words",
        "api result" | "result" | "explanation" | "note" | "observation" | "user" | "human" => "end",
        guest if BookingWords.user_labels().contains(&guest) => "end",
        _ => return None,
    })
}

/// `query_trains {"day": "monday"}`
fn one_line_call(text: &str) -> Option<(&str, &str)> {
    let (name, _) = text.trim().split_once('{')?;
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let name = name.trim();
    (!name.is_empty() && name.chars().all(is_name)).then(|| (name, text.trim()[name.len()..].trim()))
}

/// The input of a call as JSON.
fn input(text: &str, mended: &mut Mended) -> Result<String, Unreadable> {
    let incomplete = |problem: &str| Unreadable::Incomplete { kind: "act", problem: problem.to_owned() };
    let listed = || {
        let mark = if text.contains(':') { ':' } else { '=' };
        let parts = text.split(if mark == '=' { ',' } else { '\n' });
        let lines = parts.map(str::trim).filter(|part| !part.is_empty());
        let split = lines.map(|part| part.trim_start_matches(['-', '*', ' ']).split_once(mark));
        let pairs: Option<Vec<(&str, &str)>> = split.collect();
        let fields = pairs.filter(|pairs| !pairs.is_empty())?.into_iter();
        Some(Value::Object(fields.map(|(name, value)| (name.trim().to_owned(), value.trim().into())).collect()))
    };
    if let Some(fields) = listed().filter(|_| !text.contains('{')) {
        return Ok(fields.to_string());
    }
    let found = json_repair::repair(text).map_err(|_| incomplete("has no JSON object as its input"))?;
    if found.fixes.contains(&Fix::End) {
        return Err(incomplete("ends within its input"));
    }
    if found.value.as_object().is_some_and(|fields| fields.values().any(|value| value == "...")) {
        return Err(incomplete("has `...` in the place of values"));
    }
    if found.fixes.is_empty() {
        return Ok(text.trim().to_owned());
    }
    for fix in &found.fixes {
        mended.insert(fix.code(), fix.description());
    }
    Ok(found.value.to_string())
}

fn with_thought(before: &str, made: Move) -> Vec<Move> {
    let thought = before.trim();
    let thought = thought.strip_prefix(THOUGHT.trim_end()).unwrap_or(thought).trim();
    if thought.is_empty() { vec![made] } else { vec![Move::think(thought), made] }
}

/// A call of this name with this input, both as they are written.
fn called(name: &str, input: &str) -> Move {
    Move::Act {
        action: Action {
            text: format!("{name} {input}").trim_end().to_owned(),
            call: Some(Box::new(Call { tool: name.to_owned(), arguments: Value::String(input.to_owned()) })),
        },
    }
}

/// The whole text as a thought, and the first call in it; without a call it is told to the user.
fn as_recorded(text: &str) -> Vec<Move> {
    let call = || {
        let (_, rest) = text.split_once(NAME)?;
        let (name, rest) = rest.split_once(INPUT)?;
        let (input, _) = rest.split_once(RESULT)?;
        Some(called(name.trim(), input.trim()))
    };
    vec![Move::think(text), call().unwrap_or_else(|| Move::speak(text.trim()))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(format: BookingFormat, text: &str) -> Vec<Move> {
        let read = format.read(text, &Asked::default(), &mut Mended::default());
        read.unwrap()
    }

    fn thought(text: &str, then: Move) -> Vec<Move> {
        vec![Move::think(text), then]
    }

    #[test]
    fn a_turn_is_a_call_or_a_response_after_a_thought() {
        let turn = |text: &str| read(BookingFormat::Turn, text);
        let call = turn("Thought: look\nAPI Name: query_trains\nAPI Input: {\"day\": \"monday\"}\nAPI Result: x");
        assert_eq!(call, thought("look", called("query_trains", "{\"day\": \"monday\"}")));
        let Move::Act { action } = &call[1] else { panic!("no action") };
        assert_eq!(action.text, "query_trains {\"day\": \"monday\"}");
        let reply = thought("done", Move::speak("All set."));
        assert_eq!(turn("Thought: done\nResponse: All set.\n"), reply);
        // Blanks behind labels do not count, and the first label wins.
        assert_eq!(turn("Response:Hello"), [Move::speak("Hello")]);
        assert_eq!(turn("Response: One. API Name: x")[0], Move::speak("One. API Name: x"));
        // A text that is neither is an action that the world refuses.
        assert_eq!(turn("hello there"), [Move::act("hello there")]);
    }

    #[test]
    fn a_reply_needs_no_label() {
        let reply = |text: &str| read(BookingFormat::Reply, text);
        assert_eq!(reply(" Hello. "), [Move::speak("Hello.")]);
        assert_eq!(reply("Thought: t\nResponse: Hello."), thought("t", Move::speak("Hello.")));
    }

    #[test]
    fn the_first_call_of_a_text_counts_as_it_was_recorded() {
        let recorded = |text: &str| read(BookingFormat::Reference, text);
        let text = "API Name: a\nAPI Input: {}\nAPI Result:\nAPI Name: b\nAPI Input: {}\nAPI Result:";
        assert_eq!(recorded(text), thought(text, called("a", "{}")));
        // Labels are case-sensitive, and all three are needed.
        for text in ["api name: a\napi input: {}\napi result:", "API Name: a\nAPI Input: {}", "x"] {
            assert_eq!(recorded(text), thought(text, Move::speak(text)));
        }
        assert_eq!(BookingFormat::Turn.read("  ", &Asked::default(), &mut Mended::default()), Err(Unreadable::Empty));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(Thought: |API Name: |API Input: |API Result:|Response: |[{}\"a é\n]){0,12}") {
            for format in FORMATS {
                let read = format.read(&text, &Asked::default(), &mut Mended::default());
                prop_assert_eq!(read.is_err(), text.trim().is_empty());
            }
        }
    }
}
