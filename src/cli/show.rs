//! `rolecall show`: a run, or one episode of it, for reading.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ShowArguments;
use super::{output, runs};
use crate::domain::EpisodeId;
use crate::log::RunLog;
use crate::reports::{self, TranscriptOptions};
use crate::text::visible;

/// Prints the episodes of a run, or the transcript of one.
pub(crate) fn execute(arguments: &ShowArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let layout = output::layout();
    let text = match &arguments.episode {
        None => reports::episodes(&runs::results(&run)?, &layout),
        Some(name) => {
            let id = find(&run, name)?;
            let options = TranscriptOptions {
                layout,
                private: arguments.private,
                ..TranscriptOptions::default()
            };
            reports::transcript(&run.episode(&id)?, &options)
        }
    };
    output::emit(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The one episode that a name stands for: `cell:task:repeat`, or less where that is enough.
fn find(run: &RunLog, name: &str) -> anyhow::Result<EpisodeId> {
    let named = |id: &&EpisodeId| {
        let task = format!("{}:{}", id.cell, id.task);
        [id.to_string(), task, id.task.to_string()]
            .iter()
            .any(|way| way == name)
    };
    let found: Vec<&EpisodeId> = run.ids().filter(named).collect();
    let shown = visible(name);
    match found[..] {
        [id] => Ok(id.clone()),
        [] => {
            let first = run
                .ids()
                .next()
                .map(EpisodeId::to_string)
                .unwrap_or_default();
            bail!("episode `{shown}` is not in this run; its first one is `{first}`")
        }
        [first, second, ..] => bail!(
            "`{shown}` stands for {} episodes, such as `{first}` and `{second}`",
            found.len()
        ),
    }
}
