//! Structured answers: JSON by the schema that was asked for, or near it. They give the same moves as
//! the same answers in running text.

use serde_json::{Map, Value};

use super::label::{Label, known};
use super::piece::{made, step};
use super::speech::{known_act, spoken};
use super::{Mended, Reading, Unreadable, incomplete, only_open};
use crate::domain::{Answer, Move, MoveKind, PlanStep};
use crate::text::answer_line;
use crate::text::json_repair::{self, Fix};

/// The most moves of one answer.
pub(super) const MOST_MOVES: usize = 50;

/// The note on JSON that was read as it was meant.
const JSON_FORM: &str = "JSON was read that has another form than asked for";

/// Fields that say what sort of move an object is.
const KINDS: &[&str] = &["kind", "type", "move", "tool", "name"];

/// Fields that hold the dialogue act of what is spoken.
const ACTS: &[&str] = &["act", "dialogue_act"];

/// Fields that hold the text of a move, the best first.
const TEXTS: &[&str] =
    &["text", "command", "action", "lesson", "answer", "content", "message", "question", "thought", "input", "value"];

/// Reads an answer that was to be JSON. `cut` says that it ended at the limit of tokens.
pub fn read_json(text: &str, cut: bool, reading: &Reading<'_>) -> Result<Answer, Unreadable> {
    let mut mended = Mended::default();
    let text = super::lines::clean(text, reading.open, &mut mended);
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    let repaired = json_repair::repair(&text).map_err(|error| Unreadable::Json(error.to_string()))?;
    let is_open = reading.natural && !text.ends_with(['"', '}', ']']);
    let unfinished = (cut || is_open) && repaired.fixes.contains(&Fix::End);
    let answer = of(repaired, reading, mended)?;
    // A thought that was cut is still a thought; half a command is another command.
    let is_cut_speech = |made: &Move| is_open && matches!(made, Move::Speak { .. });
    let whole = |made: &Move| !matches!(made, Move::Act { .. } | Move::Plan { .. }) && !is_cut_speech(made);
    if unfinished && !answer.moves.last().is_some_and(whole) {
        let text = "it ends in the middle: it was cut at the limit of tokens (`max_tokens`)";
        return Err(Unreadable::Json(text.to_owned()));
    }
    Ok(answer)
}

/// Reads a text as JSON, if it is any that states moves.
pub(super) fn read_value(text: &str, reading: &Reading<'_>, mended: Mended) -> Result<Answer, Unreadable> {
    let repaired = json_repair::repair(text).map_err(|error| Unreadable::Json(error.to_string()))?;
    of(repaired, reading, mended)
}

fn of(repaired: json_repair::Repaired, reading: &Reading<'_>, mut mended: Mended) -> Result<Answer, Unreadable> {
    for fix in &repaired.fixes {
        mended.insert(fix.code(), fix.description());
    }
    let mut moves = Vec::new();
    collect(&repaired.value, reading, &mut mended, &mut moves)?;
    if moves.is_empty() {
        let text = "it states no move; a move has a `kind` and what belongs to it";
        return Err(Unreadable::Json(text.to_owned()));
    }
    only_open(moves, reading, mended)
}

fn collect(value: &Value, reading: &Reading<'_>, mended: &mut Mended, moves: &mut Vec<Move>) -> Result<(), Unreadable> {
    if moves.len() >= MOST_MOVES {
        return Ok(());
    }
    match value {
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let steps: Vec<PlanStep> = steps(items, reading);
            if reading.open.contains(MoveKind::Plan) && !steps.is_empty() {
                moves.push(Move::Plan { steps });
            }
            Ok(())
        }
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, reading, mended, moves)),
        Value::Object(fields) => collect_object(fields, reading, mended, moves),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn collect_object(
    fields: &Map<String, Value>,
    reading: &Reading<'_>,
    mended: &mut Mended,
    moves: &mut Vec<Move>,
) -> Result<(), Unreadable> {
    for wrapper in ["moves", "move"] {
        if let Some(inner @ (Value::Object(_) | Value::Array(_))) = fields.get(wrapper) {
            if reading.natural {
                moves.extend(text_of_kind(fields, MoveKind::Think).map(Move::think));
            }
            return collect(inner, reading, mended, moves);
        }
    }
    let stated = KINDS.iter().find_map(|field| {
        let word = fields.get(*field)?.as_str()?;
        kind_of(word)
    });
    if let Some(kind) = stated {
        moves.push(of_fields(kind, fields, reading, mended)?);
        return Ok(());
    }
    if reading.natural
        && let Some(steps) = listed_steps(fields, reading)
    {
        mended.insert("json_form", JSON_FORM);
        moves.push(steps);
        return Ok(());
    }
    if reading.natural
        && let Some(command) = named_parts(fields, reading)
    {
        moves.extend(text_of_kind(fields, MoveKind::Think).map(Move::think));
        moves.push(Move::act(command));
        mended.insert("json_form", JSON_FORM);
        return Ok(());
    }
    // `{"thought": "...", "action": "..."}`: a move for each field.
    for (name, value) in fields {
        let Some(kind) = kind_of(name) else { continue };
        if reading.natural && value.is_null() || is_act(name, value, reading) {
            continue;
        }
        let mut entry = Map::from_iter([(name.clone(), value.clone())]);
        if kind == MoveKind::Speak {
            let acts = fields.iter().filter(|(name, _)| ACTS.contains(&&***name));
            entry.extend(acts.map(|(name, act)| (name.clone(), act.clone())));
        }
        let entry = value.as_object().unwrap_or(&entry);
        moves.push(of_fields(kind, entry, reading, mended)?);
        mended.insert("json_form", JSON_FORM);
    }
    Ok(())
}

/// A plan, or the first command, of `{"steps": [...]}`, `{"commands": [...]}` or `{"move": "..."}`.
fn listed_steps(fields: &Map<String, Value>, reading: &Reading<'_>) -> Option<Move> {
    let list =
        ["steps", "commands", "actions", "plan", "move", "next_action"].iter().find_map(|name| fields.get(*name))?;
    let items = match list {
        Value::Array(items) => items.clone(),
        Value::String(_) => vec![list.clone()],
        _ => return None,
    };
    let all = steps(&items, reading);
    if all.is_empty() {
        return None;
    }
    if reading.open.contains(MoveKind::Plan) {
        return Some(Move::Plan { steps: all });
    }
    let first = reading.commands.meant(&all.first()?.action.text)?;
    reading.open.contains(MoveKind::Act).then(|| Move::act(first.command))
}

/// The command of a verb and its parts in fields of their own: `{"action": "take", "object": "mug 1", "from": "desk 1"}`.
fn named_parts(fields: &Map<String, Value>, reading: &Reading<'_>) -> Option<String> {
    let text = |part: &Value| part.as_str().map_or_else(|| part.to_string(), str::to_owned);
    let Some(verb) = text_of_kind(fields, MoveKind::Act) else {
        // `{"click": "Buy Now"}`
        let mut all = fields.iter();
        let (verb, part) = all.next().filter(|(verb, _)| kind_of(verb).is_none())?;
        return all.next().is_none().then(|| reading.commands.called(verb, &[&text(part)]))?;
    };
    let parts = fields.iter().filter(|(name, _)| kind_of(name).is_none() && !KINDS.contains(&&***name));
    let texts: Vec<String> = parts
        .flat_map(|(_, part)| match part {
            Value::Array(items) => items.iter().map(text).collect(),
            Value::Object(fields) => fields.values().map(text).collect(),
            other => vec![text(other)],
        })
        .collect();
    if texts.is_empty() {
        return None;
    }
    reading.commands.called(verb, &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The text of the first field whose name is a label of that kind.
fn text_of_kind(fields: &Map<String, Value>, kind: MoveKind) -> Option<&str> {
    fields.iter().find(|(name, _)| kind_of(name) == Some(kind))?.1.as_str()
}

/// Whether a field declares the dialogue act of what another one says, and is no action.
fn is_act(name: &str, value: &Value, reading: &Reading<'_>) -> bool {
    let act = value.as_str().filter(|_| ACTS.contains(&name));
    act.is_some_and(|act| known_act(act, reading.acts()).is_some())
}

pub(super) fn kind_of(word: &str) -> Option<MoveKind> {
    match known(&word.trim().to_ascii_lowercase().replace('_', " "))? {
        (Label::Own(kind), _) => Some(kind),
        (Label::Foreign, _) => None,
    }
}

pub(super) fn of_fields(
    kind: MoveKind,
    fields: &Map<String, Value>,
    reading: &Reading<'_>,
    mended: &mut Mended,
) -> Result<Move, Unreadable> {
    match kind {
        MoveKind::Plan => {
            let steps = fields.values().find_map(Value::as_array).map_or_else(Vec::new, |items| steps(items, reading));
            if !steps.is_empty() {
                return Ok(Move::Plan { steps });
            }
        }
        MoveKind::Judge => {
            let verdict = fields.iter().find_map(|(name, value)| {
                let clarify = value.as_bool()?;
                Some(if name == "clear" { !clarify } else { clarify })
            });
            if let Some(clarify) = verdict {
                let reason = fields.get("reason").and_then(Value::as_str).map(str::trim);
                let reason = reason.filter(|reason| !reason.is_empty());
                return Ok(Move::Judge { clarify, reason: reason.map(|reason| answer_line(reason).into_owned()) });
            }
        }
        MoveKind::Finish => {
            let stated = fields.get("answer").cloned();
            let text = || Value::from(text_of(fields).filter(|_| reading.natural)?.to_owned()).into();
            let answer = stated.or_else(text).unwrap_or_default();
            if !answer.is_string() {
                let answer = Box::new(answer);
                return Ok(Move::Finish { answer });
            }
        }
        MoveKind::Speak => return speech(fields, reading),
        MoveKind::Think | MoveKind::Act | MoveKind::Learn => {}
    }
    if kind == MoveKind::Act
        && reading.natural
        && let (Some(verb), Some(part)) =
            (fields.get("command").and_then(Value::as_str), fields.get("argument").and_then(Value::as_str))
        && let Some(command) = reading.commands.called(verb, &[part])
    {
        return Ok(Move::act(command));
    }
    let text = text_of(fields).unwrap_or_default();
    if text.trim().is_empty() && kind != MoveKind::Finish {
        return Err(incomplete(kind, "has no text"));
    }
    made(kind, text.trim(), reading, mended)
}

/// The move that speaks, with the dialogue act that stands beside it.
fn speech(fields: &Map<String, Value>, reading: &Reading<'_>) -> Result<Move, Unreadable> {
    let act = ACTS.iter().find_map(|name| fields.get(*name)?.as_str());
    let mut others = fields.clone();
    others.retain(|name, _| !ACTS.contains(&&**name));
    let text = text_of(&others).unwrap_or_default().trim();
    if text.is_empty() {
        return Err(incomplete(MoveKind::Speak, "has no text"));
    }
    spoken(&answer_line(text), act, reading)
}

/// The text of a move: of the usual fields, and else the only text there is besides the kind.
fn text_of(fields: &Map<String, Value>) -> Option<&str> {
    TEXTS.iter().find_map(|name| fields.get(*name)?.as_str()).or_else(|| {
        let others = fields.iter().filter(|(name, _)| !KINDS.contains(&name.as_str()));
        let mut texts = others.filter_map(|(_, value)| value.as_str());
        texts.next().filter(|_| texts.next().is_none())
    })
}

/// Steps: texts, or objects with a text.
fn steps(items: &[Value], reading: &Reading<'_>) -> Vec<PlanStep> {
    let text = |item: &Value| match item {
        Value::String(text) => step(text, reading.commands),
        Value::Object(fields) => step(text_of(fields)?, reading.commands),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}
