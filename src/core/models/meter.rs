//! Activity and cost of a model.

use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::domain::{ModelReply, Usage};
use crate::ports::model::{ModelActivity, ModelShare, Prices};

/// Adds up what was spent on one model.
#[derive(Debug)]
pub(crate) struct Meter {
    model: String,
    prices: Option<Prices>,
    most: Option<f64>,
    in_flight: AtomicU32,
    counted: Mutex<Counted>,
    /// Notified when another share of the money is given.
    shared: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    /// The money spent in the run, by earlier processes too.
    spent: f64,
    /// The money spent by other processes that play the run.
    elsewhere: f64,
    /// The share that this process may spend until the next one is given; no bound where nobody else plays.
    slice: Option<f64>,
    /// The most that a call cost.
    dearest: f64,
    /// The last share paid for no such call.
    is_over: bool,
    replies: u64,
    tokens: u64,
    retries: u64,
}

impl Meter {
    pub(crate) fn new(model: &str, prices: Option<Prices>, most: Option<f64>) -> Self {
        Self {
            model: model.to_owned(),
            prices,
            most,
            in_flight: AtomicU32::new(0),
            counted: Mutex::default(),
            shared: Notify::new(),
        }
    }

    /// Adds a call. Says what to do if the limit is reached.
    pub(crate) fn add(&self, reply: &ModelReply) -> Option<String> {
        let mut counted = self.counted();
        counted.replies += 1;
        counted.tokens = counted.tokens.saturating_add(reply.usage.total());
        let cost = self.prices.as_ref().map_or(0.0, |prices| prices.cost_of(reply));
        counted.spent += cost;
        counted.dearest = counted.dearest.max(cost);
        self.reached(&counted)
    }

    /// Adds what earlier processes of the run paid. Says what to do if the limit is reached.
    pub(crate) fn add_earlier(&self, paid: f64) -> Option<String> {
        let mut counted = self.counted();
        counted.spent += paid;
        self.reached(&counted)
    }

    /// Takes an equal part of the money that is left, as far as others have not reserved it, until another one is
    /// given. Returns what may have been spent here by then, and what to do if the part pays for no call.
    pub(crate) fn share(&self, share: &ModelShare) -> (Option<f64>, Option<String>) {
        let mut counted = self.counted();
        counted.elsewhere = share.spent_elsewhere;
        let Some(most) = self.most.filter(|_| self.prices.is_some()) else {
            return (None, None);
        };
        let workers = f64::from(share.workers.max(1));
        let left = most - counted.spent;
        let fair = (left - share.spent_elsewhere).max(0.0) / workers;
        let part = fair.min((left - share.reserved_elsewhere).max(0.0));
        counted.slice = Some(counted.spent + part);
        counted.is_over = workers > 1.0 && fair < counted.dearest;
        self.shared.notify_waiters();
        (counted.slice, self.reached(&counted))
    }

    /// Whether there is money for another call until the next share is given.
    pub(crate) fn has_room(&self) -> bool {
        let counted = self.counted();
        counted.slice.is_none_or(|slice| counted.spent < slice) || self.reached(&counted).is_some()
    }

    /// Ends when there is.
    pub(crate) async fn room(&self) {
        loop {
            let mut shared = pin!(self.shared.notified());
            shared.as_mut().enable();
            if self.has_room() {
                return;
            }
            shared.await;
        }
    }

    fn reached(&self, counted: &Counted) -> Option<String> {
        let spent = counted.spent + counted.elsewhere;
        let is_over = |most: &f64| counted.is_over || spent >= *most;
        let currency = &self.prices.as_ref()?.currency;
        let most = self.most.filter(is_over)?;
        let (model, spent, most) = (&self.model, money(spent), money(most));
        Some(format!("the run has spent {spent} {currency} of {most}; raise `models.{model}.spend` to go on"))
    }

    /// The amount spent in the run.
    pub(crate) fn spent(&self) -> f64 {
        self.counted().spent
    }

    /// A request is on its way, until what comes back is dropped. Its prompt of so many tokens is paid, unless it
    /// has [landed](OnItsWay::landed).
    pub(crate) fn begin(&self, prompt: Usage) -> OnItsWay<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        OnItsWay { meter: self, lost: Some(prompt) }
    }

    /// A request is sent again.
    pub(crate) fn sent_again(&self) {
        self.counted().retries += 1;
    }

    /// Activity of this process so far.
    pub(crate) fn activity(&self) -> ModelActivity {
        let Counted { replies, tokens, retries, .. } = *self.counted();
        ModelActivity { in_flight: self.in_flight.load(Ordering::Relaxed), replies, tokens, retries }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is on its way, also if nobody waits for it any more.
#[derive(Debug)]
pub(crate) struct OnItsWay<'a> {
    meter: &'a Meter,
    lost: Option<Usage>,
}

impl OnItsWay<'_> {
    /// It was answered, or never read: nothing is lost.
    pub(crate) fn landed(mut self) {
        self.lost = None;
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.meter.in_flight.fetch_sub(1, Ordering::Relaxed);
        if let (Some(lost), Some(prices)) = (self.lost, &self.meter.prices) {
            self.meter.counted().spent += prices.cost(&lost);
        }
    }
}

/// An amount with as many places as it takes to be seen.
fn money(amount: f64) -> String {
    if amount.abs() < 0.1 && amount != 0.0 { format!("{amount:.6}") } else { format!("{amount:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(usage: Usage) -> ModelReply {
        ModelReply { usage, ..ModelReply::default() }
    }

    #[test]
    fn the_limit_is_told_when_it_is_reached() {
        let prices = Prices { input: 1.0, output: 10.0, cached_input: None, currency: "USD".to_owned() };
        let usage = Usage { prompt: 1_000_000, completion: 150_000, ..Usage::default() };
        let meter = Meter::new("large", Some(prices.clone()), Some(5.0));
        assert_eq!(meter.add(&reply(usage)), None);
        let told = "the run has spent 5.00 USD of 5.00; raise `models.large.spend` to go on";
        assert_eq!(meter.add(&reply(usage)).as_deref(), Some(told));
        assert_eq!(meter.spent(), 5.0);
        assert_eq!(meter.activity().tokens, 2_300_000);
        let free = Meter::new("large", None, Some(5.0));
        assert_eq!(free.add(&reply(usage)), None);
        let endless = Meter::new("large", Some(prices), None);
        assert_eq!(endless.add(&reply(usage)), None);
        assert_eq!(endless.spent(), 2.5);
        assert_eq!(endless.add_earlier(9.0), None);
        assert_eq!(endless.spent(), 11.5);
    }

    #[test]
    fn what_earlier_processes_paid_counts() {
        let prices = Prices { input: 1.0, output: 1.0, cached_input: None, currency: "USD".to_owned() };
        let meter = Meter::new("large", Some(prices), Some(5.0));
        assert_eq!(meter.add_earlier(4.5), None);
        let usage = Usage { prompt: 500_000, ..Usage::default() };
        let told = "the run has spent 5.00 USD of 5.00; raise `models.large.spend` to go on";
        assert_eq!(meter.add(&reply(usage)).as_deref(), Some(told));
        assert_eq!(meter.add_earlier(0.0).as_deref(), Some(told));
    }

    #[tokio::test]
    async fn several_processes_share_the_money() {
        let prices = Prices { input: 1.0, output: 1.0, cached_input: None, currency: "USD".to_owned() };
        let usage = Usage { prompt: 1_000_000, ..Usage::default() };
        let share = |spent_elsewhere| ModelShare { workers: 2, spent_elsewhere, reserved_elsewhere: spent_elsewhere };
        let meter = Meter::new("large", Some(prices), Some(10.0));
        assert_eq!(meter.share(&share(4.0)), (Some(3.0), None));
        for spent in 1..=3 {
            assert!(meter.has_room(), "{spent}");
            assert_eq!(meter.add(&reply(usage)), None);
        }
        // Half of the six that were left.
        assert!(!meter.has_room());
        // The other one may spend what is left before it looks once more.
        let reserved = ModelShare { reserved_elsewhere: 7.0, ..share(4.0) };
        assert_eq!(meter.share(&reserved), (Some(3.0), None));
        assert!(!meter.has_room());
        assert_eq!(meter.share(&share(4.0)), (Some(4.5), None));
        meter.room().await;
        assert_eq!(meter.add(&reply(usage)), None);
        // Half of what is left pays for no call.
        let told = "the run has spent 8.50 USD of 10.00; raise `models.large.spend` to go on";
        assert_eq!(meter.share(&share(4.5)).1.as_deref(), Some(told));
        // Calls that wait are told by the outage that the model is lost.
        meter.room().await;
    }
}
