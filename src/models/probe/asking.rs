//! Single questions to a server, and what its answers come to.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::finding::Found;
use crate::models::openai::{Answer, Http, SseEvent, events_of};
use crate::ports::ModelError;
use crate::ports::model::ModelSettings;
use crate::text::visible;

/// The conversation that is probed with.
const SYSTEM: &str = "You are a helpful agent.";
const USER: &str = "Find the mug.";

/// A server under questions.
pub(super) struct Asking<'a> {
    pub(super) http: &'a Http,
    pub(super) settings: &'a ModelSettings,
}

/// What came of a question.
pub(super) enum Outcome {
    /// An answer without error.
    Said(Value),
    /// The server does not accept the question.
    Refused(String),
    /// The route is not there, or something failed that has nothing to do with the question.
    Failed(String),
}

impl Outcome {
    /// What is found if there is no answer.
    pub(super) fn without_answer(self) -> (Found, String) {
        match self {
            Self::Said(_) => (Found::Unknown, "it answers".to_owned()),
            Self::Refused(text) => (Found::Refused, text),
            Self::Failed(text) => (Found::Unknown, text),
        }
    }
}

impl Asking<'_> {
    /// A body for `chat/completions` with these fields beside the usual ones.
    pub(super) fn chat(&self, fields: Value) -> Value {
        let messages = json!([
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": USER},
        ]);
        self.body(json!({"messages": messages}), fields)
    }

    /// A body for `completions`.
    pub(super) fn text(&self, fields: Value) -> Value {
        self.body(json!({"prompt": "go to the"}), fields)
    }

    fn body(&self, prompt: Value, fields: Value) -> Value {
        let mut body = Map::new();
        body.insert(
            "model".to_owned(),
            self.settings.profile.model.clone().into(),
        );
        let extra = self.settings.extra_body.clone();
        let parts = [prompt, Value::Object(extra), fields];
        for part in parts {
            if let Value::Object(part) = part {
                body.extend(part);
            }
        }
        Value::Object(body)
    }

    /// Asks on a route of the OpenAI interface.
    pub(super) async fn ask(&self, route: &str, body: &Value) -> Outcome {
        let url = self.http.address().versioned(route);
        self.post_json(&url, body).await
    }

    /// Asks on a route of the server's own.
    pub(super) async fn ask_own(&self, route: &str, body: &Value) -> Outcome {
        let url = self.http.address().own(route);
        self.post_json(&url, body).await
    }

    /// Asks for something that needs no question.
    pub(super) async fn get(&self, url: &str) -> Outcome {
        match self.http.get(url).await {
            Ok(answer) => self.outcome(&answer, url),
            Err(failed) => Outcome::Failed(failed.error.to_string()),
        }
    }

    /// Asks for a stream; gives its events.
    pub(super) async fn stream(&self, route: &str, body: &Value) -> Result<Streamed, Outcome> {
        let url = self.http.address().versioned(route);
        let answer = self.http.post_json(&url, bytes(body), None).await;
        let answer = answer.map_err(|failed| Outcome::Failed(failed.error.to_string()))?;
        if !(200..300).contains(&answer.status) {
            return Err(self.outcome(&answer, &url));
        }
        let kind = answer.headers.get("content-type");
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let events = events_of([answer.body.as_ref()], answer.body.len() + 1);
        Ok(Streamed {
            is_stream: kind.starts_with("text/event-stream"),
            events: events.unwrap_or_default(),
        })
    }

    async fn post_json(&self, url: &str, body: &Value) -> Outcome {
        match self.http.post_json(url, bytes(body), None).await {
            Ok(answer) => self.outcome(&answer, url),
            Err(failed) => Outcome::Failed(failed.error.to_string()),
        }
    }

    fn outcome(&self, answer: &Answer, url: &str) -> Outcome {
        if (200..300).contains(&answer.status) {
            let said = serde_json::from_slice::<Value>(&answer.body);
            return match said {
                Ok(said) if said["error"].is_null() => Outcome::Said(said),
                Ok(_) => Outcome::Failed(self.http.refused(answer).error.to_string()),
                Err(_) => Outcome::Failed("the answer is no JSON".to_owned()),
            };
        }
        let text = self.http.refused(answer).error.to_string();
        let about_model = answer
            .body
            .windows(5)
            .any(|word| word.eq_ignore_ascii_case(b"model"));
        match answer.status {
            404 if !about_model => {
                let route = url.rsplit_once("/v1/").map_or(url, |(_, route)| route);
                let route = route.rsplit("://").next().unwrap_or(route);
                let route = route.split_once('/').map_or(route, |(_, route)| route);
                Outcome::Failed(format!("the server has no `{route}`"))
            }
            400..=407 | 410..=422 => Outcome::Refused(text),
            _ => Outcome::Failed(text),
        }
    }
}

/// What an error comes to.
pub(super) fn of_error(error: &ModelError) -> (Found, String) {
    let found = match error {
        ModelError::Unsupported(_) => Found::Ignored,
        ModelError::BadRequest(text) if text.to_lowercase().contains("not found") => Found::Unknown,
        ModelError::BadRequest(_) => Found::Refused,
        _ => Found::Unknown,
    };
    (found, error.to_string())
}

/// The events of a stream.
pub(super) struct Streamed {
    pub(super) is_stream: bool,
    events: Vec<SseEvent>,
}

impl Streamed {
    pub(super) fn ends(&self) -> bool {
        self.events.iter().any(|event| event.data == b"[DONE]")
    }

    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        let values = self.events.iter();
        values.filter_map(|event| serde_json::from_slice(&event.data).ok())
    }
}

/// The text of a completion.
pub(super) fn text_of(choice: &Value) -> &str {
    let message = choice.pointer("/message/content");
    let text = message.or_else(|| choice.get("text"));
    text.and_then(Value::as_str).unwrap_or_default()
}

/// The completions of an answer.
pub(super) fn choices(said: &Value) -> &[Value] {
    said["choices"].as_array().map_or(&[], Vec::as_slice)
}

/// A text of a model, short, for evidence.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 32;
    let short: String = text.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("`{}{dots}`", visible(&short))
}

fn bytes(body: &Value) -> Bytes {
    body.to_string().into()
}
