//! A model that says the same whatever it is asked, for checks of programs that ask one.

use async_trait::async_trait;
use bytes::Bytes;

use rolecall_core::domain::{Choice, ModelReply};
use rolecall_core::ports::model::{CallContext, CallTrace, EncodedRequest, ModelProfile, RequestHash};
use rolecall_core::ports::{ModelClient, ModelError, ModelRequest};

/// The model.
#[derive(Default)]
pub(super) struct StandIn(ModelProfile);

#[async_trait]
impl ModelClient for StandIn {
    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        Ok(EncodedRequest {
            hash: RequestHash::of(&[]),
            endpoint: "none",
            body: Bytes::new(),
            choices: 1,
            estimated_tokens: 0,
        })
    }

    async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
        let choice = Choice { text: "look".to_owned(), ..Choice::default() };
        Ok(ModelReply { choices: vec![choice], ..ModelReply::default() })
    }
}
