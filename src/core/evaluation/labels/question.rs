//! Questions of a world to judges, who answer them in JSON; each field of an answer is a label.

use serde_json::{Value, json};

use super::{ItemKind, Speaker};
use crate::domain::{Message, Seat};
use crate::evaluation::analyses;
use crate::evaluation::simulator::UserFault;
use crate::ports::EpisodeLog;

/// Gives lines that raters need besides what was said and done; none if the question is not about the episode.
pub type About = fn(&EpisodeLog<'_>) -> Option<Vec<String>>;

/// The parts of an episode that a question is about.
pub type Parts = fn(&EpisodeLog<'_>) -> Vec<JudgePart>;

/// A part of an episode, which is an item of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgePart {
    /// The number under which its answers are kept; no two parts of an episode have the same.
    pub seq: u32,
    /// All that raters read of it.
    pub lines: Vec<(Speaker, String)>,
    /// The fields of the question that are asked of it, by name.
    pub fields: Vec<&'static str>,
}

/// The prompt of a question to judges.
#[derive(Debug)]
pub enum JudgePrompt {
    /// Name of a shipped file below `agents/judges`, without its ending.
    Shipped(&'static str),
    /// Text of a prompt, such as one in the package of a world.
    Text(&'static str),
}

/// A question of a world to judges. No two have the same name.
#[derive(Debug)]
pub struct JudgeQuestion {
    /// The name in `--what` and in files: small letters, digits and `_`.
    pub name: &'static str,
    /// The question, in a sentence or two.
    pub text: &'static str,
    /// The items that it is about.
    pub items: ItemKind,
    /// The prompt; `JudgePrompt::Shipped("question")` serves any question.
    pub prompt: JudgePrompt,
    /// The fields of an answer, at least one.
    pub fields: &'static [JudgeField],
    /// Which episodes it is about, and what raters are told of them, such as how they ended; none for all in
    /// which something was said to a user, and nothing more.
    pub about: Option<About>,
    /// The parts of an episode that it is asked of, each with fields of its own; none if it is asked of whole items.
    pub parts: Option<Parts>,
}

impl PartialEq for JudgeQuestion {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for JudgeQuestion {}

/// A field of an answer.
#[derive(Debug, PartialEq, Eq)]
pub struct JudgeField {
    /// The key in the answer, and the name in files: small letters, digits and `_`.
    pub name: &'static str,
    /// The criterion, in one sentence.
    pub criteria: &'static str,
    /// The answers that are allowed.
    pub answer: JudgeAnswer,
}

/// The answers that are allowed in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeAnswer {
    /// One of the words.
    Words(&'static [&'static str]),
    /// A point of a scale.
    Scale {
        /// The lowest.
        low: u32,
        /// The highest.
        high: u32,
    },
    /// True or false.
    Flag,
    /// Any text, such as a name.
    Text,
}

impl JudgeAnswer {
    /// The JSON schema.
    pub fn schema(self) -> Value {
        match self {
            Self::Words(words) => json!({"type": "string", "enum": words}),
            Self::Scale { low, high } => {
                json!({"type": "integer", "enum": (low..=high).collect::<Vec<_>>()})
            }
            Self::Flag => json!({"type": "boolean"}),
            Self::Text => json!({"type": "string"}),
        }
    }
}

/// The question. It is asked of every episode in which a user spoke.
pub static USER_FAULTS: JudgeQuestion = JudgeQuestion {
    name: analyses::USER_FAULTS,
    text: "Did the user play its part as somebody would who knows what the notes say and wants the task done? Judge the \
           user alone, not the agent.",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("question"),
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

/// Private information of the user, and whether it left; none if it never spoke.
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
