//! Metrics: figures computed from the log of an episode, and from nothing else.

use crate::domain::{Counts, EpisodeId, Event, Message, Opened, Outcome};

/// The events of one episode, in order.
#[derive(Clone, Debug)]
pub struct EpisodeLog<'a> {
    /// Which episode.
    pub id: &'a EpisodeId,
    /// Its events; the last one closes it, unless the run was interrupted.
    pub events: Vec<&'a Event>,
}

impl<'a> EpisodeLog<'a> {
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

    /// What happened how often.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for event in &self.events {
            event.message.add_to(&mut counts);
        }
        counts
    }
}

/// One figure of an episode.
pub trait Metric: Send + Sync {
    /// The name under which the figure is reported.
    fn name(&self) -> &'static str;

    /// Computes it.
    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement;

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

/// What a metric says about one episode.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Measurement {
    /// Yes or no: aggregated as a rate with a Wilson interval.
    Rate(bool),
    /// A quantity: aggregated as a mean with a bootstrap interval.
    Value(f64),
    /// The metric says nothing about this episode.
    Absent,
}
