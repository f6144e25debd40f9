//! The thread of all connections.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;

/// The thread of all connections.
pub(super) fn thread() -> Option<&'static Handle> {
    static THREAD: OnceLock<Option<Handle>> = OnceLock::new();
    let started = THREAD.get_or_init(|| {
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        let handle = runtime.handle().clone();
        let named = std::thread::Builder::new().name("rolecall-wire".to_owned());
        let forever = move || runtime.block_on(std::future::pending::<()>());
        named.spawn(forever).ok()?;
        Some(handle)
    });
    started.as_ref()
}

/// Has the thread of all connections do something, for protocols that are not lines; none if the system gives no
/// thread.
pub fn spawn<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Option<JoinHandle<T>> {
    Some(thread()?.spawn(work))
}
