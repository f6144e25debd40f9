//! The command line: one file or folder per subcommand, and the frame around them.
//!
//! The only crate that prints. The help (`arguments`) has the exit codes. It knows no world: a registry is handed in.

mod analyse;
mod arguments;
mod asking;
mod beginning;
mod bert_score;
mod branch;
mod check;
mod choice;
mod compare;
mod completions;
mod config_arguments;
mod configs;
mod conformance;
mod data;
mod diagnostics;
mod export;
mod init;
mod list;
mod logs;
mod merge;
mod model_client;
mod models;
mod new;
mod output;
mod pager;
mod play;
mod playing;
mod progress;
mod progress_line;
mod prompt_text;
mod queue;
mod rate;
mod reload_plan;
mod replay;
mod report;
mod reproduce;
mod resume;
mod run;
mod runs;
mod serve;
mod show;
mod signals;
mod study;
#[cfg(feature = "train")]
mod train;
#[cfg(not(feature = "train"))]
#[path = "no_train.rs"]
mod train;
mod visibility_table;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Arguments, Command};
pub use check::describe;
pub use list::{schema_text, settings_reference};
use rolecall_run::registry::Registry;

/// The exit code of a command that could not start.
const COULD_NOT_START: u8 = 2;

/// Runs the command that the arguments name, with the worlds of a registry.
pub fn main(registry: Registry) -> ExitCode {
    completions::answer(|| command(&registry));
    let arguments = match parsed(&registry) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too; a reader that has gone away is no problem.
            let _ = error.print();
            return match error.use_stderr() {
                true => ExitCode::from(COULD_NOT_START),
                false => ExitCode::SUCCESS,
            };
        }
    };
    dispatch(&arguments, &registry).unwrap_or_else(|error| {
        output::complain(&error);
        ExitCode::from(COULD_NOT_START)
    })
}

/// The program's command line: that of its arguments, with the data tools of a registry's worlds.
fn command(registry: &Registry) -> clap::Command {
    Arguments::command().mut_subcommand("data", |command| data::with_verbs(command, registry))
}

fn parsed(registry: &Registry) -> Result<Arguments, clap::Error> {
    let mut command = command(registry);
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn dispatch(arguments: &Arguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    // What plays also writes its traces to a file, in a folder that it has to make first.
    if !matches!(
        arguments.command,
        Command::Run(_)
            | Command::Play(_)
            | Command::Serve(_)
            | Command::Worker(_)
            | Command::Resume(_)
            | Command::Branch(_)
            | Command::Study(_)
            | Command::Reproduce(_)
    ) {
        diagnostics::start(arguments.verbose, None);
    }
    match &arguments.command {
        Command::Run(run) => run::execute(run, arguments.verbose, registry),
        Command::Play(play) => play::execute(play, arguments.verbose, registry),
        Command::Worker(worker) => worker::execute(worker, arguments.verbose, registry),
        Command::Serve(serve) => serve::execute(serve, arguments.verbose, registry),
        Command::Resume(resume) => resume::execute(resume, arguments.verbose, registry),
        Command::Check(check) => check::execute(check, registry),
        Command::Init(init) => init::execute(init),
        Command::List(list) => list::execute(list, registry),
        Command::Schema => output::succeed(&schema_text(registry)),
        Command::Show(show) => show::execute(show, registry),
        Command::Report(report) => report::execute(report, registry),
        Command::Reproduce(table) => reproduce::execute(table, arguments.verbose, registry),
        Command::Branch(branch) => branch::execute(branch, arguments.verbose, registry),
        Command::Study(study) => study::execute(study, arguments.verbose, registry),
        Command::Replay(replay) => replay::execute(replay, registry),
        Command::Compare(compare) => compare::execute(compare, registry),
        Command::Analyse(analyse) => analyse::execute(analyse, registry),
        Command::Rate(rate) => rate::execute(rate, registry),
        Command::Data(data) => data::execute(data, registry),
        Command::Export(export) => export::execute(export, registry),
        Command::Train(train) => train::execute(train, registry),
        Command::Models(models) => models::execute(models, registry),
        Command::New(new) => new::execute(new, registry),
        Command::Conformance(conformance) => conformance::execute(conformance),
        Command::Merge(merge) => merge::execute(merge, registry),
        Command::Logs(logs) => logs::execute(logs, registry),
        Command::Completions(completions) => completions::completions(completions),
        Command::Man(man) => completions::man(man, command(registry)),
    }
}
