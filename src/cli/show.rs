//! `rolecall show`: a run, or one episode of it, for reading.

use std::process::ExitCode;

use anyhow::Context;

use super::arguments::ShowArguments;
use super::{output, runs};
use crate::domain::EpisodeId;
use crate::reports::{self, TranscriptOptions};

/// Prints the episodes of a run, or the transcript of one.
pub(crate) fn execute(arguments: &ShowArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let layout = output::layout();
    let text = match &arguments.episode {
        None => reports::episodes(&runs::results(&run)?, &layout),
        Some(name) => {
            let id: EpisodeId = name.parse()?;
            let known = run.ids().any(|known| *known == id);
            let first = run
                .ids()
                .next()
                .map(EpisodeId::to_string)
                .unwrap_or_default();
            known.then_some(()).with_context(|| {
                format!("episode `{id}` is not in this run; its first one is `{first}`")
            })?;
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
