//! From a text in the notation of a method (`domain::Notation`) to moves. The parsers are those of
//! `text::dialogue`; what they mended is told as it is elsewhere.
//!
//! `read` takes running text; `structured` brings answers by a schema, or calls of tools, into the same
//! moves; `mended` words what the parsers mended.

mod mended;
mod structured;

pub use structured::{kinds, of_moves};

use super::{Mended, Unreadable, lines};
use crate::domain::{
    Action, Answer, DialogueAct, Move, MoveKind, MoveKinds, Notation, PlanStep, Repair,
};
use crate::text::dialogue::{
    CueCotMode, Dataset, FormatError, SourceAction, SourcePlan, StrategyStep, Variable,
    chameleon_modules, chameleon_strategies, cue_cot, plan_do, react_source, react_strategy,
    response, source_plan, sub_response, thought,
};

/// The most bytes of a text that are read. What models write for one turn has a few thousand; a text
/// without end must not fill the log.
const MOST_BYTES: usize = 32 * 1024;

/// Labels at the beginning of a line with which a model goes on to the next example of its prompt.
const NEXT_EXAMPLE: &[&str] = &["dialogue:", "source knowledge:", "evidence:"];

/// What a text is read against.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The notation.
    pub notation: Notation,
    /// The dataset, which says what strategies there are.
    pub dataset: Dataset,
    /// The acts that may be spoken; for a sub-response the first is the strategy that is asked for.
    pub acts: &'a [DialogueAct],
}

/// Where a text of this notation ends at the latest: what comes then is not the model's to write.
pub fn stops(notation: Notation) -> &'static [&'static str] {
    match notation {
        Notation::ReactSource => &["Observation:"],
        Notation::ReactStrategy => &["\nThought:"],
        Notation::Thought
        | Notation::Status
        | Notation::SourcePlan
        | Notation::RewooPlan
        | Notation::PlanDo
        | Notation::Modules
        | Notation::Strategies
        | Notation::SubResponse
        | Notation::Response => &[],
    }
}

/// Reads running text.
///
/// # Errors
/// When it is empty, or not of the notation: the message says what is wrong and what to write.
pub fn read(text: &str, written: &Written<'_>) -> Result<Answer, Unreadable> {
    let mut mended = Mended::default();
    // Nothing is taken out of hidden reasoning: it is not written in the notation.
    let mut text = lines::clean(text, MoveKinds::default(), &mut mended);
    if text.len() > MOST_BYTES {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        mended.note("cut_text", "what follows the first 32 KiB was left out");
    }
    let is_blank = |letter: char| letter.is_whitespace() || "`*".contains(letter);
    if text.chars().all(is_blank) {
        return Err(Unreadable::Empty);
    }
    let moves = written.moves(&text, &mut mended)?;
    Ok(Answer {
        moves,
        repaired: mended.into_repairs(),
    })
}

/// What stands for an answer that could not be read: the sample ends without a response, which counts
/// as one (section 2.5 of the contract of TPE's samples: it is still scored).
pub fn unreadable(problem: &Unreadable) -> Answer {
    Answer {
        moves: vec![finish(None)],
        repaired: vec![Repair {
            code: "unreadable".to_owned(),
            note: problem.to_string(),
        }],
    }
}

impl Written<'_> {
    fn moves(&self, text: &str, mended: &mut Mended) -> Result<Vec<Move>, Unreadable> {
        let dataset = self.dataset;
        Ok(match self.notation {
            Notation::Thought => vec![Move::think(filled(thought(text))?)],
            Notation::Status => {
                let read = cue_cot(text, CueCotMode::Status, dataset)?;
                // Where the prompt ends with the label, none has to be written.
                mended.warn(&read.warnings, &[mended::NO_LABEL]);
                vec![Move::think(read.status.unwrap_or_default())]
            }
            Notation::SourcePlan => vec![sources(text, Variable::So, mended)?],
            Notation::RewooPlan => vec![sources(text, Variable::E, mended)?],
            Notation::PlanDo => {
                let read = plan_do(text, dataset)?;
                mended.warn(&read.warnings, &[]);
                let steps = read.steps.iter();
                let steps = steps.flat_map(|step| said(&step.strategies, &step.text));
                thinks(read.thought.as_deref()).chain(steps).collect()
            }
            Notation::ReactSource => {
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
            Notation::ReactStrategy => self.strategy_steps(text, mended)?,
            Notation::Modules => {
                let read = chameleon_modules(text)?;
                mended.warn(&read.warnings, &[]);
                modules(&read.items)
            }
            Notation::Strategies => {
                let read = chameleon_strategies(text, dataset)?;
                mended.warn(&read.warnings, &[]);
                vec![names(&read.items)]
            }
            Notation::SubResponse => vec![self.part(text, mended)?],
            Notation::Response => {
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
                let steps = read.steps.iter().flat_map(strategy_step);
                let ends = read.finished.then(|| finish(None));
                Ok(steps.chain(ends).collect())
            }
            Err(FormatError::NoAction) => {
                let before = self
                    .dataset
                    .strategies()
                    .first()
                    .map_or("", |tool| tool.name);
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

fn strategy_step(step: &StrategyStep) -> impl Iterator<Item = Move> {
    thinks(Some(&step.thought)).chain(said(&step.strategies, &step.observation))
}

/// A thought, if there is one.
fn thinks(thought: Option<&str>) -> impl Iterator<Item = Move> {
    let thought = thought.filter(|thought| !thought.is_empty());
    thought.map(Move::think).into_iter()
}

/// What is planned, and what is said by it.
fn said(strategies: &[&str], text: &str) -> [Move; 2] {
    let act = strategies.first().map(|act| DialogueAct((*act).to_owned()));
    let text = text.to_owned();
    [names(strategies), Move::Speak { text, act }]
}

/// The end, with the response if one is stated.
fn finish(response: Option<String>) -> Move {
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
            mended.note("continuation", mended::CONTINUATION);
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
                mended.note("leading_text", mended::REASONING);
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
