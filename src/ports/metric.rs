//! Metrics: figures computed from the log of an episode, and from nothing else.

use crate::domain::{EpisodeId, Event};

/// The events of one episode, in order.
#[derive(Clone, Debug)]
pub struct EpisodeLog<'a> {
    /// Which episode.
    pub id: &'a EpisodeId,
    /// Its events; the last one closes it, unless the run was interrupted.
    pub events: Vec<&'a Event>,
}

/// One figure of an episode.
pub trait Metric: Send + Sync {
    /// The name under which the figure is reported.
    fn name(&self) -> &'static str;

    /// Computes it.
    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement;
}

/// What a metric says about one episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measurement {
    /// Yes or no: aggregated as a rate with a Wilson interval.
    Rate(bool),
    /// A quantity: aggregated as a mean.
    Value(f64),
    /// The metric says nothing about this episode.
    Absent,
}
