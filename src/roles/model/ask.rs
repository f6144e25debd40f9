//! Asks the model once, for one answer or for several, and reads what comes back.

use std::sync::Arc;

use super::choose::Candidate;
use super::schema::Wanted;
use super::shared::{Form, Shared};
use crate::domain::{Answer, Brief, Choice, Finish, Move, Repair};
use crate::ports::model::{Completion, Format, Prompt};
use crate::ports::{ModelError, ModelRequest, Turn};
use crate::prompts::Scene;
use crate::roles::reader::{self, Commands, Reading, Unreadable};

/// One turn's question.
pub(super) struct Asking<'a> {
    pub(super) turn: &'a Turn,
    pub(super) brief: &'a Brief,
    pub(super) scene: &'a Scene,
    pub(super) commands: &'a Commands,
}

/// An answer that cannot be read: its text and why.
pub(super) type Unread = (String, Unreadable);

impl Shared {
    pub(super) fn reading<'a>(&self, asking: &Asking<'a>) -> Reading<'a> {
        Reading {
            open: asking.brief.open,
            commands: asking.commands,
            bare_commands: self.prompter.manner().style == crate::prompts::Style::Papers,
            acts: &asking.brief.acts,
        }
    }

    /// Draws answers: at most `count`, each read.
    pub(super) async fn draw(
        &self,
        asking: &Asking<'_>,
        prompt: Prompt,
        (count, logprobs): (u32, bool),
    ) -> Result<Vec<Result<Candidate, Unread>>, ModelError> {
        let mut completion = self.prompter.completion(prompt);
        completion.format = self.format(asking);
        if self.form != Form::Text {
            // The card limits a line of text. JSON has lines and marks of its own, and its schema is
            // what ends it; the model's own settings still hold.
            completion.stop.clear();
            completion.max_tokens = None;
        }
        completion.logprobs = logprobs;
        let choices = self.choices(asking.turn, completion, count).await?;
        let reading = self.reading(asking);
        let read = choices.into_iter().map(|choice| {
            let answer = self.read(&choice, &reading);
            let answer = answer.map_err(|error| (choice.text.clone(), error))?;
            let logprob = (!choice.tokens.is_empty()).then(|| {
                let sum = choice.tokens.iter().map(|token| token.logprob).sum();
                (sum, u32::try_from(choice.tokens.len()).unwrap_or(u32::MAX))
            });
            let text = choice.text;
            Ok(Candidate {
                answer,
                text,
                logprob,
            })
        });
        Ok(read.collect())
    }

    async fn choices(
        &self,
        turn: &Turn,
        completion: Completion,
        count: u32,
    ) -> Result<Vec<Choice>, ModelError> {
        let model = &*self.model;
        let at_once = count == 1 || model.profile().capabilities.several;
        let replies = if at_once {
            let n = (count > 1).then_some(count);
            let request = ModelRequest::Complete(Completion { n, ..completion });
            vec![turn.complete(model, request).await?]
        } else {
            let requests = (0..count).map(|_| ModelRequest::Complete(completion.clone()));
            turn.complete_all(model, requests.collect()).await?
        };
        Ok(replies
            .into_iter()
            .flat_map(|reply| reply.choices)
            .collect())
    }

    fn format(&self, asking: &Asking<'_>) -> Format {
        let wanted = Wanted {
            open: asking.brief.open,
            several: asking.brief.several,
            acts: &asking.brief.acts,
            forms: &asking.scene.forms,
            admissible: asking.scene.admissible.as_deref(),
            bounds: self.bounds,
        };
        match self.form {
            Form::Text => Format::Text,
            Form::Json => Format::Json {
                name: "answer",
                schema: Arc::new(wanted.schema()),
            },
            Form::Tools => Format::Tools {
                tools: wanted.tools().into(),
                required: true,
            },
        }
    }

    fn read(&self, choice: &Choice, reading: &Reading<'_>) -> Result<Answer, Unreadable> {
        let cut = choice.finish == Finish::Length;
        match self.form {
            Form::Json => reader::read_json(&choice.text, cut, reading),
            Form::Tools => reader::read_tools(&choice.tool_calls, &choice.text, reading),
            Form::Text => {
                let answer = reader::read(&choice.text, reading)?;
                if cut {
                    return without_cut_end(answer, reading.commands);
                }
                Ok(answer)
            }
        }
    }
}

/// Takes off the last move of a text that was cut at the limit of tokens if it is half a command.
fn without_cut_end(mut answer: Answer, commands: &Commands) -> Result<Answer, Unreadable> {
    // Then the end of the text was left out anyhow.
    let ends = |mend: &Repair| mend.code == "trailing_text" || mend.code == "continuation";
    let whole = match answer.moves.last() {
        Some(Move::Act { action }) => {
            commands.has(&action.text) || answer.repaired.iter().any(ends)
        }
        Some(Move::Plan { .. }) => false,
        _ => true,
    };
    if whole {
        return Ok(answer);
    }
    let last = answer.moves.pop();
    if answer.moves.is_empty() {
        let kind = last.map_or("act", |made| made.kind().as_str());
        let problem = "was cut at the limit of tokens (`max_tokens`)".to_owned();
        return Err(Unreadable::Incomplete { kind, problem });
    }
    answer.repaired.push(Repair {
        code: "cut_at_limit".to_owned(),
        note: "the last move was cut at the limit of tokens and left out".to_owned(),
    });
    Ok(answer)
}
