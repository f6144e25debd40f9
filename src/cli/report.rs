//! `rolecall report`.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ReportArguments;

/// Interim: the body comes with the parts that it needs.
pub(crate) fn execute(_arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    bail!("`report` is not wired yet")
}
