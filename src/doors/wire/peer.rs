//! One connection and its open calls, as everybody sees them who asks over it.

use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::connection;
use super::lines::MOST_BYTES;
use super::message::{self, Id, RpcError};
use super::rules::{Gone, Rules, Signal};
use super::shared::{Open, Shared};
use super::target::Target;

/// A connection. Clones are the same connection, which ends with the last of them: a program is then told
/// to end, and killed if it does not.
#[derive(Clone)]
pub struct Peer(Arc<Handle>);

struct Handle(Arc<Shared>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Peer({})", self.0.0.target)
    }
}

impl Peer {
    /// Begins to connect, and returns at once: calls are written as soon as that is possible, and learn
    /// from [`Signal::Gone`](super::Signal::Gone) if it never is.
    pub fn open(target: Target, rules: Rules) -> Self {
        let shared = Arc::new(Shared {
            target,
            rules,
            state: Mutex::default(),
            to_write: Notify::new(),
            closing: Notify::new(),
        });
        connection::begin(Arc::clone(&shared));
        Self(Arc::new(Handle(shared)))
    }

    /// Asks something.
    pub fn call(&self, method: &str, params: &impl Serialize) -> Pending {
        let shared = &self.0.0;
        let mut state = shared.lock();
        state.calls += 1;
        let id = state.calls;
        state.open.insert(id, Open::default());
        drop(state);
        match message::call(Some(id), method, params) {
            Ok(line) if line.len() <= MOST_BYTES => shared.send(&line),
            Ok(_) => shared.refuse(id, "what it would be sent has more than 16 MiB"),
            Err(error) => shared.refuse(id, &error.to_string()),
        }
        Pending::new(Arc::clone(shared), id)
    }

    /// Says something that needs no answer.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        self.0.0.notify(method, params);
    }

    #[cfg(test)]
    pub(super) fn last_line(&self) -> Option<String> {
        self.0.0.lock().last_lines.back().cloned()
    }

    /// A breach that ended the connection while no call was open, so that nobody knows of it; once.
    pub fn untold_breach(&self) -> Option<Gone> {
        let mut state = self.0.0.lock();
        let untold = std::mem::take(&mut state.untold);
        state.gone.clone().filter(|_| untold)
    }

    /// The number of calls that were taken back and are not answered.
    pub fn unanswered(&self) -> usize {
        self.0.0.lock().cancelled.len()
    }

    /// Whether the program ended because somebody killed it.
    pub fn was_killed(&self) -> bool {
        self.0.0.lock().killed
    }

    /// The program's last lines, to be said behind a reason.
    pub fn last_lines(&self) -> String {
        self.0.0.last_lines()
    }

    /// Why the connection is no more; none if it is.
    pub fn gone(&self) -> Option<Gone> {
        self.0.0.lock().gone.clone()
    }
}

/// A call that is open. Dropping it takes the call back.
pub struct Pending {
    shared: Arc<Shared>,
    id: u64,
    done: bool,
}

impl Pending {
    pub(super) fn new(shared: Arc<Shared>, id: u64) -> Self {
        Self { shared, id, done: false }
    }

    /// The call's number on this connection.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) -> Signal {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// Polls for the next signal.
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
                    let error = RpcError::unknown_method(format!("`{method}` cannot be asked within this call"));
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
