//! The ground truth that a player is entrusted with, and the details that the user wants to have clarified.

use serde::{Deserialize, Serialize};

use super::request::{Attribute, Conversation, Detail, Operation, Request};
use rolecall_core::domain::{Event, Message, Seat};

/// The label of the ground truth, which only seats see that `environment.truth` lists.
pub const TRUTH: &str = "truth";

/// The label of the details, which only the user sees.
pub const DETAILS: &str = "details";

/// The details that the user of an episode holds; none of episodes of another world.
pub(super) fn details<'e>(events: impl IntoIterator<Item = &'e Event>) -> Option<Vec<Clarification>> {
    events.into_iter().find_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience == Seat::User && part.label == DETAILS => {
            Vec::deserialize(&*part.value).ok()
        }
        _ => None,
    })
}

/// A question of the data set with the user's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clarification {
    /// The attribute.
    pub attribute: Attribute,
    /// Missing, or not to be met.
    pub operation: Operation,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

impl From<&Detail> for Clarification {
    fn from(detail: &Detail) -> Self {
        Self {
            attribute: detail.attribute,
            operation: detail.operation,
            question: detail.question.clone(),
            answer: detail.answer.clone(),
        }
    }
}

/// The ground truth of a conversation: a turn for each detail, and the last one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// How many numbers the order of clarification has drawn.
    pub draws: usize,
    /// The turns.
    pub turns: Vec<TruthTurn>,
}

/// One turn of the ground truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthTurn {
    /// The request as far as it is known.
    pub request: Request,
    /// The detail to be clarified next; none in the last turn.
    pub detail: Option<Clarification>,
}

impl Truth {
    /// The ground truth of a conversation.
    pub fn of(conversation: &Conversation) -> Self {
        let turn = |number: usize| TruthTurn {
            request: conversation.state(number),
            detail: conversation.details.get(number).map(Clarification::from),
        };
        Self { draws: conversation.details.len(), turns: (0..conversation.turns()).map(turn).collect() }
    }

    /// The turn after these questions and replies: what equals the answer to a detail that is still open has settled
    /// it, and the first that is open comes next.
    pub fn turn(&self, replies: &[(String, String)]) -> TruthTurn {
        let after = self.turns.iter().skip(1);
        let pairs =
            self.turns.iter().zip(after).filter_map(|(turn, after)| Some((turn.detail.as_ref()?, &after.request)));
        let mut open: Vec<(&Clarification, &Request)> = pairs.collect();
        let mut request = self.turns.first().map(|turn| turn.request.clone()).unwrap_or_default();
        for (_, reply) in replies {
            let settled = open.iter().position(|(detail, _)| detail.answer == *reply);
            if let Some((detail, after)) = settled.map(|settled| open.remove(settled)) {
                // A value that was read from a request fits.
                let _ = request.set(detail.attribute, &after.get(detail.attribute));
            }
        }
        TruthTurn { request, detail: open.first().map(|(detail, _)| (*detail).clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(days: Option<i64>, budget: Option<i64>, next: Option<(Attribute, &str)>) -> TruthTurn {
        TruthTurn {
            request: Request { days, budget, ..Request::default() },
            detail: next.map(|(attribute, answer)| Clarification {
                attribute,
                operation: Operation::Add,
                question: "?".to_owned(),
                answer: answer.to_owned(),
            }),
        }
    }

    #[test]
    fn replies_settle_details_in_any_order() {
        let days = Some((Attribute::Days, "5 days."));
        let budget = Some((Attribute::Budget, "$90."));
        let truth = Truth {
            draws: 2,
            turns: vec![turn(None, None, days), turn(Some(5), None, budget), turn(Some(5), Some(90), None)],
        };
        let replies = |said: &[&str]| -> Vec<(String, String)> {
            let said = said.iter();
            said.map(|said| ("?".to_owned(), (*said).to_owned())).collect()
        };
        assert_eq!(truth.turn(&[]), truth.turns[0]);
        assert_eq!(truth.turn(&replies(&["No."])), truth.turns[0]);
        assert_eq!(truth.turn(&replies(&["5 days."])), truth.turns[1]);
        assert_eq!(truth.turn(&replies(&["$90."])), turn(None, Some(90), days));
        let all = replies(&["$90.", "$90.", "5 days."]);
        assert_eq!(truth.turn(&all), truth.turns[2]);
    }
}
