//! Requests to models as turns make them, and those of calls in a log.

use std::sync::Mutex;

use serde_json::{Map, Value};

use super::locked;
use crate::config::hide;
use rolecall_core::domain::{ModelCall, Seat};
use rolecall_core::ports::model::{CallKey, EncodedRequest, ModelRequest, RequestHash};

/// A call of a model in a log, with the request that it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct RebuiltCall {
    /// The event of the call.
    pub seq: u32,
    /// Who called.
    pub seat: Seat,
    /// The call as the log has it, with the reply.
    pub call: ModelCall,
    /// The request, or why it cannot be had again.
    pub request: Result<SentRequest, NotRebuilt>,
    /// Whether the turn, played again with the recorded replies, ends as it does in the log. A turn that was not
    /// played again does not; one that ended in a fault need not.
    pub follows: bool,
}

impl RebuiltCall {
    /// Whether the request is the one that was sent: its hash is that of the log. One that is not is
    /// what the config as it is now would send.
    pub fn agrees(&self) -> bool {
        self.request.as_ref().is_ok_and(|request: &SentRequest| request.hash.to_string() == self.call.request)
    }
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct SentRequest {
    /// The model, as the config names it.
    pub model: String,
    /// The prompt, and what the role or user asked for besides.
    pub request: ModelRequest,
    /// Its hash ([`EncodedRequest::hash`]).
    pub hash: RequestHash,
    /// The endpoint in the client's own words.
    pub endpoint: &'static str,
    /// The other fields of what is sent (sampling, schema or tools, the model's own settings), without
    /// the prompt. What may be a secret of `extra_body` is left out of it.
    pub settings: Map<String, Value>,
}

/// The reason why a request cannot be had again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotRebuilt {
    /// Another cast made the call, before this episode branched off.
    #[error("the cast of the run `{run}` made the call, from which this episode goes on: look there")]
    Foreign {
        /// The name of that run.
        run: String,
    },
    /// The turn, played again, makes no such call.
    #[error("the turn, played again, does not make the call: {0}")]
    NotMade(String),
    /// The episode comes out otherwise before it.
    #[error("the episode, played again, differs from its log before the call: {0}")]
    Differs(String),
    /// The episode cannot be set up.
    #[error("the episode cannot be played again: {0}")]
    NotPlayed(String),
}

/// The requests that a turn makes, as they are made.
#[derive(Debug, Default)]
pub(crate) struct Requests(Mutex<Vec<(CallKey, SentRequest)>>);

impl Requests {
    /// Takes note of a request.
    pub(crate) fn add(&self, key: &CallKey, model: &str, request: &ModelRequest, encoded: &EncodedRequest) {
        let sent = SentRequest {
            model: model.to_owned(),
            request: request.clone(),
            hash: encoded.hash,
            endpoint: encoded.endpoint,
            settings: settings_of(&encoded.body),
        };
        locked(&self.0).push((key.clone(), sent));
    }

    /// Takes those that were made since the last time, in the order in which they were made.
    pub(crate) fn take(&self) -> Vec<(CallKey, SentRequest)> {
        std::mem::take(&mut *locked(&self.0))
    }

    /// The hash of a request that was made.
    pub(crate) fn hash(&self, key: &CallKey) -> Option<RequestHash> {
        locked(&self.0).iter().find(|(made, _)| made == key).map(|(_, sent)| sent.hash)
    }
}

/// Fields of a body besides the prompt.
fn settings_of(body: &[u8]) -> Map<String, Value> {
    /// Where bodies hold what a [`ModelRequest`] holds: prompts, and texts that are scored.
    const PROMPT: [&str; 3] = ["messages", "prompt", "candidates"];
    /// Fields that a request asks for itself: its texts are those of a world and no secrets.
    const ASKED: [&str; 5] = ["model", "response_format", "tools", "tool_choice", "stop"];
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(body) else {
        return Map::new();
    };
    fields.retain(|name, _| !PROMPT.contains(&name.as_str()));
    for (name, value) in fields.iter_mut().filter(|(name, _)| !ASKED.contains(&name.as_str())) {
        hide(name, value);
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_have_neither_prompt_nor_secrets() {
        let body = json!({
            "model": "m", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 5,
            "tools": [{"function": {"parameters": {"properties": {"api_key": {}}}}}],
            "guard": {"token": "s3cret", "list": [{"password": "s3cret"}]}, "api_key": "s3cret",
            "tenant": "s3cret", "stream": true,
        });
        let settings = Value::Object(settings_of(body.to_string().as_bytes()));
        assert!(!settings.to_string().contains("s3cret"), "{settings}");
        assert_eq!(settings["max_tokens"], 5);
        assert_eq!(settings["tools"], body["tools"]);
        assert_eq!((&settings["model"], &settings["stream"]), (&body["model"], &body["stream"]));
        assert!(settings.get("messages").is_none());
        assert!(settings_of(b"[1]").is_empty());
    }
}
