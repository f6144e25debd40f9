//! Moves of clients and people: in the strategy's notation, as models write them, as JSON, as logs write them, or as
//! lines that somebody types.

use serde::Deserialize;
use serde_json::Value;

use super::label::{Label, label};
use super::{Commands, Reading, Toolbox};
use crate::domain::{Answer, Brief, Call, Move, MoveKind, PublicTask, ToolCall, Utterance};
use crate::ports::{Asked, Unreadable, World};
use crate::prompts::Forms;

/// Reads the `data` of a step as an answer to a brief: `{"text": ...}`, a move, a list `moves`, or the call of a
/// tool.
///
/// # Errors
/// Why it is no answer that can be used, for whoever wrote it.
pub fn read_move(data: Value, brief: &Brief, task: Option<&PublicTask>, world: &World) -> Result<Answer, String> {
    let said = match written(data) {
        Said::Text(text) => text,
        Said::Moves(moves) => return Ok(moves.into()),
        Said::Call(call) => {
            let calls = [ToolCall { name: call.tool, arguments: call.arguments }];
            return read(Words::Calls(&calls), task, brief, world);
        }
    };
    read(Words::Text(&said), task, brief, world)
}

/// The kinds of moves that a line without a label can be, the most usual first.
pub const USUAL: [MoveKind; 7] = [
    MoveKind::Act,
    MoveKind::Speak,
    MoveKind::Judge,
    MoveKind::Plan,
    MoveKind::Think,
    MoveKind::Learn,
    MoveKind::Finish,
];

/// Reads what a person typed: a line without a label is the most usual of the open moves, `think: ...` and the like
/// are others; what [`read_move`] takes is taken as well. Unlike a model's, nothing that a person says is left out.
///
/// # Errors
/// Why it is no answer that can be used, for whoever typed it.
pub fn read_typed(text: &str, brief: &Brief, task: Option<&PublicTask>, world: &World) -> Result<Answer, String> {
    let text = text.trim();
    let labelled = label(text).is_some_and(|found| matches!(found.label, Label::Own(_)));
    let plain = !labelled && !text.starts_with(['{', '[']);
    let mut usual = USUAL.iter().filter(|kind| brief.open.contains(**kind));
    let said = match usual.next().filter(|_| plain) {
        Some(kind) => format!("{}: {text}", kind.as_str()),
        None => text.to_owned(),
    };
    let by_label = |brief: &Brief| read_move(Value::String(said.clone()), brief, task, world);
    let answer = match &brief.notation {
        None => by_label(brief),
        // People make the same moves without the notation, too.
        Some(_) => read_move(Value::String(text.to_owned()), brief, task, world).or_else(|why| {
            let free = Brief { notation: None, ..brief.clone() };
            by_label(&free).map_err(|_| why)
        }),
    }?;
    whole(answer, brief)
}

/// The answer, if all of it will be taken. What was read otherwise than it was typed is no news to its author.
fn whole(answer: Answer, brief: &Brief) -> Result<Answer, String> {
    let left_out = answer.repaired.iter().find(|mend| {
        let code = mend.code.as_str();
        ["closed_move", "undeclared_speech", "trailing_text"].contains(&code)
    });
    if let Some(mend) = left_out {
        return Err(format!("only a part of it can be used: {}", mend.note));
    }
    let kinds = || answer.moves.iter().map(Move::kind);
    if let Some(kind) = kinds().find(|kind| !brief.open.contains(*kind)) {
        let kind = kind.as_str();
        return Err(format!("a move of the kind `{kind}` is not open now"));
    }
    match answer.moves.len() {
        0 => Err("there is no move in it".to_owned()),
        1 => Ok(answer.moves.into()),
        _ if brief.several => Ok(answer.moves.into()),
        _ => Err("these are several moves, and one a turn is taken".to_owned()),
    }
}

/// Reads the `data` of a step as words of the user.
///
/// # Errors
/// When they are no words; it says what they have to be.
pub fn read_words(data: Value) -> Result<Utterance, String> {
    match data {
        Value::String(text) => Ok(Utterance::text(text)),
        data => {
            let read = Utterance::deserialize(data);
            read.map_err(|error| format!("words of a user are {{\"text\": ...}}: {error}"))
        }
    }
}

/// Content of the `data` of a step.
enum Said {
    Text(String),
    Moves(Vec<Move>),
    Call(Call),
}

#[derive(Deserialize)]
struct Moves {
    moves: Vec<Move>,
}

fn written(data: Value) -> Said {
    match data {
        Value::String(text) => match text.trim_start().starts_with('{') {
            // Who writes JSON as text means what it says, unless it is none.
            true => match serde_json::from_str(&text).map(structured) {
                Ok(Some(said)) => said,
                _ => Said::Text(text),
            },
            false => Said::Text(text),
        },
        Value::Object(mut fields) => match fields.remove("text") {
            Some(text @ Value::String(_)) if !fields.contains_key("kind") => written(text),
            Some(text) if !fields.contains_key("kind") => Said::Text(text.to_string()),
            text => {
                fields.extend(text.map(|text| ("text".to_owned(), text)));
                let data = Value::Object(fields);
                structured(data.clone()).unwrap_or_else(|| Said::Text(data.to_string()))
            }
        },
        other => Said::Text(other.to_string()),
    }
}

/// A move, moves or a call in JSON.
fn structured(data: Value) -> Option<Said> {
    if data.get("moves").is_some() {
        return Moves::deserialize(data).ok().map(|all| Said::Moves(all.moves));
    }
    if data.get("tool").is_some_and(Value::is_string) {
        return Call::deserialize(data).ok().map(Said::Call);
    }
    Move::deserialize(data).ok().map(|made| Said::Moves(vec![made]))
}

/// Answer to read as a model's.
enum Words<'a> {
    Text(&'a str),
    Calls(&'a [ToolCall]),
}

fn read(words: Words<'_>, task: Option<&PublicTask>, brief: &Brief, world: &World) -> Result<Answer, String> {
    let forms = task.map(|task| Forms::of(task, world.words)).unwrap_or_default();
    let commands = Commands::new(forms.rows.iter().map(|(form, _)| form.as_str()));
    let reading =
        Reading { open: brief.open, commands: &commands, bare_commands: true, acts: &brief.acts, natural: false };
    let text = match words {
        Words::Text(text) => text,
        Words::Calls(calls) => {
            let as_written = brief.calls_as_written;
            let toolbox = Toolbox { world, as_written };
            return told_why(super::read_tools(calls, "", &reading, toolbox));
        }
    };
    let named =
        brief.notation.and_then(|notation| world.formats.iter().find(|format| format.name() == notation.as_str()));
    told_why(match named {
        Some(format) => {
            let asked = Asked { task, acts: &brief.acts, natural: false };
            super::read_format(*format, text, &asked)
        }
        None => super::read(text, &reading),
    })
}

fn told_why(read: Result<Answer, Unreadable>) -> Result<Answer, String> {
    read.map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::MoveKinds;
    use crate::ports::model::ToolSpec;

    #[test]
    fn moves_are_text_or_json_and_say_why_they_are_none() {
        let brief =
            Brief { open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]), ..Brief::default() };
        let tool =
            ToolSpec { name: "find".to_owned(), description: String::new(), parameters: json!({ "type": "object" }) };
        let world = World { tools: vec![tool].into(), ..World::default() };
        let of = |data| read_move(data, &brief, None, &world).map(|answer| answer.moves);
        let act = Ok(vec![Move::act("look")]);
        assert_eq!(of(json!({ "text": "look" })), act);
        assert_eq!(of(json!("look")), act);
        let written = json!({ "kind": "act", "action": { "text": "look" } });
        assert_eq!(of(written.clone()), act);
        assert_eq!(of(json!({ "moves": [written] })), act);
        assert_eq!(of(json!({ "text": written.to_string() })), act);
        assert_eq!(of(json!({ "text": "speak: Where?" })), Ok(vec![Move::speak("Where?")]));
        let call = json!({ "tool": "find", "arguments": { "area": "north" } });
        let called = of(call.clone()).unwrap();
        assert!(matches!(&called[0], Move::Act { action } if action.call.is_some()));
        assert_eq!(of(json!({ "text": call.to_string() })), Ok(called));
        let typed = |line: &str| read_typed(line, &brief, None, &world).map(|read| read.moves);
        assert_eq!(typed(" go to desk 1 "), Ok(vec![Move::act("go to desk 1")]));
        assert_eq!(typed("think: It is here."), Ok(vec![Move::think("It is here.")]));
        for wrong in ["", "finish: x", "Think: x. Act: look", "act: look\nlook"] {
            assert!(typed(wrong).is_err(), "{wrong}");
        }
        for wrong in
            [json!({ "text": "" }), json!({ "text": "finish: done" }), json!({ "tool": "moon", "arguments": {} })]
        {
            assert!(of(wrong.clone()).is_err_and(|why| !why.is_empty()), "{wrong}");
        }
    }
}
