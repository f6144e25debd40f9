//! Any server that speaks the OpenAI interface: chat completions and completions, plain and
//! streamed, scoring in the two ways that such servers allow, vectors of texts, and their relevance.

mod address;
mod body;
mod clean;
mod direct;
mod embed;
mod exchange;
mod failure;
mod http;
mod json;
mod reply;
mod score;
mod served;
mod squeeze;
mod sse;
mod wait;
mod way;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;

pub use address::shown_address;
pub(crate) use failure::{JOINED, NEWER_LIMIT, OMITTED, SYSTEM_OF_USER};
pub(crate) use http::{Answer, Http};
pub use sse::{EventTooLarge, SseEvent, SseParser, events_of};

use crate::models::{Attempt, Failed, FirstByte, ServedModel, Transport};
use crate::ports::model::{Embedding, EncodedRequest, ModelProfile, ModelRequest, ModelSettings, Ranking};
use crate::ports::{ModelError, SetupError};

/// Digits of a request's hash that its idempotency key has.
const KEY_DIGITS: usize = 16;

/// A transport to the server of these settings. Fails if its address or a header cannot be used.
pub fn transport(settings: &ModelSettings) -> Result<Arc<dyn Transport>, SetupError> {
    Ok(Arc::new(OpenAi(Http::new(settings)?)))
}

/// A server with the OpenAI interface.
struct OpenAi(Http);

#[async_trait]
impl Transport for OpenAi {
    fn profile(&self) -> &ModelProfile {
        &self.0.settings.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        match request {
            ModelRequest::Complete(completion) => body::completion(&self.0.settings, completion),
            ModelRequest::Score(scoring) => body::scoring(&self.0.settings, scoring),
        }
    }

    fn encode_embedding(&self, request: &Embedding) -> Result<EncodedRequest, ModelError> {
        body::embedding(&self.0.settings, request)
    }

    fn encode_ranking(&self, request: &Ranking) -> Result<EncodedRequest, ModelError> {
        body::ranking(&self.0.settings, request)
    }

    async fn attempt(
        &self,
        request: &EncodedRequest,
        key: &str,
        run: &str,
        first_byte: &FirstByte<'_>,
    ) -> Result<Attempt, Failed> {
        if let Some(variable) = &self.0.settings.missing_key {
            return Err(failure::lost(no_key(variable), None));
        }
        let key = &*idempotency_key(request, key, run);
        let is_several = matches!(request.endpoint, body::SCORE_ECHO | body::SCORE_TOKENS | body::TOKEN_EMBEDDINGS);
        // Only an answer in words has a beginning; other requests end, or not.
        if !matches!(request.endpoint, body::CHAT | body::COMPLETIONS) {
            first_byte.came();
        }
        let http = &mut self.0.counted((!is_several).then_some(key));
        let attempt = match request.endpoint {
            // Boxed: completions, of which many wait at once, need not have room for them.
            body::SCORE_ECHO => Box::pin(score::by_echo(http, &request.body)).await,
            body::SCORE_TOKENS => Box::pin(score::by_tokens(http, &request.body)).await,
            body::EMBEDDINGS => Box::pin(embed::whole_texts(http, request)).await,
            body::TOKEN_EMBEDDINGS => Box::pin(embed::each_token(http, request)).await,
            body::RERANK => Box::pin(embed::by_relevance(http, request)).await,
            _ => exchange::complete(http, request, first_byte).await,
        };
        let requests = http.requests;
        match attempt {
            Ok(attempt) => Ok(Attempt { requests, ..attempt }),
            Err(failed) => Err(Failed { requests, ..failed }),
        }
    }

    async fn served(&self) -> Result<Option<ServedModel>, Failed> {
        served::served(&self.0).await
    }

    fn bound_answers(&self, bytes: usize) {
        self.0.bound_answers(bytes);
    }
}

/// The error of a call without the key that the config names.
pub(crate) fn no_key(variable: &str) -> ModelError {
    ModelError::Auth(format!("the variable `{variable}`, which is to hold the key or a header, is not set"))
}

/// The header's value for servers that know idempotency keys: the run, the request, the call in
/// the run. A server gives the reply of before to whoever repeats a key, or refuses another body under
/// it: so no other run has the same keys, and neither has the same call with another request (its
/// prompt was changed, say). Whoever sends a request again has the same key, also after a resume.
fn idempotency_key(request: &EncodedRequest, key: &str, run: &str) -> String {
    let hash = request.hash.to_string();
    let hash = hash.get(..KEY_DIGITS).unwrap_or(&hash);
    match run {
        "" => format!("{hash}/{key}"),
        run => format!("{run}-{hash}/{key}"),
    }
}
