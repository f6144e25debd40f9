//! The spread of steps, questions and refused actions over episodes (ReSpAct Figure 9 shows the
//! last).

use super::tables::{keyed, keys};
use super::{Report, Table};
use crate::domain::Counts;
use crate::evaluation::{EpisodeResult, Spread};

/// A figure whose spread is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpreadFigure {
    /// Moves of any kind.
    Steps,
    /// Utterances to the user.
    Questions,
    /// Refused actions.
    Refused,
}

impl SpreadFigure {
    /// Every figure, in the order in which they are shown.
    pub(super) const ALL: [Self; 3] = [Self::Steps, Self::Questions, Self::Refused];

    /// The heading.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Steps => "Steps per episode",
            Self::Questions => "Questions per episode",
            Self::Refused => "Refused actions per episode",
        }
    }

    fn count(self, counts: &Counts) -> u32 {
        match self {
            Self::Steps => counts.steps,
            Self::Questions => counts.questions,
            Self::Refused => counts.invalid,
        }
    }

    /// Its values in the episodes.
    pub(super) fn values<'a>(self, results: impl Iterator<Item = &'a EpisodeResult>) -> Vec<u32> {
        results.map(|result| self.count(&result.counts)).collect()
    }
}

/// A row per cell and user: mean, extremes and quartiles over the episodes that count. Empty if no
/// episode has any of it.
pub(super) fn table(report: &Report<'_>, figure: SpreadFigure) -> Table {
    let mut table =
        keyed(&report.summary, figure.title()).numbers(["n", "mean", "min", "25 %", "median", "75 %", "max"]);
    let mut rows = Vec::new();
    let mut largest = 0;
    for row in &report.summary.rows {
        let values = figure.values(report.counted(row));
        largest = values.iter().copied().fold(largest, u32::max);
        let Some(spread) = Spread::of(&values) else {
            continue;
        };
        let mut texts = keys(&report.summary, row);
        texts.extend([spread.n.to_string(), format!("{:.2}", spread.mean)]);
        texts.extend(spread.quartiles.map(short));
        rows.push(texts);
    }
    if largest > 0 {
        for texts in rows {
            table.row(texts);
        }
    }
    table
}

/// A quartile: whole, or with as many decimals as it has.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
