//! Choosing among the episodes of a run.

use std::cmp::Ordering;

use anyhow::bail;

use super::arguments::{ChoiceArguments, EndingWord, Figure};
use crate::cli::output::instead;
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
        check("task type", &self.task_type, &results, |result| {
            Some(&result.kind)
        })?;
        check("user", &self.user, &results, |result| {
            result.user.as_deref()
        })?;
        self.check_cells(record)?;
        results.retain(|result| self.takes(result));
        if let Some(figure) = self.sort {
            results.sort_by(|one, other| figure.compare(one, other).reverse());
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
        let ending = EndingWord::of(result.ending.as_ref());
        let user = result.user.as_deref();
        (!self.failed || (standing == Standing::Counted && !result.success))
            && (!self.broken || standing == Standing::Broken)
            && (self.ending.is_empty() || self.ending.contains(&ending))
            && among(&self.task_type, Some(&result.kind))
            && among(&self.cell, Some(result.episode.cell.as_str()))
            && among(&self.user, user)
    }

    /// Checks the cells that are asked for against those of the run.
    pub(super) fn check_cells(&self, record: &RunRecord) -> anyhow::Result<()> {
        let known: Vec<&str> = record.cells.iter().map(|cell| cell.as_str()).collect();
        refuse_unknown("cell", &self.cell, &known)
    }
}

/// Whether the value is in the list; an empty list has everything.
fn among(list: &[String], value: Option<&str>) -> bool {
    list.is_empty() || list.iter().any(|own| Some(own.as_str()) == value)
}

fn check<'a>(
    what: &str,
    asked: &[String],
    results: &'a [EpisodeResult],
    value: fn(&'a EpisodeResult) -> Option<&'a str>,
) -> anyhow::Result<()> {
    if asked.is_empty() {
        return Ok(());
    }
    let mut known: Vec<&str> = results.iter().filter_map(value).collect();
    known.sort_unstable();
    known.dedup();
    refuse_unknown(what, asked, &known)
}

fn refuse_unknown(what: &str, asked: &[String], known: &[&str]) -> anyhow::Result<()> {
    let known_to = |word: &&String| known.contains(&word.as_str());
    if let Some(word) = asked.iter().find(|word| !known_to(word)) {
        let (shown, instead) = (visible(word), instead(word, known));
        bail!("no episode of this run has the {what} `{shown}`{instead}");
    }
    Ok(())
}

impl Figure {
    fn compare(self, one: &EpisodeResult, other: &EpisodeResult) -> Ordering {
        let count = |result: &EpisodeResult| match self {
            Self::Steps => result.counts.steps,
            Self::Questions => result.counts.questions,
            Self::Actions => result.counts.actions,
            Self::Invalid => result.counts.invalid,
            Self::Faults => result.counts.faults,
            Self::Reward => 0,
        };
        let figures = count(one).cmp(&count(other));
        figures.then_with(|| match self {
            Self::Reward => one.reward.total_cmp(&other.reward),
            Self::Steps | Self::Questions | Self::Actions => Ordering::Equal,
            Self::Invalid | Self::Faults => Ordering::Equal,
        })
    }
}
