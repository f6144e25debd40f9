//! One question to a judge model.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::asking::answered;
use rolecall_core::domain::{ModelReply, Seed};
use rolecall_core::evaluation::labels::{Item, JudgePrompt, What, in_answer, names_in_object};
use rolecall_core::files::shipped;
use rolecall_core::ports::model::{Completion, Format, Prompt};
use rolecall_core::ports::{ModelClient, ModelError, ModelRequest};
use rolecall_core::prompts::prompt;

use rolecall_core::text::template::{Template, template_value};
use rolecall_core::text::{joined_by, one_line};
use rolecall_run::rating::{Asked, ItemChoice, label_names, question};

/// The most tokens of an answer for each label: one takes few, but some models think aloud.
const ANSWER_TOKENS: u32 = 256;
/// The names that a prompt can use.
const NAMES: &[&str] = &["labels", "fields", "question", "context", "said", "other_context", "other_said", "again"];

/// A model that labels.
pub(super) struct Judge {
    pub(super) model: Arc<dyn ModelClient>,
    template: Template,
    /// The sets of labels of which one each is asked for.
    parts: Vec<What>,
    what: What,
    question: String,
}

impl Judge {
    /// Prepares the prompt: the file, or the one that is shipped.
    pub(super) fn new(
        model: Arc<dyn ModelClient>,
        choice: &ItemChoice,
        own_prompt: Option<&Path>,
        own_question: Option<&str>,
    ) -> anyhow::Result<Self> {
        let what = &choice.what;
        let (name, text) = match (own_prompt, what) {
            (Some(file), _) => {
                let name = file.display().to_string();
                let text = fs::read_to_string(file).with_context(|| format!("the prompt `{name}` cannot be read"))?;
                (name, text)
            }
            (None, What::Categories) => shipped_prompt("categories")?,
            (None, What::Acts) => shipped_prompt("acts")?,
            (None, What::Scale { .. }) => shipped_prompt("scale")?,
            (None, What::Pair { .. }) => shipped_prompt("pairwise")?,
            (None, What::Question { question } | What::Field { question, .. }) => match question.prompt {
                JudgePrompt::Shipped(name) => shipped_prompt(name)?,
                JudgePrompt::Text(text) => (format!("of `{}`", question.name), text.to_owned()),
            },
        };
        let template = Template::compile(&name, &text, |name| NAMES.contains(&name));
        Ok(Self {
            model,
            template: template.map_err(|error| anyhow!("the prompt {error}"))?,
            parts: what.parts(),
            what: what.clone(),
            question: question(what, own_question, choice.kind),
        })
    }

    /// The parts of what is asked that are asked of an item.
    pub(super) fn asked(&self, item: &Item) -> Vec<What> {
        self.parts.iter().filter(|part| item.has_field(part.key())).cloned().collect()
    }

    /// The names of the labels that the model gives, one for each part that is asked. An answer that cannot be read
    /// is asked for once more; none if that cannot be read either. Of texts, what is there then is taken.
    pub(super) async fn labels(
        &self,
        id: &str,
        asked: &Asked,
        cancel: &CancellationToken,
    ) -> Result<Option<Vec<Option<String>>>, ModelError> {
        let (parts, turn) = (self.asked(&asked.item), &asked.turn);
        let most: Mutex<Vec<Option<String>>> = Mutex::default();
        let request = |attempt: u32| {
            let seed = Seed(0).labelled("judge", id, attempt).0;
            let completion = Completion {
                prompt: self.prompt(&parts, asked, attempt > 0)?,
                max_tokens: Some(ANSWER_TOKENS.saturating_mul(parts.len() as u32)),
                temperature: Some(0.0),
                format: self.format(&parts),
                seed: Some((seed & 0x7fff_ffff) as u32),
                ..Completion::default()
            };
            self.model.encode(&ModelRequest::Complete(completion))
        };
        let key = |attempt| format!("{}/judge-{}/{}/{attempt}/0", turn.0, self.what, turn.1);
        let read = |reply: ModelReply| {
            let text = reply.choices.first().map_or("", |choice| &choice.text);
            if !matches!(self.what, What::Question { .. } | What::Field { .. }) {
                let label = self.what.labels().into_iter().nth(in_answer(&self.what, text)?)?;
                return Some(vec![Some(label.name)]);
            }
            let found = names_in_object(&parts, text);
            if found.iter().all(Option::is_some) {
                return Some(found);
            }
            let mut most = most.lock().unwrap_or_else(PoisonError::into_inner);
            let given = |names: &[Option<String>]| names.iter().flatten().count();
            if given(&found) > given(&most) {
                *most = found;
            }
            None
        };
        let found = answered(&*self.model, cancel, key, request, read).await?;
        let most = most.into_inner().unwrap_or_else(PoisonError::into_inner);
        let takes_some = parts.iter().all(What::is_text) && !most.is_empty();
        Ok(found.or_else(|| takes_some.then_some(most)))
    }

    fn prompt(&self, parts: &[What], asked: &Asked, repeated: bool) -> Result<Prompt, ModelError> {
        let labels =
            self.what.labels().into_iter().map(|label| json!({"name": label.name, "criteria": label.criteria}));
        let (item, other) = (&asked.item, asked.against.as_ref().map(|(_, item)| item));
        // What both go on from is said once.
        let other_context = other.filter(|other| other.context != item.context || item.said.text.is_empty());
        let values = json!({
            "labels": labels.collect::<Vec<_>>(),
            "fields": fields(parts),
            "question": self.question,
            "context": context(item),
            "said": one_line(&item.said.text),
            "other_context": other_context.map(context),
            "other_said": other.map(|other| one_line(&other.said.text)),
            "again": repeated,
        });
        let filled = self.template.fill(&template_value(&values));
        let text = filled.map_err(|error| ModelError::Unsupported(format!("the prompt {error}")))?;
        Ok(prompt(text, self.model.profile().chat))
    }

    /// The labels and nothing else, where the server can be told so.
    fn format(&self, parts: &[What]) -> Format {
        if !self.model.profile().capabilities.json_schema {
            return Format::Text;
        }
        let property = |part: &What| match part {
            What::Field { field, .. } => field.answer.schema(),
            _ => json!({"type": "string", "enum": label_names(part)}),
        };
        let properties = parts.iter().map(|part| (part.key().to_owned(), property(part)));
        let schema = json!({
            "type": "object",
            "required": parts.iter().map(What::key).collect::<Vec<_>>(),
            "properties": properties.collect::<Map<_, _>>(),
            "additionalProperties": false,
        });
        Format::Json { name: "label", schema: Arc::new(schema) }
    }
}

/// The name and text of a prompt that the program ships.
fn shipped_prompt(name: &str) -> anyhow::Result<(String, String)> {
    let name = format!("judges/{name}.md");
    let bytes = shipped::read(&shipped::path("agents").join(&name))
        .with_context(|| format!("this program ships no prompt `agents/{name}`; give one by --prompt"))?;
    let text = String::from_utf8(bytes.to_vec()).with_context(|| format!("the prompt `{name}` is no text"))?;
    Ok((name, text))
}

/// The dialogue before an item, in lines.
fn context(item: &Item) -> String {
    let lines = item.context.iter();
    joined_by("\n", lines.map(|line| format!("{}: {}", line.speaker.label(), one_line(&line.text))))
}

/// The fields of an answer for a prompt; none where one label is asked for.
fn fields(parts: &[What]) -> Vec<Value> {
    let field = |part: &What| {
        let What::Field { field, .. } = part else {
            return None;
        };
        Some(json!({"name": field.name, "criteria": field.criteria, "labels": label_names(part)}))
    };
    parts.iter().filter_map(field).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;
    use rolecall_core::domain::{Choice, EpisodeId, Utterance};
    use rolecall_core::evaluation::labels::{ContextLine, ItemKind, JudgeAnswer, JudgeField, JudgeQuestion, Speaker};
    use rolecall_core::ports::model::{CallContext, CallTrace, EncodedRequest, ModelProfile, RequestHash};

    static QUESTION: JudgeQuestion = JudgeQuestion {
        name: "counter",
        text: "How was the guest served?",
        items: ItemKind::Dialogues,
        prompt: JudgePrompt::Shipped("question"),
        about: None,
        parts: None,
        fields: &[
            JudgeField {
                name: "kept_to",
                criteria: "Which wishes were kept to.",
                answer: JudgeAnswer::Words(&["none", "all"]),
            },
            JudgeField { name: "asked", criteria: "Whether the clerk asked.", answer: JudgeAnswer::Flag },
        ],
    };

    /// Answers from a list, the last answer first, and keeps what it was asked.
    struct Answers {
        profile: ModelProfile,
        answers: Mutex<Vec<&'static str>>,
        asked: Mutex<Vec<Completion>>,
    }

    #[async_trait]
    impl ModelClient for Answers {
        fn name(&self) -> &str {
            "answers"
        }

        fn profile(&self) -> &ModelProfile {
            &self.profile
        }

        fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
            if let ModelRequest::Complete(completion) = request {
                self.asked.lock().unwrap().push(completion.clone());
            }
            Ok(EncodedRequest {
                hash: RequestHash::of(&[]),
                endpoint: "answers",
                body: Vec::new().into(),
                choices: 1,
                estimated_tokens: 1,
            })
        }

        async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
            let text = self.answers.lock().unwrap().pop().unwrap_or_default();
            Ok(ModelReply {
                choices: vec![Choice { text: text.to_owned(), ..Choice::default() }],
                ..ModelReply::default()
            })
        }
    }

    #[tokio::test]
    async fn a_question_of_a_world_is_asked_for_in_json_and_read_field_by_field() {
        let mut profile = ModelProfile::default();
        profile.capabilities.json_schema = true;
        let model = Arc::new(Answers {
            profile,
            answers: Mutex::new(vec!["{'kept_to': 'all', 'asked': True}", "All of them."]),
            asked: Mutex::default(),
        });
        shipped::provide(&[("agents/judges/question.md", include_bytes!("../../../agents/judges/question.md"))]);
        let what = What::among("counter", &[&QUESTION]).unwrap();
        let choice = ItemChoice { what, kind: ItemKind::Dialogues, sample: None, seed: Seed(1) };
        let judge = Judge::new(Arc::clone(&model) as _, &choice, None, None).unwrap();
        let item = Item {
            seq: 0,
            said: Utterance::default(),
            context: vec![ContextLine { speaker: Speaker::Agent, text: "To Bern?".to_owned() }],
            fields: None,
        };
        let episode: EpisodeId = "main:0:0".parse().unwrap();
        let asked = Asked { turn: (episode, 0), item, against: None };
        let cancel = CancellationToken::new();
        let found = judge.labels("u1", &asked, &cancel).await;
        let names = |names: [&str; 2]| names.map(|name| Some(name.to_owned())).to_vec();
        assert_eq!(found.unwrap(), Some(names(["all", "true"])));
        let asked = model.asked.lock().unwrap();
        let shown = format!("{:?}", asked[1].prompt);
        for part in [
            "How was the guest served?",
            "`kept_to`: Which wishes were kept to. One of none, all.",
            "`asked`: Whether the clerk asked. One of true, false.",
            "Agent: To Bern?",
            "could not be read",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(asked.len() == 2 && !format!("{:?}", asked[0].prompt).contains("could not be read"));
        let Format::Json { schema, .. } = &asked[0].format else {
            panic!("{:?}", asked[0].format);
        };
        assert_eq!(schema["required"], json!(["kept_to", "asked"]));
        assert_eq!(schema["properties"]["asked"], json!({"type": "boolean"}));
    }
}
