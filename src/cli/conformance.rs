//! `rolecall conformance`: an environment beside recordings of the original programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::output;
use crate::registry::Registry;

/// The arguments of `conformance`.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArguments {
    /// The environment, as `rolecall list` names it
    environment: String,
    /// Folder with recordings of the original program
    #[arg(long, value_name = "DIR")]
    oracle: PathBuf,
    /// Folder with the data that was played
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

/// Compares, prints the first differences and, as the last line, how many there are.
pub(crate) fn execute(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    let registry = Registry::standard();
    let compared = |name: &str| registry.world_of(name)?.conformance;
    let Some(compare) = compared(&arguments.environment) else {
        let known = registry.environments.iter().map(|entry| entry.name);
        let known: Vec<&str> = known.filter(|name| compared(name).is_some()).collect();
        bail!(
            "`{}` has no recordings to compare with{}",
            arguments.environment,
            output::instead(&arguments.environment, &known)
        );
    };
    let comparison = compare(&arguments.oracle, &arguments.data)?;
    output::emit(&(comparison.text + "\n"))?;
    Ok(ExitCode::from(u8::from(comparison.differing > 0)))
}
