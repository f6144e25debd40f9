//! The tries of a turn: how often it may see its program die.

use std::sync::atomic::Ordering;

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{RwLockReadGuard, RwLockWriteGuard};

use super::client::Client;
use super::errors::ProcessError;
use super::worker::{Live, Worker};
use crate::wire::{Gone, Peer, Watch, within};
use rolecall_core::ports::model::Calls;

/// A turn that saw its program die so often is asked alone, so that it takes nobody else's turn with it.
const SUSPECT: u32 = 2;
/// A turn that saw its program die so often while nobody else asked it anything has failed; more often where
/// somebody killed it, which says little about the turn.
const HOPELESS: u32 = 3;
const HOPELESS_KILLS: u32 = 12;

/// A connection for one try.
pub(super) struct Lease<'a> {
    pub(super) live: Live,
    worker: &'a Worker,
    _turn: Turn<'a>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.worker.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A turn among others, or alone.
enum Turn<'a> {
    Among(#[expect(dead_code, reason = "it is held")] RwLockReadGuard<'a, ()>),
    Alone(#[expect(dead_code, reason = "it is held")] RwLockWriteGuard<'a, ()>),
}

/// The tries of one turn.
pub(super) struct Tries<'a> {
    client: &'a Client,
    worker: usize,
    calls: Option<&'a Calls>,
    deaths: u32,
    /// Deaths that can only be its own doing, and how often it was killed besides.
    own_deaths: u32,
    own_kills: u32,
    /// The connection of the last try.
    last: Option<Peer>,
    /// The number of the last try on its worker, if nobody else was asking then.
    alone: Option<u64>,
}

impl<'a> Tries<'a> {
    pub(super) fn new(client: &'a Client, worker: usize, calls: Option<&'a Calls>) -> Self {
        Self { client, worker, calls, deaths: 0, own_deaths: 0, own_kills: 0, last: None, alone: None }
    }

    /// A connection for the next try. The deadline of a turn does not count what that takes.
    pub(super) async fn next(&mut self) -> Result<Lease<'a>, ProcessError> {
        let worker = self.client.worker(self.worker);
        if self.deaths < SUSPECT
            && let Ok(among) = worker.alone.try_read()
            && let Some(live) = worker.current()?
        {
            return Ok(self.lease(worker, live, Turn::Among(among)));
        }
        let watch = Watch::new();
        let waiting = self.calls.map(Calls::waiting);
        let wait = waiting.map(|waiting| waiting.begin());
        let turn = if self.deaths < SUSPECT {
            Turn::Among(worker.alone.read().await)
        } else {
            Turn::Alone(worker.alone.write().await)
        };
        let live = self.client.live(self.worker).await;
        if let Some(waiting) = waiting {
            waiting.add(watch.elapsed());
        }
        drop(wait);
        Ok(self.lease(worker, live?, turn))
    }

    fn lease(&mut self, worker: &'a Worker, live: Live, _turn: Turn<'a>) -> Lease<'a> {
        let number = worker.tries.fetch_add(1, Ordering::Relaxed) + 1;
        self.alone = (worker.asking.fetch_add(1, Ordering::Relaxed) == 0).then_some(number);
        self.last = Some(live.peer.clone());
        Lease { live, worker, _turn }
    }

    /// The connection is gone: whoever died is asked again, up to a number of times.
    ///
    /// # Errors
    /// When it died too often, or broke the protocol.
    pub(super) fn died(&mut self, gone: Gone) -> Result<(), ProcessError> {
        if matches!(gone, Gone::Breach(_)) {
            return Err(gone.into());
        }
        self.deaths += 1;
        let tries = self.client.worker(self.worker).tries.load(Ordering::Relaxed);
        // Whoever asked at the same time may be to blame.
        let alone = u32::from(self.alone == Some(tries));
        if self.last.take().is_some_and(|peer| peer.was_killed()) {
            self.own_kills += alone
        } else {
            self.own_deaths += alone
        }
        if let Some(calls) = self.calls {
            calls.note_restart();
        }
        if self.own_deaths < HOPELESS && self.own_kills < HOPELESS_KILLS {
            return Ok(());
        }
        Err(ProcessError::Failed(format!("it died {} times in one turn; {gone}", self.deaths)))
    }
}

/// Asks something outside of any turn, and waits for it on this thread.
pub(super) fn request(client: &Client, method: &str, params: &Value) -> Result<Box<RawValue>, ProcessError> {
    client.blocking(async {
        let mut tries = Tries::new(client, 0, None);
        loop {
            let lease = tries.next().await?;
            match within(lease.live.peer.call(method, params).result(), client.place.start).await {
                Some(Ok(answer)) => return Ok(answer?),
                Some(Err(gone)) => tries.died(gone)?,
                None => return Err(client.slow()),
            }
        }
    })
}
