//! Plans that alternate with their execution: `Plan: <strategy>`, `Do: <what is said>`, and again.

use serde::Serialize;

use super::clean::{cleaned, collapsed, first_line};
use super::labels::{labels, segments};
use super::strategies::normal;
use super::{Dataset, FormatError, Warning, Warnings};

/// Plans, each with its execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanDo {
    /// The thought before them, if there is one.
    pub thought: Option<String>,
    /// The plans, each carried out.
    pub steps: Vec<PlannedMove>,
    /// The words of all of them, as one text.
    pub response: String,
    /// The mends.
    pub warnings: Warnings,
}

/// A plan and its execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedMove {
    /// The strategies, mostly one.
    pub strategies: Vec<&'static str>,
    /// The words.
    pub text: String,
}

/// Words that end a sequence in place of a strategy.
const ENDS: [&str; 6] = ["finish", "response", "end", "none", "done", "stop"];

/// Reads plans that alternate with their execution.
///
/// # Errors
/// When nothing is planned, a plan names no strategy of the dataset or is not carried out, or something is
/// done before any plan.
pub fn plan_do(text: &str, dataset: Dataset) -> Result<PlanDo, FormatError> {
    let text = cleaned(text);
    let labels = labels(&text, &["Thought", "Plan", "Do", "Dialogue"]);
    let mut thought = None;
    let mut steps: Vec<PlannedMove> = Vec::new();
    let mut warnings = Warnings::new();
    for (label, segment) in segments(&text, &labels) {
        match label.name {
            "Dialogue" if !steps.is_empty() => {
                warnings.insert(Warning::TruncatedAtDialogue);
                break;
            }
            "Thought" if thought.is_none() => {
                thought = Some(collapsed(segment)).filter(|thought| !thought.is_empty());
            }
            "Plan" => {
                carried_out(&steps)?;
                let named = first_line(segment);
                if ENDS.contains(&normal(named).as_str()) {
                    break;
                }
                let strategies = dataset.strategies_of(steps.len(), named)?;
                steps.push(PlannedMove { strategies, text: String::new() });
            }
            "Do" => {
                let step = steps.last_mut().ok_or(FormatError::DoWithoutPlan)?;
                let text = dataset.flowing(segment);
                if step.text.is_empty() {
                    step.text = text;
                    continue;
                }
                warnings.insert(Warning::ExtraDo);
                if !text.is_empty() {
                    step.text = dataset.joined(&[&step.text, &text]);
                }
            }
            _ => {}
        }
    }
    carried_out(&steps)?;
    if steps.is_empty() {
        return Err(FormatError::EmptyPlan);
    }
    let said: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
    Ok(PlanDo { thought, response: dataset.joined(&said), steps, warnings })
}

/// The last plan was carried out.
fn carried_out(steps: &[PlannedMove]) -> Result<(), FormatError> {
    match steps.split_last() {
        Some((last, before)) if last.text.is_empty() => Err(FormatError::MissingDo { step: before.len() }),
        _ => Ok(()),
    }
}
