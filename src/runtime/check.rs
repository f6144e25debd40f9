//! Whether an answer can be used. Models, people and other processes may answer anything.

use super::conductor::Asked;
use super::protocol::{Failure, Reply, WorldStep};
use crate::domain::{Answer, Brief, FaultKind, Move, MoveKind, Repair};

/// Refuses answers that were not asked for, that are larger than `most` bytes of text, that hold
/// no move or one that is not open.
pub(super) fn check(asked: &Asked, reply: Reply, most: usize) -> Result<Reply, Failure> {
    match (asked, reply) {
        (Asked::Role(brief), Reply::Answer(answer)) => {
            check_answer(answer, brief, most).map(Reply::Answer)
        }
        (Asked::User, Reply::Utterance(utterance)) => {
            check_size("reply", utterance.text.len(), most)?;
            Ok(Reply::Utterance(utterance))
        }
        (
            Asked::World {
                step: WorldStep::Assess,
                ..
            },
            reply @ Reply::Score(_),
        ) => Ok(reply),
        (Asked::World { .. }, Reply::Observation(observation)) => {
            check_size("observation", observation.text.len(), most)?;
            Ok(Reply::Observation(observation))
        }
        (Asked::Role(_) | Asked::User | Asked::World { .. }, _) => Err(Failure::new(
            FaultKind::Unusable,
            "the seat answered something that was not asked",
        )),
    }
}

fn check_answer(mut answer: Answer, brief: &Brief, most: usize) -> Result<Answer, Failure> {
    let unusable = |text: String| Err(Failure::new(FaultKind::Unusable, text));
    let bytes = answer
        .moves
        .iter()
        .map(Move::text_bytes)
        .sum();
    check_size("answer", bytes, most)?;
    let extra = answer.moves.len().saturating_sub(1);
    if extra > 0 && !brief.several {
        answer.moves.truncate(1);
        answer.repaired.push(Repair {
            code: "extra_moves".to_owned(),
            note: format!("{extra} further moves were left out: one move a turn is taken"),
        });
    }
    if answer.moves.is_empty() {
        return unusable("it holds no move".to_owned());
    }
    let closed = answer.moves.iter().map(Move::kind);
    if let Some(kind) = closed.into_iter().find(|kind| !brief.open.contains(*kind)) {
        let open: Vec<&str> = brief.open.iter().map(MoveKind::as_str).collect();
        return unusable(format!(
            "a move of kind `{}` is not open now; open are {}",
            kind.as_str(),
            open.join(", ")
        ));
    }
    Ok(answer)
}

fn check_size(what: &str, bytes: usize, most: usize) -> Result<(), Failure> {
    if bytes <= most {
        return Ok(());
    }
    Err(Failure::new(
        FaultKind::TooLarge,
        format!("the {what} has {bytes} bytes; limits.answer_bytes allows {most}"),
    ))
}
