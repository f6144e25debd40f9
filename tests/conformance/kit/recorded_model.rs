//! A model whose replies were recorded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use rolecall_core::domain::{Choice, ModelReply};
use rolecall_core::ports::ModelError;
use rolecall_core::ports::model::{
    CallContext, CallTrace, Capabilities, Completion, EncodedRequest, ModelClient, ModelProfile, ModelRequest,
    RequestHash,
};

/// A model that gives the recorded replies one after the other, and keeps what it was asked.
pub struct RecordedModel {
    profile: ModelProfile,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    /// The replies to come.
    replies: VecDeque<Vec<Choice>>,
    /// The requests since somebody looked.
    asked: Vec<Completion>,
}

impl RecordedModel {
    /// A model for conversations that can call tools, with these replies, each of which may have several choices.
    /// `max_tokens` are those of an answer where a request says nothing.
    pub fn chat(name: &str, max_tokens: u32, replies: impl IntoIterator<Item = Vec<Choice>>) -> Arc<Self> {
        let profile = ModelProfile {
            name: name.to_owned(),
            capabilities: Capabilities { tools: true, several: true, ..Capabilities::default() },
            max_tokens: Some(max_tokens),
            chat: true,
            ..ModelProfile::default()
        };
        let calls = Calls { replies: replies.into_iter().collect(), ..Calls::default() };
        Arc::new(Self { profile, calls: Mutex::new(calls) })
    }

    /// The requests since the last look.
    pub fn asked(&self) -> Vec<Completion> {
        std::mem::take(&mut self.calls().asked)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ModelClient for RecordedModel {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let ModelRequest::Complete(completion) = request else {
            return Err(ModelError::Unsupported("nothing is scored".to_owned()));
        };
        let mut calls = self.calls();
        calls.asked.push(completion.clone());
        Ok(EncodedRequest {
            hash: RequestHash::of(&[&(calls.asked.len() as u64).to_le_bytes()]),
            endpoint: "chat/completions",
            body: Vec::new().into(),
            choices: completion.n.unwrap_or(1),
            estimated_tokens: 0,
        })
    }

    async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
        let next = self.calls().replies.pop_front();
        let missing = || ModelError::Malformed("the recording holds no further reply".to_owned());
        Ok(ModelReply { choices: next.ok_or_else(missing)?, ..ModelReply::default() })
    }
}
