//! `rolecall conformance process`: a program of the user's against the rules of `rolecall/1`.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::output;
use rolecall_core::text::visible;
use rolecall_doors::process::{self, Kind, Whereabouts};
use rolecall_doors::wire::{Program, Target};

/// The arguments of `conformance`.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArguments {
    /// `process`: a program of your own
    subject: String,
    /// Kind of your program; default: found out by asking it
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

/// Prints a line for each rule that a program is held to.
pub(crate) fn execute(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    if arguments.subject != process::NAME {
        let name = visible(&arguments.subject);
        bail!(
            "`{name}` cannot be checked here, only `process`; in a checkout of rolecall, a world is compared with \
             recordings by `cargo run --release -p rolecall-conformance -- {name} --oracle DIR --data DIR`"
        );
    }
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
    output::exit_code(checks.iter().any(|check| check.problem.is_some()))
}
