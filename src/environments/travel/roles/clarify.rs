//! The clarifier who knows the questions of the data set.

use super::truth_turn;
use crate::domain::{Brief, Move, MoveKind};
use crate::environments::travel::seen::Seen;
use crate::ports::RoleFactory;
use crate::roles::by_rules;

/// A factory of clarifiers.
pub(super) fn factory() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| {
        let detail = truth_turn(seen).and_then(|turn| turn.detail);
        ask(detail.map(|detail| detail.question), brief)
    })
}

/// The judgement whether there is a question, and the question: both, or the one that says more of those that are open.
pub(super) fn ask(question: Option<String>, brief: &Brief) -> Vec<Move> {
    let open = |kind: MoveKind| brief.open.contains(kind);
    let judgement = Move::Judge { clarify: question.is_some(), reason: None };
    match question {
        Some(question) if open(MoveKind::Speak) && open(MoveKind::Judge) && brief.several => {
            vec![judgement, Move::speak(question)]
        }
        Some(question) if open(MoveKind::Speak) => vec![Move::speak(question)],
        _ => vec![judgement],
    }
}
