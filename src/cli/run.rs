//! `rolecall run CONFIG`.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::RunArguments;
use crate::config::load;
use crate::registry::Registry;

/// Interim: resolves the config; playing comes with the runtime.
pub(crate) fn execute(arguments: &RunArguments, _verbose: u8) -> anyhow::Result<ExitCode> {
    let resolved = load(&arguments.request()?, Registry::standard())?;
    bail!(
        "`run` is not wired yet: {} episodes were not played",
        resolved.record.episodes
    )
}
