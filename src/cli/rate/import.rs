//! `rolecall rate import`: the sheet of a rater becomes labels.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};

use super::arguments::ImportArguments;
use super::source::{Place, places};
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
    let mut items: BTreeMap<String, Place> = places(&run, ItemKind::Utterances)?;
    items.extend(places(&run, ItemKind::Dialogues)?);
    let filled = sheet::read(&bytes, |id| items.contains_key(id)).map_err(|problems| {
        let problems: Vec<String> = problems
            .iter()
            .map(|problem| format!("\n  {problem}"))
            .collect();
        anyhow!("the sheet `{shown}` was not taken:{}", problems.concat())
    })?;
    let names = filled.what.labels();
    let before = store::read(run.folder(), &filled.what, &arguments.rater)?;
    let mut kept: BTreeMap<String, LabelLine> = before
        .into_iter()
        .map(|(line, _)| (line.id.clone(), line))
        .collect();
    let mut changed: BTreeSet<String> = BTreeSet::new();
    let labels = filled.labels.len() as u64;
    for (id, (place, line)) in filled.labels {
        let (Some(label), Some(item)) = (names.get(place), items.get(&id)) else {
            continue;
        };
        let new = LabelLine::new(id.clone(), item.clone(), label.name.clone());
        let old = kept.insert(id, new);
        if let Some(old) = old.filter(|old| old.label != label.name) {
            changed.insert(format!(
                "line {line}: `{}` was `{}`",
                old.id,
                visible(&old.label)
            ));
        }
    }
    if let Some(example) = changed.first().filter(|_| !arguments.replace) {
        let others = changed.len();
        bail!(
            "{} given other labels by `{}` before ({example}); --replace takes those of this sheet",
            match others {
                1 => "1 item was".to_owned(),
                _ => format!("{others} items were"),
            },
            arguments.rater
        );
    }
    let mut kept: Vec<LabelLine> = kept.into_values().collect();
    kept.sort_by_cached_key(|line| {
        (
            run.record().position(&line.episode.cell),
            line.episode.clone(),
            line.seq,
        )
    });
    let path = store::write(run.folder(), &filled.what, &arguments.rater, &kept)?;
    let mut told = format!(
        "{} of {} by {} in {}",
        counted(labels, "label", "labels"),
        filled.what,
        arguments.rater,
        visible(&path.display().to_string())
    );
    if filled.empty > 0 {
        told.push_str(&format!(
            "; {} without a label",
            counted(filled.empty as u64, "line", "lines")
        ));
    }
    if !changed.is_empty() {
        told.push_str(&format!("; {} replaced", changed.len()));
    }
    output::emit(&format!("{told}\n"))?;
    Ok(ExitCode::SUCCESS)
}
