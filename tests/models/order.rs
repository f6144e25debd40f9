//! The log holds an episode's events in their order, also while a call of a model is recorded.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use crate::support::toy::{ToyTasks, executor, friend, plan, play};
use async_trait::async_trait;
use rolecall::config::PlannedRole;
use rolecall::domain::{Answer, Ending, Message, ModelReply, Move};
use rolecall::ports::model::{CallContext, CallTrace, Completion, EncodedRequest, ModelProfile, RequestHash};
use rolecall::ports::{ModelClient, ModelError, ModelRequest, Role, RoleError, Turn};

/// Replies at once.
struct Prompt(ModelProfile);

#[async_trait]
impl ModelClient for Prompt {
    fn name(&self) -> &str {
        "prompt"
    }

    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        Ok(EncodedRequest {
            hash: RequestHash::of(&[]),
            endpoint: "prompt",
            body: Vec::new().into(),
            choices: 1,
            estimated_tokens: 1,
        })
    }

    async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
        Ok(ModelReply::default())
    }
}

type Call = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Calls its model and answers before the call is recorded. Its calls are kept: what nobody awaits
/// any more would not be recorded at all.
#[derive(Clone, Default)]
struct Hasty(Arc<Mutex<Vec<Call>>>);

#[async_trait]
impl Role for Hasty {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let own = turn.clone();
        let mut call: Call = Box::pin(async move {
            let model = Prompt(ModelProfile::default());
            let request = ModelRequest::Complete(Completion::default());
            let _ = own.complete(&model, request).await;
        });
        std::future::poll_fn(|context| {
            assert!(call.as_mut().poll(context).is_pending());
            Poll::Ready(())
        })
        .await;
        self.0.lock().unwrap().push(call);
        // What a world is asked is logged later: a thought is followed by the next turn at once.
        let made = if turn.number == 3 { Move::act("win") } else { Move::think("next") };
        Ok(made.into())
    }
}

#[test]
fn what_follows_a_call_is_logged_after_it() {
    let hasty = Hasty::default();
    let role = PlannedRole {
        role: executor(),
        implementation: "hasty".to_owned(),
        factory: Arc::new(move || Box::new(hasty.clone())),
    };
    let played = play(plan(ToyTasks::new(1), role, friend()));
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    let calls = played.events(0).iter();
    let calls = calls.filter(|event| matches!(event.message, Message::ModelCalled(_)));
    assert_eq!(calls.count(), 4);
    for (place, event) in played.events(0).iter().enumerate() {
        assert_eq!(event.seq as usize, place, "{event:?}");
    }
}
