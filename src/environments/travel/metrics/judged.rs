//! The questions to judges about travel.

use super::played;
use crate::request::{Attribute, Detail, Operation};
use rolecall_core::evaluation::labels::{
    ItemKind, JudgeAnswer, JudgeField, JudgePart, JudgePrompt, JudgeQuestion, Speaker,
};
use rolecall_core::ports::EpisodeLog;

/// The questions.
pub(crate) static QUESTIONS: &[JudgeQuestion] = &[CLARIFICATION, CONVERSATION];

/// The paper's judge score: what a model says of each question that was asked while details were open (section 5.1;
/// the paper asks of one detail at a time and takes the best answer).
const CLARIFICATION: JudgeQuestion = JudgeQuestion {
    name: "travel_clarification",
    text: "Does the question clarify one of the details that are open?",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("question"),
    fields: &[JudgeField {
        name: "clarifies",
        criteria: "Whether what the agent says does what the notes ask for, of at least one of the open details.",
        answer: JudgeAnswer::Words(&["yes", "no"]),
    }],
    about: None,
    parts: Some(clarifications),
};

/// The paper's examination of its conversations by people (section 3; 87.2 % pass).
const CONVERSATION: JudgeQuestion = JudgeQuestion {
    name: "travel_conversation",
    text: "Is this conversation one that a traveller could have?",
    items: ItemKind::Dialogues,
    prompt: JudgePrompt::Shipped("question"),
    fields: &[JudgeField {
        name: "passes",
        criteria: "Whether the request says just what is known at first, every question is about what is missing or \
                   cannot be met, and its answer settles that.",
        answer: JudgeAnswer::Words(&["yes", "no"]),
    }],
    about: None,
    parts: Some(conversations),
};

/// The task of a question about an open detail.
fn task(detail: &Detail) -> String {
    match (detail.operation, detail.attribute) {
        (Operation::Add, attribute) => {
            format!("ask for {} and for nothing else", attribute.in_words())
        }
        (Operation::Replace, Attribute::Destination) => {
            "say that the destinations cannot be met as they are, and ask for others".to_owned()
        }
        (Operation::Replace, attribute) => {
            let name = attribute.in_words();
            format!("say that {name} cannot be met as they were first said, and ask for a change")
        }
    }
}

fn clarifications(log: &EpisodeLog<'_>) -> Vec<JudgePart> {
    let parts = played::questions(log).into_iter().zip(1..).map(|((question, open), seq)| {
        let tasks = open.iter().map(|detail| (Speaker::Note, task(detail)));
        JudgePart { seq, lines: tasks.chain([(Speaker::Agent, question)]).collect(), fields: vec!["clarifies"] }
    });
    parts.collect()
}

fn conversations(log: &EpisodeLog<'_>) -> Vec<JudgePart> {
    played::conversation(log)
        .into_iter()
        .map(|conversation| {
            let said = conversation.details.into_iter().flat_map(|detail| {
                let missing = match detail.operation {
                    Operation::Add => "missing",
                    Operation::Replace => "cannot be met",
                };
                let note = format!("{missing}: {}", detail.attribute.in_words());
                [(Speaker::Note, note), (Speaker::Agent, detail.question), (Speaker::User, detail.answer)]
            });
            JudgePart {
                seq: 1,
                lines: [(Speaker::Task, conversation.query)].into_iter().chain(said).collect(),
                fields: vec!["passes"],
            }
        })
        .collect()
}
