//! The arguments of the program.

use clap::{Parser, Subcommand};

use super::{
    analyse, branch, check, compare, completions, conformance, data, export, init, list, logs, merge, models, new,
    play, rate, replay, report, reproduce, resume, run, serve, show, study, train, worker,
};

const LONG: &str = "\
Plays episodes: one task in one environment, with a cast of roles that think, act and ask, and a \
user who answers. A config file names everything that takes part; every message is written to a \
log, and all results are computed from it.";

/// The help of a subcommand that takes settings, with what can be written as a setting.
fn with_settings(help: &str) -> String {
    format!("{help}\n{}", include_str!("help/settings.txt"))
}

/// Conversational language agents as casts of message-passing actors.
#[derive(Debug, Parser)]
#[command(name = "rolecall", version, long_about = LONG, after_help = include_str!("help/rolecall.txt"))]
#[command(arg_required_else_help = true, propagate_version = true)]
pub(crate) struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Say more on standard error: -v what happens, -vv in detail (RUST_LOG chooses finely)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the episodes of a config and print a table of results
    #[command(after_help = include_str!("help/run.txt"))]
    #[command(after_long_help = with_settings(include_str!("help/run.txt")))]
    Run(run::RunArguments),
    /// Take a seat of a config's cast yourself, at the terminal
    #[command(after_help = include_str!("help/play.txt"))]
    #[command(after_long_help = with_settings(include_str!("help/play.txt")))]
    Play(play::SeatArguments),
    /// Play jobs of a run that was planned for several machines (`run --queue`)
    #[command(after_help = include_str!("help/worker.txt"))]
    Worker(worker::WorkerArguments),
    /// Let clients play a seat of a cast: trainers over OpenEnv's wire
    #[command(after_help = include_str!("help/serve.txt"))]
    Serve(serve::ServeArguments),
    /// Go on with a run that was interrupted: nothing that was recorded is asked again
    #[command(after_help = include_str!("help/resume.txt"))]
    Resume(resume::ResumeArguments),
    /// Check a config and print who sits where, without playing
    #[command(after_help = include_str!("help/check.txt"))]
    #[command(after_long_help = with_settings(include_str!("help/check.txt")))]
    Check(check::CheckArguments),
    /// Write the shipped configs, persona cards and prompts into a folder, to change them there
    #[command(after_help = include_str!("help/init.txt"))]
    Init(init::InitArguments),
    /// List what a config can name
    #[command(after_help = include_str!("help/list.txt"))]
    List(list::ListArguments),
    /// List runs, list the episodes of a run, or read them, also while they go on
    #[command(after_help = include_str!("help/show.txt"))]
    Show(show::ShowArguments),
    /// Compute the results of a run again from its log
    #[command(after_help = include_str!("help/report.txt"))]
    Report(report::ReportArguments),
    /// Play the sweep of a paper's table, and set our figures beside the published ones
    #[command(after_help = include_str!("help/reproduce.txt"))]
    #[command(after_long_help = with_settings(include_str!("help/reproduce.txt")))]
    Reproduce(reproduce::ReproduceArguments),
    /// Let another cast finish episodes of a run: a new run that begins where it leaves this one
    #[command(after_help = include_str!("help/branch.txt"))]
    #[command(after_long_help = with_settings(include_str!("help/branch.txt")))]
    Branch(branch::BranchArguments),
    /// Find out when a question is worth it, and whose fault a difference is
    #[command(after_help = include_str!("help/study.txt"))]
    Study(study::StudyArguments),
    /// Play the episodes of a run again and say whether they come out the same
    #[command(after_help = include_str!("help/replay.txt"))]
    Replay(replay::ReplayArguments),
    /// Compare runs, or cells of a run, over the tasks that both played
    #[command(after_help = include_str!("help/compare.txt"))]
    Compare(compare::CompareArguments),
    /// Say what agents do and say: actions, refusals, categories, dialogue acts, what questions save
    #[command(after_help = include_str!("help/analyse.txt"))]
    Analyse(analyse::AnalyseArguments),
    /// Have people or models label what agents said, and see how far they agree
    #[command(after_help = include_str!("help/rate.txt"))]
    Rate(rate::RateArguments),
    /// List the models of a config, or find out what their servers really support
    #[command(after_help = include_str!("help/models.txt"))]
    Models(models::ModelsArguments),
    /// Generate games, measure games, make exemplars of games
    #[command(after_help = include_str!("help/data.txt"))]
    Data(data::DataArguments),
    /// Write episodes as trainers and other programs read them
    #[command(after_help = include_str!("help/export.txt"))]
    Export(export::ExportArguments),
    /// Teach a small model that plays inside the program, from rows of episodes
    #[command(after_help = include_str!("help/train.txt"))]
    Train(train::TrainArguments),
    /// Add a role, user, environment, strategy or metric of your own to a checkout of rolecall
    #[command(after_help = include_str!("help/new.txt"))]
    New(new::NewArguments),
    /// Check a program of your own against the rules of its protocol
    #[command(after_help = include_str!("help/conformance.txt"))]
    Conformance(conformance::ConformanceArguments),
    /// Make one run of what was played in several places: shards, spools of workers, copies
    #[command(after_help = include_str!("help/merge.txt"))]
    Merge(merge::MergeArguments),
    /// Check, compress or print the log of a run
    #[command(after_help = include_str!("help/logs.txt"))]
    Logs(logs::LogsArguments),
    /// Print the JSON Schema of configs, by which editors complete and check them
    #[command(after_help = include_str!("help/schema.txt"))]
    Schema,
    /// Print the completion for a shell
    #[command(after_help = include_str!("help/completions.txt"))]
    Completions(completions::CompletionsArguments),
    /// Print the manual page, or write the pages of all subcommands
    #[command(after_help = include_str!("help/man.txt"))]
    Man(completions::ManArguments),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_of_run_become_config_values() {
        let line = ["rolecall", "run", "x.toml", "--limit", "3", "--name", "n", "-v"];
        let arguments = Arguments::try_parse_from(line).unwrap();
        let Command::Run(run) = arguments.command else {
            panic!("another command");
        };
        let keys: Vec<&str> = run.request().unwrap().flags.iter().map(|flag| flag.key).collect();
        assert_eq!(keys, ["name", "tasks.limit"]);
        assert_eq!(arguments.verbose, 1);
    }
}
