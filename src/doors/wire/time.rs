//! Waiting with an end, for callers of any kind: those on a runtime and those that may block.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::time::Instant;

/// Time since it was made.
#[derive(Clone, Copy, Debug)]
pub struct Watch(Instant);

impl Watch {
    /// Begins now.
    #[expect(clippy::new_without_default, reason = "two of them are not equal")]
    pub fn new() -> Self {
        Self(Instant::now())
    }

    /// The time since it was made.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Waits without a runtime of the caller's.
pub async fn pause(time: Duration) {
    if let Some(thread) = super::thread::thread() {
        // It neither panics nor is it aborted.
        let _ = thread.spawn(async move { tokio::time::sleep(time).await }).await;
    }
}

/// What comes of it within that time, without a runtime of the caller's.
pub async fn within<T>(future: impl Future<Output = T>, time: Duration) -> Option<T> {
    match select(pin!(future), pin!(pause(time))).await {
        Either::Left((result, _)) => Some(result),
        Either::Right(_) => None,
    }
}

/// Waits on this thread for as long as that; none if it took longer. Only for callers that may block.
pub fn wait<T>(future: impl Future<Output = T>, within: Duration) -> Option<T> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Parked(thread::current())));
    let mut context = Context::from_waker(&waker);
    let began = Instant::now();
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return Some(result);
        }
        thread::park_timeout(within.checked_sub(began.elapsed())?);
    }
}

struct Parked(Thread);

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
