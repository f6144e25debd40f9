//! The command line: one file or folder per subcommand, and the frame around them.
//!
//! The only place that prints. The exit codes are in the help (`arguments`). May import everything.

mod analyse;
mod arguments;
mod asking;
mod beginning;
mod bert_score;
mod branch;
mod check;
mod compare;
mod completions;
mod config_arguments;
mod configs;
mod conformance;
mod data;
mod diagnostics;
mod episodes;
mod export;
mod init;
mod list;
mod logs;
mod merge;
mod model_client;
mod models;
mod new;
mod or_resume;
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
mod schema;
mod serve;
mod shard;
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

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};
pub use check::describe;
pub use list::settings_reference;
pub use schema::schema_text;

/// The exit code of a command that could not start.
const COULD_NOT_START: u8 = 2;

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    completions::answer(Arguments::command);
    let arguments = match Arguments::try_parse() {
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
    dispatch(&arguments).unwrap_or_else(|error| {
        output::complain(&error);
        ExitCode::from(COULD_NOT_START)
    })
}

fn dispatch(arguments: &Arguments) -> anyhow::Result<ExitCode> {
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
        Command::Run(run) => run::execute(run, arguments.verbose),
        Command::Play(play) => play::execute(play, arguments.verbose),
        Command::Worker(worker) => worker::execute(worker, arguments.verbose),
        Command::Serve(serve) => serve::execute(serve, arguments.verbose),
        Command::Resume(resume) => resume::execute(resume, arguments.verbose),
        Command::Check(check) => check::execute(check),
        Command::Init(init) => init::execute(init),
        Command::List(list) => list::execute(list),
        Command::Schema => schema::execute(),
        Command::Show(show) => show::execute(show),
        Command::Report(report) => report::execute(report),
        Command::Reproduce(table) => reproduce::execute(table, arguments.verbose),
        Command::Branch(branch) => branch::execute(branch, arguments.verbose),
        Command::Study(study) => study::execute(study, arguments.verbose),
        Command::Replay(replay) => replay::execute(replay),
        Command::Compare(compare) => compare::execute(compare),
        Command::Analyse(analyse) => analyse::execute(analyse),
        Command::Rate(rate) => rate::execute(rate),
        Command::Data(data) => data::execute(data),
        Command::Export(export) => export::execute(export),
        Command::Train(train) => train::execute(train),
        Command::Models(models) => models::execute(models),
        Command::New(new) => new::execute(new),
        Command::Conformance(conformance) => conformance::execute(conformance),
        Command::Merge(merge) => merge::execute(merge),
        Command::Logs(logs) => logs::execute(logs),
        Command::Completions(completions) => completions::completions(completions),
        Command::Man(man) => completions::man(man, Arguments::command()),
    }
}
