//! Reads one labelled piece as a move.

use std::borrow::Cow;

use serde_json::Value;

use super::commands::Commands;
use super::label::{Found, Label, known, label};
use super::speech::{declared_line, spoken};
use super::{Mended, Reading, Unreadable, incomplete, shown, tidy};
use crate::domain::{Move, MoveKind, PlanStep};
use crate::text::json_repair::{self, Repaired};
use crate::text::{answer_line, json};

/// The note on text after an action.
pub(super) const AFTER_ACTION: &str = "what stands after the last action was left out";

/// The note on a bracket without its end.
const UNCLOSED: &str = "a bracket that was not closed was closed";

/// The most steps of a plan.
const MOST_STEPS: usize = 200;

/// The most labels within a labelled text: each is read through to its end.
const MOST_LABELS: u32 = 8;

/// A part of the text that is one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: MoveKind,
    pub(super) body: String,
    /// The label opened a bracket.
    pub(super) bracket: bool,
}

/// Reads a piece.
pub(super) fn read(piece: &Piece, reading: &Reading<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
    let mut kind = piece.kind;
    let mut body = piece.body.trim().to_owned();
    if piece.bracket {
        body = within_bracket(&body, mended);
    }
    let mut labels = 0;
    loop {
        if kind == MoveKind::Act
            && let Some((first, _)) = body.split_once('\n')
        {
            mended.insert("trailing_text", AFTER_ACTION);
            body = first.trim().to_owned();
        }
        if kind == MoveKind::Act && reading.commands.has(&body) {
            break;
        }
        let tidied = tidy(&body, kind, mended);
        let is_owned = reading.commands.owns(&tidied);
        match nested(&tidied, kind).filter(|_| !is_owned) {
            Some(_) if labels >= MOST_LABELS => {
                return Err(incomplete(kind, "holds nothing but labels"));
            }
            Some(found) => match found.label {
                Label::Own(inner) => {
                    mended.insert("nested_label", "of two labels the inner one was taken");
                    kind = inner;
                    labels += 1;
                    let rest = found.rest.trim();
                    body = if found.bracket { within_bracket(rest, mended) } else { rest.to_owned() };
                }
                Label::Foreign => return Err(incomplete(kind, "says what only others can say")),
            },
            // An action cannot begin so, whatever its label.
            None if kind == MoveKind::Act && !is_owned && declared_line(&tidied, reading.acts()).is_some() => {
                mended.insert("nested_label", "of two labels the inner one was taken");
                kind = MoveKind::Speak;
                body = tidied;
            }
            None if tidied == body => break,
            None => body = tidied,
        }
    }
    if body.is_empty() && kind != MoveKind::Finish {
        return Err(incomplete(kind, "says nothing"));
    }
    made(kind, &body, reading, mended)
}

/// The move of that kind that the text states.
pub(super) fn made(kind: MoveKind, body: &str, reading: &Reading<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
    Ok(match kind {
        MoveKind::Think => Move::think(answer_line(body)),
        MoveKind::Act if reading.natural && !reading.commands.is_empty() => return meant(body, reading, mended),
        MoveKind::Finish if reading.natural && reading.open.contains(MoveKind::Act) => {
            return meant(body, reading, mended).or_else(|_| Ok(finish(body)));
        }
        MoveKind::Act => Move::act(action(&answer_line(body), reading.commands, mended)),
        MoveKind::Speak => spoken(&answer_line(body), None, reading)?,
        MoveKind::Plan => {
            Move::Plan { steps: steps(body, reading.commands, mended).ok_or_else(|| incomplete(kind, "has no step"))? }
        }
        MoveKind::Judge => judgement(&answer_line(body))
            .ok_or_else(|| incomplete(kind, "says neither `clear` nor `unclear`, neither yes nor no"))?,
        MoveKind::Learn => Move::Learn { lesson: answer_line(body).into_owned() },
        MoveKind::Finish => finish(body),
    })
}

/// The one action that the text means by the world's grammar. A move of another kind may stand there by its verb.
fn meant(body: &str, reading: &Reading<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
    let Reading { commands, open, .. } = reading;
    let line = answer_line(body);
    if let Some(Found { label: Label::Own(kind), rest, .. }) = label(&line)
        && open.contains(kind)
        && !rest.trim().is_empty()
    {
        mended.insert("nested_label", "of two labels the inner one was taken");
        return made(kind, rest.trim(), reading, mended);
    }
    if let Some(meant) = commands.meant(&line).or_else(|| commands.announced(&line)) {
        if meant.more {
            mended.insert("trailing_text", AFTER_ACTION);
        } else if meant.command != *line {
            mended.insert("command_form", "a command was written as the environment reads it");
        }
        return Ok(Move::act(meant.command));
    }
    if let Some((word, rest)) = line.split_once(' ')
        && let Some((Label::Own(kind), true)) = known(&word.to_lowercase())
        && kind != MoveKind::Act
        && open.contains(kind)
    {
        mended.insert("nested_label", "of two labels the inner one was taken");
        return made(kind, rest.trim(), reading, mended);
    }
    if commands.is_call(&line) {
        return Ok(Move::act(line));
    }
    Err(Unreadable::Command { found: shown(&line), forms: commands.shown() })
}

/// The content of a bracket: up to the last one that closes.
fn within_bracket(body: &str, mended: &mut Mended) -> String {
    match body.rsplit_once(']') {
        Some((inner, after)) => {
            if !after.trim().is_empty() {
                let mend = "what stands after the bracket was left out";
                mended.insert("trailing_text", mend);
            }
            inner.trim().to_owned()
        }
        None => {
            mended.insert("unclosed_bracket", UNCLOSED);
            body.to_owned()
        }
    }
}

/// A label within a labelled text, such as `Act: think: ...`.
fn nested(body: &str, kind: MoveKind) -> Option<Found<'_>> {
    let found = label(body)?;
    let looks = match kind {
        // Structured answers may begin with anything.
        MoveKind::Finish | MoveKind::Plan | MoveKind::Judge => false,
        MoveKind::Act => true,
        MoveKind::Think | MoveKind::Speak | MoveKind::Learn => found.label != Label::Foreign,
    };
    looks.then_some(found)
}

/// The text as a command that the environment understands, if it is one but for capitals, a full
/// stop, a remark in brackets or the end of a bracket.
pub(super) fn command(text: &str, commands: &Commands) -> Option<String> {
    let text = text.trim();
    let without_remark = match text.split_once(" (") {
        Some((before, after)) if after.ends_with(')') => before.trim_end(),
        _ => text,
    };
    let bare = without_remark.trim_end_matches('.').trim_end();
    let mut candidates = [text, without_remark, bare].map(Cow::Borrowed).to_vec();
    let closed = commands.closed(text);
    candidates.push(closed.unwrap_or_else(|| bare.to_lowercase()).into());
    candidates.into_iter().find(|text| commands.has(text)).map(Cow::into_owned)
}

/// The command of an action.
fn action(body: &str, commands: &Commands, mended: &mut Mended) -> String {
    match command(body, commands) {
        Some(known) => {
            if known.len() > body.len() {
                mended.insert("unclosed_bracket", UNCLOSED);
            } else if known != body {
                let mend = "a command was written as the environment reads it";
                mended.insert("command_form", mend);
            }
            known
        }
        None => body.to_owned(),
    }
}

/// The steps of a plan: one a line, numbered or not, or a JSON list.
fn steps(body: &str, commands: &Commands, mended: &mut Mended) -> Option<Vec<PlanStep>> {
    let listed = if body.starts_with('[') { json_repair::repair(body).ok() } else { None };
    let lines: Vec<&str> = match &listed {
        Some(Repaired { value: Value::Array(items), fixes }) => {
            for fix in fixes {
                mended.insert(fix.code(), fix.description());
            }
            items.iter().filter_map(Value::as_str).collect()
        }
        _ if body.contains('\n') => body.lines().collect(),
        _ => numbered_parts(body),
    };
    let steps: Vec<PlanStep> = lines.into_iter().filter_map(|line| step(line, commands)).take(MOST_STEPS).collect();
    (!steps.is_empty()).then_some(steps)
}

/// Cuts `1. look 2. go to desk 1` at its numbers; the text itself if it has none.
fn numbered_parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    for number in 2..=MOST_STEPS {
        let marks = [format!(" {number}. "), format!(" {number}) ")];
        let Some((before, after)) =
            marks.iter().find_map(|mark| rest.split_once(mark.as_str())).filter(|_| line.starts_with(['1', '(']))
        else {
            break;
        };
        parts.push(before);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// One step: `2. E1 = look`, `- look`, `Act: look`.
pub(super) fn step(line: &str, commands: &Commands) -> Option<PlanStep> {
    let mut text = line.trim();
    let is_whole = |text| commands.has(assigned(text).1);
    while !is_whole(text) {
        let before = text.len();
        let inner = text.strip_prefix('(').unwrap_or(text);
        let digits = inner.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if digits.len() < inner.len()
            && let Some(rest) = digits.strip_prefix(['.', ')', ':'])
        {
            text = rest.trim_start();
        }
        text = text.trim_start_matches(['-', '*', '\u{2022}', '>', ' ']);
        if let Some(found) = label(text)
            && found.label == Label::Own(MoveKind::Act)
            && !found.bracket
        {
            text = found.rest.trim_start();
        }
        if !is_whole(text) {
            text = text.trim_matches(['`', '"']).trim();
        }
        if text.len() == before {
            break;
        }
    }
    let (variable, command) = assigned(text);
    let variable = variable.map(|name| name.trim_start_matches('#').to_owned());
    (!command.is_empty()).then(|| PlanStep { variable, ..PlanStep::of(command) })
}

/// The variable that a step's result is put into, and the step.
fn assigned(text: &str) -> (Option<&str>, &str) {
    // A line may hold megabytes, and a variable is short.
    const LONGEST: usize = 40;
    let place = text.bytes().take(LONGEST).position(|byte| byte == b'=');
    let cut = place.and_then(|place| Some((text.get(..place)?.trim(), text.get(place + 1..)?)));
    match cut {
        Some((name, rest)) if is_variable(name) => (Some(name), rest.trim()),
        _ => (None, text),
    }
}

/// Whether the text is a variable such as `So1` or `#E1`.
fn is_variable(text: &str) -> bool {
    let text = text.strip_prefix('#').unwrap_or(text);
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = text.len() - digits.len();
    (1..=3).contains(&letters) && !digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit())
}

/// A verdict: `clear.`, `unclear. Which mug?`, `Yes, ...`, `no`.
pub(super) fn judgement(text: &str) -> Option<Move> {
    const UNCLEAR: &[&str] = &["unclear", "yes", "ask", "clarify", "true", "ambiguous", "not clear"];
    const CLEAR: &[&str] = &["clear", "no", "false", "none", "unambiguous", "not unclear"];
    let lower = text.to_ascii_lowercase();
    let starts = |word: &&&str| {
        let rest = lower.strip_prefix(**word);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let words = |list: &[&'static str]| list.iter().filter(starts).map(|word| word.len()).max();
    let (length, clarify) = match (words(UNCLEAR), words(CLEAR)) {
        (Some(length), None) => (length, true),
        (None, Some(length)) => (length, false),
        (Some(unclear), Some(clear)) => (unclear.max(clear), unclear > clear),
        (None, None) => return None,
    };
    let rest = text.get(length..).unwrap_or_default();
    let mark = |letter: char| !letter.is_alphanumeric();
    let mut reason = rest.trim_start_matches(mark);
    // After a verdict a label would begin another move.
    while let Some(found) = label(reason) {
        reason = found.rest.trim_start_matches(mark);
    }
    Some(Move::Judge { clarify, reason: (!reason.is_empty()).then(|| reason.to_owned()) })
}

/// The answer at the end: JSON if it is an object or a list, else a text.
fn finish(body: &str) -> Move {
    let structured = body.starts_with(['{', '[']);
    let value = structured.then(|| json::read::<Value>(body).ok());
    let text = || match answer_line(body) {
        text if text.is_empty() => Value::Null,
        text => Value::String(text.into_owned()),
    };
    Move::Finish { answer: Box::new(value.flatten().unwrap_or_else(text)) }
}
