//! `rolecall data trajectories travel`: rows for tuning an executor or a clarifier on the ground truth of conversations
//! (Ask-before-Plan section 4.1), with the prompts of the cards `cep`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{conversations, country};
use crate::answers::{Form, results};
use crate::calls::Call;
use crate::country::Country;
use crate::labels;
use crate::request::{Conversation, Operation};
use crate::tasks::BUILTIN;
use crate::words::documentation;
use rolecall_core::files::shipped;
use rolecall_core::ports::Parameters;
use rolecall_core::ports::model::Prompt;
use rolecall_core::prompts::prompt;
use rolecall_core::text::harmless;
use rolecall_core::text::python::repr;
use rolecall_core::text::template::{PartSpeaker, Template, template_value};
use rolecall_core::world::{Desk, Unfinished};

/// Whose turns are learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learner {
    /// Calls of the executor.
    #[default]
    Executor,
    /// Questions of the clarifier.
    Clarifier,
}

/// When the clarifier asks: the last version of the original program says that nothing has to be clarified where the
/// next detail cannot be met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// As long as a detail is open.
    #[default]
    Intended,
    /// As in the last version of the original program.
    Head,
}

/// A part of a conversation with a model.
pub type Part = (PartSpeaker, String);

/// The prompts of a learner.
pub struct Tuning<'c> {
    learner: Learner,
    labels: Labels,
    country: &'c Country,
    template: Template,
}

/// Writes the rows beside their place and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").unwrap_or_default();
    let file = parameters.path("conversations").unwrap_or(data);
    let read = conversations(file, split)?;
    let rows = Unfinished::file(out, |written| {
        let country = country(data)?;
        let (learner, labels) = (parameters.choice("for"), parameters.choice("labels"));
        let tuning = Tuning::new(learner, labels, &country)?;
        let mut next = desk.progress(read.conversations.len(), "conversations");
        let mut file = BufWriter::new(File::create_new(written)?);
        let mut count = 0;
        for (task, conversation) in read.conversations.iter().enumerate() {
            for turn in 0..conversation.turns() {
                for mut row in tuning.rows(conversation, turn, parameters.flag("chat"))? {
                    row["task"] = task.into();
                    row["turn"] = turn.into();
                    writeln!(file, "{row}")?;
                    count += 1;
                }
            }
            next();
        }
        file.flush()?;
        Ok(count)
    })?;
    let mut text = format!("{rows} rows in {}\n", harmless(&out.display().to_string()));
    for remark in &read.remarks {
        text += &format!("Left out: {remark}\n");
    }
    Ok(text)
}

impl<'c> Tuning<'c> {
    /// The prompts of a card for conversations about a country.
    ///
    /// # Errors
    /// When the card is broken.
    pub fn new(learner: Learner, labels: Labels, country: &'c Country) -> anyhow::Result<Self> {
        let name = match learner {
            Learner::Executor => "executor.md",
            Learner::Clarifier => "clarifier.md",
        };
        let card = shipped::read(&shipped::path("agents/cep").join(name)).context("this program ships no prompts")?;
        let template = Template::compile(name, str::from_utf8(card)?, |_| true);
        Ok(Self { learner, labels, country, template: template.map_err(|error| anyhow!("the card {error}"))? })
    }

    /// The rows of a turn: one with all messages, or each answer with what comes before it.
    fn rows(&self, conversation: &Conversation, turn: usize, chat: bool) -> anyhow::Result<Vec<Value>> {
        let parts = self.parts(conversation, turn)?;
        if chat {
            let message = |(speaker, text): &Part| json!({ "role": speaker.word(), "content": text });
            let messages: Value = parts.iter().map(message).collect();
            return Ok(vec![json!({ "messages": messages })]);
        }
        let answers = parts.iter().enumerate().filter(|(_, (speaker, _))| *speaker == PartSpeaker::Assistant);
        let rows = answers.map(|(at, (_, text))| {
            let before = parts.iter().take(at).cloned().collect();
            let before = match prompt(before, false) {
                Prompt::Text(text) => text,
                Prompt::Chat(_) => String::new(),
            };
            json!({ "prompt": before, "completion": text })
        });
        Ok(rows.collect())
    }

    /// The messages of a turn.
    ///
    /// # Errors
    /// When the card cannot be filled.
    pub fn parts(&self, conversation: &Conversation, turn: usize) -> anyhow::Result<Vec<Part>> {
        let state = conversation.state(turn);
        let calls = labels::truth(&state);
        let exchanges = conversation
            .details
            .iter()
            .take(turn)
            .flat_map(|detail| [json!({ "assistant": detail.question }), json!({ "user": detail.answer })]);
        let said = [json!({ "user": conversation.query })].into_iter().chain(exchanges);
        let said = repr(&said.collect());
        match self.learner {
            Learner::Executor => {
                let lines: Vec<String> = calls.iter().map(Call::canonical).collect();
                self.filled("tool-chain", &said, "", lines.join("\n"))
            }
            Learner::Clarifier => {
                let shown = results(self.country, calls, Form::Clarification).into_iter();
                let shown = repr(&shown.collect());
                let asked = conversation
                    .details
                    .get(turn)
                    .filter(|detail| self.labels == Labels::Intended || detail.operation == Operation::Add);
                match asked {
                    Some(detail) => self.filled("clarify-question", &said, &shown, detail.question.clone()),
                    None => self.filled("clarify-need", &said, &shown, "No.".to_owned()),
                }
            }
        }
    }

    /// The card in a notation, and the answer to it.
    fn filled(
        &self,
        notation: &str,
        conversation: &str,
        trajectory: &str,
        answer: String,
    ) -> anyhow::Result<Vec<Part>> {
        let values = json!({
            "notation": notation,
            "documentation": documentation(""),
            "conversation": conversation,
            "trajectory": trajectory,
            "exemplars": "",
            "sections": {},
            "scratchpad": { "lines": [] },
        });
        let mut parts = self.template.fill(&template_value(&values)).map_err(|error| anyhow!("the card {error}"))?;
        parts.retain(|(speaker, text)| *speaker != PartSpeaker::Turns && !text.is_empty());
        parts.push((PartSpeaker::Assistant, answer));
        Ok(parts)
    }
}
