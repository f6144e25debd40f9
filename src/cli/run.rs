//! `rolecall run`: plays the episodes of a config and prints what came of it.

use std::process::ExitCode;

use super::arguments::RunArguments;
use super::output;
use super::playing::{Playing, new_folder};
use crate::config::load;
use crate::log::LogWriter;
use crate::registry::Registry;
use crate::runtime::open_files;
use crate::text::counted;

/// Plays the config.
pub(crate) fn execute(arguments: &RunArguments, verbose: u8) -> anyhow::Result<ExitCode> {
    let mut resolved = load(&arguments.request()?, Registry::standard())?;
    resolved.pin()?;
    if !resolved.notes.is_empty() && !arguments.play.quiet {
        let parts = counted(resolved.notes.len() as u64, "part", "parts");
        output::note(&format!(
            "{parts} of the config left out (`rolecall check` with the same options says which)"
        ));
    }
    let plan = resolved.plan;
    open_files::prepare(&plan)?;
    let folder = new_folder(&plan, arguments.name.is_some())?;
    let writer = LogWriter::create(&folder, &plan.record, &plan.run.log)?;
    Playing::new(plan, writer).play(&arguments.play, verbose)
}
