//! `rolecall conformance`.

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ConformanceArguments;

/// Interim: the body comes with the parts that it needs.
pub(crate) fn execute(_arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    bail!("`conformance` is not wired yet")
}
