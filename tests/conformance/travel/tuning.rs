//! Recordings of rows for tuning. The sentences of prompts are the original's there and our own here: they are taken
//! from the recording.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::country;
use crate::kit::{Check, Tally, each_line};
use rolecall_core::files::shipped::{Shipped, provide};
use rolecall_core::text::template::PartSpeaker;
use rolecall_travel::data::{Labels, Learner, Part, Tuning};
use rolecall_travel::rows;

/// The recordings.
pub(super) const RECORDINGS: &[(&str, Check)] = &[("finetune_samples.jsonl", samples)];

#[derive(Deserialize)]
struct Sample {
    id: String,
    task: usize,
    turn: usize,
    tool_messages: Vec<Message>,
    ask_messages: Vec<Message>,
    next_question_if_replace_counted: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Message {
    role: String,
    content: String,
}

/// The prompts of the cards `cep`.
static PROMPTS: [Shipped; 2] = [
    ("agents/cep/clarifier.md", include_bytes!("../../../agents/cep/clarifier.md")),
    ("agents/cep/executor.md", include_bytes!("../../../agents/cep/executor.md")),
];

/// Both kinds of rows, and both kinds of labels.
fn samples(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    provide(&PROMPTS);
    let country = country(data)?;
    let conversations = rows::load(&data.join("abp_synth/train.csv"))?.conversations;
    let tuning = |learner, labels| Tuning::new(learner, labels, &country);
    let executor = tuning(Learner::Executor, Labels::Head)?;
    let clarifier = tuning(Learner::Clarifier, Labels::Head)?;
    let intended = tuning(Learner::Clarifier, Labels::Intended)?;
    each_line(file, |sample: Sample| {
        let conversation = conversations.get(sample.task).context("there is no such task")?;
        for (tuning, recorded) in [(&executor, &sample.tool_messages), (&clarifier, &sample.ask_messages)] {
            let parts = tuning.parts(conversation, sample.turn)?;
            let own: Vec<Message> = messages(parts, recorded);
            tally.check(|| sample.id.clone(), recorded, &own);
        }
        let parts = intended.parts(conversation, sample.turn)?;
        let own = parts.last().map(|(_, text)| text.clone()).filter(|text| text != "No.");
        tally.check(|| sample.id.clone(), &sample.next_question_if_replace_counted, &own);
        Ok(())
    })
}

/// Messages without the system's, with the sentences of the recorded ones.
fn messages(parts: Vec<Part>, recorded: &[Message]) -> Vec<Message> {
    let parts = parts.into_iter().filter(|(speaker, _)| *speaker != PartSpeaker::System);
    let messages = parts.enumerate().map(|(at, (speaker, text))| {
        let recorded = recorded.get(at).map_or("", |message| &message.content);
        Message {
            role: speaker.word().to_owned(),
            content: match speaker {
                PartSpeaker::User => with_sentences(&text, recorded),
                _ => text,
            },
        }
    });
    messages.collect()
}

/// A text with another one's lines in the place of all but its last one and those that say what was said and done.
fn with_sentences(own: &str, recorded: &str) -> String {
    let is_fact = |line: &&str| line.starts_with("Conversation: ") || line.starts_with("Interaction trajectory: ");
    let lines = |text| -> Vec<&str> { str::lines(text).collect() };
    let (own, recorded) = (lines(own), lines(recorded));
    let facts = own.iter().copied().filter(is_fact);
    let end = recorded.len().saturating_sub(1);
    let sentences = recorded.iter().take(end).copied().filter(|line| !is_fact(line));
    let all: Vec<&str> = facts.chain(sentences).chain(own.last().copied()).collect();
    all.join("\n")
}
