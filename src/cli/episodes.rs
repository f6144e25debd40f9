//! The episodes of a run that a command is about.

use crate::cli::runs;
use crate::cli::show::{ChoiceArguments, find};
use crate::domain::EpisodeId;
use crate::log::RunLog;

/// The ids of the named episodes, each once, in the order of the names; without names, those of all
/// episodes that the choice lets through.
pub(crate) fn chosen(
    run: &RunLog,
    names: &[String],
    choice: &ChoiceArguments,
) -> anyhow::Result<Vec<EpisodeId>> {
    if !names.is_empty() {
        let mut ids: Vec<EpisodeId> = Vec::new();
        for name in names {
            let id = find(run, name)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        return Ok(ids);
    }
    if choice.is_everything() {
        return Ok(run.ids().cloned().collect());
    }
    // The recorded results say enough for a choice, so that the events need not be read.
    let results = choice.apply(runs::results_of(run)?, run.record())?;
    Ok(results.into_iter().map(|result| result.episode).collect())
}
