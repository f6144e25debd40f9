//! One step of ReAct over knowledge sources: a thought, and an action that asks a source or finishes.

use serde::Serialize;

use super::clean::{after_blanks, cleaned, collapsed, first_line, trimmed, unquoted};
use super::labels::{REACT, labels, line_labels, segments};
use super::source_plan::bracketed;
use super::variable::is_context;
use super::{Dataset, FormatError, InputKind, Source, Warning, Warnings};
use rolecall_core::text::overlap::is_word;

/// A step of ReAct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReactStep {
    /// The thought; empty if there is none.
    pub thought: String,
    /// Its action.
    pub action: SourceAction,
    /// The mends.
    pub warnings: Warnings,
}

/// The action of a step of ReAct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SourceAction {
    /// Asks a source.
    Call {
        /// The source.
        source: Source,
        /// The input.
        input: String,
        /// Whether it is the dialogue itself, or a text.
        kind: InputKind,
    },
    /// Answers.
    Finish {
        /// The answer; can be empty.
        response: String,
    },
}

/// Reads one step: the text before the first `Action:`, and that action. Later steps are ignored.
///
/// # Errors
/// When there is no action, or it is no call of a source (`Persona`, `Knowledge` or `Document`) or `Finish`.
pub fn react_source(text: &str, dataset: Dataset) -> Result<ReactStep, FormatError> {
    let text = cleaned(text);
    let found = labels(&text, &REACT);
    let action = found.iter().find(|label| label.name == "Action").ok_or(FormatError::NoAction)?;
    let mut warnings = Warnings::new();
    let thought = thought_of(text.get(..action.from).unwrap_or_default());
    if thought.is_empty() {
        warnings.insert(Warning::MissingThought);
    }
    let action = read_action(text.get(action.to..).unwrap_or_default(), dataset, &mut warnings)?;
    Ok(ReactStep { thought, action, warnings })
}

/// The thought in the text before an action, with or without its label; other labelled text there is skipped.
fn thought_of(before: &str) -> String {
    let found = labels(before, &REACT);
    let front = found.first().map_or(before.len(), |label| label.from);
    let front = before.get(..front).unwrap_or_default();
    let thoughts = segments(before, &found).filter(|(label, _)| label.name == "Thought").map(|(_, text)| text);
    let parts: Vec<&str> = std::iter::once(front).chain(thoughts).collect();
    collapsed(&parts.join(" "))
}

/// The action in front of a text.
fn read_action(rest: &str, dataset: Dataset, warnings: &mut Warnings) -> Result<SourceAction, FormatError> {
    let next = line_labels(rest, &REACT).first().copied();
    let body = rest.get(..next.map_or(rest.len(), |label| label.from));
    let body = trimmed(body.unwrap_or_default());
    let bad = || FormatError::BadAction { text: first_line(body).to_owned(), dataset };
    let arguments = body.trim_start_matches(is_word);
    let name = body.get(..body.len() - arguments.len()).unwrap_or_default();
    let arguments = after_blanks(arguments);
    if name.eq_ignore_ascii_case("finish")
        && let Some(response) = answer(arguments, warnings)
    {
        warnings.extend(next.map(|label| ignored(label.name)));
        return Ok(SourceAction::Finish { response: response.to_owned() });
    }
    let inside = arguments.strip_prefix('[').ok_or_else(bad)?;
    if name.is_empty() {
        return Err(bad());
    }
    let (source, _) =
        dataset.source(name).ok_or_else(|| FormatError::UnknownAction { name: name.to_owned(), dataset })?;
    let (input, after) = bracketed(inside);
    if after.is_none() {
        warnings.insert(Warning::UnclosedBracket);
    }
    let input = unquoted(input).to_owned();
    if input.is_empty() {
        warnings.insert(Warning::EmptyInput);
    }
    // A label can follow on the same line as well.
    let same_line = labels(after.unwrap_or_default(), &REACT).first().copied();
    warnings.extend(same_line.or(next).map(|label| ignored(label.name)));
    let kind = if is_context(&input) { InputKind::Context } else { InputKind::Text };
    Ok(SourceAction::Call { source, input, kind })
}

/// The answer after `Finish`: the text in its brackets, up to the last that closes, or after a colon.
fn answer<'a>(arguments: &'a str, warnings: &mut Warnings) -> Option<&'a str> {
    let mut letters = arguments.chars();
    let close = match letters.next()? {
        '[' => ']',
        '(' => ')',
        ':' | '：' => return Some(unquoted(letters.as_str())),
        _ => return None,
    };
    let inside = letters.as_str();
    let closed = inside.rsplit_once(close).map(|(answer, _)| answer);
    if closed.is_none() {
        warnings.insert(Warning::UnclosedBracket);
    }
    Some(unquoted(closed.unwrap_or(inside)))
}

/// The warning that another label follows.
fn ignored(label: &str) -> Warning {
    match label {
        "Observation" => Warning::HallucinatedObservation,
        _ => Warning::ExtraStepsIgnored,
    }
}
