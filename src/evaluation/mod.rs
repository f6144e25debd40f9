//! Figures computed from logs: metrics per episode, and aggregation with intervals.
use crate::ports::{EpisodeLog, Metric};
/// x
#[derive(Debug, serde::Serialize)]
pub struct EpisodeResult {
    /// x
    pub episode: crate::domain::EpisodeId,
}
/// x
pub fn measure(log: &EpisodeLog<'_>, _: &[&'static dyn Metric]) -> EpisodeResult {
    EpisodeResult {
        episode: log.id.clone(),
    }
}
