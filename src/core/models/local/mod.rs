//! A model inside the program: a checkpoint from a folder, no server, no key. Calls that wait at the same time are
//! computed together; each reply is a function of its own request alone.

mod desk;
mod sampler;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use self::desk::Desk;
use super::transport::{Attempt, Failed, FirstByte, Transport, first};
use crate::files::shipped;
use crate::ports::model::{
    Capabilities, EncodedRequest, Format, ModelProfile, ModelRequest, ModelSettings, Prompt, RequestHash, Sampling,
    ScoringMethod,
};
use crate::ports::{ModelError, SetupError};
use crate::transformer::Checkpoint;

/// The folder of the checkpoint that comes with the program, below the shipped files.
const SHIPPED: &str = "agents/local";
/// The endpoint of all requests.
const ENDPOINT: &str = "local";
/// The most tokens of an answer where nothing says how many.
const ANSWER_TOKENS: u32 = 100;

/// A request as it is handed to the model.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Body {
    /// Hash of the checkpoint: another one answers otherwise.
    checkpoint: String,
    prompt: String,
    #[serde(flatten)]
    wanted: Wanted,
}

/// Task of a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    /// How likely each of these texts follows.
    Score(Vec<String>),
    /// Texts that follow.
    Write(Writing),
}

/// How a text is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Writing {
    /// How many texts.
    n: u32,
    /// The most tokens of each.
    max_tokens: u32,
    /// 0 for the likeliest tokens.
    temperature: f64,
    /// The share of probability that tokens are drawn from.
    top_p: f64,
    /// Texts at which an answer ends.
    stop: Vec<String>,
    /// Decides what is drawn.
    seed: u32,
    /// The tokens' log-probabilities are wanted.
    logprobs: bool,
}

struct Local {
    checkpoint: Arc<Checkpoint>,
    desk: Desk,
    profile: ModelProfile,
    sampling: Sampling,
    cards_first: bool,
}

/// Reads the checkpoint, once per run.
pub(super) fn transport(settings: &ModelSettings) -> Result<Arc<dyn Transport>, SetupError> {
    let folder: PathBuf = match &settings.checkpoint {
        Some(folder) => folder.clone(),
        None => shipped::path(SHIPPED),
    };
    let checkpoint = read(&folder)?;
    let profile = ModelProfile {
        capabilities: Capabilities {
            logprobs: true,
            several: true,
            scoring: Some(ScoringMethod::EchoLogprobs),
            ..settings.profile.capabilities
        },
        chat: false,
        ..settings.profile.clone()
    };
    Ok(Arc::new(Local {
        desk: Desk::new(Arc::clone(&checkpoint)),
        checkpoint,
        profile,
        sampling: settings.sampling.clone(),
        cards_first: settings.cards_first,
    }))
}

fn read(folder: &Path) -> Result<Arc<Checkpoint>, SetupError> {
    let checkpoint = Checkpoint::read(folder);
    checkpoint.map(Arc::new).map_err(|error| SetupError::at("checkpoint", error.to_string()))
}

impl Local {
    fn body(&self, request: &ModelRequest) -> Result<(Body, u32), ModelError> {
        let unsupported = |what: &str| ModelError::Unsupported(what.to_owned());
        let prompt = match request {
            ModelRequest::Complete(asked) => &asked.prompt,
            ModelRequest::Score(asked) => &asked.prompt,
        };
        let Prompt::Text(prompt) = prompt else {
            return Err(unsupported("a local model goes on from texts, not from conversations"));
        };
        let (wanted, choices) = match request {
            ModelRequest::Score(asked) => (Wanted::Score(asked.candidates.clone()), 0),
            ModelRequest::Complete(asked) => {
                if asked.format != Format::Text {
                    return Err(unsupported(
                        "a local model writes free text, no JSON by a schema and no calls of tools: set \
                         `moves = \"text\"`",
                    ));
                }
                let (usual, cards) = (&self.sampling, self.cards_first);
                let mut stop = usual.stop.clone();
                stop.extend(asked.stop.iter().filter(|stop| !usual.stop.contains(stop)).cloned());
                let writing = Writing {
                    n: asked.n.unwrap_or(1).max(1),
                    max_tokens: first(asked.max_tokens, usual.max_tokens, cards).unwrap_or(ANSWER_TOKENS),
                    temperature: first(asked.temperature, usual.temperature, cards).unwrap_or(0.0),
                    top_p: first(asked.top_p, usual.top_p, cards).unwrap_or(1.0),
                    stop,
                    seed: asked.seed.unwrap_or(0),
                    logprobs: asked.logprobs,
                };
                let choices = writing.n;
                (Wanted::Write(writing), choices)
            }
        };
        let body = Body { checkpoint: self.checkpoint.digest.clone(), prompt: prompt.clone(), wanted };
        Ok((body, choices))
    }
}

#[async_trait]
impl Transport for Local {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let (body, choices) = self.body(request)?;
        let answer = match &body.wanted {
            Wanted::Score(_) => 0,
            Wanted::Write(writing) => u64::from(writing.max_tokens),
        };
        let tokens = self.profile.tokens(body.prompt.len());
        let body = serde_json::to_vec(&body).map_err(|error| ModelError::BadRequest(error.to_string()))?;
        Ok(EncodedRequest {
            hash: RequestHash::of(&[ENDPOINT.as_bytes(), &body]),
            endpoint: ENDPOINT,
            body: body.into(),
            choices,
            estimated_tokens: tokens + answer,
        })
    }

    async fn attempt(
        &self,
        request: &EncodedRequest,
        _: &str,
        _: &str,
        first_byte: &FirstByte<'_>,
    ) -> Result<Attempt, Failed> {
        first_byte.came();
        let failed = |error| Failed { error, retry: None, after: None, is_there: true, requests: 1, answered: false };
        let body: Body =
            serde_json::from_slice(&request.body).map_err(|error| failed(ModelError::BadRequest(error.to_string())))?;
        self.desk.ask(body).await.map_err(failed)
    }
}
