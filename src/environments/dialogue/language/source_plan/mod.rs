//! Plans over knowledge sources: TPE's `#So1 = PERSONA[input]` and ReWOO's `#E1 = PERSONA[input]`, each
//! with a description after `Plan:`.

mod call;
mod check;

use serde::Serialize;

use super::clean::{after_bullet, cleaned, collapsed, unquoted};
use super::labels::{Label, labels, line_labels};
use super::variable::is_context;
use super::{Dataset, FormatError, Source, Variable, Warning, Warnings};
use call::Call;

pub(super) use call::bracketed;

/// A plan whose references are sound: each is defined by an earlier step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourcePlan {
    /// The steps, in the order in which they are carried out; at least one.
    pub steps: Vec<SourceStep>,
    /// The mends.
    pub warnings: Warnings,
}

/// A step that asks a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceStep {
    /// The variable that is bound to what is retrieved, such as `So1`.
    pub var: String,
    /// The source.
    pub source: Source,
    /// Its input, variables unreplaced.
    pub input: String,
    /// The kind of input.
    pub kind: InputKind,
    /// The variables of the input, each once, in the order of their first use.
    pub refs: Vec<String>,
    /// The purpose of the step; empty if the plan does not say.
    pub desc: String,
}

/// The kind of a source's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// The dialogue itself: the word `context` or the like, or nothing.
    Context,
    /// One variable.
    Reference,
    /// A text with variables.
    Mixed,
    /// A text.
    Text,
}

/// Reads a plan over sources.
///
/// # Errors
/// When there is no call, a step calls what is no source, defines a variable once more, or uses one that no
/// earlier step defines.
pub fn source_plan(text: &str, variable: Variable, dataset: Dataset) -> Result<SourcePlan, FormatError> {
    let text = cleaned(&half_width(text));
    let mut warnings = Warnings::new();
    let calls = within(&text, call::calls(&text, variable, dataset), &mut warnings);
    if calls.is_empty() {
        return Err(FormatError::EmptyPlan);
    }
    let plans = labels(&text, &["Plan"]);
    let mut done = 0;
    let mut steps = Vec::with_capacity(calls.len());
    for (place, call) in calls.iter().enumerate() {
        if !call.closed {
            warnings.insert(Warning::UnclosedBracket);
        }
        let var = call.digits.map(|digits| variable.of(digits)).unwrap_or_else(|| {
            warnings.insert(Warning::ImplicitVariable);
            variable.of(&(place + 1).to_string())
        });
        let input = unquoted(call.input).to_owned();
        if input.is_empty() {
            warnings.insert(Warning::EmptyInput);
        }
        let (kind, refs) = meaning(&input, variable);
        let desc = description(&text, done, call.from, &plans);
        // A step that calls no source is refused below.
        let source = dataset.source(call.name).map_or(Source::Document, |(source, _)| source);
        steps.push(SourceStep { var, source, input, kind, refs, desc });
        done = call.to;
    }
    check::sound(&steps, &calls, dataset, &mut warnings)?;
    Ok(SourcePlan { steps, warnings })
}

/// The calls before a line that begins another dialogue.
fn within<'a>(text: &str, mut calls: Vec<Call<'a>>, warnings: &mut Warnings) -> Vec<Call<'a>> {
    let first = calls.first().map_or(text.len(), |call| call.to);
    let dialogues = line_labels(text, &["Dialogue"]);
    let end = dialogues.iter().find(|label| label.from >= first).map_or(text.len(), |label| label.from);
    let before = calls.partition_point(|call| call.from < end);
    if before < calls.len() {
        warnings.insert(Warning::TruncatedAtDialogue);
    }
    calls.truncate(before);
    calls
}

/// The kind of an input, and the variables that it uses.
fn meaning(input: &str, variable: Variable) -> (InputKind, Vec<String>) {
    if is_context(input) {
        return (InputKind::Context, Vec::new());
    }
    let found = variable.references(input);
    let is_empty = |text: &str| text.chars().all(|letter| "# ".contains(letter));
    let kind = match found.as_slice() {
        [] => InputKind::Text,
        [one] if input.get(..one.from).is_some_and(is_empty) && input.get(one.to..).is_some_and(is_empty) => {
            InputKind::Reference
        }
        _ => InputKind::Mixed,
    };
    let mut seen = rustc_hash::FxHashSet::default();
    (kind, found.into_iter().map(|reference| reference.name).filter(|name| seen.insert(name.clone())).collect())
}

/// The words between the last `Plan:` and a call, both after the call before.
fn description(text: &str, from: usize, to: usize, plans: &[Label]) -> String {
    let before = plans.partition_point(|label| label.to <= to);
    let plan = before.checked_sub(1).and_then(|place| plans.get(place));
    let Some(plan) = plan.filter(|plan| plan.to >= from) else {
        return String::new();
    };
    let desc = text.get(plan.to..to).unwrap_or_default();
    // A bullet or a number before the call is none of it.
    let (lines, last) = desc.rsplit_once('\n').unwrap_or((desc, ""));
    let desc = if after_bullet(&format!("{last} ")).is_empty() { lines } else { desc };
    let trailing = |letter| " ,;:-–(#•".contains(letter);
    collapsed(desc).trim_end_matches(trailing).to_owned()
}

/// The text with full-width signs of the notation as ASCII.
fn half_width(text: &str) -> String {
    let half = |letter| match "＃＝［］：，（）".chars().position(|full| full == letter) {
        Some(place) => "#=[]:,()".chars().nth(place).unwrap_or(letter),
        None => letter,
    };
    text.chars().map(half).collect()
}
