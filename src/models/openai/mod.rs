//! Any server that speaks the OpenAI interface: chat completions and completions, plain and
//! streamed, scoring in the two ways that such servers allow, and vectors of texts.

mod address;
mod body;
mod clean;
mod embed;
mod exchange;
mod failure;
mod http;
mod json;
mod reply;
mod score;
mod sse;
mod wait;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;

pub(crate) use http::{Answer, Http};
pub use sse::{EventTooLarge, SseEvent, SseParser, events_of};

use crate::models::{Attempt, Failed, Transport};
use crate::ports::model::{Embedding, EncodedRequest, ModelProfile, ModelRequest, ModelSettings};
use crate::ports::{ModelError, SetupError};

/// A transport to the server of these settings. Fails if its address or a header cannot be used.
pub fn transport(settings: &ModelSettings) -> Result<Arc<dyn Transport>, SetupError> {
    Ok(Arc::new(OpenAi {
        http: Http::new(settings)?,
        settings: settings.clone(),
    }))
}

/// A server with the OpenAI interface.
struct OpenAi {
    http: Http,
    settings: ModelSettings,
}

#[async_trait]
impl Transport for OpenAi {
    fn profile(&self) -> &ModelProfile {
        &self.settings.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        match request {
            ModelRequest::Complete(completion) => body::completion(&self.settings, completion),
            ModelRequest::Score(scoring) => body::scoring(&self.settings, scoring),
        }
    }

    fn encode_embedding(&self, request: &Embedding) -> Result<EncodedRequest, ModelError> {
        body::embedding(&self.settings, request)
    }

    async fn attempt(&self, request: &EncodedRequest, key: &str) -> Result<Attempt, Failed> {
        if let Some(variable) = &self.settings.missing_key {
            let text = format!(
                "the variable `{variable}`, which is to hold the key or a header, is not set"
            );
            return Err(Failed {
                requests: 0,
                ..failure::lost(ModelError::Auth(text), None)
            });
        }
        match request.endpoint {
            // Boxed: completions, of which many wait at once, need not have room for them.
            body::SCORE_ECHO => {
                Box::pin(score::by_echo(&self.http, &self.settings, &request.body)).await
            }
            body::SCORE_TOKENS => {
                Box::pin(score::by_tokens(&self.http, &self.settings, &request.body)).await
            }
            body::EMBEDDINGS => {
                Box::pin(embed::whole_texts(&self.http, &self.settings, request, key)).await
            }
            body::TOKEN_EMBEDDINGS => {
                Box::pin(embed::each_token(&self.http, &self.settings, request)).await
            }
            _ => exchange::complete(&self.http, &self.settings, request, key).await,
        }
    }
}
