//! Moves of clients: in the strategy's notation, as models write them, or as JSON, as logs write them.

use serde::Deserialize;
use serde_json::Value;

use crate::domain::{Answer, Brief, Call, Move, PublicTask, ToolCall, Utterance};
use crate::ports::{Asked, Unreadable, World};
use crate::prompts::Forms;
use crate::roles::reader::{self, Commands, Reading, Toolbox};

/// Reads the `data` of a step as an answer to a brief: `{"text": ...}`, a move, a list `moves`, or the call of a
/// tool.
///
/// # Errors
/// Why it is no answer that can be used, for whoever wrote it.
pub fn read_move(
    data: Value,
    brief: &Brief,
    task: Option<&PublicTask>,
    world: &World,
) -> Result<Answer, String> {
    let said = match written(data) {
        Said::Text(text) => text,
        Said::Moves(moves) => return Ok(moves.into()),
        Said::Call(call) => {
            let calls = [ToolCall {
                name: call.tool,
                arguments: call.arguments,
            }];
            return read(Words::Calls(&calls), task, brief, world);
        }
    };
    read(Words::Text(&said), task, brief, world)
}

/// Reads the `data` of a step as words of the user.
///
/// # Errors
/// What they have to be.
pub fn read_words(data: Value) -> Result<Utterance, String> {
    match data {
        Value::String(text) => Ok(Utterance::text(text)),
        data => {
            let read = Utterance::deserialize(data);
            read.map_err(|error| format!("words of a user are {{\"text\": ...}}: {error}"))
        }
    }
}

/// What stands in the `data` of a step.
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
        return Moves::deserialize(data)
            .ok()
            .map(|all| Said::Moves(all.moves));
    }
    if data.get("tool").is_some_and(Value::is_string) {
        return Call::deserialize(data).ok().map(Said::Call);
    }
    Move::deserialize(data)
        .ok()
        .map(|made| Said::Moves(vec![made]))
}

/// What is read as a model's answer is.
enum Words<'a> {
    Text(&'a str),
    Calls(&'a [ToolCall]),
}

fn read(
    words: Words<'_>,
    task: Option<&PublicTask>,
    brief: &Brief,
    world: &World,
) -> Result<Answer, String> {
    let forms = task.map(|task| Forms::of(task, world.words));
    let forms = forms.unwrap_or_default();
    let commands = Commands::new(forms.rows.iter().map(|(form, _)| form.as_str()));
    let reading = Reading {
        open: brief.open,
        commands: &commands,
        bare_commands: true,
        acts: &brief.acts,
    };
    let text = match words {
        Words::Text(text) => text,
        Words::Calls(calls) => {
            let as_written = brief.calls_as_written;
            let toolbox = Toolbox { world, as_written };
            return told_why(reader::read_tools(calls, "", &reading, toolbox));
        }
    };
    let named = brief.notation.and_then(|notation| {
        let mut formats = world.formats.iter();
        formats.find(|format| format.name() == notation.as_str())
    });
    told_why(match named {
        Some(format) => {
            let asked = Asked {
                task,
                acts: &brief.acts,
            };
            reader::read_format(*format, text, &asked)
        }
        None => reader::read(text, &reading),
    })
}

fn told_why(read: Result<Answer, Unreadable>) -> Result<Answer, String> {
    read.map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{MoveKind, MoveKinds};
    use crate::ports::model::ToolSpec;

    #[test]
    fn moves_are_text_or_json_and_say_why_they_are_none() {
        let brief = Brief {
            open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]),
            ..Brief::default()
        };
        let tool = ToolSpec {
            name: "find".to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object" }),
        };
        let world = World {
            tools: vec![tool].into(),
            ..World::default()
        };
        let of = |data| read_move(data, &brief, None, &world).map(|answer| answer.moves);
        let act = Ok(vec![Move::act("look")]);
        assert_eq!(of(json!({ "text": "look" })), act);
        assert_eq!(of(json!("look")), act);
        let written = json!({ "kind": "act", "action": { "text": "look" } });
        assert_eq!(of(written.clone()), act);
        assert_eq!(of(json!({ "moves": [written] })), act);
        assert_eq!(of(json!({ "text": written.to_string() })), act);
        assert_eq!(
            of(json!({ "text": "speak: Where?" })),
            Ok(vec![Move::speak("Where?")])
        );
        let call = json!({ "tool": "find", "arguments": { "area": "north" } });
        let called = of(call.clone()).unwrap();
        assert!(matches!(&called[0], Move::Act { action } if action.call.is_some()));
        assert_eq!(of(json!({ "text": call.to_string() })), Ok(called));
        for wrong in [
            json!({ "text": "" }),
            json!({ "text": "finish: done" }),
            json!({ "tool": "moon", "arguments": {} }),
        ] {
            assert!(
                of(wrong.clone()).is_err_and(|why| !why.is_empty()),
                "{wrong}"
            );
        }
    }
}
