//! Answers by a schema, or calls of tools, as the moves that the same format gives in running text.
//! They are checked by the parsers of the text formats.

use super::{
    DialogueFormat, dataset_of, filled, finish, lacks, modules, names, part, record_mends, said, sources, thinks,
};
use crate::language::{Dataset, Variable, chameleon_modules, chameleon_strategies};
use rolecall_core::domain::{Move, MoveKind, PlanStep};
use rolecall_core::ports::{Asked, Format, Mended, Unreadable};
use rolecall_core::text::answer_line;

/// The moves of the format, made of moves that were read from a structured answer.
pub(super) fn made(
    moves: &[Move],
    format: DialogueFormat,
    asked: &Asked<'_>,
    mended: &mut Mended,
) -> Result<Vec<Move>, Unreadable> {
    Ok(match format {
        DialogueFormat::Thought | DialogueFormat::Status => {
            let thought = first(moves, MoveKind::Think, thought_of)?;
            vec![Move::think(filled(thought.to_owned())?)]
        }
        DialogueFormat::SourcePlan => {
            vec![source_steps(moves, Variable::So, dataset_of(asked), mended)?]
        }
        DialogueFormat::RewooPlan => {
            vec![source_steps(moves, Variable::E, dataset_of(asked), mended)?]
        }
        DialogueFormat::Modules => {
            let dataset = dataset_of(asked);
            let items = listed(moves, |step| module(step, dataset))?;
            let read = chameleon_modules(&items, dataset)?;
            // A structured plan has no place for the generator.
            vec![modules(&read.items, dataset)]
        }
        DialogueFormat::Strategies => {
            let items = listed(moves, |step| answer_line(&step.action.text).into_owned())?;
            let read = chameleon_strategies(&items, dataset_of(asked))?;
            record_mends(&read.warnings, mended);
            vec![names(&read.items)]
        }
        DialogueFormat::SubResponse => {
            let said = first(moves, MoveKind::Speak, |made| match made {
                Move::Speak { text, .. } => Some(text.as_str()),
                _ => None,
            })?;
            vec![part(said, asked, mended)?]
        }
        DialogueFormat::Response => vec![first(moves, MoveKind::Finish, response_of)?],
        DialogueFormat::ReasonedResponse => {
            let response = first(moves, MoveKind::Finish, response_of)?;
            thinks(moves.iter().find_map(thought_of)).chain([response]).collect()
        }
        DialogueFormat::ReactSource => {
            let does = first(moves, MoveKind::Act, |made| match made {
                Move::Act { action } => {
                    let text = format!("Action: {}", answer_line(&action.text));
                    Some(format.read(&text, asked, &mut Mended::default()))
                }
                made => Some(Ok(vec![response_of(made)?])),
            })??;
            let thought = thinks(moves.iter().find_map(thought_of));
            let is_action = |made: &Move| made.kind() != MoveKind::Think;
            thought.chain(does.into_iter().filter(is_action)).collect()
        }
        DialogueFormat::PlanDo | DialogueFormat::ReactStrategy => spoken(moves)?,
    })
}

/// Each thought, and all words with their strategy planned before them; at the end the response.
fn spoken(moves: &[Move]) -> Result<Vec<Move>, Unreadable> {
    let mut made = Vec::new();
    for one in moves {
        match one {
            Move::Think { text } => made.extend(thinks(Some(text))),
            Move::Speak { text, act } => {
                made.extend(said(act.as_ref().map(|act| act.as_str()).as_slice(), text));
            }
            Move::Finish { .. } => {
                made.push(response_of(one).unwrap_or_else(|| finish(None)));
                break;
            }
            _ => {}
        }
    }
    if made.iter().all(|one| one.kind() == MoveKind::Think) {
        return Err(lacks(MoveKind::Speak, "is missing"));
    }
    Ok(made)
}

/// A plan over sources, whose variables are numbered if they are not written.
fn source_steps(moves: &[Move], variable: Variable, dataset: Dataset, mended: &mut Mended) -> Result<Move, Unreadable> {
    let mut place = 0;
    let lines = lines(moves, |step| {
        place += 1;
        let text = answer_line(&step.action.text);
        match &step.variable {
            Some(name) => format!("#{} = {text}", name.trim_start_matches('#')),
            None => format!("#{}{place} = {text}", variable.prefix()),
        }
    })?;
    sources(&lines.join("\n"), variable, dataset, mended)
}

/// The steps of all plans, as a list in brackets.
fn listed(moves: &[Move], line: impl FnMut(&PlanStep) -> String) -> Result<String, Unreadable> {
    let items = lines(moves, line)?.join("\n");
    Ok(format!("[{}]", items.replace(['[', ']'], " ")))
}

fn lines(moves: &[Move], line: impl FnMut(&PlanStep) -> String) -> Result<Vec<String>, Unreadable> {
    let lines: Vec<String> = moves
        .iter()
        .filter_map(|made| match made {
            Move::Plan { steps } => Some(steps),
            _ => None,
        })
        .flatten()
        .map(line)
        .collect();
    if lines.is_empty() {
        return Err(lacks(MoveKind::Plan, "has no step"));
    }
    Ok(lines)
}

/// The module that asks a source.
fn module(step: &PlanStep, dataset: Dataset) -> String {
    let text = answer_line(&step.action.text);
    let name = text.split('[').next().unwrap_or_default().trim();
    match dataset.source(name) {
        Some((source, _)) => format!("{}_Retrieval", source.name()),
        None => name.to_owned(),
    }
}

fn thought_of(made: &Move) -> Option<&str> {
    match made {
        Move::Think { text } => Some(text),
        _ => None,
    }
}

/// The end with a response, if it holds one.
fn response_of(made: &Move) -> Option<Move> {
    let Move::Finish { answer } = made else {
        return None;
    };
    let text = answer.as_str()?.trim();
    (!text.is_empty()).then(|| finish(Some(text.to_owned())))
}

/// The part of the first move that has it.
fn first<'a, T>(moves: &'a [Move], kind: MoveKind, part: impl FnMut(&'a Move) -> Option<T>) -> Result<T, Unreadable> {
    moves.iter().find_map(part).ok_or_else(|| lacks(kind, "is missing or empty"))
}
