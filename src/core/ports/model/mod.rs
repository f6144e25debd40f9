//! Models: whatever completes or scores a text for a role or a user.

mod book;
mod calls;
mod error;
mod extra_body;
mod off_thread;
mod request;
mod settings;

use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

pub use book::{CacheUse, CallBook, CallKey, CallTrace, NoBook, RetryReason, Waiting, WaitingGuard};
pub use calls::Calls;
pub use error::ModelError;
pub use extra_body::{ExtraBody, is_known_field};
pub use request::{
    CalledFunction, CalledTool, ChatMessage, ChatRole, Completion, Embedding, EncodedRequest, Format, InvalidHash,
    ModelRequest, Prompt, Ranking, RequestHash, Scoring, ToolSpec, no_embeddings, no_ranking,
};
pub use settings::{
    CacheMode, CacheSettings, Capabilities, DEFAULT_PROVIDER, Endpoint, ModelLimits, ModelProfile, ModelSettings,
    Prices, Reasoning, RetrySettings, Sampling, ScoringMethod, Secret, SystemPlace, Timeouts,
};

use crate::domain::{ModelReply, TextVectors};

/// A model behind whatever it takes to reach it: limits, retries, a cache.
#[async_trait]
pub trait ModelClient: Send + Sync {
    /// The name that the config gives it.
    fn name(&self) -> &str {
        &self.profile().name
    }

    /// Its profile.
    fn profile(&self) -> &ModelProfile;

    /// Writes the request down as it will be sent. A pure function: equal requests have equal
    /// hashes, on every machine.
    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError>;

    /// Writes a request for vectors down, as [`encode`](Self::encode) does.
    ///
    /// # Errors
    /// [`ModelError::Unsupported`] if it makes none, which is so unless it says otherwise.
    fn encode_embedding(&self, _request: &Embedding) -> Result<EncodedRequest, ModelError> {
        Err(no_embeddings(self.name()))
    }

    /// Writes a request for the relevance of texts to a query down, as [`encode`](Self::encode) does. Its
    /// reply has a figure for each of the texts.
    ///
    /// # Errors
    /// [`ModelError::Unsupported`] if it ranks none, which is so unless it says otherwise.
    fn encode_ranking(&self, _request: &Ranking) -> Result<EncodedRequest, ModelError> {
        Err(no_ranking(self.name()))
    }

    /// Asks for vectors of texts, in the order of the texts. Nothing of it is recorded: whoever asks
    /// again, as an environment does that is played again, may get a server's answer of today, or the
    /// one that the cache holds. What happened on the way goes into the trace.
    ///
    /// # Errors
    /// As [`send`](Self::send); [`ModelError::Malformed`] if a text has no vector.
    async fn embed(
        &self,
        request: &Embedding,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<Vec<TextVectors>, ModelError> {
        let encoded = self.encode_embedding(request)?;
        let vectors = self.send(&encoded, context, trace).await?.vectors;
        if vectors.len() != request.texts.len() || vectors.iter().any(|text| text.vectors.is_empty()) {
            let (came, asked) = (vectors.len(), request.texts.len());
            let text = format!("vectors of {came} texts came, of {asked} were wanted");
            return Err(ModelError::Malformed(text));
        }
        Ok(vectors)
    }

    /// Sends the request, as often as its settings allow. What happened on the way goes into the
    /// trace, also if it fails.
    async fn send(
        &self,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError>;

    /// Whether it tells equal requests of an episode apart ([`CallContext::occurrence`]). To count
    /// them takes memory for every call.
    fn counts_requests(&self) -> bool {
        false
    }

    /// How it stands; asked several times a second.
    fn health(&self) -> ModelHealth {
        ModelHealth::Working
    }

    /// Is told, before it is asked for anything, what earlier processes of the run had from it. Nothing
    /// needs to remember it.
    fn earlier(&self, _calls: &EarlierCalls) {}

    /// Is told, now and then, that other processes play the same run, and takes its part of the limits on requests
    /// and tokens per minute and on money. Returns what this process may have spent by the next time, where that
    /// is limited.
    fn share(&self, _share: &ModelShare) -> Option<f64> {
        None
    }

    /// The money spent in the run, by the prices of the config; hits of the cache are free.
    fn spent(&self) -> f64 {
        0.0
    }

    /// Is told that nobody keeps more than so many bytes of a completion (`limits.answer_bytes`): what
    /// goes on beyond need not be read.
    fn bound_answers(&self, _bytes: usize) {}

    /// Activity of the model, for those who watch; asked several times a second.
    fn activity(&self) -> ModelActivity {
        ModelActivity::default()
    }
}

/// Calls of a model by earlier processes of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EarlierCalls {
    /// Money they cost, in the currency of the prices; rather more than less where it is not known.
    pub paid: f64,
    /// Its server answered one of them.
    pub answered: bool,
}

/// Share of a model's limits that one of several processes of a run may use: its part of the rates, and of the
/// money that is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelShare {
    /// Processes that play now, this one included; 1 at least.
    pub workers: u32,
    /// Money that all others spent, as far as is known.
    pub spent_elsewhere: f64,
    /// Money that they may have spent before they take another part: no less than that.
    pub reserved_elsewhere: f64,
}

/// Activity of a model since this process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelActivity {
    /// Requests that are on their way.
    pub in_flight: u32,
    /// Replies that came; those of the cache do not count.
    pub replies: u64,
    /// Their tokens, of prompts and answers.
    pub tokens: u64,
    /// Requests that were sent again.
    pub retries: u64,
}

/// The context of a call, besides the request.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// Names the call in the run: the same after a resume, so that a server may know it again, and
    /// in every other run of the same config.
    pub key: String,
    /// Names the run among all others ([`CallBook::run`]); empty outside a run. For the transport
    /// only: no reply, no log and no cache may depend on it.
    pub run: Arc<str>,
    /// How many equal requests the seat made before in the episode; 0 if the model
    /// [needs not know](ModelClient::counts_requests).
    pub occurrence: u32,
    /// Struck when the reply is no longer wanted.
    pub cancel: CancellationToken,
    /// Told while the call waits for its place.
    pub waiting: Waiting,
}

impl CallContext {
    /// The episode that the key begins with.
    pub fn episode(&self) -> &str {
        self.key.split('/').next().unwrap_or_default()
    }
}

/// How a model stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelHealth {
    /// As far as is known, it answers.
    #[default]
    Working,
    /// It does not answer: calls wait until it does. The text says what is wrong.
    Paused(String),
    /// It will not answer without somebody's help (a refused key, a cost limit that is reached):
    /// the run is to end. The text says what is wrong and what to do.
    Lost(String),
}

/// The models of a run, by the names that the config gives them.
#[derive(Clone, Default)]
pub struct Models(std::collections::BTreeMap<String, Arc<dyn ModelClient>>);

impl Models {
    /// The model of that name.
    pub fn get(&self, name: &str) -> Option<Arc<dyn ModelClient>> {
        self.0.get(name).cloned()
    }

    /// Adds a model under its name, in place of one that has it.
    pub fn add(&mut self, model: Arc<dyn ModelClient>) {
        self.0.insert(model.name().to_owned(), model);
    }

    /// All models, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn ModelClient>> {
        self.0.values()
    }
}

impl std::fmt::Debug for Models {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
