//! The parts of a reproduction.

use serde::Serialize;

use super::super::comparisons::{places, signed};

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReproducedRow {
    /// Its name in the paper.
    pub label: String,
    /// The model or policy of the published figures.
    pub model: Option<String>,
    /// The source of our figures; none if there are no figures.
    pub source: Option<String>,
    /// One entry for each column.
    pub figures: Vec<ReproducedFigure>,
}

/// A published figure and ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReproducedFigure {
    /// The published one as it was written; nothing if the paper does not say it.
    pub published: Option<String>,
    /// Ours.
    pub ours: Option<OurFigure>,
}

/// A figure of ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OurFigure {
    /// The figure as it is shown.
    pub text: String,
    /// Percent, or the unit of the metric.
    pub value: f64,
    /// Number of episodes.
    pub n: usize,
    /// The 95 % interval in the same unit.
    pub interval: Option<(f64, f64)>,
    /// The standard deviation between repeats.
    pub deviation: Option<f64>,
    /// Ours minus the published one.
    pub difference: Option<f64>,
    /// The published one lies outside our interval.
    pub outside: bool,
    /// Decimals of the interval and the difference.
    #[serde(skip)]
    pub decimals: usize,
}

impl OurFigure {
    /// Its interval as it is shown.
    pub(super) fn shown_interval(&self) -> Option<String> {
        let ((low, high), places) = (self.interval?, self.decimals);
        Some(format!("{low:.places$}-{high:.places$}"))
    }
}

/// The outcome of an order of the paper for our figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It does.
    Holds,
    /// Our figures are equal.
    Equal,
    /// Ours are the other way round.
    Fails,
    /// One of ours is missing.
    Unknown,
}

impl Held {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Equal => "does not show: equal",
            Self::Fails => "does not hold",
            Self::Unknown => "cannot be said",
        }
    }
}

/// Two rows of which the paper says that one is better.
#[derive(Clone, Debug, PartialEq)]
pub struct ReproducedOrder {
    /// The better row.
    pub better: String,
    /// The worse row.
    pub worse: String,
    /// The column that says it.
    pub column: String,
    /// The outcome for our figures.
    pub held: Held,
    /// Our figures of both.
    pub ours: Option<(OurFigure, OurFigure)>,
    /// The better row's figure minus the other's; none where one is missing or they cannot be told task by
    /// task.
    pub difference: Option<OrderDifference>,
    /// The reason for which it may come out otherwise for those who played.
    pub otherwise: Option<String>,
}

/// Difference of two figures, in their unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderDifference {
    /// The better row's minus the other's.
    pub value: f64,
    /// Its 95 % interval, if it has any width.
    pub interval: Option<(f64, f64)>,
}

impl ReproducedOrder {
    /// As one sentence, with the numbers of episodes, and the difference and its interval, however it came
    /// out; the reason is told only where the order does not show.
    pub(super) fn sentence(&self) -> String {
        let shows = self.held == Held::Holds;
        let (better, worse, column) = (&self.better, &self.worse, &self.column);
        let held = self.held.words();
        let mut text = format!("{better} better than {worse} ({column}): {held}");
        if let Some((better, worse)) = &self.ours {
            text += &format!(
                " ({} and {}; n {} and {}{})",
                better.text,
                worse.text,
                better.n,
                worse.n,
                self.certainty(better.decimals.max(worse.decimals))
            );
        }
        if let Some(why) = self.otherwise.as_ref().filter(|_| !shows) {
            text += &format!(": {why}");
        }
        text
    }

    /// The difference and its interval.
    fn certainty(&self, decimals: usize) -> String {
        let Some(OrderDifference { value, interval }) = self.difference else {
            return String::new();
        };
        let (value, decimals) = match interval {
            // As in other tables, two digits of the interval are to be seen.
            Some((low, high)) => (value, decimals.max(places((high - low) / 2.0))),
            None => (value, decimals),
        };
        let shown = |value| signed(value, decimals);
        let Some((low, high)) = interval else {
            return format!("; difference {}, without an interval", shown(value));
        };
        let chance = if low <= 0.0 && high >= 0.0 { ", which has 0 in it" } else { "" };
        let ends = format!("{} to {}", shown(low), shown(high));
        format!("; difference {}, 95 % {ends}{chance}", shown(value))
    }
}
