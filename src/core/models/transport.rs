//! One attempt at a request: what a provider implements. Retries, limits and the cache are built
//! around it (`retrying_client`, `cache`).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::call::Wait;
use crate::domain::{ModelReply, Usage};
use crate::ports::ModelError;
use crate::ports::model::{
    Embedding, EncodedRequest, ModelProfile, ModelRequest, Ranking, RetryReason, Waiting, no_embeddings, no_ranking,
};

/// Writes requests down and sends them, once each.
#[async_trait]
pub trait Transport: Send + Sync {
    /// The model's profile.
    fn profile(&self) -> &ModelProfile;

    /// See [`ModelClient::encode`](crate::ports::ModelClient::encode).
    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError>;

    /// See [`ModelClient::encode_embedding`](crate::ports::ModelClient::encode_embedding).
    fn encode_embedding(&self, _request: &Embedding) -> Result<EncodedRequest, ModelError> {
        Err(no_embeddings(&self.profile().name))
    }

    /// See [`ModelClient::encode_ranking`](crate::ports::ModelClient::encode_ranking).
    fn encode_ranking(&self, _request: &Ranking) -> Result<EncodedRequest, ModelError> {
        Err(no_ranking(&self.profile().name))
    }

    /// Sends the request once. `key` names the call in its run, and `run` the run among all others
    /// (empty outside a run). Servers that know idempotency keys are told both; no reply may depend
    /// on `run`. `first_byte` is told when an answer begins.
    async fn attempt(
        &self,
        request: &EncodedRequest,
        key: &str,
        run: &str,
        first_byte: &FirstByte<'_>,
    ) -> Result<Attempt, Failed>;

    /// The model that answers now, as its server names it; none where the server tells too little to know it
    /// again.
    async fn served(&self) -> Result<Option<ServedModel>, Failed> {
        Ok(Some(ServedModel::default()))
    }

    /// See [`ModelClient::bound_answers`](crate::ports::ModelClient::bound_answers).
    fn bound_answers(&self, _bytes: usize) {}
}

/// The model behind an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedModel {
    /// Name that its server gives it.
    pub name: String,
    /// Hash of all that its server tells of it and that does not change while it is the same.
    pub fingerprint: String,
}

/// The wait for an answer to begin, which is no time of the turn: the server may read a long prompt, or other ones.
#[derive(Debug, Default)]
pub struct FirstByte<'a>(Mutex<Option<Wait<'a>>>);

impl<'a> FirstByte<'a> {
    /// A wait that begins.
    pub(crate) fn wait(waiting: &'a Waiting) -> Self {
        Self(Mutex::new(Some(Wait::begin(waiting))))
    }

    /// Ends the wait.
    pub fn came(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// A reply as it came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// The reply.
    pub reply: ModelReply,
    /// HTTP requests that it took; scoring token by token takes many.
    pub requests: u32,
    /// Tokens of the prompt that the server had in its own cache.
    pub cached_tokens: u64,
}

impl Attempt {
    /// A reply of which nothing else is known.
    pub(crate) fn of(reply: ModelReply) -> Self {
        Self { reply, ..Self::default() }
    }
}

/// The value of the card or of the model's table, whichever comes first.
pub(crate) fn first<T>(card: Option<T>, table: Option<T>, cards_first: bool) -> Option<T> {
    if cards_first { card.or(table) } else { table.or(card) }
}

/// The tokens of a call whose server does not tell them.
pub(crate) fn estimated(profile: &ModelProfile, prompt: usize, reply: &ModelReply) -> Usage {
    let generated = reply.choices.iter().map(|choice| {
        let calls = choice.tool_calls.iter().map(|call| call.name.len() + call.arguments.to_string().len());
        choice.text.len() + calls.sum::<usize>()
    });
    Usage {
        prompt: profile.tokens(prompt),
        completion: profile.tokens(generated.sum()),
        estimated: true,
        ..Usage::default()
    }
}

impl Failed {
    /// Whether the server may have read the prompt, and no answer came that can be used.
    pub(crate) fn is_cut(&self) -> bool {
        self.answered || matches!(self.retry, Some(RetryReason::Timeout | RetryReason::Cut))
    }
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The error.
    pub error: ModelError,
    /// The reason why sending it again may help; none if it is pointless.
    pub retry: Option<RetryReason>,
    /// The wait that the server asks for.
    pub after: Option<Duration>,
    /// The failure shows that something answers at the address: it is busy, slow, or not ready yet.
    pub is_there: bool,
    /// HTTP requests that it took.
    pub requests: u32,
    /// A model wrote an answer, which cannot be used: it is paid all the same.
    pub answered: bool,
}
