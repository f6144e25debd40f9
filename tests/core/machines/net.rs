//! The network between workers and what they share: it takes time, loses requests and answers, cuts workers off.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::sleep;

use super::dice::Dice;

/// The time of a lease in all worlds.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// The one who looks on, whose requests are not counted.
pub(super) const PLANNER: &str = "planner";
const LEASE_MILLIS: usize = 10_000;

/// How often what happened, in one world or in many.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counts(pub(super) std::collections::BTreeMap<&'static str, u64>);

impl Counts {
    pub(super) fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    pub(super) fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (what, count) in &other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }
}

pub(super) struct Net {
    pub(super) dice: Dice,
    pub(super) counts: Counts,
    /// Nothing goes wrong.
    pub(super) is_calm: bool,
    /// Workers that reach nobody.
    pub(super) cut_off: BTreeSet<String>,
}

/// What all in a world share.
#[derive(Clone)]
pub(super) struct Shared(Arc<Mutex<Net>>);

/// What becomes of a request.
struct Fate {
    way_there: Duration,
    way_back: Duration,
    is_lost: bool,
    answer_is_lost: bool,
    /// It goes on although nobody waits for it any more.
    is_sent: bool,
}

impl Shared {
    pub(super) fn new(seed: u64, is_calm: bool) -> Self {
        Self(Arc::new(Mutex::new(Net {
            dice: Dice::new(seed),
            counts: Counts::default(),
            is_calm,
            cut_off: BTreeSet::new(),
        })))
    }

    pub(super) fn net(&self) -> MutexGuard<'_, Net> {
        self.0.lock().unwrap()
    }

    pub(super) fn count(&self, what: &'static str) {
        self.net().counts.add(what);
    }

    fn fate(&self) -> Fate {
        let mut net = self.net();
        let mut fate = Fate {
            way_there: net.dice.millis(1, 40),
            way_back: net.dice.millis(1, 40),
            is_lost: false,
            answer_is_lost: false,
            is_sent: net.dice.chance(200),
        };
        if net.is_calm {
            return fate;
        }
        fate.is_lost = net.dice.chance(15);
        fate.answer_is_lost = net.dice.chance(15);
        if net.dice.chance(5) {
            fate.way_there = net.dice.millis(1000, 3 * LEASE_MILLIS);
            net.counts.add("requests that took up to 3 leases");
        }
        fate
    }

    /// A request of a worker, with what it does at the other end.
    pub(super) async fn request<T: Send + 'static>(
        &self,
        worker: &str,
        kind: &'static str,
        effect: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        if worker != PLANNER {
            self.count("requests of workers");
            self.count(kind);
        }
        let fate = self.fate();
        let (shared, worker, is_sent) = (self.clone(), worker.to_owned(), fate.is_sent);
        let way = async move { shared.travel(&worker, fate, effect).await };
        match is_sent {
            true => tokio::spawn(way).await.unwrap(),
            false => way.await,
        }
    }

    async fn travel<T>(&self, worker: &str, fate: Fate, effect: impl FnOnce() -> T) -> io::Result<T> {
        let gone = || io::Error::from(ErrorKind::TimedOut);
        sleep(fate.way_there).await;
        if self.is_cut_off(worker) {
            self.count("requests lost in a partition");
            return Err(gone());
        }
        if fate.is_lost {
            self.count("requests lost");
            return Err(gone());
        }
        let done = effect();
        sleep(fate.way_back).await;
        if self.is_cut_off(worker) {
            self.count("answers lost in a partition");
            return Err(gone());
        }
        if fate.answer_is_lost {
            self.count("answers lost");
            return Err(gone());
        }
        Ok(done)
    }

    fn is_cut_off(&self, worker: &str) -> bool {
        self.net().cut_off.contains(worker)
    }
}

/// Turns a manifest into what a worker with a fast clock makes of it: what it takes for a second is less.
pub(super) fn skew(manifest: &mut Vec<u8>, clock: f64) {
    let mut value: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    let seconds = value["lease_seconds"].as_f64().unwrap();
    value["lease_seconds"] = (seconds / clock).into();
    *manifest = serde_json::to_vec(&value).unwrap();
}
