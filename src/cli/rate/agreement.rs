//! `rolecall rate agreement`: how far raters, judges and the rules agree.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;

use super::arguments::AgreementArguments;
use crate::cli::output::instead;
use crate::cli::{output, runs};
use crate::domain::EpisodeId;
use crate::evaluation::labels::{ItemKind, Ratings, agreement, items};
use crate::log::RunLog;
use crate::rating::{RULES, TurnId, one_field, store};
use crate::reports::agreement::{self as report, Agreed};
use crate::text::visible;

/// Labels by item, a column for each rater.
type Labels = BTreeMap<TurnId, Vec<Option<usize>>>;

/// Computes, and prints what was found.
pub(super) fn execute(arguments: &AgreementArguments) -> anyhow::Result<ExitCode> {
    let what = &arguments.what;
    one_field(what)?;
    let run = runs::open(&arguments.run)?;
    let raters = raters(&run, arguments)?;
    let labels = labels(&run, arguments, &raters)?;
    let ratings = Ratings {
        labels: what.labels().len(),
        ordinal: what.is_ordinal(),
        items: labels.into_values().collect(),
    };
    let given = |rater: usize| {
        let labelled = |item: &&Vec<Option<usize>>| item.get(rater).copied().flatten().is_some();
        ratings.items.iter().filter(labelled).count()
    };
    let agreed = Agreed {
        run: arguments.run.display().to_string(),
        what: what.clone(),
        given: (0..raters.len()).map(given).collect(),
        found: agreement(&ratings),
        raters,
    };
    let text = if arguments.json {
        output::harmless_json(&format!("{}\n", report::object(&agreed))).into_owned()
    } else if arguments.markdown {
        report::markdown(&agreed)
    } else {
        report::text(&agreed, &output::layout())
    };
    output::succeed(&text)
}

/// The raters that are compared: those that are named, else all that labelled anything, and the rules.
fn raters(run: &RunLog, arguments: &AgreementArguments) -> anyhow::Result<Vec<String>> {
    let what = &arguments.what;
    let mut known = store::raters(run.folder(), what)?;
    if known.is_empty() {
        let run = output::shown(&arguments.run);
        bail!("nobody has labelled `{what}` in `{run}`");
    }
    if what.has_rules() {
        known.push(RULES.to_owned());
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut wanted = arguments.rater.iter();
    if let Some(unknown) = wanted.find(|rater| !known.contains(rater)) {
        let instead = instead(unknown, &names);
        bail!("`{}` has labelled no `{what}`{instead}", visible(unknown));
    }
    if !arguments.rater.is_empty() {
        known.retain(|rater| arguments.rater.contains(rater));
    }
    Ok(known)
}

/// The labels that they gave. The rules label what somebody else labelled, and no more.
fn labels(
    run: &RunLog,
    arguments: &AgreementArguments,
    raters: &[String],
) -> anyhow::Result<Labels> {
    let mut labels = Labels::new();
    let people = raters.iter().enumerate();
    for (column, rater) in people.filter(|(_, rater)| *rater != RULES) {
        for (line, place) in store::read(run.folder(), &arguments.what, rater)? {
            let item = labels.entry((line.episode, line.seq));
            let item = item.or_insert_with(|| vec![None; raters.len()]);
            if let Some(own) = item.get_mut(column) {
                *own = Some(place);
            }
        }
    }
    if let Some(column) = raters.iter().position(|rater| rater == RULES) {
        by_rules(run, arguments, column, &mut labels)?;
    }
    Ok(labels)
}

/// Adds the rules' labels of the items that somebody labelled.
fn by_rules(
    run: &RunLog,
    arguments: &AgreementArguments,
    column: usize,
    labels: &mut Labels,
) -> anyhow::Result<()> {
    let mut ids: Vec<EpisodeId> = labels.keys().map(|(id, _)| id.clone()).collect();
    ids.dedup();
    for episode in run.episodes_of(&ids)? {
        let episode = episode?;
        for item in items(&episode.log(), ItemKind::Utterances, |_| None) {
            let own = labels.get_mut(&(episode.id.clone(), item.seq));
            if let Some(own) = own.and_then(|own| own.get_mut(column)) {
                *own = arguments.what.by_rules(&item.said);
            }
        }
    }
    Ok(())
}
