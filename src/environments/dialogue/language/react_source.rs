//! One step of ReAct over knowledge sources: a thought, and an action that asks a source or finishes.

use serde::Serialize;

use super::clean::{after_blanks, cleaned, collapsed, first_line, trimmed, unquoted};
use super::labels::{Name, labels, line_labels, segments};
use super::query::is_context;
use super::source_plan::bracketed;
use super::{FormatError, InputKind, Source, Warning, Warnings};
use crate::text::overlap::is_word;

/// A step of ReAct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReactStep {
    /// The thought; empty if there is none.
    pub thought: String,
    /// What is done.
    pub action: SourceAction,
    /// What was mended.
    pub warnings: Warnings,
}

/// What a step of ReAct does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SourceAction {
    /// Asks a source.
    Call {
        /// Which.
        source: Source,
        /// What is asked.
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

/// Reads one step: what comes before the first `Action:`, and that action. Later steps are ignored.
///
/// # Errors
/// When there is no action, or it is no call of `Persona`, `Knowledge` (`Document`) or `Finish`.
pub fn react_source(text: &str) -> Result<ReactStep, FormatError> {
    let text = cleaned(text);
    let found = labels(&text, &Name::REACT);
    let action = found.iter().find(|label| label.name == Name::Action);
    let action = action.ok_or(FormatError::NoAction)?;
    let mut warnings = Warnings::new();
    let thought = thought_of(text.get(..action.from).unwrap_or_default());
    if thought.is_empty() {
        warnings.insert(Warning::MissingThought);
    }
    let rest = text.get(action.to..).unwrap_or_default();
    let action = read_action(rest, &mut warnings)?;
    Ok(ReactStep {
        thought,
        action,
        warnings,
    })
}

/// The thought in what comes before an action, with or without its label; what else is labelled there
/// is none.
fn thought_of(before: &str) -> String {
    let found = labels(before, &Name::REACT);
    let front = found.first().map_or(before.len(), |label| label.from);
    let front = before.get(..front).unwrap_or_default();
    let thoughts = segments(before, &found).filter(|(label, _)| label.name == Name::Thought);
    let parts: Vec<&str> = std::iter::once(front)
        .chain(thoughts.map(|(_, text)| text))
        .collect();
    collapsed(&parts.join(" "))
}

/// The action in front of a text.
fn read_action(rest: &str, warnings: &mut Warnings) -> Result<SourceAction, FormatError> {
    let next = line_labels(rest, &Name::REACT).first().copied();
    let body = rest.get(..next.map_or(rest.len(), |label| label.from));
    let body = trimmed(body.unwrap_or_default());
    let bad = || FormatError::BadAction {
        text: first_line(body).to_owned(),
    };
    let arguments = body.trim_start_matches(is_word);
    let name = body.get(..body.len() - arguments.len()).unwrap_or_default();
    let arguments = after_blanks(arguments);
    if name.eq_ignore_ascii_case("finish")
        && let Some(response) = answer(arguments, warnings)
    {
        if let Some(label) = next {
            warnings.insert(ignored(label.name));
        }
        let response = response.to_owned();
        return Ok(SourceAction::Finish { response });
    }
    let inside = arguments.strip_prefix('[').ok_or_else(bad)?;
    if name.is_empty() {
        return Err(bad());
    }
    let (source, _) = Source::named(name).ok_or_else(|| FormatError::UnknownAction {
        name: name.to_owned(),
    })?;
    let (input, after) = bracketed(inside);
    let Some(after) = after else {
        warnings.insert(Warning::UnclosedBracket);
        return Ok(call(source, input, next.map(|label| label.name), warnings));
    };
    // A label can follow on the same line as well.
    let same_line = labels(after, &Name::REACT).first().copied();
    let next = same_line.or(next).map(|label| label.name);
    Ok(call(source, input, next, warnings))
}

fn call(source: Source, input: &str, next: Option<Name>, warnings: &mut Warnings) -> SourceAction {
    let input = unquoted(input).to_owned();
    if input.is_empty() {
        warnings.insert(Warning::EmptyInput);
    }
    warnings.extend(next.map(ignored));
    let kind = if is_context(&input) {
        InputKind::Context
    } else {
        InputKind::Text
    };
    SourceAction::Call {
        source,
        input,
        kind,
    }
}

/// The answer after `Finish`: what is in its brackets, up to the last that closes, or after a colon.
fn answer<'a>(arguments: &'a str, warnings: &mut Warnings) -> Option<&'a str> {
    let mut letters = arguments.chars();
    let close = match letters.next()? {
        '[' => ']',
        '(' => ')',
        ':' | '：' => return Some(unquoted(letters.as_str())),
        _ => return None,
    };
    let inside = letters.as_str();
    Some(match inside.rsplit_once(close) {
        Some((answer, _)) => unquoted(answer),
        None => {
            warnings.insert(Warning::UnclosedBracket);
            unquoted(inside)
        }
    })
}

/// What it means that another label follows.
fn ignored(label: Name) -> Warning {
    if label == Name::Observation {
        Warning::HallucinatedObservation
    } else {
        Warning::ExtraStepsIgnored
    }
}
