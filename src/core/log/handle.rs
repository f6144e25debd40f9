//! The episodes' handle of the log: a way to append, and nothing else.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::Thread;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::LogError;

/// Lines that belong together: the events of a turn, the result of an episode. Each part is whole
/// lines, newlines included, and may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Lines for `events.jsonl`.
    pub events: Vec<u8>,
    /// Lines for `results.jsonl`.
    pub result: Vec<u8>,
    /// Lines for `timings.jsonl`.
    pub timing: Vec<u8>,
}

impl Batch {
    /// A batch of events only.
    pub fn events(lines: Vec<u8>) -> Self {
        Self { events: lines, ..Self::default() }
    }
}

/// A batch in the queue.
pub(super) struct Queued {
    pub(super) batch: Batch,
    /// Told when the batch was written, if somebody waits for that.
    pub(super) written: Option<oneshot::Sender<Result<(), LogError>>>,
}

impl Queued {
    /// A batch for whose write nobody waits.
    fn of(batch: Batch) -> Self {
        Self { batch, written: None }
    }
}

/// The state that handles and the writer's thread share.
#[derive(Default)]
pub(super) struct WriterState {
    pub(super) failure: OnceLock<LogError>,
    /// Struck once, when the writer is to end.
    pub(super) closing: CancellationToken,
    /// A batch is in the queue whose sender waits for the write.
    pub(super) hurry: AtomicBool,
    pub(super) batches: AtomicU64,
    pub(super) groups: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) max_depth: AtomicUsize,
}

/// Appends to the log of a run. Cheap to clone; outlives the writer without harm.
#[derive(Clone)]
pub struct LogHandle {
    pub(super) sender: mpsc::Sender<Queued>,
    pub(super) shared: Arc<WriterState>,
    pub(super) thread: Thread,
    pub(super) copies: Option<Copies>,
}

/// Who gets a copy of whatever is appended, in its order.
pub(super) type Copies = Arc<dyn Fn(&Batch) + Send + Sync>;

/// The state of the writer, for progress bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogSnapshot {
    /// Batches that wait to be written.
    pub queued: usize,
    /// Batches written.
    pub batches: u64,
    /// Groups of batches written.
    pub groups: u64,
    /// Bytes written, all files together.
    pub bytes: u64,
    /// The longest that the queue was when the writer looked, in batches.
    pub max_depth: usize,
}

impl LogHandle {
    /// Calls `copies` with every batch before it is appended: with those of one episode in their order, of several side
    /// by side. It is called where episodes live, and must be quick.
    #[must_use]
    pub fn copied(mut self, copies: impl Fn(&Batch) + Send + Sync + 'static) -> Self {
        self.copies = Some(Arc::new(copies));
        self
    }

    /// Appends a batch; waits for room in the queue, not for the write.
    ///
    /// Batches of one sender are written in the order of appending. Fails if an earlier write
    /// failed or the writer was closed.
    pub async fn append(&self, batch: Batch) -> Result<(), LogError> {
        self.send(Queued::of(batch)).await
    }

    /// Appends a batch if the queue has room for it now; otherwise gives it back.
    pub fn try_append(&self, batch: Batch) -> Result<Option<Batch>, LogError> {
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        let copy = self.copies.as_ref().map(|_| batch.clone());
        match self.sender.try_send(Queued::of(batch)) {
            Ok(()) => {
                self.copy(copy.as_ref());
                Ok(None)
            }
            Err(TrySendError::Closed(_)) => Err(LogError::Closed),
            Err(TrySendError::Full(queued)) => {
                self.thread.unpark();
                Ok(Some(queued.batch))
            }
        }
    }

    /// Appends a batch and waits until it was handed to the operating system: it survives the end
    /// of this process, and with [`Sync::EveryEvent`](super::Sync::EveryEvent) that of the machine.
    pub async fn append_durably(&self, batch: Batch) -> Result<(), LogError> {
        let (written, result) = oneshot::channel();
        let queued = Queued { batch, written: Some(written) };
        self.send(queued).await?;
        self.shared.hurry.store(true, Ordering::Release);
        self.thread.unpark();
        match result.await {
            Ok(result) => result,
            Err(_) => Err(self.failure().unwrap_or(LogError::Closed)),
        }
    }

    /// The first write error, if there was one. Nothing was written after it.
    pub fn failure(&self) -> Option<LogError> {
        self.shared.failure.get().cloned()
    }

    /// The state of the writer.
    pub fn snapshot(&self) -> LogSnapshot {
        LogSnapshot {
            queued: self.sender.max_capacity() - self.sender.capacity(),
            batches: self.shared.batches.load(Ordering::Relaxed),
            groups: self.shared.groups.load(Ordering::Relaxed),
            bytes: self.shared.bytes.load(Ordering::Relaxed),
            max_depth: self.shared.max_depth.load(Ordering::Relaxed),
        }
    }

    fn copy(&self, batch: Option<&Batch>) {
        if let Some((copies, batch)) = self.copies.as_ref().zip(batch) {
            copies(batch);
        }
    }

    async fn send(&self, queued: Queued) -> Result<(), LogError> {
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        self.copy(Some(&queued.batch));
        match self.sender.try_send(queued) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(LogError::Closed),
            Err(TrySendError::Full(queued)) => {
                self.thread.unpark();
                let sent = self.sender.send(queued).await;
                sent.map_err(|_| self.failure().unwrap_or(LogError::Closed))
            }
        }
    }
}
