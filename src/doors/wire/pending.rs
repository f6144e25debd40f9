//! A call that is open, from the side of who asked.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::message::{Id, RpcError};
use super::rules::{Gone, Signal};
use super::shared::Shared;

/// A call that is open. Dropping it takes the call back.
pub struct Pending {
    shared: Arc<Shared>,
    id: u64,
    done: bool,
}

impl Pending {
    pub(super) fn new(shared: Arc<Shared>, id: u64) -> Self {
        let done = false;
        Self { shared, id, done }
    }

    /// The call's number on this connection.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What comes next.
    pub async fn next(&mut self) -> Signal {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// What comes next, for who polls.
    pub fn poll_next(&mut self, context: &Context<'_>) -> Poll<Signal> {
        let Some(signal) = self.shared.take(self.id, context.waker()) else {
            return Poll::Pending;
        };
        self.done |= !matches!(signal, Signal::Request { .. });
        Poll::Ready(signal)
    }

    /// Answers a request of the other side within this call.
    pub fn answer<T: Serialize>(&self, id: &Id, result: Result<&T, &RpcError>) {
        if let Some(open) = self.shared.lock().open.get_mut(&self.id) {
            open.requests = open.requests.saturating_sub(1);
        }
        self.shared.answer(id, result);
    }

    /// The answer, where the other side may ask nothing within the call.
    ///
    /// # Errors
    /// When there will be none.
    pub async fn result(mut self) -> Result<Result<Box<RawValue>, RpcError>, Gone> {
        loop {
            match self.next().await {
                Signal::Answer(answer) => return Ok(answer),
                Signal::Gone(gone) => return Err(gone),
                Signal::Request { id, method, .. } => {
                    let text = format!("`{method}` cannot be asked within this call");
                    let error = RpcError::new(RpcError::UNKNOWN_METHOD, text);
                    self.answer::<Value>(&id, Err(&error));
                }
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.done {
            self.shared.cancel(self.id);
        }
    }
}
