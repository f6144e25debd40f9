//! The question to judges about what simulated users should not do, a second opinion beside the rules.

use super::{ItemKind, JudgeAnswer, JudgeField, JudgeQuestion};
use crate::domain::{Message, Seat};
use crate::evaluation::analyses;
use crate::evaluation::simulator::UserFault;
use crate::ports::EpisodeLog;

/// The question. It is asked of every episode in which a user spoke.
pub static USER_FAULTS: JudgeQuestion = JudgeQuestion {
    name: analyses::USER_FAULTS,
    text: "Did the user play its part as somebody would who knows what the notes say and wants the task done? Judge the \
           user alone, not the agent.",
    items: ItemKind::Dialogues,
    prompt: None,
    fields: &[
        field(
            UserFault::LeftEarly,
            "True if the user ended the conversation before it had said what the agent needs and before the task was done.",
        ),
        field(
            UserFault::Contradicted,
            "True if the user said something that the notes say otherwise, or took back what it had said before.",
        ),
        field(
            UserFault::ActedAsAgent,
            "True if the user spoke as if it were the agent: offered help, or gave commands in the agent's form.",
        ),
        field(UserFault::Unasked, "True if the user gave facts away that no question had asked for."),
        field(UserFault::Repeated, "True if the user answered different questions with the same words."),
    ],
    about: Some(about),
    parts: None,
};

const fn field(fault: UserFault, criteria: &'static str) -> JudgeField {
    JudgeField { name: fault.key(), criteria, answer: JudgeAnswer::Flag }
}

/// What the user was entrusted with, and whether it left; none if it never spoke.
fn about(log: &EpisodeLog<'_>) -> Option<Vec<String>> {
    let messages = || log.events.iter().map(|event| &event.message);
    let last = messages().rev().find_map(|message| match message {
        Message::Replied(reply) if !reply.given => Some(reply),
        _ => None,
    })?;
    let known = messages().filter_map(|message| match message {
        Message::Entrusted(part) if part.audience == Seat::User => {
            Some(format!("the user knows {}: {}", part.label, part.value))
        }
        _ => None,
    });
    let left = last.leaving.then(|| "the user ended the conversation".to_owned());
    Some(known.chain(left).collect())
}
