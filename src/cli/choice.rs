//! The options by which commands choose among the episodes of a run.

use std::collections::BTreeSet;

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use crate::output::instead;
use crate::runs;
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::{RunLog, RunRecord};
use rolecall_core::text::{joined, unique, visible};
use rolecall_run::registry::Registry;

/// Which episodes are meant. Each option that is given several times takes all that it names.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which episodes")]
pub(crate) struct ChoiceArguments {
    /// Only episodes that count and were not solved
    #[arg(long, conflicts_with_all = ["broken", "episode"])]
    pub(crate) failed: bool,
    /// Only episodes that something other than the agent broke
    #[arg(long, conflicts_with = "episode")]
    pub(crate) broken: bool,
    /// Only tasks of this type
    #[arg(long, value_name = "TYPE", conflicts_with = "episode")]
    task_type: Vec<String>,
    /// Only this cell
    #[arg(long, value_name = "NAME", conflicts_with = "episode")]
    cell: Vec<String>,
    /// Only episodes with this kind of user
    #[arg(long, value_name = "KIND", conflicts_with = "episode")]
    user: Vec<String>,
    /// Only episodes that ended like this
    #[arg(
        long,
        value_name = "ENDING",
        value_parser = endings(),
        hide_possible_values = true,
        conflicts_with = "episode",
        help = format!("Only episodes that ended like this: {}", joined(ENDINGS))
    )]
    ending: Vec<String>,
    /// Sort by a figure, the greatest first
    #[arg(long, value_name = "FIGURE", value_enum, conflicts_with = "episode")]
    pub(super) sort: Option<SortFigure>,
    /// Turn the order round
    #[arg(long, conflicts_with = "episode")]
    pub(super) reverse: bool,
    /// Only the first N
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "episode")]
    pub(super) limit: Option<usize>,
}

/// The endings of episodes: the words of tables, with hyphens.
const ENDINGS: [&str; 18] = [
    "solved",
    "failed",
    "gave-up",
    "out-of-steps",
    "out-of-questions",
    "out-of-turns",
    "out-of-model-calls",
    "out-of-tokens",
    "out-of-cost",
    "repeats-itself",
    "out-of-time",
    "user-left",
    "unusable",
    "context-full",
    "refused",
    "broken",
    "cancelled",
    "unfinished",
];

/// The endings, each also as tables write it.
fn endings() -> PossibleValuesParser {
    let value = |word: &'static str| {
        let value = PossibleValue::new(word).alias(word.replace('-', " "));
        value.aliases(match word {
            "unusable" => Some("unusable answers"),
            "refused" => Some("refused by a filter"),
            _ => None,
        })
    };
    PossibleValuesParser::new(ENDINGS.map(value))
}

impl ChoiceArguments {
    /// Whether some episodes may be left out because of what they are.
    pub(crate) fn is_narrow(&self) -> bool {
        let lists = [&self.ending, &self.task_type, &self.cell, &self.user];
        self.failed || self.broken || lists.iter().any(|list| !list.is_empty())
    }

    /// Whether the choice looks at what episodes came to, not only at what they are of.
    pub(crate) fn is_by_outcome(&self) -> bool {
        let first_by_figure = self.sort.is_some() && self.limit.is_some();
        self.failed || self.broken || !self.ending.is_empty() || first_by_figure
    }

    /// The choice in words; `all` if it leaves nothing out.
    pub(crate) fn in_words(&self) -> String {
        let of = |what: &str, list: &[String]| (!list.is_empty()).then(|| format!("{what} {}", list.join(" or ")));
        let first = self.limit.map(|limit| {
            let least = if self.reverse { " from the least on" } else { "" };
            match self.sort.and_then(|figure| figure.to_possible_value()) {
                Some(figure) => format!("first {limit} by {}{least}", figure.get_name()),
                None if self.reverse => format!("last {limit}"),
                None => format!("first {limit}"),
            }
        });
        let parts = [
            self.failed.then(|| "failed".to_owned()),
            self.broken.then(|| "broken".to_owned()),
            of("ended as", &self.ending),
            of("of type", &self.task_type),
            of("of cell", &self.cell),
            of("with user", &self.user),
            first,
        ];
        let parts = joined(parts.into_iter().flatten());
        if parts.is_empty() { "all".to_owned() } else { parts }
    }

    /// Whether all episodes are shown, in their usual order.
    pub(crate) fn is_everything(&self) -> bool {
        !self.is_narrow() && self.sort.is_none() && !self.reverse && self.limit.is_none()
    }

    /// The results that are asked for, in the order that is asked for. A type, user or cell that
    /// no episode has is an error that names those there are.
    pub(crate) fn apply(
        &self,
        mut results: Vec<EpisodeResult>,
        record: &RunRecord,
    ) -> anyhow::Result<Vec<EpisodeResult>> {
        let kinds: BTreeSet<&str> = results.iter().map(|result| &*result.kind).collect();
        refuse_unknown("task type", &self.task_type, kinds)?;
        let users: BTreeSet<&str> = results.iter().filter_map(|result| result.user.as_deref()).collect();
        refuse_unknown("user", &self.user, users)?;
        self.check_cells(record)?;
        results.retain(|result| self.takes(result));
        if let Some(figure) = self.sort {
            results.sort_by(|one, other| figure.of(other).total_cmp(&figure.of(one)));
        }
        if self.reverse {
            results.reverse();
        }
        results.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(results)
    }

    /// Whether an episode is asked for.
    pub(super) fn takes(&self, result: &EpisodeResult) -> bool {
        let (standing, ending) = (result.standing(), result.ending_label());
        let ends_so = |word: &String| ending.starts_with(&word.replace('-', " "));
        (!self.failed || (standing == Standing::Counted && !result.success))
            && (!self.broken || standing == Standing::Broken)
            && (self.ending.is_empty() || self.ending.iter().any(ends_so))
            && among(&self.task_type, Some(&result.kind))
            && among(&self.cell, Some(result.episode.cell.as_str()))
            && among(&self.user, result.user.as_deref())
    }

    /// Checks the cells that are asked for against those of the run.
    pub(super) fn check_cells(&self, record: &RunRecord) -> anyhow::Result<()> {
        refuse_unknown("cell", &self.cell, record.cells.iter().map(CellName::as_str))
    }
}

/// Whether the value is in the list; an empty list has everything.
fn among(list: &[String], value: Option<&str>) -> bool {
    list.is_empty() || list.iter().any(|word| Some(word.as_str()) == value)
}

fn refuse_unknown<'a>(what: &str, asked: &[String], known: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(word) = asked.iter().find(|word| !known.contains(&word.as_str())) {
        bail!("no episode of this run has the {what} `{}`{}", visible(word), instead(word, &known));
    }
    Ok(())
}

/// A figure that episodes can be sorted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SortFigure {
    /// Moves of roles
    Steps,
    /// Words to the user
    Questions,
    /// Actions on the environment
    Actions,
    /// Actions that were refused
    Invalid,
    /// Faults of any seat
    Faults,
    /// The reward
    Reward,
    /// Cost of the calls of models
    Cost,
}

impl SortFigure {
    fn of(self, result: &EpisodeResult) -> f64 {
        let count = match self {
            Self::Steps => result.counts.steps,
            Self::Questions => result.counts.questions,
            Self::Actions => result.counts.actions,
            Self::Invalid => result.counts.invalid,
            Self::Faults => result.counts.faults,
            Self::Reward => return result.reward,
            Self::Cost => return result.cost().unwrap_or(0.0),
        };
        f64::from(count)
    }
}

/// The ids of the named episodes, each once, in the order of the names; without names, those of all
/// episodes that the choice lets through.
pub(crate) fn chosen(
    run: &RunLog,
    names: &[String],
    choice: &ChoiceArguments,
    registry: &Registry,
) -> anyhow::Result<Vec<EpisodeId>> {
    if !names.is_empty() {
        return Ok(unique(names.iter().map(|name| find(run, name)).collect::<anyhow::Result<Vec<_>>>()?));
    }
    if choice.is_everything() {
        return Ok(run.ids().cloned().collect());
    }
    // The recorded results say enough for a choice, so that the events need not be read.
    let results = choice.apply(runs::results_of(run, registry)?, run.record())?;
    Ok(results.into_iter().map(|result| result.episode).collect())
}

/// The one episode that a name stands for: `cell:task:repeat`, or less where that is enough.
pub(crate) fn find(run: &RunLog, name: &str) -> anyhow::Result<EpisodeId> {
    let is_named = |id: &&EpisodeId| {
        [id.to_string(), format!("{}:{}", id.cell, id.task), id.task.to_string()].iter().any(|form| form == name)
    };
    let found: Vec<&EpisodeId> = run.ids().filter(is_named).collect();
    let shown = visible(name);
    match found[..] {
        [id] => Ok(id.clone()),
        [] => {
            let first = run.ids().next().map(EpisodeId::to_string).unwrap_or_default();
            bail!("episode `{shown}` is not in this run; its first one is `{first}`")
        }
        [first, second, ..] => bail!("`{shown}` stands for {} episodes, such as `{first}` and `{second}`", found.len()),
    }
}

#[cfg(test)]
mod tests {
    use rolecall_core::domain::{Ending, Limit, Seat};

    use super::*;

    #[test]
    fn every_ending_has_one_word() {
        let broken = Ending::Broken { by: Seat::Conductor };
        let others = [
            Ending::Solved,
            Ending::Failed,
            Ending::GaveUp,
            Ending::UserLeft,
            Ending::Unusable,
            Ending::ContextFull,
            Ending::Refused,
            Ending::Cancelled,
            broken,
        ];
        let limits = Limit::ALL.map(|limit| Ending::OutOf { limit });
        for ending in others.into_iter().chain(limits) {
            let label = ending.label();
            let fitting = ENDINGS.iter().filter(|word| label.starts_with(&word.replace('-', " ")));
            assert_eq!(fitting.count(), 1, "{label}");
        }
    }
}
