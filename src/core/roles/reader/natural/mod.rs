//! Replies as language models write them (`reader = "natural"`): whatever has exactly one reading by the world's
//! grammar is that reading, and everything else is unreadable and says why.
//!
//! Calls of tools in running text are read first (`calls`); then letters, tags and labels are put into the plain form
//! (`marks`), which the usual reader reads. Its actions have to be commands of the world.

mod calls;
mod marks;
mod words;

use std::borrow::Cow;

use super::{Mended, Reading, Toolbox, Unreadable, json, lines, of_moves, read_tools, shown};
use crate::domain::{Answer, Move, MoveKind, MoveKinds, Repair, ToolCall};
use crate::ports::{Asked, Format};
use crate::text::joined;

pub use calls::python_call;
pub use words::{labelled, own_thought, own_words};

/// Words of a line that lists what could be done.
const OPTIONS: &[&str] =
    &["possible", "options", "available", "could", "might", "choices", "alternatives", "valid", "suggestions", "ideas"];

/// Labels of textbooks, which models go on with.
const TEXTBOOK: &[&str] = &["solution", "exercise", "instruction", "example", "explanation"];

/// Languages of code that fences name, which hold no answer of a text.
const CODE: &[&str] = &["python", "py", "bash", "sh", "shell", "sql", "javascript", "js", "java", "c", "cpp", "rust"];

/// Formats that are about one action.
const ACT: MoveKinds = MoveKinds::of(&[MoveKind::Act]);

/// The correction of a choice that is left open.
const SEVERAL: &str = "several moves are listed, and none is chosen; write only one";

/// Reads a text as one who knows the world's grammar understands it.
///
/// # Errors
/// When it has no reading, or more than one.
pub fn read_natural(text: &str, reading: &Reading<'_>, toolbox: Toolbox<'_>) -> Result<Answer, Unreadable> {
    let text = &*doubled(text);
    let mut mended = Mended::default();
    if let Some(calls) = written_calls(text, reading, toolbox, &mut mended)? {
        return Ok(with(read_tools(&calls, "", reading, toolbox)?, mended));
    }
    let plain = marks::letters(text, &mut mended);
    let is_code = code(&plain);
    let plain = lines::clean(&plain, reading.open, &mut mended);
    if plain.is_empty() {
        return Err(Unreadable::Empty);
    }
    if plain.starts_with(['{', '[']) && plain.ends_with(['}', ']']) {
        match json::read_value(&plain, reading, mended.clone()) {
            Ok(answer) => return Ok(answer),
            Err(error @ (Unreadable::Undeclared(_) | Unreadable::Command { .. })) => return Err(error),
            Err(error) if plain.starts_with('{') => return Err(error),
            Err(_) => {}
        }
    }
    let plain = marks::headings(&plain);
    let plain = without_textbook(&plain).ok_or_else(|| Unreadable::NoMove(shown(&plain)))?;
    let plain = marks::lines(plain, reading, &mut mended);
    one_of_several(&plain, reading)?;
    let mut answer = with(super::read(&plain, reading)?, mended);
    let is_thought = answer.moves.iter().all(|made| made.kind() == MoveKind::Think);
    if is_thought && let Some(command) = named_command(&plain, reading) {
        answer.moves = vec![Move::act(command)];
    }
    if is_code && is_thought {
        return Err(Unreadable::NoMove(shown(text.trim())));
    }
    Ok(answer)
}

/// Reads a text that was to be JSON. `cut` says that it ended at the limit of tokens.
///
/// # Errors
/// When it has no reading, or more than one.
pub fn read_natural_json(
    text: &str,
    cut: bool,
    reading: &Reading<'_>,
    toolbox: Toolbox<'_>,
) -> Result<Answer, Unreadable> {
    // Some models write the JSON object as a JSON text.
    let inner = serde_json::from_str::<String>(text.trim());
    let text = &*doubled(inner.as_deref().unwrap_or(text));
    let mut mended = Mended::default();
    if let Some(calls) = written_calls(text, reading, toolbox, &mut mended)? {
        return Ok(with(read_tools(&calls, "", reading, toolbox)?, mended));
    }
    let is_choice = text
        .split('}')
        .any(|rest| rest.trim_start().strip_prefix("or").is_some_and(|rest| rest.trim_start().starts_with('{')));
    if is_choice {
        return Err(Unreadable::Format(SEVERAL.to_owned()));
    }
    if text.contains('{') {
        return json::read_json(text, cut, reading);
    }
    mended.insert("no_json", "the answer was no JSON and was read as a text");
    Ok(with(read_natural(text, reading, toolbox)?, mended))
}

/// Reads a text that was to be in a format of a method.
///
/// # Errors
/// When it has no reading, or more than one.
pub fn read_natural_format(
    format: &dyn Format,
    text: &str,
    asked: &Asked<'_>,
    reading: &Reading<'_>,
    toolbox: Toolbox<'_>,
) -> Result<Answer, Unreadable> {
    let text = &*doubled(text);
    let mut mended = Mended::default();
    if let Some(calls) = written_calls(text, reading, toolbox, &mut mended)? {
        let read = read_tools(&calls, "", reading, toolbox).and_then(|answer| of_moves(format, answer, asked));
        if read.is_ok() || !reading.open.contains(MoveKind::Plan) {
            return Ok(with(read?, mended));
        }
        // A chain of calls is a plan.
        let acts = Reading { open: ACT, ..*reading };
        let made = read_tools(&calls, "", &acts, toolbox)?;
        let steps = made.moves.iter().filter_map(|made| match made {
            Move::Act { action } => Some(action.text.as_str()),
            _ => None,
        });
        let chain = super::read_format(format, &steps.collect::<Vec<_>>().join("\n"), asked);
        if let Ok(answer) = chain {
            return Ok(with(answer, mended));
        }
    }
    let bare = lines::clean(text, MoveKinds::default(), &mut mended);
    if bare.starts_with('{')
        && let Ok(answer) = json::read_value(&bare, reading, mended.clone())
        && let Ok(answer) = of_moves(format, answer, asked)
    {
        return Ok(answer);
    }
    let plain = marks::letters(text, &mut mended);
    let plain = marks::headings(&marks::untagged(&plain, &mut mended));
    let only_acts = reading.open == ACT && !reading.commands.is_empty();
    if only_acts {
        if reading.commands.is_choice(&plain) {
            return Err(Unreadable::Format(SEVERAL.to_owned()));
        }
        let named = read_natural(&plain, reading, toolbox).and_then(|answer| of_moves(format, answer, asked));
        if let Ok(answer) = named {
            return Ok(with(answer, mended));
        }
    }
    let answer = with(super::read_format(format, &plain, asked)?, mended);
    let is_said = |made: &Move| matches!(made, Move::Speak { .. } | Move::Think { .. });
    let is_data = plain.trim().starts_with('{') && serde_json::from_str::<serde_json::Value>(plain.trim()).is_ok();
    if (code(text) || is_data) && answer.moves.iter().all(is_said) {
        return Err(Unreadable::NoMove(shown(text.trim())));
    }
    performable(answer, reading, toolbox)
}

/// Refuses actions that are not open, and those that are no command or call of the world.
fn performable(answer: Answer, reading: &Reading<'_>, toolbox: Toolbox<'_>) -> Result<Answer, Unreadable> {
    let only_acts = reading.open == ACT && !reading.commands.is_empty();
    let acts = answer.moves.iter().any(|made| made.kind() == MoveKind::Act);
    if acts && !reading.open.contains(MoveKind::Act) {
        let open = joined(reading.open.iter().map(MoveKind::as_str));
        return Err(Unreadable::NotOpen { found: MoveKind::Act.as_str(), open });
    }
    let tools = &toolbox.world.tools;
    let is_known = |made: &Move| match made {
        Move::Act { action } => match &action.call {
            Some(call) => tools.is_empty() || tools.iter().any(|tool| tool.name == call.tool),
            None => !only_acts || reading.commands.meant(&action.text).is_some(),
        },
        _ => true,
    };
    match answer.moves.iter().find(|made| !is_known(made)) {
        Some(Move::Act { action }) => {
            let names = || joined(tools.iter().map(|tool| &tool.name));
            let forms = if action.call.is_some() { names() } else { reading.commands.shown() };
            Err(Unreadable::Command { found: shown(&action.text), forms })
        }
        _ => Ok(answer),
    }
}

/// The calls that a text holds in the place of an answer.
pub(super) fn written_calls(
    text: &str,
    reading: &Reading<'_>,
    toolbox: Toolbox<'_>,
    mended: &mut Mended,
) -> Result<Option<Vec<ToolCall>>, Unreadable> {
    let is_tool = |name: &str| toolbox.world.tools.iter().any(|tool| tool.name == name);
    let is_kind = |name: &str| json::kind_of(name).is_some_and(|kind| reading.open.contains(kind));
    let calls = calls::written(text, &|name: &str| is_tool(name) || is_kind(name))?;
    if calls.is_some() {
        mended.insert("written_call", "the call of a tool was read that was written into the text");
    }
    Ok(calls)
}

/// Braces and quotation marks as a template writes them: `{{...}}`, `\"`.
pub(super) fn doubled(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    if text.contains("{{") && text.contains("}}") {
        out = out.replace("{{", "{").replace("}}", "}").into();
        // Objects within objects end twice.
        let (open, close) = (out.matches('{').count(), out.matches('}').count());
        if open > close {
            let end = "}".repeat(open - close);
            out = format!("{}{end}", out.trim_end()).into();
        }
    }
    if out.contains("\\\"") && !out.replace("\\\"", "").contains('"') {
        out = out.replace("\\\"", "\"").into();
    }
    out
}

/// The answer with what was mended before it was read.
fn with(mut answer: Answer, mended: Mended) -> Answer {
    let known = |mend: &Repair| answer.repaired.iter().any(|other| other.code == mend.code);
    let mends: Vec<Repair> = mended.into_repairs().into_iter().filter(|mend| !known(mend)).collect();
    answer.repaired.splice(0..0, mends);
    answer
}

/// The text before a textbook goes on; none if it begins with one.
fn without_textbook(text: &str) -> Option<&str> {
    let is_book = |line: &str| {
        labelled(line).is_some_and(|(label, _)| TEXTBOOK.contains(&&*label)) || line.starts_with("## Exercise")
    };
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if is_book(line) {
            break;
        }
        end += line.len();
    }
    let kept = text[..end].trim();
    (!kept.is_empty()).then_some(kept)
}

/// The command that a sentence names as the action to take, in marks: `The best action is **open fridge 1**.`
fn named_command(text: &str, reading: &Reading<'_>) -> Option<String> {
    const NAMED: &[&str] = &["action", "command", "step", "decision", "choice", "choose"];
    let lower = text.to_lowercase();
    if text.contains('\n') || !reading.open.contains(MoveKind::Act) || !NAMED.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let mut spans = ["**", "`"].into_iter().flat_map(|mark| text.split(mark).skip(1).step_by(2));
    let command = reading.commands.meant(spans.next()?).filter(|meant| !meant.more)?.command;
    spans.next().is_none().then_some(command)
}

/// Refuses a list of what could be done, of which nothing was chosen.
fn one_of_several(text: &str, reading: &Reading<'_>) -> Result<(), Unreadable> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let commands = lines().filter(|line| line.starts_with('>')).count();
    let is_heading = |line: &str| {
        let lower = line.to_lowercase();
        line.ends_with(':') && OPTIONS.iter().any(|word| crate::text::has_word(&lower, word))
    };
    let asks = lines().next_back().is_some_and(|line| line.ends_with('?') && !line.starts_with('>'));
    let is_list = commands > 1 && (asks || lines().next().is_some_and(is_heading));
    let forms = lines().filter(|line| line.ends_with(']') && line.contains(": [")).count();
    let is_form = lines().any(|line| line.eq_ignore_ascii_case("or"));
    if (is_list || is_form || forms > 1) && !reading.open.contains(MoveKind::Plan) {
        return Err(Unreadable::Format(SEVERAL.to_owned()));
    }
    Ok(())
}

/// Whether the text is a program.
fn code(text: &str) -> bool {
    let language =
        text.split_once("```").map(|(_, rest)| rest.lines().next().unwrap_or_default().trim().to_lowercase());
    language.is_some_and(|language| CODE.contains(&&*language))
}
