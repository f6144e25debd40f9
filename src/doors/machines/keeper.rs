//! Keeping a lease while its job is played, and committing what comes of it: what every worker does with each
//! job, whatever the queue and whoever plays.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{Committed, Extended, Lease, Queue, QueueError};

/// The longest wait between two tries to reach a queue.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How leases are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keeping {
    /// The time after which a lease that is not extended is another's.
    pub lease: Duration,
    /// The time between two looks whether there is something to ship; none ships nothing.
    pub shipping: Option<Duration>,
    /// The time for which a queue that is away is waited for.
    pub outage: Duration,
}

/// Outcome of playing a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Play {
    /// All of it: the part.
    Whole(Vec<u8>),
    /// Not all of it, and somebody else may go on at once.
    Stopped,
    /// It cannot be played to its end here: who gets it after this lease has run out tries anew.
    Hopeless,
}

/// Outcome of a lease.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// This part counts.
    First,
    /// Another one's counts.
    Late,
    /// It was given back.
    GivenBack,
    /// It runs out.
    Abandoned,
    /// The queue was away for too long, or refuses: what was played is here.
    Unsent {
        /// The part.
        part: Vec<u8>,
        /// The last error.
        error: QueueError,
    },
}

/// Plays a job under its lease and commits what comes of it. `shipped` gives what is new to be shipped of it
/// meanwhile, if anything is.
pub async fn keep(
    queue: &dyn Queue,
    lease: &Lease,
    keeping: &Keeping,
    play: impl Future<Output = Play>,
    mut shipped: impl FnMut() -> Option<Vec<u8>>,
) -> Kept {
    let mut play = pin!(play);
    let third = keeping.lease / 3;
    let look = keeping.shipping.map_or(third, |every| every.min(third));
    let mut extended = Instant::now();
    let played = loop {
        tokio::select! {
            biased;
            played = &mut play => break played,
            () = sleep(look) => {}
        }
        let begun = keeping.shipping.and_then(|_| shipped());
        if begun.is_none() && extended.elapsed() < third {
            continue;
        }
        // Whoever plays does not wait for the queue.
        tokio::select! {
            biased;
            played = &mut play => break played,
            held = queue.extend(lease, begun.as_deref()) => match held {
                // A lost lease may yet be the first to be committed: the fence decides, not the lease.
                Ok(Extended::Held | Extended::Lost) => extended = Instant::now(),
                Err(_) => {}
            }
        }
    };
    match played {
        Play::Whole(part) => commit(queue, lease, part, keeping.outage).await,
        Play::Hopeless => Kept::Abandoned,
        Play::Stopped => {
            if let Some(begun) = keeping.shipping.and_then(|_| shipped()) {
                // Whoever plays it next pays for the more without it, and nothing else is lost.
                let _ = queue.extend(lease, Some(&begun)).await;
            }
            // If it cannot be given back, the lease runs out.
            let _ = queue.give_back(lease).await;
            Kept::GivenBack
        }
    }
}

/// Commits, again and again as long as the queue is away.
async fn commit(queue: &dyn Queue, lease: &Lease, part: Vec<u8>, outage: Duration) -> Kept {
    let began = Instant::now();
    let mut wait = Duration::from_millis(100);
    loop {
        let error = match queue.commit(lease, &part).await {
            Ok(Committed::First) => return Kept::First,
            Ok(Committed::Late) => return Kept::Late,
            Err(error) => error,
        };
        if !error.may_pass() || began.elapsed() >= outage {
            return Kept::Unsent { part, error };
        }
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}
