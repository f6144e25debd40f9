//! The episodes of a run that a command is about.

use anyhow::bail;

use crate::choice::ChoiceArguments;
use crate::runs;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::RunLog;
use rolecall_core::text::{unique, visible};
use rolecall_run::registry::Registry;

/// The ids of the named episodes, each once, in the order of the names; without names, those of all
/// episodes that the choice lets through.
pub(crate) fn chosen(
    run: &RunLog,
    names: &[String],
    choice: &ChoiceArguments,
    registry: &Registry,
) -> anyhow::Result<Vec<EpisodeId>> {
    if !names.is_empty() {
        let ids = names.iter().map(|name| find(run, name));
        return Ok(unique(ids.collect::<anyhow::Result<Vec<_>>>()?));
    }
    if choice.is_everything() {
        return Ok(run.ids().cloned().collect());
    }
    // The recorded results say enough for a choice, so that the events need not be read.
    let results = choice.apply(runs::results_of(run, registry)?, run.record())?;
    Ok(results.into_iter().map(|result| result.episode).collect())
}

/// The one episode that a name stands for: `cell:task:repeat`, or less where that is enough.
pub(crate) fn find(run: &RunLog, name: &str) -> anyhow::Result<EpisodeId> {
    let named = |id: &&EpisodeId| {
        let task = format!("{}:{}", id.cell, id.task);
        [id.to_string(), task, id.task.to_string()].contains(&name.to_owned())
    };
    let found: Vec<&EpisodeId> = run.ids().filter(named).collect();
    let shown = visible(name);
    match found[..] {
        [id] => Ok(id.clone()),
        [] => {
            let first = run.ids().next().map(EpisodeId::to_string).unwrap_or_default();
            bail!("episode `{shown}` is not in this run; its first one is `{first}`")
        }
        [first, second, ..] => bail!("`{shown}` stands for {} episodes, such as `{first}` and `{second}`", found.len()),
    }
}
