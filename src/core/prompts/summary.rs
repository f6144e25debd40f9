//! Summaries that stand for the oldest turns of an episode.

use std::sync::Arc;

use super::messages::prompt;
use super::script::Script;
use crate::domain::{ModelCall, ModelReply};
use crate::ports::model::Completion;
use crate::ports::{ModelClient, ModelError, ModelRequest, SetupError, Turn};
use crate::text::template::{Template, TemplateError, TemplateValue, table};
use crate::text::{joined_by, one_line};

/// The prompt that asks for a summary.
const SUMMARY_PROMPT: &str = include_str!("summary.md");

/// The most tokens of a summary.
const SUMMARY_TOKENS: u32 = 300;

/// Who sums up.
#[derive(Clone)]
pub struct Summarising {
    /// The model.
    pub model: Arc<dyn ModelClient>,
    /// Its prompt.
    prompt: Template,
}

impl Summarising {
    /// Has the model sum up.
    pub fn new(model: Arc<dyn ModelClient>) -> Result<Self, SetupError> {
        let known = |name: &str| ["before", "transcript"].contains(&name);
        let prompt =
            Template::compile("summary.md", SUMMARY_PROMPT, known).map_err(|error| SetupError::at("context", error))?;
        Ok(Self { model, prompt })
    }
}

/// The text in place of the oldest turns.
pub(super) struct Summary {
    /// The summary.
    pub(super) text: String,
    /// The first turn that it does not speak of.
    pub(super) until: u32,
}

impl Summarising {
    /// Knows an older summary again by the request that brought it about.
    pub(super) fn recognise(
        &self,
        before: Option<&Summary>,
        script: &Script,
        keep: u32,
        call: &ModelCall,
    ) -> Option<Summary> {
        if call.model != self.model.name() {
            return None;
        }
        let (request, until) = self.request(before, script, keep).ok()??;
        let encoded = self.model.encode(&request).ok()?;
        let text = summary_text(&call.reply)?;
        (encoded.hash.to_string() == call.request).then_some(Summary { text, until })
    }

    /// Has the turns summed up that may be left out; none if there are none.
    pub(super) async fn sum_up(
        &self,
        before: Option<&Summary>,
        script: &Script,
        keep: u32,
        turn: &Turn,
    ) -> Result<Option<Summary>, ModelError> {
        let request = self.request(before, script, keep);
        let Some((request, until)) = request.map_err(|error| unfilled(&error))? else {
            return Ok(None);
        };
        let reply = turn.remember(&*self.model, request).await?;
        let text = summary_text(&reply).ok_or_else(|| ModelError::Malformed("an empty summary".to_owned()))?;
        Ok(Some(Summary { text, until }))
    }

    /// The request, and the first turn of which the summary will not speak.
    fn request(
        &self,
        before: Option<&Summary>,
        script: &Script,
        keep: u32,
    ) -> Result<Option<(ModelRequest, u32)>, TemplateError> {
        let from = before.map_or(0, |before| before.until);
        let until = script.turns().saturating_sub(keep);
        if until <= from {
            return Ok(None);
        }
        let entries = script.first_of(from)..script.first_of(until);
        let before = before.map_or("", |before| before.text.as_str());
        let transcript = TemplateValue::from(joined_by("\n", entries.map(|index| script.line_of(index))));
        let values = table([("before", before.into()), ("transcript", transcript)]);
        let parts = self.prompt.fill(&values)?;
        let request = ModelRequest::Complete(Completion {
            prompt: prompt(parts, self.model.profile().chat),
            max_tokens: Some(SUMMARY_TOKENS),
            temperature: Some(0.0),
            // The same in every turn, so that the call is known again.
            seed: Some(0),
            ..Completion::default()
        });
        Ok(Some((request, until)))
    }
}

/// The error of a turn whose prompt cannot be filled in.
pub(super) fn unfilled(error: &TemplateError) -> ModelError {
    ModelError::Unsupported(format!("the prompt {error}"))
}

fn summary_text(reply: &ModelReply) -> Option<String> {
    let text = one_line(&reply.choices.first()?.text);
    (!text.is_empty()).then(|| text.into_owned())
}
