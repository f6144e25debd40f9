//! Requests and tokens per minute.
//!
//! A bucket per rate: it fills evenly, holds a second's worth, and a request takes its share before
//! it is sent. In no minute more is sent than the limit; only a single request that is larger than a
//! second's worth may reach beyond it by itself.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::ports::model::ModelLimits;

const MINUTE: f64 = 60.0;

/// The rates of one model.
#[derive(Debug)]
pub(crate) struct Rates {
    requests: Option<Rate>,
    tokens: Option<Rate>,
}

/// One rate.
#[derive(Debug)]
struct Rate {
    per_minute: f64,
    bucket: Mutex<Bucket>,
}

#[derive(Debug)]
struct Bucket {
    /// Processes that share the rate evenly.
    workers: f64,
    /// Below zero, others wait already.
    level: f64,
    /// The amount that was taken and not sent yet. It does not make room for more: who waits for another rate
    /// sends later than this one allows, and what would fill up meanwhile is not saved up.
    waiting: f64,
    at: Option<Instant>,
}

/// The share that a request has taken; given back when it is dropped without being sent.
#[derive(Debug)]
pub(crate) struct Reserved<'a> {
    rates: &'a Rates,
    tokens: f64,
    sent: bool,
    /// The wait before sending.
    pub(crate) wait: Duration,
}

impl Rates {
    pub(crate) fn new(limits: &ModelLimits) -> Self {
        Self { requests: limits.requests_per_minute.map(Rate::new), tokens: limits.tokens_per_minute.map(Rate::new) }
    }

    /// Uses from now on one of so many equal parts of the rates.
    pub(crate) fn share(&self, workers: u32) {
        for rate in self.requests.iter().chain(&self.tokens) {
            rate.share(workers);
        }
    }

    /// Takes the share of a request of so many tokens. Whoever comes later waits for it.
    pub(crate) fn reserve(&self, tokens: u64) -> Reserved<'_> {
        let mut reserved = Reserved { rates: self, tokens: tokens as f64, sent: false, wait: Duration::ZERO };
        let waits = reserved.shares().map(|(rate, share)| rate.take(share));
        reserved.wait = waits.max().unwrap_or_default();
        reserved
    }
}

impl<'a> Reserved<'a> {
    /// The request goes out: its share is used up.
    pub(crate) fn sent(&mut self) {
        self.sent = true;
        self.shares().for_each(|(rate, share)| rate.sent(share));
    }

    /// The request took so many tokens, not as many as were estimated.
    pub(crate) fn correct(&self, tokens: u64) {
        if let Some(rate) = &self.rates.tokens {
            rate.give(self.tokens - tokens as f64);
        }
    }

    /// The rates that there are, with the request's share of each.
    fn shares(&self) -> impl Iterator<Item = (&'a Rate, f64)> + use<'a> {
        let requests = self.rates.requests.iter().map(|rate| (rate, 1.0));
        let share = self.tokens;
        requests.chain(self.rates.tokens.iter().map(move |rate| (rate, share)))
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if !self.sent {
            self.shares().for_each(|(rate, share)| {
                rate.sent(share);
                rate.give(share);
            });
        }
    }
}

impl Rate {
    fn new(per_minute: f64) -> Self {
        let mut bucket = Bucket { workers: 1.0, level: 0.0, waiting: 0.0, at: None };
        bucket.level = bucket.burst(per_minute);
        Self { per_minute, bucket: Mutex::new(bucket) }
    }

    fn share(&self, workers: u32) {
        let mut bucket = self.filled();
        bucket.workers = f64::from(workers.max(1));
        bucket.level = bucket.level.min(bucket.burst(self.per_minute));
    }

    /// Takes an amount and says how long to wait for it.
    fn take(&self, amount: f64) -> Duration {
        let mut bucket = self.filled();
        // More than the bucket holds is taken when it is full.
        let missing = amount.min(bucket.burst(self.per_minute)) - bucket.level;
        bucket.level -= amount;
        bucket.waiting += amount;
        // A rate of next to nothing is a wait that does not end; cancelling ends it.
        let per_second = bucket.per_second(self.per_minute);
        Duration::try_from_secs_f64((missing / per_second).max(0.0)).unwrap_or(Duration::MAX)
    }

    /// The amount that was taken does not wait any more.
    fn sent(&self, amount: f64) {
        let mut bucket = self.filled();
        // Rounding leaves no trace.
        bucket.waiting = (bucket.waiting - amount).max(0.0);
    }

    fn give(&self, amount: f64) {
        let mut bucket = self.filled();
        let most = bucket.burst(self.per_minute) - bucket.waiting;
        bucket.level = (bucket.level + amount).min(most);
    }

    fn filled(&self) -> std::sync::MutexGuard<'_, Bucket> {
        let now = Instant::now();
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = bucket.at.map(|at| now.saturating_duration_since(at));
        bucket.at = Some(now);
        let more = passed.unwrap_or_default().as_secs_f64() * bucket.per_second(self.per_minute);
        let most = bucket.burst(self.per_minute) - bucket.waiting;
        bucket.level = bucket.level.max((bucket.level + more).min(most));
        bucket
    }
}

impl Bucket {
    /// The most that may come at once.
    fn burst(&self, per_minute: f64) -> f64 {
        (per_minute / self.workers / MINUTE).max(1.0)
    }

    /// How fast it fills: what may come at once is not refilled as well.
    fn per_second(&self, per_minute: f64) -> f64 {
        (per_minute / self.workers - (self.burst(per_minute) - 1.0)) / MINUTE
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sends requests as fast as the rates allow, each after its own pause, and gives the times.
    fn sent(limits: &ModelLimits, requests: &[(u64, u64)]) -> Vec<(f64, u64)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let rates = Rates::new(limits);
            let began = Instant::now();
            let mut sent = Vec::new();
            for (pause, tokens) in requests {
                tokio::time::sleep(Duration::from_millis(*pause)).await;
                let mut reserved = rates.reserve(*tokens);
                tokio::time::sleep(reserved.wait).await;
                reserved.sent();
                sent.push((began.elapsed().as_secs_f64(), *tokens));
            }
            sent
        })
    }

    fn limits(requests: Option<f64>, tokens: Option<f64>) -> ModelLimits {
        ModelLimits { requests_per_minute: requests, tokens_per_minute: tokens, ..ModelLimits::default() }
    }

    /// The most tokens that any minute saw.
    fn most_tokens(sent: &[(f64, u64)]) -> u64 {
        let minutes = sent.iter().map(|(start, _)| {
            let within = sent.iter().filter(|(at, _)| {
                // Timers count whole milliseconds.
                *at >= *start && *at < start + MINUTE - 0.002
            });
            within.map(|(_, tokens)| *tokens).sum()
        });
        minutes.max().unwrap_or_default()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_minute_sees_more_than_the_limits(
            per_minute in 1_u32..600,
            tokens_per_minute in 600_u32..60_000,
            requests in prop::collection::vec((0_u64..2_000, 1_u64..400), 1..300),
        ) {
            let (most, tokens) = (f64::from(per_minute), f64::from(tokens_per_minute));
            let sent = sent(&limits(Some(most), Some(tokens)), &requests);
            let largest = requests.iter().map(|(_, tokens)| *tokens as f64).fold(0.0, f64::max);
            for (start, _) in &sent {
                let minute = || sent.iter().filter(|(at, _)| {
                    // Timers count whole milliseconds.
                    *at >= *start && *at < start + MINUTE - 0.002
                });
                prop_assert!(minute().count() as f64 <= most.ceil());
            }
            prop_assert!(most_tokens(&sent) as f64 <= tokens + largest);
        }
    }

    /// Found by the test above: the bucket of tokens filled up while a request waited for its place
    /// among the requests.
    #[test]
    fn waiting_for_one_rate_saves_nothing_up_for_the_other() {
        // A request every three seconds; so long, three times a bucket of tokens would gather.
        let even = sent(&limits(Some(20.0), Some(600.0)), &[(0, 30); 45]);
        assert!(most_tokens(&even) <= 630);
        let uneven = [
            (3, 255),
            (1989, 112),
            (83, 14),
            (685, 58),
            (1271, 86),
            (1423, 101),
            (1572, 89),
            (91, 326),
            (1785, 17),
            (533, 100),
            (136, 276),
            (1337, 210),
            (1587, 27),
            (343, 221),
            (632, 87),
            (582, 292),
            (89, 47),
            (371, 177),
            (953, 363),
            (813, 254),
            (116, 149),
            (1774, 122),
            (1494, 374),
        ];
        let uneven = sent(&limits(Some(18.0), Some(2592.0)), &uneven);
        assert!(most_tokens(&uneven) <= 2592 + 374);
    }

    #[tokio::test(start_paused = true)]
    async fn several_processes_share_a_rate() {
        let rates = Rates::new(&limits(Some(120.0), None));
        rates.share(4);
        let began = Instant::now();
        for _ in 0..31 {
            let mut reserved = rates.reserve(1);
            tokio::time::sleep(reserved.wait).await;
            reserved.sent();
        }
        // A quarter of the rate is one in two seconds.
        let took = began.elapsed().as_secs_f64();
        assert!((59.9..61.0).contains(&took), "{took}");
        rates.share(1);
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(rates.reserve(1).wait, Duration::ZERO);
    }

    #[test]
    fn the_limit_is_used() {
        let sent = sent(&limits(Some(60.0), None), &[(0, 1); 121]);
        let (last, _) = sent[120];
        assert!((119.9..121.0).contains(&last), "{last}");
        assert!(sent[1].0 > 0.99);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_sent_or_not_used_is_given_back() {
        let rates = Rates::new(&limits(Some(60.0), Some(6_000.0)));
        drop(rates.reserve(100));
        let mut first = rates.reserve(6_000);
        assert_eq!(first.wait, Duration::ZERO);
        first.sent();
        first.correct(100);
        drop(first);
        // A request a second, although the estimate alone would have taken a minute.
        assert!(rates.reserve(100).wait <= Duration::from_secs(2));
    }
}
