//! Metrics of responses, plans and retrievals. All of them are left out on other tasks.

use super::answered::Answered;
use super::environment::GOAL;
use rolecall_core::evaluation::metrics::Formula;
use rolecall_core::evaluation::{Detail, Overlap, Overlaps};
use rolecall_core::ports::{EpisodeLog, Measurement, Metric, Response};

/// A figure of the response beside its references.
pub(super) struct OverlapMetric(pub(super) Overlap);

impl Metric for OverlapMetric {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Computes all figures at once.
    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let overlaps = Answered::of(log).map(|answered| log.once(|_| Overlaps::of(&answered.response)));
        overlaps.and_then(|overlaps| overlaps.get(self.0)).map_or(Measurement::Absent, Measurement::Value)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

/// Whether a conversation reached its goal (see `environment.rs`). Absent without one.
pub(super) static GOAL_REACHED: Detail = Detail { name: "goal_reached", key: GOAL };

const PERSONA: &str = "PERSONA";
const DOCUMENT: &str = "DOCUMENT";

/// The number of queries to sources before the first response. Absent on tasks without known right texts.
pub(super) static RETRIEVALS: Formula = Formula::optional("retrievals", |log| {
    let answered = Answered::of(log).filter(|answered| !answered.gold.is_empty())?;
    Some(Measurement::Value(answered.retrievals.len() as f64))
});

/// The share of the right texts of `PERSONA` that were retrieved; absent without any.
pub(super) static PERSONA_FOUND: Formula = Formula::optional("persona_found", |log| found(log, PERSONA));

/// The share of the right texts of `DOCUMENT` that were retrieved; absent without any.
pub(super) static DOCUMENT_FOUND: Formula = Formula::optional("document_found", |log| found(log, DOCUMENT));

/// The share of the right texts of a data set's own sources that were retrieved, whatever the source; absent where
/// there are no sources but those of FoCus.
pub(super) static TEXTS_FOUND: Formula = Formula::optional("texts_found", |log| {
    let answered = Answered::of(log)?;
    answered.gold.keys().find(|source| ![PERSONA, DOCUMENT].contains(&source.as_str()))?;
    let found = answered.gold.keys().filter_map(|source| answered.found(source));
    let (found, all) = found.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    (all > 0).then(|| Measurement::Value(found as f64 / all as f64))
});

/// The right texts of `PERSONA` that were retrieved, each as often as it was (TPE Table 11). Absent if they
/// are not known.
pub(super) static PERSONAS_CORRECT: Formula = Formula::optional("personas_correct", |log| correct(log, PERSONA));

/// The right texts of `DOCUMENT` that were retrieved, each as often as it was.
pub(super) static DOCUMENTS_CORRECT: Formula = Formula::optional("documents_correct", |log| correct(log, DOCUMENT));

/// Strategies that were planned for the first response, adjacent repeats as one. Absent where nobody was
/// to plan, and on tasks whose tools are no strategies.
pub(super) static STRATEGIES_PLANNED: Formula = Formula::optional("strategies_planned", |log| {
    let answered = Answered::of(log)?;
    let planned = Response::collapsed(answered.response.planned.as_ref()?);
    Some(Measurement::Value(planned.len() as f64))
});

/// Whether the strategies that were planned for the first response are those annotated in one of its references, in any
/// order. Absent without annotations, and where nobody was to plan.
pub(super) static STRATEGY_ACCURACY: Formula = Formula::optional("strategy_accuracy", |log| {
    let right = Answered::of(log)?.is_planned_as_annotated()?;
    Some(Measurement::Rate(right))
});

fn found(log: &EpisodeLog<'_>, source: &str) -> Option<Measurement> {
    let (found, all) = Answered::of(log)?.found(source)?;
    Some(Measurement::Value(found as f64 / all as f64))
}

fn correct(log: &EpisodeLog<'_>, source: &str) -> Option<Measurement> {
    let correct = Answered::of(log)?.correct(source, usize::MAX)?;
    Some(Measurement::Value(correct as f64))
}
