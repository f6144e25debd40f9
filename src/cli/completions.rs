//! `rolecall completions` and `rolecall man`: made from the same table as the help. A shell asks the program
//! itself for what may stand at the cursor, so names of runs and configs are completed too.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};

use super::{configs, output, runs};
use rolecall_core::reports::newest;
use rolecall_core::text::visible;

/// The environment variable by which the script of a shell asks.
const VARIABLE: &str = "ROLECALL_COMPLETE";

/// The name of the program.
const NAME: &str = "rolecall";

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// Folder to which a page is written for the program and for each subcommand
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Answers a shell that asks what may stand at the cursor, and ends the process then; else does nothing.
pub(crate) fn answer(command: impl Fn() -> Command) {
    let command = || with_names(command());
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// The command, whose arguments know the runs and configs that there are.
fn with_names(command: Command) -> Command {
    let command = command.mut_args(|argument| match argument.get_id().as_str() {
        "run" | "runs" => argument.add(ArgValueCompleter::new(RunNames)),
        "config" | "name_or_config" | "with" => argument.add(ArgValueCompleter::new(ConfigNames)),
        _ => argument,
    });
    command.mut_subcommands(with_names)
}

/// Names of runs, newest first, and folders.
struct RunNames;

impl ValueCompleter for RunNames {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let names = newest(Path::new(runs::LOGS)).into_iter().map(|run| CompletionCandidate::new(run.name));
        beginning(names, current, PathCompleter::dir())
    }
}

/// Names of configs with what they are, and files.
struct ConfigNames;

impl ValueCompleter for ConfigNames {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let working = std::env::current_dir().unwrap_or_default();
        let names = configs::known(&working, "")
            .into_iter()
            .map(|config| CompletionCandidate::new(config.name).help(Some(config.about.into())));
        beginning(names, current, PathCompleter::any())
    }
}

/// The names that begin with what was typed, and the paths that do. A name that could steer a terminal is not
/// proposed.
fn beginning(
    names: impl Iterator<Item = CompletionCandidate>,
    current: &OsStr,
    paths: PathCompleter,
) -> Vec<CompletionCandidate> {
    let fits = |candidate: &CompletionCandidate| {
        let value = candidate.get_value().to_string_lossy();
        value.starts_with(&*current.to_string_lossy()) && visible(&value) == value
    };
    let mut fitting: Vec<CompletionCandidate> = names.filter(fits).collect();
    for path in paths.complete(current) {
        if !fitting.iter().any(|candidate| candidate.get_value() == path.get_value()) {
            fitting.push(path);
        }
    }
    fitting
}

/// Prints the script by which a shell asks.
pub(crate) fn completions(arguments: &CompletionsArguments) -> anyhow::Result<ExitCode> {
    let shells = Shells::builtins();
    let asking = shells.completer(&arguments.shell.to_string()).context("this shell cannot ask a program")?;
    let mut script = Vec::new();
    asking.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    output::succeed(&String::from_utf8(script)?)
}

/// Prints the page of the program, or writes one for it and one for each subcommand.
pub(crate) fn man(arguments: &ManArguments, command: Command) -> anyhow::Result<ExitCode> {
    // The page of `help` would say what every page says.
    let command = command.disable_help_subcommand(true);
    let Some(folder) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return output::succeed(&String::from_utf8(page)?);
    };
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .with_context(|| format!("no pages can be written to `{}`", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
