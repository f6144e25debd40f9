//! Many requests to a model outside a run: some at a time, with a bar, until all have an answer, somebody interrupts
//! or the model will not come back.

use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use indicatif::ProgressBar;
use tokio_util::sync::CancellationToken;

use super::model_client::call;
use super::signals;
use rolecall_core::domain::ModelReply;
use rolecall_core::ports::model::{CallTrace, EncodedRequest, ModelHealth};
use rolecall_core::ports::{ModelClient, ModelError};
use rolecall_core::text::visible;

/// The most requests for one answer.
const ASKED: u32 = 2;
/// The time between two looks at the health of the model.
const TICK: Duration = Duration::from_millis(200);

/// Requests without an answer, and why.
#[derive(Debug, Default)]
pub(super) struct Open {
    unreadable: u64,
    refused: u64,
    /// The reason for ending early.
    pub(super) stopped: Option<String>,
}

impl Open {
    /// How much is left open, to go on a line with; empty if nothing is.
    pub(super) fn missing(&self) -> String {
        [(self.unreadable, "without a readable answer"), (self.refused, "refused by the model")]
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("; {count} {what}"))
            .collect()
    }

    /// Ends for the first reason that is given.
    fn stop(&mut self, cancel: &CancellationToken, why: String) {
        self.stopped.get_or_insert(why);
        cancel.cancel();
    }
}

/// Requests that are under way together.
pub(super) struct Asking<'a> {
    model: &'a dyn ModelClient,
    at_once: usize,
    bar: ProgressBar,
    signal: Pin<Box<dyn Future<Output = ()>>>,
    /// Struck when no more answers are wanted.
    pub(super) cancel: CancellationToken,
    /// The requests that came to nothing.
    pub(super) open: Open,
}

impl<'a> Asking<'a> {
    /// So many requests at once; the model's own limits hold besides.
    pub(super) fn new(model: &'a dyn ModelClient, at_once: usize, bar: ProgressBar) -> Self {
        Self {
            model,
            at_once,
            bar,
            signal: Box::pin(signals::interrupted()),
            cancel: CancellationToken::new(),
            open: Open::default(),
        }
    }

    /// Waits for all of them and takes each answer as soon as it is there; one that could not be read is none.
    pub(super) async fn all<T>(
        &mut self,
        asked: impl Iterator<Item = impl Future<Output = Result<Option<T>, ModelError>>>,
        mut take: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut asking = stream::iter(asked).buffer_unordered(self.at_once);
        loop {
            let found = tokio::select! {
                biased;
                () = &mut self.signal, if !self.cancel.is_cancelled() => {
                    self.open.stop(&self.cancel, "interrupted".to_owned());
                    continue;
                }
                found = asking.next() => found,
                () = tokio::time::sleep(TICK) => {
                    self.look();
                    continue;
                }
            };
            let Some(found) = found else {
                return Ok(());
            };
            self.bar.inc(1);
            match found {
                Ok(Some(answer)) => take(answer)?,
                Ok(None) => self.open.unreadable += 1,
                Err(ModelError::Cancelled) => {}
                // An error of this request alone.
                Err(
                    ModelError::Refused(_)
                    | ModelError::TooLarge(_)
                    | ModelError::Malformed(_)
                    | ModelError::Overflow(_)
                    | ModelError::NotCached(_),
                ) => self.open.refused += 1,
                Err(error) => self.open.stop(&self.cancel, error.to_string()),
            }
        }
    }

    /// Shows how the model stands; one that will not come back ends it.
    fn look(&mut self) {
        let mut message = String::new();
        match self.model.health() {
            ModelHealth::Lost(why) => self.open.stop(&self.cancel, why),
            ModelHealth::Paused(why) => message = visible(&format!("paused: {why}")).into_owned(),
            _ => {}
        }
        self.bar.set_message(message);
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Asks for an answer, and once more if it cannot be read; none if the second one cannot either. Key and request
/// are those of the first (0) or the second request.
pub(super) async fn answered<T>(
    model: &dyn ModelClient,
    cancel: &CancellationToken,
    key: impl Fn(u32) -> String,
    request: impl Fn(u32) -> Result<EncodedRequest, ModelError>,
    read: impl Fn(ModelReply) -> Option<T>,
) -> Result<Option<T>, ModelError> {
    for attempt in 0..ASKED {
        let request = request(attempt)?;
        let context = call(key(attempt), cancel.clone());
        let mut trace = CallTrace::default();
        let sent = model.send(&request, &context, &mut trace);
        let reply = cancel.run_until_cancelled(sent).await.unwrap_or(Err(ModelError::Cancelled))?;
        let answer = read(reply);
        if answer.is_some() {
            return Ok(answer);
        }
    }
    Ok(None)
}
