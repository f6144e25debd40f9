//! `rolecall rate agreement`: how far raters, judges and the rules agree.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;

use super::arguments::AgreementArguments;
use super::source::Place;
use super::store::{self, RULES};
use crate::cli::output::instead;
use crate::cli::{output, runs};
use crate::domain::EpisodeId;
use crate::evaluation::labels::{ItemKind, Ratings, agreement, items};
use crate::log::RunLog;
use crate::reports::agreement::{self as report, Agreed};
use crate::text::visible;

/// Computes, and prints what was found.
pub(super) fn execute(arguments: &AgreementArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let what = &arguments.what;
    let has_rules = !what.is_ordinal();
    let mut known = store::raters(run.folder(), what)?;
    let shown = arguments.run.display().to_string();
    if known.is_empty() {
        bail!("nobody has labelled `{what}` in `{}`", visible(&shown));
    }
    if has_rules {
        known.push(RULES.to_owned());
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let wanted = arguments.rater.iter();
    if let Some(unknown) = wanted.clone().find(|rater| !known.contains(rater)) {
        let instead = instead(unknown, &names);
        bail!("`{}` has labelled no `{what}`{instead}", visible(unknown));
    }
    let raters: Vec<String> = match arguments.rater.as_slice() {
        [] => known,
        some => known
            .into_iter()
            .filter(|rater| some.contains(rater))
            .collect(),
    };
    let mut labels: BTreeMap<Place, Vec<Option<usize>>> = BTreeMap::new();
    for (column, rater) in raters
        .iter()
        .enumerate()
        .filter(|(_, rater)| *rater != RULES)
    {
        for (line, place) in store::read(run.folder(), what, rater)? {
            let item = labels.entry((line.episode, line.seq));
            let item = item.or_insert_with(|| vec![None; raters.len()]);
            if let Some(own) = item.get_mut(column) {
                *own = Some(place);
            }
        }
    }
    if let Some(column) = raters.iter().position(|rater| rater == RULES) {
        by_rules(&run, arguments, column, &mut labels)?;
    }
    let ratings = Ratings {
        labels: what.labels().len(),
        ordinal: what.is_ordinal(),
        items: labels.into_values().collect(),
    };
    let agreed = Agreed {
        run: shown,
        what: what.clone(),
        given: (0..raters.len())
            .map(|rater| {
                ratings
                    .items
                    .iter()
                    .filter(|item| item.get(rater) > Some(&None))
                    .count()
            })
            .collect(),
        found: agreement(&ratings),
        raters,
    };
    let text = if arguments.json {
        format!("{}\n", report::object(&agreed))
    } else if arguments.markdown {
        report::markdown(&agreed)
    } else {
        report::text(&agreed, &output::layout())
    };
    output::emit(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the rules' labels of the items that somebody labelled.
fn by_rules(
    run: &RunLog,
    arguments: &AgreementArguments,
    column: usize,
    labels: &mut BTreeMap<Place, Vec<Option<usize>>>,
) -> anyhow::Result<()> {
    let mut ids: Vec<EpisodeId> = labels.keys().map(|(id, _)| id.clone()).collect();
    ids.dedup();
    for episode in run.episodes_of(&ids)? {
        let episode = episode?;
        for item in items(&episode.log(), ItemKind::Utterances) {
            let own = labels.get_mut(&(episode.id.clone(), item.seq));
            if let Some(own) = own.and_then(|own| own.get_mut(column)) {
                *own = arguments.what.by_rules(&item.said);
            }
        }
    }
    Ok(())
}
