//! `rolecall rate import`: the sheet of a rater becomes labels.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};

use super::ImportArguments;
use super::sheet::{self, Filled};
use crate::{output, runs};
use rolecall_core::evaluation::labels::{ItemKind, LabelLine};
use rolecall_core::files;
use rolecall_core::maps::ordered;
use rolecall_core::text::{counted, visible};
use rolecall_run::rating::{TurnId, places, store};
use rolecall_run::registry::Registry;

/// The most bytes of a sheet.
const LARGEST: u64 = 256 << 20;

/// Checks the sheet and keeps its labels, or keeps nothing.
pub(super) fn execute(arguments: &ImportArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let shown = arguments.file.display();
    let bytes = files::read(&arguments.file, LARGEST).with_context(|| format!("the sheet `{shown}` cannot be read"))?;
    let mut items: BTreeMap<String, TurnId> = BTreeMap::new();
    for kind in [ItemKind::Utterances, ItemKind::Dialogues, ItemKind::Responses] {
        items.extend(places(&run, kind, None, registry)?);
    }
    for question in &registry.questions {
        items.extend(places(&run, question.items, Some(question), registry)?);
    }
    let filled = sheet::read(&bytes, registry, |id| items.contains_key(id)).map_err(|problems| {
        let problems: String = problems.iter().map(|problem| format!("\n  {problem}")).collect();
        anyhow!("the sheet `{shown}` was not taken:{problems}")
    })?;
    let (what, empty) = (filled.what.clone(), filled.empty);
    if filled.labels.is_empty() {
        bail!("the sheet `{shown}` has no label yet: nothing was taken");
    }
    let before = store::read(run.folder(), &what, &arguments.rater)?;
    let merged = merged(filled, before, &items);
    if let Some(example) = merged.changed.first().filter(|_| !arguments.replace) {
        let others = match merged.changed.len() {
            1 => "1 item was".to_owned(),
            others => format!("{others} items were"),
        };
        bail!(
            "{others} given other labels by `{}` before ({example}); --replace takes those of this sheet",
            arguments.rater
        );
    }
    let mut kept = merged.kept;
    kept.sort_by_cached_key(|line| (run.record().position(&line.episode.cell), line.episode.clone(), line.seq));
    let path = store::write(run.folder(), &what, &arguments.rater, &kept)?;
    let mut text = format!(
        "{} of {what} by {} in {}",
        counted(merged.new, "label", "labels"),
        arguments.rater,
        output::shown(&path)
    );
    if empty > 0 {
        text += &format!("; {} without a label", counted(empty as u64, "line", "lines"));
    }
    if !merged.changed.is_empty() {
        text += &format!("; {} replaced", merged.changed.len());
    }
    output::succeed(&(text + "\n"))
}

/// Labels of a sheet laid over those that were there.
struct Merged {
    kept: Vec<LabelLine>,
    /// The number that the sheet gives.
    new: u64,
    /// Items that had another label, in words.
    changed: Vec<String>,
}

fn merged(filled: Filled, before: Vec<(LabelLine, usize)>, items: &BTreeMap<String, TurnId>) -> Merged {
    let names = filled.what.labels();
    let mut kept: BTreeMap<String, LabelLine> = ordered(before.into_iter().map(|(line, _)| (line.id.clone(), line)));
    let new = filled.labels.len() as u64;
    let mut changed = Vec::new();
    for (id, (place, line)) in filled.labels {
        let (Some(label), Some(item)) = (names.get(place), items.get(&id)) else {
            continue;
        };
        let (episode, seq) = item.clone();
        let old = kept.insert(id.clone(), LabelLine::new(id, episode, seq, label.name.clone()));
        if let Some(old) = old.filter(|old| old.label != label.name) {
            changed.push(format!("line {line}: `{}` was `{}`", old.id, visible(&old.label)));
        }
    }
    Merged { kept: kept.into_values().collect(), new, changed }
}
