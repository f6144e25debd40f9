//! `rolecall rate judge`: a model labels what was said.

use std::collections::BTreeSet;

use std::mem;
use std::process::ExitCode;

use anyhow::anyhow;
use tokio_util::sync::CancellationToken;

use super::JudgeArguments;
use super::ask::Judge;
use crate::asking::{Asking, Open};
use crate::model_client::model_client;
use crate::{output, progress};
use rolecall_core::evaluation::labels::{LabelLine, What};
use rolecall_core::ports::ModelError;
use rolecall_core::text::{counted, joined, visible};
use rolecall_run::rating::store::{self, Appending};
use rolecall_run::rating::{Asked, RatingError, Wanted, rater};
use rolecall_run::registry::Registry;

/// Items that are in memory at the same time.
const AT_ONCE: usize = 512;

/// Asks about everything that has no label yet.
pub(super) fn execute(arguments: &JudgeArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let model = model_client(&arguments.config, &arguments.sets, &arguments.model, registry)?;
    let choice = arguments.items.choice(arguments.pairwise, registry)?;
    let judge = Judge::new(model, &choice, arguments.prompt.as_deref(), arguments.question.as_deref())?;
    let name = match &arguments.rater {
        Some(name) => name.clone(),
        None => default_name(&arguments.model)?,
    };
    let wanted = arguments.items.open(&choice, registry)?;
    let swapped = wanted.swapped(&name);
    let folder = wanted.run.folder();
    let mut parts = choice.what.parts();
    parts.retain(|part| wanted.ids.iter().any(|id| wanted.has_field(id, part)));
    let left = left(&wanted, &parts, &name)?;
    let earlier = (wanted.ids.len() - left.len()) as u64;
    let mut files: Vec<Appending> =
        parts.iter().map(|part| Appending::open(folder, part, &name)).collect::<Result<_, RatingError>>()?;
    let bar = progress::bar(wanted.ids.len(), "labels", arguments.quiet);
    bar.set_position(earlier);
    let (new, open) = output::runtime()?.block_on(async {
        let mut asking = Asking::new(&*judge.model, arguments.concurrency as usize, bar);
        let cancel = asking.cancel.clone();
        let mut new = 0;
        for some in left.chunks(AT_ONCE) {
            let asked = wanted.asked(some)?.into_iter().map(|(id, asked)| {
                let asked = if swapped.contains(&id) { asked.swapped() } else { asked };
                ask(&judge, &cancel, id, asked)
            });
            let take = |lines: Vec<(What, LabelLine)>| {
                new += add(&lines, &parts, &mut files)?;
                Ok(())
            };
            asking.all(asked, take).await?;
            if asking.open.stopped.is_some() {
                break;
            }
        }
        anyhow::Ok((new, mem::take(&mut asking.open)))
    })?;
    tell(new, earlier, &open, &files)?;
    output::exit_code(!open.missing().is_empty() || open.stopped.is_some())
}

/// The items that lack a label of some part, in the order of the log.
fn left(wanted: &Wanted, parts: &[What], name: &str) -> anyhow::Result<Vec<String>> {
    let labelled = |part| {
        let lines = store::read(wanted.run.folder(), part, name)?.into_iter();
        Ok(lines.map(|(line, _)| line.id).collect())
    };
    let before: Vec<BTreeSet<String>> = parts.iter().map(labelled).collect::<anyhow::Result<_>>()?;
    let mut left = wanted.ids.clone();
    left.retain(|id| {
        parts.iter().zip(&before).any(|(part, labelled)| wanted.has_field(id, part) && !labelled.contains(id))
    });
    left.sort_by_key(|id| wanted.turn(id));
    Ok(left)
}

/// Adds labels to the files of their parts, and tells how many there were.
fn add(lines: &[(What, LabelLine)], parts: &[What], files: &mut [Appending]) -> anyhow::Result<u64> {
    let mut added = 0;
    for (part, line) in lines {
        let place = parts.iter().position(|other| other == part);
        if let Some(file) = place.and_then(|place| files.get_mut(place)) {
            file.add(line)?;
            added += 1;
        }
    }
    Ok(added)
}

fn tell(new: u64, earlier: u64, open: &Open, files: &[Appending]) -> anyhow::Result<()> {
    let mut text = format!(
        "{} in {}",
        counted(new, "new label", "new labels"),
        joined(files.iter().map(|file| output::shown(file.path())))
    );
    if earlier > 0 {
        text.push_str(&format!("; {earlier} there before"));
    }
    output::emit(&format!("{text}{}\n", open.missing()))?;
    if let Some(why) = &open.stopped {
        output::remark(&format!("stopped: {why}; give the command again to go on"));
    }
    Ok(())
}

/// The name under which a model's labels are kept.
fn default_name(model: &str) -> anyhow::Result<String> {
    let name = model.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_', "-");
    rater(&format!("judge-{name}"))
        .map_err(|why| anyhow!("`{}` cannot be part of a file's name: {why}; use --rater", visible(model)))
}

/// A line for each label, with what it labels; none if the model's answer could not be read.
async fn ask(
    judge: &Judge,
    cancel: &CancellationToken,
    id: String,
    asked: Asked,
) -> Result<Option<Vec<(What, LabelLine)>>, ModelError> {
    let Some(found) = judge.labels(&id, &asked, cancel).await? else {
        return Ok(None);
    };
    let labelled = judge.asked(&asked.item).into_iter().zip(found);
    Ok(Some(labelled.filter_map(|(part, name)| Some((part, asked.line(&id, name?)))).collect()))
}
