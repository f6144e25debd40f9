//! What can be written on the command line.

use clap::{Parser, Subcommand};

use super::analyse::AnalyseArguments;
use super::branch::BranchArguments;
use super::check::CheckArguments;
use super::compare::CompareArguments;
use super::completions::{CompletionsArguments, ManArguments};
use super::conformance::ConformanceArguments;
use super::data::DataArguments;
use super::help;
use super::list::ListArguments;
use super::logs::LogsArguments;
use super::models::ModelsArguments;
use super::new::NewArguments;
use super::rate::RateArguments;
use super::replay::ReplayArguments;
use super::report::ReportArguments;
use super::reproduce::ReproduceArguments;
use super::resume::ResumeArguments;
use super::run::RunArguments;
use super::show::ShowArguments;

const EXAMPLES: &str = "\
Examples:
  rolecall run configs/quickstart.toml
      Play made-up household games by two strategies and three users, and print a table.
  rolecall check configs/household/respact.toml
      See who would sit where and who would see what, without playing.
  rolecall run configs/household/respact.toml --set user.kind=unhelpful --limit 5
      Swap the user, and play the first five games only.
  rolecall show quickstart --failed
      See which episodes of the run logs/quickstart were not solved.
  rolecall show quickstart react:49
      Read an episode, move by move.
  rolecall new role my-role
      Begin a role of your own in a checkout of rolecall.

Exit codes: 0 done; 1 done, but episodes broke or differences were found; 2 could not start, or
the log or a report could not be written or read; 130 ended by a second Ctrl-C.";

const LONG: &str = "\
Plays episodes: one task in one environment, with a cast of roles that think, act and ask, and a \
user who answers. A config file names everything that takes part; every message is written to a \
log, and all results are computed from it.";

const SETTINGS: &str = "\
A setting names a key of the config by its path, and a value:

  --set limits.steps=20                    a number
  --set user.kind=unhelpful                a text; quotes are not needed
  --set environment.data=/data/games       a path, from the working folder
  --set name='\"5\"'                         a text that looks like a number
  --set roles.\"my-role\".implementation=rules
  --set cells.react.limits.steps=30        a cell, by its name or number

Values are read as TOML if they are valid TOML, and else as a text. Environment variables do the \
same: ROLECALL__LIMITS__STEPS=20. The order, weakest first: defaults, persona cards, files that \
the config extends, the config, environment variables, --set, other options.";

/// Conversational language agents as casts of message-passing actors.
#[derive(Debug, Parser)]
#[command(name = "rolecall", version, long_about = LONG, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, propagate_version = true)]
pub(crate) struct Arguments {
    /// What to do.
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
    #[command(after_help = help::RUN, after_long_help = format!("{}\n\n{SETTINGS}", help::RUN))]
    Run(RunArguments),
    /// Go on with a run that was interrupted: nothing that was recorded is asked again
    #[command(after_help = help::RESUME)]
    Resume(ResumeArguments),
    /// Check a config and print who sits where, without playing
    #[command(after_help = help::CHECK)]
    #[command(after_long_help = format!("{}\n\n{SETTINGS}", help::CHECK))]
    Check(CheckArguments),
    /// List what a config can name
    #[command(after_help = help::LIST)]
    List(ListArguments),
    /// List runs, list the episodes of a run, or read them, also while they go on
    #[command(after_help = help::SHOW)]
    Show(ShowArguments),
    /// Compute the results of a run again from its log
    #[command(after_help = help::REPORT)]
    Report(ReportArguments),
    /// Play the sweep of a paper's table, and set our figures beside the published ones
    #[command(after_help = help::REPRODUCE)]
    #[command(after_long_help = format!("{}\n\n{SETTINGS}", help::REPRODUCE))]
    Reproduce(ReproduceArguments),
    /// Let another cast finish episodes of a run: a new run that begins where it leaves this one
    #[command(after_help = help::BRANCH, after_long_help = format!("{}\n\n{SETTINGS}", help::BRANCH))]
    Branch(BranchArguments),
    /// Play the episodes of a run again and say whether they come out the same
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArguments),
    /// Compare runs, or cells of a run, over the tasks that both played
    #[command(after_help = help::COMPARE)]
    Compare(CompareArguments),
    /// Say what agents do and say: actions, refusals, categories, dialogue acts, what questions save
    #[command(after_help = help::ANALYSE)]
    Analyse(AnalyseArguments),
    /// Have people or models label what agents said, and see how far they agree
    #[command(after_help = help::RATE)]
    Rate(RateArguments),
    /// List the models of a config, or find out what their servers really support
    #[command(after_help = help::MODELS)]
    Models(ModelsArguments),
    /// Generate games, measure games, make exemplars of games
    #[command(after_help = help::DATA)]
    Data(DataArguments),
    /// Add a role, user, environment, strategy or metric of your own to a checkout of rolecall
    #[command(after_help = help::NEW)]
    New(NewArguments),
    /// Compare an environment with recordings of the original program
    #[command(after_help = help::CONFORMANCE)]
    Conformance(ConformanceArguments),
    /// Check, compress or print the log of a run
    #[command(after_help = help::LOGS)]
    Logs(LogsArguments),
    /// Print the completion for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Print the manual page, or write the pages of all subcommands
    #[command(after_help = help::MAN)]
    Man(ManArguments),
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
        let line = [
            "rolecall", "run", "x.toml", "--limit", "3", "--name", "n", "-v",
        ];
        let arguments = Arguments::try_parse_from(line).unwrap();
        let Command::Run(run) = arguments.command else {
            panic!("another command");
        };
        let keys: Vec<&str> = run
            .request()
            .unwrap()
            .flags
            .iter()
            .map(|flag| flag.key)
            .collect();
        assert_eq!(keys, ["name", "tasks.limit"]);
        assert_eq!(arguments.verbose, 1);
    }
}
