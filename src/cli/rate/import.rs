//! `rolecall rate import`: the sheet of a rater becomes labels.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};

use super::arguments::ImportArguments;
use super::sheet::Filled;
use super::source::{TurnId, places};
use super::{sheet, store};
use crate::cli::{output, runs};
use crate::evaluation::labels::{ItemKind, LabelLine};
use crate::files;
use crate::text::{counted, visible};

/// The most bytes of a sheet.
const LARGEST: u64 = 256 << 20;

/// Checks the sheet and keeps its labels, or keeps nothing.
pub(super) fn execute(arguments: &ImportArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let shown = arguments.file.display().to_string();
    let bytes = files::read(&arguments.file, LARGEST)
        .with_context(|| format!("the sheet `{shown}` cannot be read"))?;
    let mut items: BTreeMap<String, TurnId> = places(&run, ItemKind::Utterances)?;
    items.extend(places(&run, ItemKind::Dialogues)?);
    items.extend(places(&run, ItemKind::Responses)?);
    let filled = sheet::read(&bytes, |id| items.contains_key(id)).map_err(|problems| {
        let problems: Vec<String> = problems
            .iter()
            .map(|problem| format!("\n  {problem}"))
            .collect();
        anyhow!("the sheet `{shown}` was not taken:{}", problems.concat())
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
    let record = run.record();
    let order = |line: &LabelLine| {
        (
            record.position(&line.episode.cell),
            line.episode.clone(),
            line.seq,
        )
    };
    kept.sort_by_cached_key(order);
    let path = store::write(run.folder(), &what, &arguments.rater, &kept)?;
    let mut told = format!(
        "{} of {what} by {} in {}",
        counted(merged.new, "label", "labels"),
        arguments.rater,
        visible(&path.display().to_string())
    );
    if empty > 0 {
        told.push_str(&format!(
            "; {} without a label",
            counted(empty as u64, "line", "lines")
        ));
    }
    if !merged.changed.is_empty() {
        told.push_str(&format!("; {} replaced", merged.changed.len()));
    }
    output::emit(&format!("{told}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Labels of a sheet laid over those that were there.
struct Merged {
    kept: Vec<LabelLine>,
    /// How many the sheet gives.
    new: u64,
    /// Items that had another label, in words.
    changed: Vec<String>,
}

fn merged(
    filled: Filled,
    before: Vec<(LabelLine, usize)>,
    items: &BTreeMap<String, TurnId>,
) -> Merged {
    let names = filled.what.labels();
    let before = before.into_iter();
    let mut kept: BTreeMap<String, LabelLine> =
        before.map(|(line, _)| (line.id.clone(), line)).collect();
    let new = filled.labels.len() as u64;
    let mut changed = Vec::new();
    for (id, (place, line)) in filled.labels {
        let (Some(label), Some(item)) = (names.get(place), items.get(&id)) else {
            continue;
        };
        let (episode, seq) = item.clone();
        let new = LabelLine::new(id.clone(), episode, seq, label.name.clone());
        let old = kept.insert(id, new);
        if let Some(old) = old.filter(|old| old.label != label.name) {
            changed.push(format!(
                "line {line}: `{}` was `{}`",
                old.id,
                visible(&old.label)
            ));
        }
    }
    Merged {
        kept: kept.into_values().collect(),
        new,
        changed,
    }
}
