//! Asks the model once, for one answer or for several, and reads what comes back.

use std::sync::Arc;

use super::choose::Candidate;
use super::schema::Wanted;
use super::shared::{Form, Shared};
use crate::domain::{Answer, Brief, Choice, Finish, Move, Notation, Repair};
use crate::ports::model::{Completion, Format, Prompt};
use crate::ports::{ModelError, ModelRequest, Turn};
use crate::prompts::{Forms, Scene};
use crate::roles::reader::notation::{self, Written};
use crate::roles::reader::{self, Commands, Reading, Unreadable};
use crate::text::dialogue::Dataset;

/// One turn's question.
pub(super) struct Asking<'a> {
    pub(super) turn: &'a Turn,
    pub(super) brief: &'a Brief,
    pub(super) scene: &'a Scene,
    pub(super) commands: &'a Commands,
}

impl<'a> Asking<'a> {
    /// How the answer is to be written, if not as moves with labels.
    pub(super) fn written(&self) -> Option<Written<'a>> {
        Some(Written {
            notation: self.brief.notation?,
            // Without a dataset that is known there are no strategies, and whoever names one is told.
            dataset: Dataset::named(self.scene.field("dataset")).unwrap_or(Dataset::Focus),
            acts: &self.brief.acts,
        })
    }
}

/// An answer that cannot be read: its text and why.
pub(super) type Unread = (String, Unreadable);

impl Shared {
    pub(super) fn reading<'a>(&self, asking: &Asking<'a>) -> Reading<'a> {
        let open = asking.brief.open;
        let notation = asking.brief.notation;
        Reading {
            open: notation.map_or(open, |notation| notation::kinds(notation, open)),
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
        } else if let Some(notation) = asking.brief.notation {
            let stops = notation::stops(notation).iter().copied();
            completion.stop.extend(stops.map(str::to_owned));
        }
        completion.logprobs = logprobs;
        let choices = self.choices(asking.turn, completion, count).await?;
        let reading = self.reading(asking);
        let written = asking.written();
        let read = choices.into_iter().map(|choice| {
            let answer = match &written {
                Some(written) => self.read_notation(&choice, &reading, written),
                None => self.read(&choice, &reading),
            };
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
        let tools = asking.brief.notation.and_then(|notation| match notation {
            Notation::Modules => Some(tools_of(asking.scene, "[context]")),
            Notation::Strategies => Some(tools_of(asking.scene, "")),
            _ => None,
        });
        let sources;
        let forms = match asking.brief.notation {
            // The response is no step of a plan and no action between steps.
            Some(_) => {
                let rows = asking.scene.forms.rows.iter();
                let rows = rows.filter(|(form, _)| !form.starts_with("respond["));
                let rows = rows.cloned().collect();
                sources = Forms { rows };
                &sources
            }
            None => &*asking.scene.forms,
        };
        let wanted = Wanted {
            open: self.reading(asking).open,
            several: asking.brief.several,
            acts: &asking.brief.acts,
            forms,
            admissible: tools.as_deref().or(asking.scene.admissible.as_deref()),
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

    /// Reads an answer in a notation. A text that was cut at the limit of tokens is what was written up
    /// to there.
    fn read_notation(
        &self,
        choice: &Choice,
        reading: &Reading<'_>,
        written: &Written<'_>,
    ) -> Result<Answer, Unreadable> {
        let text = self.form == Form::Text;
        let no_call = self.form == Form::Tools && choice.tool_calls.is_empty();
        let mut answer = if text || no_call {
            notation::read(&choice.text, written)?
        } else {
            notation::of_moves(self.read(choice, reading)?, written)?
        };
        let mut mended = |code: &str, note: &str| {
            answer.repaired.push(Repair {
                code: code.to_owned(),
                note: note.to_owned(),
            });
        };
        if no_call {
            mended("no_tool_call", "no tool was called, so the text was read");
        }
        if (text || no_call) && choice.finish == Finish::Length {
            let note = "the text was cut at the limit of tokens and read up to there";
            mended("cut_at_limit", note);
        }
        Ok(answer)
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

/// What steps of a plan can be, where they name sources or strategies.
fn tools_of(scene: &Scene, input: &str) -> Vec<String> {
    let tools = scene.tools().into_iter();
    tools.map(|tool| tool.name + input).collect()
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
