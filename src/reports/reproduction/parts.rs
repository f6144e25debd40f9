//! The parts of a reproduction.

use serde::Serialize;

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
    /// The reason for which it may come out otherwise for those who played.
    pub otherwise: Option<String>,
}

impl ReproducedOrder {
    /// As one sentence; the numbers of episodes, the intervals and the reason are told only where the order
    /// does not show.
    pub(super) fn sentence(&self) -> String {
        let shows = self.held == Held::Holds;
        let (better, worse, column) = (&self.better, &self.worse, &self.column);
        let held = self.held.words();
        let mut text = format!("{better} better than {worse} ({column}): {held}");
        if let Some((better, worse)) = &self.ours {
            let certainty = (!shows).then(|| certainty(better, worse));
            let certainty = certainty.unwrap_or_default();
            text += &format!(" ({} and {}{certainty})", better.text, worse.text);
        }
        if let Some(why) = self.otherwise.as_ref().filter(|_| !shows) {
            text += &format!(": {why}");
        }
        text
    }
}

/// The numbers of episodes and the intervals of two figures.
fn certainty(better: &OurFigure, worse: &OurFigure) -> String {
    let n = format!("; n {} and {}", better.n, worse.n);
    match better.shown_interval().zip(worse.shown_interval()) {
        Some((better, worse)) => format!("{n}, 95 % {better} and {worse}"),
        None => n,
    }
}
