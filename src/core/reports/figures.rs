//! The forms of figures in tables.

use crate::domain::FaultKind;
use crate::evaluation::{Estimate, Overlap};

/// The mark in place of a figure that is missing.
pub const NONE: &str = "-";

/// A figure, or what stands in its place.
pub(super) fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| NONE.to_owned())
}

/// A share as percent with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A rate or share as percent, or a mean with two decimals.
pub(super) fn value(estimate: &Estimate) -> String {
    match estimate {
        Estimate::Empty => NONE.to_owned(),
        Estimate::Rate { rate: share, .. } | Estimate::Pooled { share, .. } => percent(*share),
        Estimate::Mean { mean, .. } => format!("{mean:.2}"),
    }
}

/// The ends of the interval, in the unit of [`value`].
pub(super) fn interval(estimate: &Estimate) -> String {
    let Some(ends) = estimate.interval() else {
        return NONE.to_owned();
    };
    match estimate {
        Estimate::Rate { .. } | Estimate::Pooled { .. } => range(ends, percent),
        Estimate::Mean { .. } | Estimate::Empty => range(ends, |end| format!("{end:.2}")),
    }
}

/// The factor by which the mean of a metric is multiplied before it is shown as a measure of a task type:
/// figures of responses are shown times 100, as papers do.
pub(super) fn scale(metric: &str) -> f64 {
    if Overlap::named(metric).is_some() { 100.0 } else { 1.0 }
}

/// A metric as tables of measures call it.
pub(super) fn measure_name(metric: &str) -> String {
    match Overlap::named(metric) {
        Some(overlap) => format!("{} x 100", overlap.label()),
        None => metric.replace('_', " "),
    }
}

/// The figure of a measure.
pub(super) fn measure(metric: &str, estimate: &Estimate) -> String {
    match estimate {
        Estimate::Mean { mean, .. } => format!("{:.2}", mean * scale(metric)),
        other => value(other),
    }
}

/// A headline metric with its figure, such as `success 50.0 %`.
pub fn headline(metric: &str, estimate: &Estimate) -> String {
    let (name, figure) = (measure_name(metric), measure(metric, estimate));
    match estimate.is_share() {
        true => format!("{name} {figure} %"),
        false => format!("{name}: {figure}"),
    }
}

/// The ends of its interval, if it has any width.
pub(super) fn measure_interval(metric: &str, estimate: &Estimate) -> String {
    let ends = estimate.interval().filter(|(low, high)| low < high);
    match (ends, estimate) {
        (Some(ends), Estimate::Mean { .. }) => range(ends, |end| format!("{:.2}", end * scale(metric))),
        (Some(_), other) => interval(other),
        (None, _) => NONE.to_owned(),
    }
}

/// Two ends, each written as said.
pub(super) fn range(ends: (f64, f64), written: impl Fn(f64) -> String) -> String {
    format!("{} to {}", written(ends.0), written(ends.1))
}

/// An amount of money with as many places as it takes to tell small ones apart.
pub(super) fn money(amount: f64) -> String {
    let places = match amount.abs() {
        0.0 => return "0".to_owned(),
        1.0.. => 2,
        0.01.. => 4,
        0.0001.. => 6,
        _ => 8,
    };
    format!("{amount:.places$}")
}

/// The failure of a participant, in words.
pub(super) fn fault(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Panic => "panic",
        FaultKind::Deadline => "no answer in time",
        FaultKind::Error => "error",
        FaultKind::Unusable => "unusable answer",
        FaultKind::TooLarge => "answer too large",
        FaultKind::Unavailable => "unavailable",
        FaultKind::ContextFull => "context full",
        FaultKind::Refused => "refused",
    }
}
