//! `rolecall rate agreement`: how far raters, judges and the rules agree.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;

use super::{AgreementArguments, asked};
use crate::output::{self, instead};
use crate::runs;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::labels::{
    Against, ItemKind, LabelLine, Preference, Preferred, Ratings, What, agreement, items, win_rates,
};
use rolecall_core::log::RunLog;
use rolecall_core::reports::agreement::{self as report, Agreed};
use rolecall_core::text::visible;
use rolecall_run::rating::{RULES, one_field, store};
use rolecall_run::registry::Registry;

/// Labels by item, a column for each rater.
type Labels = BTreeMap<(Against, Option<Against>), Vec<Option<usize>>>;

/// Computes, and prints what was found.
pub(super) fn execute(arguments: &AgreementArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let what = &asked(&arguments.what, arguments.pairwise, registry)?;
    one_field(what)?;
    let run = runs::open(&arguments.run)?;
    let raters = raters(&run, what, &arguments.rater)?;
    let mut preferences = Vec::new();
    let labels = labels(&run, what, &raters, &mut preferences)?;
    let ratings =
        Ratings { labels: what.labels().len(), ordinal: what.is_ordinal(), items: labels.into_values().collect() };
    let given = |rater: usize| {
        let labelled = |item: &&Vec<Option<usize>>| item.get(rater).copied().flatten().is_some();
        ratings.items.iter().filter(labelled).count()
    };
    let agreed = Agreed {
        run: arguments.run.display().to_string(),
        what: what.clone(),
        given: (0..raters.len()).map(given).collect(),
        found: agreement(&ratings),
        wins: win_rates(&preferences),
        raters,
    };
    let text = if arguments.json {
        output::json_line(report::object(&agreed))
    } else if arguments.markdown {
        report::markdown(&agreed)
    } else {
        report::text(&agreed, &output::layout())
    };
    output::succeed(&text)
}

/// The raters that are compared: those that are named, else all that labelled anything, and the rules.
fn raters(run: &RunLog, what: &What, named: &[String]) -> anyhow::Result<Vec<String>> {
    let mut known = store::raters(run.folder(), what)?;
    if known.is_empty() {
        bail!("nobody has labelled `{what}` in `{}`", output::shown(run.folder()));
    }
    if what.has_rules() {
        known.push(RULES.to_owned());
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    if let Some(unknown) = named.iter().find(|rater| !known.contains(rater)) {
        bail!("`{}` has labelled no `{what}`{}", visible(unknown), instead(unknown, &names));
    }
    if !named.is_empty() {
        known.retain(|rater| named.contains(rater));
    }
    Ok(known)
}

/// The labels that they gave, and what they prefer of pairs, whichever side it was on. The rules label what somebody
/// else labelled, and no more.
fn labels(run: &RunLog, what: &What, raters: &[String], preferences: &mut Vec<Preference>) -> anyhow::Result<Labels> {
    let mut labels = Labels::new();
    let people = raters.iter().enumerate();
    for (rater, name) in people.filter(|(_, name)| *name != RULES) {
        for (line, label) in store::read(run.folder(), what, name)? {
            let preference = preference(run, rater, &line, label);
            let label = preference.as_ref().map_or(label, |preference| preference.preferred as usize);
            preferences.extend(preference);
            let item = labels.entry(line.labelled()).or_insert_with(|| vec![None; raters.len()]);
            if let Some(slot) = item.get_mut(rater) {
                *slot = Some(label);
            }
        }
    }
    if let Some(column) = raters.iter().position(|rater| rater == RULES) {
        by_rules(run, what, column, &mut labels)?;
    }
    Ok(labels)
}

/// Preference that a label of a pair states, with the cells in the order of the run.
fn preference(run: &RunLog, rater: usize, line: &LabelLine, label: usize) -> Option<Preference> {
    let cells = [&line.episode.cell, &line.against.as_ref()?.episode.cell];
    let preferred = Preferred::of(label);
    let [first, second] = cells.map(|cell| (run.record().position(cell), cell));
    let (cells, preferred) = match first <= second {
        true => (cells, preferred),
        false => ([cells[1], cells[0]], preferred.swapped()),
    };
    Some(Preference { rater, cells: cells.map(Clone::clone), task: line.episode.task.to_string(), preferred })
}

/// Adds the rules' labels of the items that somebody labelled.
fn by_rules(run: &RunLog, what: &What, column: usize, labels: &mut Labels) -> anyhow::Result<()> {
    let mut ids: Vec<EpisodeId> = labels.keys().map(|(item, _)| item.episode.clone()).collect();
    ids.dedup();
    for episode in run.episodes_of(&ids)? {
        let episode = episode?;
        for item in items(&episode.log(), ItemKind::Utterances, |_| None) {
            let labelled = Against { episode: episode.id.clone(), seq: item.seq };
            if let Some(slot) = labels.get_mut(&(labelled, None)).and_then(|raters| raters.get_mut(column)) {
                *slot = what.by_rules(&item.said);
            }
        }
    }
    Ok(())
}
