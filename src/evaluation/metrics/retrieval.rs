//! What was looked up for a response, and whether it was right.

use super::super::response::Sample;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// What is asked about the retrievals of an episode; only those before the first response count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retrieved {
    /// How often a source was asked. Absent on tasks without known right texts.
    Retrievals,
    /// The share of the right texts of `PERSONA` that were retrieved; absent without any.
    PersonaFound,
    /// The same of `DOCUMENT`.
    DocumentFound,
    /// How many right texts of `PERSONA` were retrieved, each as often as it was (TPE Table 11). Absent
    /// if nothing is known of them.
    PersonasCorrect,
    /// The same of `DOCUMENT`.
    DocumentsCorrect,
}

const PERSONA: &str = "PERSONA";
const DOCUMENT: &str = "DOCUMENT";

impl Metric for Retrieved {
    fn name(&self) -> &'static str {
        match self {
            Self::Retrievals => "retrievals",
            Self::PersonaFound => "persona_found",
            Self::DocumentFound => "document_found",
            Self::PersonasCorrect => "personas_correct",
            Self::DocumentsCorrect => "documents_correct",
        }
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let Some(sample) = Sample::of(log) else {
            return Measurement::Absent;
        };
        let share = |source| {
            let (found, all) = sample.found(source)?;
            Some(found as f64 / all as f64)
        };
        let correct = |source| Some(sample.correct(source, usize::MAX)? as f64);
        let value = match self {
            Self::Retrievals => (!sample.gold.is_empty()).then_some(sample.retrievals.len() as f64),
            Self::PersonaFound => share(PERSONA),
            Self::DocumentFound => share(DOCUMENT),
            Self::PersonasCorrect => correct(PERSONA),
            Self::DocumentsCorrect => correct(DOCUMENT),
        };
        value.map_or(Measurement::Absent, Measurement::Value)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
