//! The control of a branch: the same episodes from the same places on, by the cast of their parent, with fresh
//! seeds. What was chosen because it failed does better the second time whoever plays it: the control shows by how
//! much.

use std::path::{Path, PathBuf};

use anyhow::bail;

use super::parent::check_beginnings;
use super::{BranchArguments, Making, NAMED, folder_of};
use crate::config_arguments::setting;
use crate::playing::Playing;
use crate::runs;
use rolecall_core::domain::{Seed, Steering};
use rolecall_core::log::{Parent, RunRecord};
use rolecall_core::text::{shell_path, visible};
use rolecall_run::config::Record;
use rolecall_run::registry::Registry;

/// Ending of a control's name, after that of its branch.
const SUFFIX: &str = "-control";

/// The fresh seed of a branch that is called so and of its control. TOML holds 63 bits of it.
pub(super) fn seed(run: &RunRecord, branch: &str) -> Seed {
    Seed(run.seed.unwrap_or(Seed(1)).labelled("control", branch, 0).0 >> 1)
}

/// The command that plays the control of a branch.
pub(crate) fn line(branch: &Path) -> String {
    format!("rolecall branch {} --control", shell_path(branch))
}

/// The folder of the control of a branch, if it was begun, and its record.
pub(crate) fn control_of(branch: &Path, parent: &Parent) -> Option<(PathBuf, RunRecord)> {
    let (logs, name) = runs::siblings(branch);
    let folder = logs.join(format!("{name}{SUFFIX}"));
    let record = RunRecord::read(&folder).ok()?;
    let Parent { steering, run, episodes, .. } = record.parent.as_ref()?;
    let same = steering.seed.is_some() && *run == parent.run && *episodes == parent.episodes;
    same.then_some((folder, record))
}

/// Makes the control of the branch in this folder.
pub(super) fn begin(
    arguments: &BranchArguments,
    branch: &Path,
    registry: &Registry,
) -> anyhow::Result<(Playing, Record, String)> {
    let shown = visible(&branch.display().to_string()).into_owned();
    let changed = !arguments.sets.is_empty() || !arguments.models.is_empty();
    let chosen = !arguments.episode.is_empty() || arguments.episodes.is_some();
    if arguments.at.is_none() && (changed || chosen || arguments.name.is_some()) {
        bail!(
            "`--control` without `--at` plays the episodes of the branch `{shown}` with the cast of its parent: \
             leave out episodes, `--name`, `--set` and `--model`"
        );
    }
    let Some(parent) = RunRecord::read(branch)?.parent else {
        bail!("`{shown}` is no branch: its episodes have no place from which a control could play them");
    };
    let run = runs::open(&folder_of(branch, &parent))?;
    check_beginnings(&run, &parent.episodes.keys().collect::<Vec<_>>(), &parent, registry)?;
    let (logs, name) = runs::siblings(branch);
    // As it was given, where it tells the folder: shown paths are short then.
    let above = branch.file_name().and_then(|_| branch.parent());
    let seed = parent.steering.seed.unwrap_or_else(|| seed(run.record(), &name));
    let making = Making {
        events: parent.episodes,
        at: parent.at,
        chosen: parent.chosen.unwrap_or_else(|| NAMED.to_owned()),
        by_outcome: parent.by_outcome,
        steering: Steering { seed: Some(seed), ..Steering::default() },
        settings: vec![setting("name", format!("{name}{SUFFIX}"))],
        logs: Some(above.unwrap_or(&logs)),
        named: true,
        quiet: arguments.play.quiet,
        ..Making::default()
    };
    let (playing, record) = making.begin(run, registry)?;
    let compared = format!(
        "compare {} with its control: rolecall compare {} {}\n",
        visible(&name),
        shell_path(playing.writer.folder()),
        shell_path(branch)
    );
    Ok((playing, record, compared))
}
