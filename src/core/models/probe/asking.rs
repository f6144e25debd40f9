//! Single questions to a server, and what its answers come to.

use serde_json::{Map, Value, json};

use super::finding::{Found, OptionCheck};
use crate::models::Failed;
use crate::models::openai::{Answer, Http, JOINED, NEWER_LIMIT, OMITTED, SYSTEM_OF_USER, SseEvent, events_of};
use crate::ports::ModelError;
use crate::text::visible;

/// The route of conversations.
pub(super) const CHAT: &str = "chat/completions";
/// The conversation that is probed with.
const SYSTEM: &str = "You are a helpful agent.";
const USER: &str = "Find the mug.";

/// A server under questions.
pub(super) struct Asking<'a> {
    pub(super) http: &'a Http,
    /// Lines of a model's table without which it refuses the shortest conversation.
    pub(super) needs: Vec<String>,
}

/// The reason why a question has no answer.
pub(super) enum Unanswered {
    /// The server does not accept the question.
    Refused(String),
    /// The route is not there, or something failed that has nothing to do with the question.
    Failed(String),
}

impl Unanswered {
    fn failed(failed: Failed) -> Self {
        Self::Failed(failed.error.to_string())
    }
}

impl From<Unanswered> for OptionCheck {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Refused(text) => Found::Refused.by(text),
            Unanswered::Failed(text) => Found::Unknown.by(text),
        }
    }
}

impl Asking<'_> {
    /// A body for `chat/completions` with these fields beside the usual ones.
    pub(super) fn chat(&self, fields: Value) -> Value {
        let messages = match self.needs(SYSTEM_OF_USER) {
            true => json!([{"role": "user", "content": format!("{SYSTEM}\n\n{USER}")}]),
            false => json!([{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]),
        };
        let mut body = self.body(json!({"messages": messages}), fields);
        if let Some(fields) = body.as_object_mut() {
            if self.needs(NEWER_LIMIT)
                && let Some(limit) = fields.remove("max_tokens")
            {
                fields.insert("max_completion_tokens".to_owned(), limit);
            }
            fields.retain(|field, _| !self.needs(field));
        }
        body
    }

    /// A conversation in which one speaker speaks twice.
    pub(super) fn twice(&self) -> Value {
        let said = json!({"role": "user", "content": USER});
        let mut body = self.chat(json!({"max_tokens": 1}));
        body["messages"] = json!([said, said]);
        body
    }

    fn needs(&self, line: &str) -> bool {
        self.needs.iter().any(|known| known == line)
    }

    /// Asks the shortest question until it is taken, each time as the server wants it.
    ///
    /// # Errors
    /// When nobody is there, or the key is refused.
    pub(super) async fn settle(&mut self) -> Result<(), ModelError> {
        loop {
            let body = self.chat(json!({"max_tokens": 1, "temperature": 0.5, "stop": ["#"]}));
            let refused = match self.try_chat(&body).await {
                Err(error @ (ModelError::Unreachable(_) | ModelError::Auth(_))) => return Err(error),
                Err(ModelError::BadRequest(text) | ModelError::Template(text)) => text,
                _ => break,
            };
            let line = [NEWER_LIMIT, SYSTEM_OF_USER].into_iter().find(|line| refused.contains(&format!("`{line}`")));
            let field = || OMITTED.into_iter().find(|field| refused.contains(&format!("`omit = [\"{field}\"]`")));
            match line.or_else(field) {
                Some(line) if !self.needs(line) => self.needs.push(line.to_owned()),
                _ => break,
            }
        }
        let refused = |text: &str| text.contains(&format!("`{JOINED}`"));
        if let Err(ModelError::BadRequest(text) | ModelError::Template(text)) = self.try_chat(&self.twice()).await
            && refused(&text)
        {
            self.needs.push(JOINED.to_owned());
        }
        Ok(())
    }

    /// A body for `completions`.
    pub(super) fn text(&self, fields: Value) -> Value {
        self.body(json!({"prompt": "go to the"}), fields)
    }

    fn body(&self, prompt: Value, fields: Value) -> Value {
        let model = json!({"model": self.http.settings.profile.model});
        let extra = Value::Object(self.http.settings.extra_body.0.clone());
        let mut body = Map::new();
        for part in [model, prompt, extra, fields] {
            if let Value::Object(part) = part {
                body.extend(part);
            }
        }
        Value::Object(body)
    }

    /// Asks on a route of the OpenAI interface.
    pub(super) async fn ask(&self, route: &str, body: &Value) -> Result<Value, Unanswered> {
        let url = self.http.address().versioned(route);
        self.answer(self.post_json(&url, body).await, &url)
    }

    /// Asks on a route of the server's own.
    pub(super) async fn ask_own(&self, route: &str, body: &Value) -> Result<Value, Unanswered> {
        let url = self.http.address().own(route);
        self.answer(self.post_json(&url, body).await, &url)
    }

    /// Asks for something that needs no question.
    pub(super) async fn get(&self, url: &str) -> Result<Value, Unanswered> {
        self.answer(self.http.get(url).await, url)
    }

    /// Asks for a stream; gives its events.
    pub(super) async fn stream(&self, body: &Value) -> Result<Streamed, Unanswered> {
        let url = self.http.address().versioned(CHAT);
        let answer = self.post_json(&url, body).await.map_err(Unanswered::failed)?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(&answer, &url));
        }
        let kind = answer.headers.get("content-type");
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let events = events_of([answer.body.as_ref()], answer.body.len() + 1);
        Ok(Streamed { is_stream: kind.starts_with("text/event-stream"), events: events.unwrap_or_default() })
    }

    /// Asks for a conversation's completion, whatever comes, or says what is wrong.
    pub(super) async fn try_chat(&self, body: &Value) -> Result<(), ModelError> {
        let url = self.http.address().versioned(CHAT);
        let answer = self.post_json(&url, body).await;
        answer.and_then(|answer| self.http.accepted(answer)).map(drop).map_err(|failed| failed.error)
    }

    async fn post_json(&self, url: &str, body: &Value) -> Result<Answer, Failed> {
        let body = body.to_string().into();
        self.http.counted(None).post_json(url, body).await
    }

    fn answer(&self, answer: Result<Answer, Failed>, url: &str) -> Result<Value, Unanswered> {
        let answer = answer.map_err(Unanswered::failed)?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(&answer, url));
        }
        match serde_json::from_slice::<Value>(&answer.body) {
            Ok(said) if said["error"].is_null() => Ok(said),
            Ok(_) => Err(Unanswered::failed(self.http.refused(&answer))),
            Err(_) => Err(Unanswered::Failed("the answer is no JSON".to_owned())),
        }
    }

    fn refused(&self, answer: &Answer, url: &str) -> Unanswered {
        let text = self.http.refused(answer).error.to_string();
        let about_model = answer.body.windows(5).any(|word| word.eq_ignore_ascii_case(b"model"));
        match answer.status {
            404 if !about_model => {
                let route = url.rsplit_once("/v1/").map_or(url, |(_, route)| route);
                let route = route.rsplit("://").next().unwrap_or(route);
                let route = route.split_once('/').map_or(route, |(_, route)| route);
                Unanswered::Failed(format!("the server has no `{route}`"))
            }
            400..=407 | 410..=422 => Unanswered::Refused(text),
            _ => Unanswered::Failed(text),
        }
    }
}

/// The finding that an error comes to.
pub(super) fn of_error(error: &ModelError) -> OptionCheck {
    let found = match error {
        ModelError::Unsupported(_) => Found::Ignored,
        ModelError::BadRequest(text) if text.to_lowercase().contains("not found") => Found::Unknown,
        ModelError::BadRequest(_) => Found::Refused,
        _ => Found::Unknown,
    };
    found.by(error.to_string())
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
        self.events.iter().filter_map(|event| serde_json::from_slice(&event.data).ok())
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

/// The first completion of an answer.
pub(super) fn first_choice(said: &Value) -> Result<&Value, OptionCheck> {
    let none = || Found::Unknown.by("the answer holds no completion");
    choices(said).first().ok_or_else(none)
}

/// A text of a model, short, for evidence.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 32;
    let short: String = text.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("`{}{dots}`", visible(&short))
}
