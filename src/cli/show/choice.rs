//! Choosing among the episodes of a run.

use std::collections::BTreeSet;

use anyhow::bail;

use super::arguments::{ChoiceArguments, SortFigure};
use crate::cli::output::instead;
use crate::domain::CellName;
use crate::evaluation::{EpisodeResult, Standing};
use crate::log::RunRecord;
use crate::text::visible;

impl ChoiceArguments {
    /// The results that are asked for, in the order that is asked for. A type, user or cell that
    /// no episode has is an error that names those there are.
    pub(crate) fn apply(
        &self,
        mut results: Vec<EpisodeResult>,
        record: &RunRecord,
    ) -> anyhow::Result<Vec<EpisodeResult>> {
        let kinds: BTreeSet<&str> = results.iter().map(|result| &*result.kind).collect();
        refuse_unknown("task type", &self.task_type, kinds)?;
        let users = results.iter().filter_map(|result| result.user.as_deref());
        refuse_unknown("user", &self.user, users.collect::<BTreeSet<_>>())?;
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
        let standing = result.standing();
        let ending = result.ending_label();
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
    list.is_empty() || list.iter().any(|own| Some(own.as_str()) == value)
}

fn refuse_unknown<'a>(what: &str, asked: &[String], known: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(word) = asked.iter().find(|word| !known.contains(&word.as_str())) {
        let (shown, instead) = (visible(word), instead(word, &known));
        bail!("no episode of this run has the {what} `{shown}`{instead}");
    }
    Ok(())
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
