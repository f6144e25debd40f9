//! One question to a judge model.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::export::question;
use super::source::Place;
use crate::domain::Seed;
use crate::evaluation::labels::{Item, What, in_answer};
use crate::ports::model::{CallContext, CallTrace, Completion, Format, Prompt, Waiting};
use crate::ports::{ModelClient, ModelError, ModelRequest};
use crate::prompts::prompt;
use crate::text::template::{Template, template_value};

/// The most tokens of an answer: a label takes few, but some models think aloud.
const ANSWER_TOKENS: u32 = 256;
/// How often an item is asked about.
const ASKED: u32 = 2;
/// What a prompt can use.
const NAMES: &[&str] = &["labels", "question", "context", "said", "again"];

/// The shipped prompts.
const CATEGORIES: &str = include_str!("../../../agents/judges/categories.md");
const ACTS: &str = include_str!("../../../agents/judges/acts.md");
const SCALE: &str = include_str!("../../../agents/judges/scale.md");

/// A model that labels.
pub(super) struct Judge {
    pub(super) model: Arc<dyn ModelClient>,
    template: Template,
    what: What,
    question: String,
}

impl Judge {
    /// Prepares the prompt: the file, or the one that is shipped.
    pub(super) fn new(
        model: Arc<dyn ModelClient>,
        what: &What,
        (own, asked): (Option<&Path>, Option<&str>),
        thing: &str,
    ) -> anyhow::Result<Self> {
        let (name, text) = match (own, what) {
            (Some(file), _) => {
                let name = file.display().to_string();
                let text = fs::read_to_string(file);
                let text = text.with_context(|| format!("the prompt `{name}` cannot be read"))?;
                (name, text)
            }
            (None, What::Categories) => ("judges/categories.md".to_owned(), CATEGORIES.to_owned()),
            (None, What::Acts) => ("judges/acts.md".to_owned(), ACTS.to_owned()),
            (None, What::Scale { .. }) => ("judges/scale.md".to_owned(), SCALE.to_owned()),
        };
        let template = Template::compile(&name, &text, |name| NAMES.contains(&name));
        Ok(Self {
            model,
            template: template.map_err(|error| anyhow!("the prompt {error}"))?,
            what: what.clone(),
            question: question(what, asked, thing),
        })
    }

    /// The place of the label that the model gives. An answer that cannot be read is asked for once more;
    /// none if that cannot be read either.
    pub(super) async fn label(
        &self,
        (id, place): (&str, &Place),
        item: &Item,
        cancel: &CancellationToken,
    ) -> Result<Option<usize>, ModelError> {
        for attempt in 0..ASKED {
            let seed = Seed(0).labelled("judge", id, attempt).0;
            let completion = Completion {
                prompt: self.prompt(item, attempt > 0)?,
                max_tokens: Some(ANSWER_TOKENS),
                temperature: Some(0.0),
                format: self.format(),
                seed: Some((seed & 0x7fff_ffff) as u32),
                ..Completion::default()
            };
            let request = self.model.encode(&ModelRequest::Complete(completion))?;
            let context = CallContext {
                key: format!("{}/judge-{}/{}/{attempt}/0", place.0, self.what, place.1),
                run: Arc::default(),
                occurrence: 0,
                cancel: cancel.clone(),
                waiting: Waiting::default(),
            };
            let mut trace = CallTrace::default();
            let reply = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(ModelError::Cancelled),
                reply = self.model.send(&request, &context, &mut trace) => reply,
            };
            let reply = reply?;
            let text = reply.choices.first().map_or("", |choice| &choice.text);
            if let Some(found) = in_answer(&self.what, text) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn prompt(&self, item: &Item, again: bool) -> Result<Prompt, ModelError> {
        let labels = self.what.labels().into_iter();
        let labels = labels.map(|label| json!({"name": label.name, "criteria": label.criteria}));
        let lines = item.context.iter();
        let lines = lines.map(|line| format!("{}: {}", line.speaker.label(), line.text));
        let values = json!({
            "labels": labels.collect::<Vec<_>>(),
            "question": self.question,
            "context": lines.collect::<Vec<_>>().join("\n"),
            "said": item.said.text,
            "again": again,
        });
        let parts = self.template.fill(&template_value(&values));
        let parts =
            parts.map_err(|error| ModelError::Unsupported(format!("the prompt {error}")))?;
        Ok(prompt(parts, self.model.profile().chat))
    }

    /// One of the labels and nothing else, where the server can be told so.
    fn format(&self) -> Format {
        if !self.model.profile().capabilities.json_schema {
            return Format::Text;
        }
        let labels = self.what.labels().into_iter().map(|label| label.name);
        let schema = json!({
            "type": "object",
            "required": ["label"],
            "properties": {"label": {"type": "string", "enum": labels.collect::<Vec<_>>()}},
            "additionalProperties": false,
        });
        Format::Json {
            name: "label",
            schema: Arc::new(schema),
        }
    }
}
