//! What the agent does: shares of action types, as ReSpAct Figure 5 shows them.

use super::figures::{NONE, percent};
use super::tables::{keyed, keys};
use super::{Align, Report, Table};
use crate::evaluation::{Group, Summary};

/// A type of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionType {
    /// A thought.
    Think,
    /// A plan.
    Plan,
    /// A verdict whether to ask.
    Judge,
    /// An utterance to the user.
    Speak,
    /// An action that the environment took.
    Act,
    /// An action that the environment refused.
    Refused,
    /// A lesson.
    Learn,
    /// An answer that ends the task.
    Finish,
}

impl ActionType {
    /// Every type, in the order in which they are shown.
    pub(super) const ALL: [Self; 8] = [
        Self::Think,
        Self::Plan,
        Self::Judge,
        Self::Speak,
        Self::Act,
        Self::Refused,
        Self::Learn,
        Self::Finish,
    ];

    /// The word that tables use.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::Plan => "plan",
            Self::Judge => "judge",
            Self::Speak => "speak",
            Self::Act => "act",
            Self::Refused => "refused act",
            Self::Learn => "learn",
            Self::Finish => "finish",
        }
    }

    /// How often it occurs in an episode of the group, on average.
    fn mean(self, summary: &Summary, group: &Group) -> f64 {
        let of = |metric| summary.estimate(group, metric).value().unwrap_or(0.0);
        match self {
            Self::Think => of("thoughts"),
            Self::Plan => of("plans"),
            Self::Judge => of("judgements"),
            Self::Speak => of("questions"),
            Self::Act => (of("actions") - of("invalid")).max(0.0),
            Self::Refused => of("invalid"),
            Self::Learn => of("lessons"),
            Self::Finish => of("finishes"),
        }
    }
}

/// The share of each type in all that the group's agent did, in the order of [`ActionType::ALL`];
/// none if it did nothing.
pub(super) fn shares(summary: &Summary, group: &Group) -> Option<[f64; 8]> {
    let means = ActionType::ALL.map(|kind| kind.mean(summary, group));
    let total: f64 = means.iter().sum();
    (total > 0.0).then(|| means.map(|mean| mean / total))
}

/// The types that occur anywhere in the run.
pub(super) fn occurring(summary: &Summary) -> Vec<ActionType> {
    let occurs = |kind: &ActionType| {
        let mut rows = summary.rows.iter();
        rows.any(|row| kind.mean(summary, row) > 0.0)
    };
    ActionType::ALL.into_iter().filter(occurs).collect()
}

/// A row per cell and user, a column per type that occurs.
pub(super) fn table(report: &Report<'_>) -> Table {
    let summary = &report.summary;
    let mut table = keyed(summary, "Action types (% of all)");
    let types = occurring(summary);
    for kind in &types {
        table = table.column(kind.label(), Align::Right);
    }
    if types.is_empty() {
        return table;
    }
    for row in &summary.rows {
        let shares = shares(summary, row);
        let text = |kind: &ActionType| match shares {
            Some(shares) => percent(shares[*kind as usize]),
            None => NONE.to_owned(),
        };
        let mut texts = keys(summary, row);
        texts.extend(types.iter().map(text));
        table.row(texts);
    }
    table
}
