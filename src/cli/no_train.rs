//! `rolecall train` in a program that was built without it.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use rolecall_run::registry::Registry;

/// Anything: nothing of it is read.
#[derive(Args, Debug)]
pub(crate) struct TrainArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<String>,
}

/// Says how to get it.
pub(crate) fn execute(_: &TrainArguments, _: &Registry) -> anyhow::Result<ExitCode> {
    bail!("this program was built without training; build it with `--features train`")
}
