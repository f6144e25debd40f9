//! The answer formats of the methods of dialogue: from a text, or from structured answers, to moves. The
//! parsers are those of [`language`](super::language); their mends are told as elsewhere.
//!
//! `kind` names the formats, `structured` brings answers by a schema, or calls of tools, into the same moves.

mod kind;
mod structured;

pub use kind::DialogueFormat;

use crate::domain::{Action, DialogueAct, Move, MoveKind, MoveKinds, PlanStep};
use crate::environments::dialogue::language::{
    CueCotMode, Dataset, FormatError, SourceAction, SourcePlan, Variable, Warning, Warnings, chameleon_modules,
    chameleon_strategies, cue_cot, plan_do, react_source, react_strategy, reasoned_response, response,
    source_of_module, source_plan, sub_response, thought,
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
    &DialogueFormat::ReasonedResponse,
    &DialogueFormat::Response,
];

/// Labels at the beginning of a line with which a model goes on to the next example of its prompt.
const NEXT_EXAMPLE: &[&str] = &["dialogue:", "source knowledge:", "evidence:"];

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
        let answers = self.answers();
        let both = answers.iter().filter(|kind| open.contains(*kind));
        MoveKinds::of(&both.collect::<Vec<MoveKind>>())
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

    fn read(&self, text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let dataset = dataset_of(asked);
        Ok(match self {
            Self::Thought => vec![Move::think(filled(thought(text))?)],
            Self::Status => {
                let mut read = cue_cot(text, CueCotMode::Status, dataset)?;
                // Where the prompt ends with the label, none has to be written.
                read.warnings.remove(&Warning::NoLabel);
                record_mends(&read.warnings, mended);
                vec![Move::think(read.status.unwrap_or_default())]
            }
            Self::SourcePlan => vec![sources(text, Variable::So, dataset, mended)?],
            Self::RewooPlan => vec![sources(text, Variable::E, dataset, mended)?],
            Self::PlanDo => {
                let read = plan_do(text, dataset)?;
                record_mends(&read.warnings, mended);
                let steps = read.steps.iter();
                let steps = steps.flat_map(|step| said(&step.strategies, &step.text));
                thinks(read.thought.as_deref()).chain(steps).collect()
            }
            Self::ReactSource => {
                let read = react_source(text, dataset)?;
                record_mends(&read.warnings, mended);
                let action = match read.action {
                    SourceAction::Call { source, input, .. } => Move::act(format!("{}[{input}]", source.name())),
                    SourceAction::Finish { response } => finish(Some(filled(response)?)),
                };
                thinks(Some(&read.thought)).chain([action]).collect()
            }
            Self::ReactStrategy => strategy_steps(text, dataset, mended)?,
            Self::Modules => {
                let read = chameleon_modules(text, dataset)?;
                record_mends(&read.warnings, mended);
                vec![modules(&read.items, dataset)]
            }
            Self::Strategies => {
                let read = chameleon_strategies(text, dataset)?;
                record_mends(&read.warnings, mended);
                vec![names(&read.items)]
            }
            Self::SubResponse => vec![part(text, asked, mended)?],
            Self::ReasonedResponse => {
                let read = reasoned_response(own_part(text, mended))?;
                record_mends(&read.warnings, mended);
                if read.thought.is_empty() && read.warnings.is_empty() {
                    mended.insert("missing_thought", "there was no thought before the response");
                }
                let response = finish(Some(filled(read.response)?));
                thinks(Some(&read.thought)).chain([response]).collect()
            }
            Self::Response => {
                let text = own_part(text, mended);
                let text = response(after_reasoning(text, mended));
                vec![finish(Some(filled(text)?))]
            }
        })
    }

    fn of_moves(&self, moves: &[Move], asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        structured::made(moves, *self, asked, mended)
    }
}

/// The dataset of the task, which has the strategies. Without one that is known there are no strategies, and
/// naming one is an error.
fn dataset_of(asked: &Asked<'_>) -> Dataset {
    asked.task.and_then(dataset).unwrap_or(Dataset::Focus)
}

/// Steps of ReAct over strategies. The parser knows whole texts, of which this may be the end: the
/// turn that only says that the response is complete.
fn strategy_steps(text: &str, dataset: Dataset, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
    match react_strategy(text, dataset) {
        Ok(read) => {
            record_mends(&read.warnings, mended);
            let steps = read
                .steps
                .iter()
                .flat_map(|step| thinks(Some(&step.thought)).chain(said(&step.strategies, &step.observation)));
            let ends = read.finished.then(|| finish(None));
            Ok(steps.chain(ends).collect())
        }
        Err(FormatError::NoAction) => {
            let first = dataset.strategies().first();
            let before = first.map_or("", |tool| tool.name);
            let whole = format!("Action: {before}\nObservation: -\nThought: {text}");
            match react_strategy(&whole, dataset) {
                Ok(read) if read.finished => Ok(vec![finish(None)]),
                _ => Err(FormatError::NoAction.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// The words of one strategy: the first of the acts that may be spoken.
fn part(text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
    let act = asked.acts.first();
    let strategy = act.map_or("", DialogueAct::as_str);
    let text = sub_response(own_part(text, mended), dataset_of(asked), strategy);
    Ok(Move::Speak { text: filled(text)?, act: act.cloned() })
}

/// A plan over sources.
fn sources(text: &str, variable: Variable, dataset: Dataset, mended: &mut Mended) -> Result<Move, Unreadable> {
    let SourcePlan { steps, warnings } = source_plan(text, variable, dataset)?;
    record_mends(&warnings, mended);
    let steps = steps.into_iter().map(|step| PlanStep {
        description: step.desc,
        variable: Some(step.var),
        action: Action::text(format!("{}[{}]", step.source.name(), step.input)),
    });
    Ok(plan(steps))
}

fn plan(steps: impl Iterator<Item = PlanStep>) -> Move {
    let steps = steps.collect();
    Move::Plan { steps }
}

/// A plan of modules; the one that generates the answer is not asked anything.
fn modules(items: &[&str], dataset: Dataset) -> Move {
    let sources = items.iter();
    let sources = sources.filter_map(|item| source_of_module(item, dataset));
    plan(sources.map(|source| PlanStep::of(format!("{source}[context]"))))
}

/// A plan of strategies.
fn names(strategies: &[&str]) -> Move {
    plan(strategies.iter().map(|strategy| PlanStep::of(*strategy)))
}

/// A thought, if there is one.
fn thinks(thought: Option<&str>) -> impl Iterator<Item = Move> {
    let thought = thought.filter(|thought| !thought.is_empty());
    thought.map(Move::think).into_iter()
}

/// A plan of strategies, and the words that follow it.
pub(super) fn said(strategies: &[&str], text: &str) -> [Move; 2] {
    let act = strategies.first().map(|act| DialogueAct((*act).to_owned()));
    let text = text.to_owned();
    [names(strategies), Move::Speak { text, act }]
}

/// The end, with the response if one is stated.
pub(super) fn finish(response: Option<String>) -> Move {
    Move::Finish { answer: Box::new(response.into()) }
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
    let is_next = |line: &str| {
        let line = line.trim_start_matches(['*', '#', ' ', '\t']);
        let lower = line.to_lowercase();
        NEXT_EXAMPLE.iter().any(|label| lower.starts_with(label))
    };
    let mut later = lines(text).skip(1);
    let Some((start, _)) = later.find(|(_, line)| is_next(line)) else {
        return text;
    };
    mended.insert("continuation", CONTINUATION);
    text.get(..start).unwrap_or(text).trim_end()
}

/// The lines of a text, each with the byte at which it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end - line.len(), line))
    })
}

/// The text behind the label of the response, where reasoning is written down before it.
fn after_reasoning<'a>(text: &'a str, mended: &mut Mended) -> &'a str {
    let after_label = |line: &'a str| {
        let line = line.trim_start_matches(['*', '#', '-', '>', ' ', '\t']);
        let (word, rest) = line.split_at_checked("response".len())?;
        let rest = rest.trim_start_matches(['*', '_', ' ']);
        let rest = rest.strip_prefix([':', '：'])?;
        word.eq_ignore_ascii_case("response").then_some(rest.len())
    };
    for (start, line) in lines(text) {
        if let Some(length) = after_label(line) {
            if start > 0 {
                let reasoning = "the reasoning before the response was left out";
                mended.insert("leading_text", reasoning);
            }
            let rest = text.get(start + line.len() - length..);
            return rest.unwrap_or(text).trim_start_matches(['*', '_', ' ']);
        }
    }
    text
}

/// The words for a model that goes on with the next example of its prompt.
const CONTINUATION: &str = "what the model wrote after its answer was left out";

/// Counts the warnings of parsers as mends.
fn record_mends(warnings: &Warnings, mended: &mut Mended) {
    for warning in warnings {
        mended.insert(warning.code(), warning_text(*warning));
    }
}

fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::EmptyInput => "a source was asked nothing; the dialogue is the query",
        Warning::ExtraDo => "a second part for one plan was appended to the first",
        Warning::ExtraStepsIgnored => "what follows the first action was left out",
        Warning::GeneratorNotLast => "modules after the answer generator were left out",
        Warning::HallucinatedObservation => {
            "an observation that the model wrote in the place of the source was left out"
        }
        Warning::ImplicitVariable => "a call without a variable got the one of its place",
        Warning::MissingAnswerGenerator => "the answer generator was missing and was appended",
        Warning::MissingThought => "there was no thought before the action",
        Warning::NoBrackets => "a list without brackets was read",
        Warning::NoLabel => "a text without its label was read",
        Warning::SourceAlias => "`KNOWLEDGE` was read as `DOCUMENT`",
        Warning::TruncatedAtDialogue => CONTINUATION,
        Warning::UnclosedBracket => "a bracket that was not closed was closed",
    }
}

/// The error of a move that the notation is about and that is missing or empty.
fn lacks(kind: MoveKind, problem: &str) -> Unreadable {
    Unreadable::Incomplete { kind: kind.as_str(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
