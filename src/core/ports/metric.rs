//! Metrics: figures computed from the log of an episode, and from nothing else.

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;

use crate::domain::{Counts, EpisodeId, Event, Message, Opened, Outcome};

/// The events of one episode, in order.
#[derive(Clone, Debug)]
pub struct EpisodeLog<'a> {
    /// Which episode.
    pub id: &'a EpisodeId,
    /// Its events; the last one closes it, unless the run was interrupted.
    pub events: Vec<&'a Event>,
    noted: Noted,
}

impl<'a> EpisodeLog<'a> {
    /// The log of an episode with these events.
    pub fn new(id: &'a EpisodeId, events: Vec<&'a Event>) -> Self {
        Self { id, events, noted: Noted::default() }
    }

    /// A value that several metrics share: computed the first time that a value of this type is asked
    /// for, and kept for as long as this log lives. A type stands for one computation, so it should
    /// belong to who computes it; and the events must not change in between.
    pub fn once<T: Any + Clone + Send>(&self, compute: impl FnOnce(&Self) -> T) -> T {
        let noted = self.noted.0.borrow();
        if let Some(found) = noted.iter().find_map(|value| value.downcast_ref::<T>()) {
            return found.clone();
        }
        // The computation may ask for other values of the same log.
        drop(noted);
        let value = compute(self);
        self.noted.0.borrow_mut().push(Box::new(value.clone()));
        value
    }

    /// How the episode opened; none if the log does not begin with that.
    pub fn opened(&self) -> Option<&'a Opened> {
        match &self.events.first()?.message {
            Message::Opened(opened) => Some(opened),
            _ => None,
        }
    }

    /// How the episode closed; none if the run was interrupted before.
    pub fn outcome(&self) -> Option<&'a Outcome> {
        match &self.events.last()?.message {
            Message::Closed(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The counts of the episode.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for event in &self.events {
            event.message.add_to(&mut counts);
        }
        counts
    }
}

/// Values that were computed from a log.
#[derive(Debug, Default)]
struct Noted(RefCell<Vec<Box<dyn Any + Send>>>);

/// Whoever copies a log may change its events: nothing is known of the copy.
impl Clone for Noted {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// One figure of an episode, or several that are computed together.
pub trait Metric: Send + Sync {
    /// The name under which the figure is reported.
    fn name(&self) -> &'static str;

    /// Computes it.
    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement;

    /// Further figures beside that one, each with a name of its own, in the order of tables.
    fn further(&self, _log: &EpisodeLog<'_>) -> Vec<(Cow<'static, str>, Measurement)> {
        Vec::new()
    }

    /// Whether it reads what models replied (texts, tokens, scores, calls of tools) or the hashes of
    /// requests. Where no metric does, a running episode keeps of [`ModelCall`] only who called which
    /// model when, the tokens and the cost; the rest is in the log.
    ///
    /// [`ModelCall`]: crate::domain::ModelCall
    fn reads_replies(&self) -> bool {
        true
    }

    /// Whether an absent figure is left out of results rather than written as absent: for figures
    /// of something, such as models, that many runs do not have.
    fn is_left_out_if_absent(&self) -> bool {
        false
    }
}

/// A metric's figure of one episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measurement {
    /// Yes or no: aggregated as a rate with a Wilson interval.
    Rate(bool),
    /// A quantity: aggregated as a mean with a bootstrap interval.
    Value(f64),
    /// So many of so many, such as slots that are right: aggregated as the sum of the hits over the sum of
    /// `n`, with a Wilson interval in which a task is one sample. With `n` = 0 it is absent.
    Share {
        /// How many were so.
        hits: u64,
        /// How many there were.
        n: u64,
    },
    /// The sum of so many values, such as one a turn: aggregated as the sum of all over the sum of `n`, which is the
    /// mean of all values whatever episode they are of, with a bootstrap interval in which a task is one sample. With
    /// `n` = 0 it is absent.
    Sum {
        /// The sum of the values.
        sum: f64,
        /// How many there are.
        n: u64,
    },
    /// The metric says nothing about this episode.
    Absent,
}

impl Measurement {
    /// The measurement as tables can add it up: a quantity that is infinite or not a number, and a
    /// share or sum of nothing, say nothing; and no more are hit than there are.
    #[must_use]
    pub fn sound(self) -> Self {
        match self {
            Self::Value(value) if !value.is_finite() => Self::Absent,
            Self::Share { n: 0, .. } | Self::Sum { n: 0, .. } => Self::Absent,
            Self::Sum { sum, .. } if !sum.is_finite() => Self::Absent,
            Self::Share { hits, n } => Self::Share { hits: hits.min(n), n },
            Self::Rate(_) | Self::Value(_) | Self::Sum { .. } | Self::Absent => self,
        }
    }

    /// The measurement as a number: 1 for a yes, a share from 0 to 1, the mean of a sum.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Rate(yes) => Some(f64::from(u8::from(yes))),
            Self::Value(value) => Some(value),
            Self::Share { hits, n } => (n > 0).then(|| hits as f64 / n as f64),
            Self::Sum { sum, n } => (n > 0).then(|| sum / n as f64),
            Self::Absent => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_metrics_share_is_computed_once() {
        #[derive(Clone, Debug, PartialEq)]
        struct Longest(usize);
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, Vec::new());
        let mut asked = 0;
        for _ in 0..3 {
            let found = log.once(|log| {
                asked += 1;
                Longest(log.events.len() + log.once(|_| 7_usize))
            });
            assert_eq!(found, Longest(7));
        }
        assert_eq!(asked, 1);
        // Another type is another value; a copy knows nothing.
        assert_eq!(log.once(|_| 8_usize), 7);
        assert_eq!(log.clone().once(|_| Longest(1)), Longest(1));
    }
}
