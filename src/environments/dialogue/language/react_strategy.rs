//! ReAct over strategies: actions name strategies, and the observations are the model's own words.

use serde::Serialize;

use super::clean::{after_word, cleaned, collapsed, first_line, trimmed};
use super::labels::{REACT, labels, segments};
use super::strategies::normal;
use super::{Dataset, FormatError, Warning, Warnings};

/// The steps of a whole text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReactStrategies {
    /// The steps with an observation.
    pub steps: Vec<StrategyStep>,
    /// The last action said that the response is complete.
    pub finished: bool,
    /// The observations as one text.
    pub response: String,
    /// The mends.
    pub warnings: Warnings,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StrategyStep {
    /// The thought; empty if there is none.
    pub thought: String,
    /// The strategies that the action names, mostly one.
    pub strategies: Vec<&'static str>,
    /// The words.
    pub observation: String,
}

/// Reads all steps of a text; it may begin within a thought. `Action: Response` (or `Finish`) ends it, and
/// the observations are the response.
///
/// # Errors
/// When there is no step, an action names no strategy of the dataset or has no observation, or an
/// observation has no action.
pub fn react_strategy(text: &str, dataset: Dataset) -> Result<ReactStrategies, FormatError> {
    let text = cleaned(text);
    let labels = labels(&text, &REACT);
    let front = labels.first().map_or(text.len(), |label| label.from);
    let mut thought = collapsed(text.get(..front).unwrap_or_default());
    let mut steps: Vec<StrategyStep> = Vec::new();
    let mut pending: Option<StrategyStep> = None;
    let mut warnings = Warnings::new();
    let mut finished = false;
    for (label, segment) in segments(&text, &labels) {
        match label.name {
            "Dialogue" if pending.is_some() || !steps.is_empty() => {
                warnings.insert(Warning::TruncatedAtDialogue);
                break;
            }
            "Thought" => thought = collapsed(segment),
            "Action" if pending.is_some() => break,
            "Action" => {
                let action = first_line(segment);
                if ends(action) {
                    finished = true;
                    break;
                }
                pending = Some(StrategyStep {
                    thought: std::mem::take(&mut thought),
                    strategies: dataset.strategies_of(steps.len(), action)?,
                    observation: String::new(),
                });
            }
            "Observation" => {
                let mut step = pending.take().ok_or(FormatError::ObservationWithoutAction)?;
                step.observation = dataset.flowing(segment);
                if step.observation.is_empty() {
                    pending = Some(step);
                    break;
                }
                steps.push(step);
            }
            _ => {}
        }
    }
    if pending.is_some() {
        return Err(FormatError::MissingObservation { step: steps.len() });
    }
    if steps.is_empty() {
        return Err(FormatError::NoAction);
    }
    let said: Vec<&str> = steps.iter().map(|step| step.observation.as_str()).collect();
    Ok(ReactStrategies { finished, response: dataset.joined(&said), steps, warnings })
}

/// Whether an action says that the response is complete: `Response` or `Finish`, with or without the
/// response in brackets.
fn ends(action: &str) -> bool {
    let opens = |rest: &str| trimmed(rest).starts_with(['[', '(', ':', '：']);
    let is = |name| normal(action) == name || after_word(action, name).is_some_and(opens);
    is("response") || is("finish")
}
