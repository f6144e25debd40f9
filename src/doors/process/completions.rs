//! Models that are asked from within another process.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::client::Client;
use super::errors::OWN_ERROR;
use crate::wire::{Id, Pending, RpcError};
use rolecall_core::domain::ModelReply;
use rolecall_core::ports::model::{ChatMessage, Completion, Prompt};
use rolecall_core::ports::{ModelError, ModelRequest, RoleError, Turn};
use rolecall_core::text::{joined, visible};

/// A request for a completion, as it comes over the wire.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Asked {
    model: String,
    messages: Option<Vec<ChatMessage>>,
    prompt: Option<String>,
    n: Option<u32>,
    max_tokens: Option<u32>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    #[serde(default)]
    stop: Vec<String>,
    #[serde(default)]
    logprobs: bool,
}

/// The models that were asked within one turn. A program that died and asks the same again gets the same
/// replies: the log has them already.
#[derive(Default)]
pub(super) struct Completions {
    replies: Vec<(Asked, ModelReply)>,
    next: usize,
}

impl Completions {
    /// The turn is asked again.
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }

    /// Answers a request within a call.
    pub(super) async fn answer(
        &mut self,
        client: &Client,
        turn: &Turn,
        pending: &Pending,
        id: &Id,
        params: Option<&RawValue>,
    ) {
        pending.answer(id, self.reply(client, turn, params).await.as_ref());
    }

    async fn reply(&mut self, client: &Client, turn: &Turn, params: Option<&RawValue>) -> Result<ModelReply, RpcError> {
        let asked: Asked = serde_json::from_str(params.map_or("null", RawValue::get))
            .map_err(|error| RpcError::bad_params(error.to_string()))?;
        let place = self.next;
        self.next += 1;
        if let Some((before, reply)) = self.replies.get(place)
            && *before == asked
        {
            return Ok(reply.clone());
        }
        let allowed = client.allowed.contains(&asked.model);
        let Some(model) = client.models.get(&asked.model).filter(|_| allowed).or_else(|| client.stand_in.clone())
        else {
            let name = visible(&asked.model);
            let may = match client.allowed.as_slice() {
                [] => "it may ask none".to_owned(),
                some => format!("it may ask {}", joined(some)),
            };
            return Err(RpcError::bad_params(format!("the model `{name}` may not be asked here; {may}")));
        };
        let prompt = match (asked.messages.clone(), asked.prompt.clone()) {
            (Some(messages), None) => Prompt::Chat(messages),
            (None, Some(text)) => Prompt::Text(text),
            _ => return Err(RpcError::bad_params("write one of `messages` and `prompt`")),
        };
        let request = ModelRequest::Complete(Completion {
            prompt,
            n: asked.n,
            max_tokens: asked.max_tokens,
            temperature: asked.temperature,
            top_p: asked.top_p,
            stop: asked.stop.clone(),
            logprobs: asked.logprobs,
            ..Completion::default()
        });
        let reply = turn.complete(&*model, request).await.map_err(refusal)?;
        self.replies.truncate(place);
        self.replies.push((asked, reply.clone()));
        Ok(reply)
    }
}

fn refusal(error: ModelError) -> RpcError {
    let message = error.to_string();
    let kind = match RoleError::from(error) {
        RoleError::Unusable(_) => "unusable",
        RoleError::ContextFull(_) => "context_full",
        RoleError::Refused(_) => "refused",
        RoleError::Unavailable(_) => "unavailable",
        _ => "failed",
    };
    RpcError { data: json!({ "kind": kind }), ..RpcError::new(OWN_ERROR, message) }
}
