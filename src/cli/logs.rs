//! `rolecall logs`.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::LogsArguments;

/// Interim: the body comes with the parts that it needs.
pub(crate) fn execute(_arguments: &LogsArguments) -> anyhow::Result<ExitCode> {
    bail!("`logs` is not wired yet")
}
