//! The thread of all connections, and waiting with an end for callers of any kind: those on a runtime and those that may
//! block.

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
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
    if let Some(thread) = thread() {
        // It neither panics nor is it aborted.
        let _ = thread.spawn(async move { tokio::time::sleep(time).await }).await;
    }
}

/// The result if it comes within that time, without a runtime of the caller's.
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

/// The thread of all connections.
pub(super) fn thread() -> Option<&'static Handle> {
    static THREAD: OnceLock<Option<Handle>> = OnceLock::new();
    THREAD
        .get_or_init(|| {
            let runtime = Builder::new_current_thread().enable_all().build().ok()?;
            let handle = runtime.handle().clone();
            std::thread::Builder::new()
                .name("rolecall-wire".to_owned())
                .spawn(move || runtime.block_on(std::future::pending::<()>()))
                .ok()?;
            Some(handle)
        })
        .as_ref()
}

/// Has the thread of all connections do something, for protocols that are not lines; none if the system gives no
/// thread.
pub fn spawn<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Option<JoinHandle<T>> {
    Some(thread()?.spawn(work))
}
