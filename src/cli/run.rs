//! `rolecall run`: plays the episodes of a config and prints what came of it.

use std::process::ExitCode;

use super::arguments::RunArguments;
use super::beginning::begin;
use super::output;
use super::playing::Playing;
use crate::config::load;
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
    open_files::prepare(&resolved.plan)?;
    let writer = begin(&mut resolved, arguments.name.is_some())?;
    Playing::new(resolved.plan, writer).play(&arguments.play, verbose)
}
