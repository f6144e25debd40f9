//! `rolecall conformance`: an environment beside recordings of the original programs, or a program of the
//! user's against the rules of `rolecall/1`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::output;
use crate::process::{self, Kind, Whereabouts};
use crate::registry::Registry;
use crate::text::visible;
use crate::wire::{Program, Target};

/// The arguments of `conformance`.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArguments {
    /// The environment, as `rolecall list` names it, or `process` for a program of your own
    environment: String,
    /// Folder with recordings of the original program
    #[arg(long, value_name = "DIR")]
    oracle: Option<PathBuf>,
    /// Folder with the data that was played
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// What your program is; without it that is found out
    #[arg(long)]
    kind: Option<KindArgument>,
    /// Your program with its arguments, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindArgument {
    Role,
    User,
    Environment,
}

/// Compares, prints the first differences and, as the last line, how many there are.
pub(crate) fn execute(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    if arguments.environment == process::NAME {
        return check_program(arguments);
    }
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
    let given = |path: &Option<PathBuf>, option: &str| {
        let path = path.clone();
        path.with_context(|| format!("recordings are compared with `{option} DIR`, which is missing"))
    };
    let oracle = given(&arguments.oracle, "--oracle")?;
    let data = given(&arguments.data, "--data")?;
    let comparison = compare(&oracle, &data)?;
    output::emit(&(comparison.text + "\n"))?;
    Ok(ExitCode::from(u8::from(comparison.differing > 0)))
}

/// Prints a line for each rule that a program is held to.
fn check_program(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    if arguments.command.is_empty() {
        bail!("name your program: `rolecall conformance process -- python3 role.py`");
    }
    let program = Program { command: arguments.command.clone(), folder: Path::new("").to_owned(), env: Vec::new() };
    let place = Whereabouts { target: Target::Program(program), workers: 1, start: Duration::from_secs(30) };
    let kind = arguments.kind.map(|kind| match kind {
        KindArgument::Role => Kind::Role,
        KindArgument::User => Kind::User,
        KindArgument::Environment => Kind::Environment,
    });
    let (kind, checks) = process::check(&place, kind);
    let mut lines = String::new();
    if let Some(kind) = kind {
        let _ = writeln!(lines, "checked as: {}", kind.as_str());
    }
    for check in &checks {
        let _ = match &check.problem {
            None => writeln!(lines, "ok    {}", check.rule),
            Some(problem) => writeln!(lines, "FAIL  {}: {}", check.rule, visible(problem)),
        };
    }
    output::emit(&lines)?;
    let failed = checks.iter().any(|check| check.problem.is_some());
    Ok(ExitCode::from(u8::from(failed)))
}
