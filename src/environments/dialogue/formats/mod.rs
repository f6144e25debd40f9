//! The answer formats of the methods of dialogue: from a text, or from structured answers, to moves. The
//! parsers are those of [`language`](super::language); what they mended is told as it is elsewhere.
//!
//! `kind` names the formats, `structured` brings answers by a schema, or calls of tools, into the same
//! moves; `mended` words what the parsers mended.

mod kind;
mod mended;
mod structured;

pub use kind::DialogueFormat;

use self::mended::Warned;
use crate::domain::{Action, DialogueAct, Move, MoveKind, MoveKinds, PlanStep};
use crate::environments::dialogue::language::{
    CueCotMode, Dataset, FormatError, SourceAction, SourcePlan, Variable, chameleon_modules,
    chameleon_strategies, cue_cot, plan_do, react_source, react_strategy, response, source_plan,
    sub_response, thought,
};
use crate::environments::dialogue::words::{dataset, tools};
use crate::ports::{Asked, Format, Mended, Unreadable};

/// The formats, in the order in which they are listed.
pub const FORMATS: &[&dyn Format] = &[
    &DialogueFormat::Thought,
    &DialogueFormat::Status,
    &DialogueFormat::SourcePlan,
    &DialogueFormat::RewooPlan,
    &DialogueFormat::PlanDo,
    &DialogueFormat::ReactSource,
    &DialogueFormat::ReactStrategy,
    &DialogueFormat::Modules,
    &DialogueFormat::Strategies,
    &DialogueFormat::SubResponse,
    &DialogueFormat::Response,
];

/// Labels at the beginning of a line with which a model goes on to the next example of its prompt.
const NEXT_EXAMPLE: &[&str] = &["dialogue:", "source knowledge:", "evidence:"];

/// What a text is read against.
#[derive(Clone, Copy, Debug)]
struct Written<'a> {
    /// The format.
    format: DialogueFormat,
    /// The dataset, which says what strategies there are.
    dataset: Dataset,
    /// The acts that may be spoken; for a sub-response the first is the strategy that is asked for.
    acts: &'a [DialogueAct],
}

impl<'a> Written<'a> {
    fn new(format: DialogueFormat, asked: &Asked<'a>) -> Self {
        Self {
            format,
            // Without a dataset that is known there are no strategies, and whoever names one is told.
            dataset: asked.task.and_then(dataset).unwrap_or(Dataset::Focus),
            acts: asked.acts,
        }
    }
}

impl From<FormatError> for Unreadable {
    fn from(error: FormatError) -> Self {
        Self::Format(error.to_string())
    }
}

impl Format for DialogueFormat {
    fn name(&self) -> &'static str {
        (*self).as_str()
    }

    fn stops(&self) -> &'static [&'static str] {
        match self {
            Self::ReactSource => &["Observation:"],
            Self::ReactStrategy => &["\nThought:"],
            _ => &[],
        }
    }

    fn offered(&self, open: MoveKinds) -> MoveKinds {
        let both: Vec<MoveKind> = self
            .answers()
            .iter()
            .filter(|kind| open.contains(*kind))
            .collect();
        MoveKinds::of(&both)
    }

    fn commands(&self, asked: &Asked<'_>) -> Option<Vec<String>> {
        let input = match self {
            Self::Modules => "[context]",
            Self::Strategies => "",
            _ => return None,
        };
        let tools = asked.task.map(tools).unwrap_or_default();
        Some(tools.into_iter().map(|tool| tool.name + input).collect())
    }

    /// The response is no step of a plan and no action between steps.
    fn offers(&self, form: &str) -> bool {
        !form.starts_with("respond[")
    }

    fn read(
        &self,
        text: &str,
        asked: &Asked<'_>,
        mended: &mut Mended,
    ) -> Result<Vec<Move>, Unreadable> {
        Written::new(*self, asked).moves(text, mended)
    }

    fn of_moves(
        &self,
        moves: &[Move],
        asked: &Asked<'_>,
        mended: &mut Mended,
    ) -> Result<Vec<Move>, Unreadable> {
        structured::made(moves, &Written::new(*self, asked), mended)
    }
}

impl Written<'_> {
    fn moves(&self, text: &str, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let dataset = self.dataset;
        Ok(match self.format {
            DialogueFormat::Thought => vec![Move::think(filled(thought(text))?)],
            DialogueFormat::Status => {
                let read = cue_cot(text, CueCotMode::Status, dataset)?;
                // Where the prompt ends with the label, none has to be written.
                mended.warn(&read.warnings, &[mended::NO_LABEL]);
                vec![Move::think(read.status.unwrap_or_default())]
            }
            DialogueFormat::SourcePlan => vec![sources(text, Variable::So, mended)?],
            DialogueFormat::RewooPlan => vec![sources(text, Variable::E, mended)?],
            DialogueFormat::PlanDo => {
                let read = plan_do(text, dataset)?;
                mended.warn(&read.warnings, &[]);
                let steps = read.steps.iter();
                let steps = steps.flat_map(|step| said(&step.strategies, &step.text));
                thinks(read.thought.as_deref()).chain(steps).collect()
            }
            DialogueFormat::ReactSource => {
                let read = react_source(text)?;
                mended.warn(&read.warnings, &[]);
                let does = match read.action {
                    SourceAction::Call { source, input, .. } => {
                        Move::act(format!("{}[{input}]", source.name()))
                    }
                    SourceAction::Finish { response } => finish(Some(filled(response)?)),
                };
                thinks(Some(&read.thought)).chain([does]).collect()
            }
            DialogueFormat::ReactStrategy => self.strategy_steps(text, mended)?,
            DialogueFormat::Modules => {
                let read = chameleon_modules(text)?;
                mended.warn(&read.warnings, &[]);
                modules(&read.items)
            }
            DialogueFormat::Strategies => {
                let read = chameleon_strategies(text, dataset)?;
                mended.warn(&read.warnings, &[]);
                vec![names(&read.items)]
            }
            DialogueFormat::SubResponse => vec![self.part(text, mended)?],
            DialogueFormat::Response => {
                let text = own_part(text, mended);
                let text = response(after_reasoning(text, mended));
                vec![finish(Some(filled(text)?))]
            }
        })
    }

    /// Steps of ReAct over strategies. The parser knows whole texts, of which this may be the end: the
    /// turn that only says that the response is complete.
    fn strategy_steps(&self, text: &str, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        match react_strategy(text, self.dataset) {
            Ok(read) => {
                mended.warn(&read.warnings, &[]);
                let steps = read.steps.iter().flat_map(|step| {
                    thinks(Some(&step.thought)).chain(said(&step.strategies, &step.observation))
                });
                let ends = read.finished.then(|| finish(None));
                Ok(steps.chain(ends).collect())
            }
            Err(FormatError::NoAction) => {
                let first = self.dataset.strategies().first();
                let before = first.map_or("", |tool| tool.name);
                let whole = format!("Action: {before}\nObservation: -\nThought: {text}");
                match react_strategy(&whole, self.dataset) {
                    Ok(read) if read.finished => Ok(vec![finish(None)]),
                    _ => Err(FormatError::NoAction.into()),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What one strategy says.
    fn part(&self, text: &str, mended: &mut Mended) -> Result<Move, Unreadable> {
        let act = self.acts.first();
        let strategy = act.map_or("", DialogueAct::as_str);
        let text = sub_response(own_part(text, mended), self.dataset, strategy);
        Ok(Move::Speak {
            text: filled(text)?,
            act: act.cloned(),
        })
    }
}

/// A plan over sources.
fn sources(text: &str, variable: Variable, mended: &mut Mended) -> Result<Move, Unreadable> {
    let SourcePlan { steps, warnings } = source_plan(text, variable)?;
    mended.warn(&warnings, &[]);
    let steps = steps.into_iter().map(|step| PlanStep {
        description: step.desc,
        variable: Some(step.var),
        action: Action::text(format!("{}[{}]", step.source.name(), step.input)),
    });
    Ok(Move::Plan {
        steps: steps.collect(),
    })
}

/// A plan of modules; the one that generates the answer is not asked anything.
fn modules(items: &[&str]) -> Vec<Move> {
    let steps = items.iter().filter_map(|item| match *item {
        "Persona_Retrieval" => Some(PlanStep::of("PERSONA[context]")),
        "Knowledge_Retrieval" => Some(PlanStep::of("DOCUMENT[context]")),
        _ => None,
    });
    vec![Move::Plan {
        steps: steps.collect(),
    }]
}

/// A plan of strategies.
fn names(strategies: &[&str]) -> Move {
    let steps = strategies.iter().map(|strategy| PlanStep::of(*strategy));
    Move::Plan {
        steps: steps.collect(),
    }
}

/// A thought, if there is one.
fn thinks(thought: Option<&str>) -> impl Iterator<Item = Move> {
    let thought = thought.filter(|thought| !thought.is_empty());
    thought.map(Move::think).into_iter()
}

/// What is planned, and what is said by it.
pub(super) fn said(strategies: &[&str], text: &str) -> [Move; 2] {
    let act = strategies.first().map(|act| DialogueAct((*act).to_owned()));
    let text = text.to_owned();
    [names(strategies), Move::Speak { text, act }]
}

/// The end, with the response if one is stated.
pub(super) fn finish(response: Option<String>) -> Move {
    Move::Finish {
        answer: Box::new(response.into()),
    }
}

/// A text that must not be empty.
fn filled(text: String) -> Result<String, Unreadable> {
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(text)
}

/// The text up to where the model goes on with the next example of its prompt.
fn own_part<'a>(text: &'a str, mended: &mut Mended) -> &'a str {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let lower = line
            .trim_start_matches(['*', '#', ' ', '\t'])
            .to_lowercase();
        let is_next = NEXT_EXAMPLE.iter().any(|label| lower.starts_with(label));
        if place > 0 && is_next {
            mended.insert("continuation", mended::CONTINUATION);
            return text.get(..place).unwrap_or(text).trim_end();
        }
        place += line.len();
    }
    text
}

/// What follows the label of the response, where reasoning is written down before it.
fn after_reasoning<'a>(text: &'a str, mended: &mut Mended) -> &'a str {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start_matches(['*', '#', '-', '>', ' ', '\t']);
        let after = start
            .get(.."response".len())
            .filter(|word| word.eq_ignore_ascii_case("response"));
        let after = after.and_then(|word| start.get(word.len()..));
        let after = after.map(|rest| rest.trim_start_matches(['*', '_', ' ']));
        let after = after.and_then(|rest| rest.strip_prefix([':', '：']));
        if let Some(after) = after {
            if place > 0 {
                mended.insert("leading_text", mended::REASONING);
            }
            let start = place + line.len() - after.len();
            return text
                .get(start..)
                .unwrap_or(text)
                .trim_start_matches(['*', '_', ' ']);
        }
        place += line.len();
    }
    text
}

/// What is told of a move that the notation is about and that is missing or empty.
fn lacks(kind: MoveKind, problem: &str) -> Unreadable {
    Unreadable::Incomplete {
        kind: kind.as_str(),
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests;
