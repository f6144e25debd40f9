//! `rolecall show`.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ShowArguments;

/// Interim: the body comes with the parts that it needs.
pub(crate) fn execute(_arguments: &ShowArguments) -> anyhow::Result<ExitCode> {
    bail!("`show` is not wired yet")
}
