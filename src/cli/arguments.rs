//! What can be written on the command line.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::analyse::AnalyseArguments;
use super::branch::BranchArguments;
use super::compare::CompareArguments;
use super::data::DataArguments;
use super::help;
use super::models::ModelsArguments;
use super::new::NewArguments;
use super::playing::PlayArguments;
use super::rate::RateArguments;
use super::replay::ReplayArguments;
use super::reproduce::ReproduceArguments;
use super::show::ShowArguments;
use crate::config::{Flag, Request};

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

/// A config and what is laid over it.
#[derive(Args, Debug)]
pub(crate) struct ConfigArguments {
    /// The config file, for instance configs/quickstart.toml
    #[arg(value_name = "CONFIG")]
    pub(crate) config: PathBuf,
    /// Lay another config file over it, for instance one of configs/models; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Change one key of the config; may be given several times (more with --help)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    pub(crate) models: Vec<String>,
}

impl ConfigArguments {
    /// The request to resolve the config with these options.
    pub(crate) fn request(&self, flags: Vec<Flag>) -> anyhow::Result<Request> {
        Ok(Request {
            file: self.config.clone(),
            with: self.with.clone(),
            sets: self.sets.clone(),
            models: self.models.clone(),
            flags,
            variables: std::env::vars_os().collect(),
            working: std::env::current_dir().context("the working folder cannot be found")?,
        })
    }
}

/// The arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<String>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<i64>,
    /// Threads that run actors; as many as there are cores if nothing is said
    #[arg(long, value_name = "N")]
    pub(crate) arbiters: Option<i64>,
    /// Play only the first N tasks
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<i64>,
    #[command(flatten)]
    pub(crate) play: PlayArguments,
}

impl RunArguments {
    /// The request to resolve the config with these options.
    pub(crate) fn request(&self) -> anyhow::Result<Request> {
        let texts = [
            ("--name", "name", &self.name),
            ("--logs", "run.logs", &self.logs),
        ];
        let numbers = [
            ("--concurrency", "run.concurrency", self.concurrency),
            ("--arbiters", "run.arbiters", self.arbiters),
            ("--limit", "tasks.limit", self.limit),
            ("--seed", "seed", self.seed),
        ];
        let texts = texts.into_iter().filter_map(|(option, key, text)| {
            let value = text.as_ref()?.as_str().into();
            Some(Flag { option, key, value })
        });
        let numbers = numbers.into_iter().filter_map(|(option, key, number)| {
            let value = number?.into();
            Some(Flag { option, key, value })
        });
        self.config.request(texts.chain(numbers).collect())
    }
}

/// The arguments of `resume`.
#[derive(Args, Debug)]
pub(crate) struct ResumeArguments {
    /// The run's folder, or its name below `logs`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Go on although the config, a prompt or the data changed; run.toml notes what did
    #[arg(long)]
    pub(crate) accept_changes: bool,
    /// Change one key of the config; may be given several times (needs --accept-changes if it can
    /// change a result)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
    /// The model of a role, or of the user, in every cell (needs --accept-changes)
    #[arg(long = "model", value_name = "ROLE=NAME")]
    pub(crate) models: Vec<String>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<i64>,
    /// Threads that run actors
    #[arg(long, value_name = "N")]
    pub(crate) arbiters: Option<i64>,
    #[command(flatten)]
    pub(crate) play: PlayArguments,
}

impl ResumeArguments {
    /// The settings that are laid over those that the run was started with.
    pub(crate) fn settings(&self) -> Vec<String> {
        let numbers = [
            ("run.concurrency", self.concurrency),
            ("run.arbiters", self.arbiters),
        ];
        let given = numbers.into_iter();
        let given = given.filter_map(|(key, number)| Some(format!("{key}={}", number?)));
        self.sets.iter().cloned().chain(given).collect()
    }
}

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// The arguments of `list`.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// What to list
    #[arg(value_enum)]
    pub(crate) what: Listing,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Listing {
    /// Implementations of roles: `roles.<role>.implementation`
    Roles,
    /// Strategies: `strategy.name`
    Strategies,
    /// Environments: `environment.name`
    Environments,
    /// Kinds of users: `user.kind`
    Users,
    /// Providers of models: `models.<name>.provider`
    Models,
    /// Figures that reports show
    Metrics,
    /// Config files below `configs` in the working folder
    Configs,
}

/// The arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The run's folder, or its name below `logs`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Print the results as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print the report as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Write the report as one offline page to a file (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "markdown"])]
    pub(crate) html: Option<PathBuf>,
    /// Write report.md and report.html into the run's folder, over older ones
    #[arg(long, conflicts_with_all = ["json", "markdown", "html"])]
    pub(crate) write: bool,
}

/// The arguments of `conformance`.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArguments {
    /// The environment, for instance household
    #[arg(value_name = "ENVIRONMENT")]
    pub(crate) environment: String,
    /// Folder with recordings of the original program
    #[arg(long, value_name = "DIR")]
    pub(crate) oracle: PathBuf,
    /// Folder with the data that was played
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
}

/// The arguments of `logs`.
#[derive(Args, Debug)]
pub(crate) struct LogsArguments {
    /// What to do with the log.
    #[command(subcommand)]
    pub(crate) command: LogsCommand,
}

/// What can be done with the log of a run.
#[derive(Debug, Subcommand)]
pub(crate) enum LogsCommand {
    /// Print the events in canonical order (cell, task, repeat, position), for comparing runs
    #[command(after_help = help::CANONICAL)]
    Canonical {
        /// The run's folder, or its name below `logs`
        #[arg(value_name = "RUN")]
        run: PathBuf,
    },
    /// Check every file, line, episode and result of a run that nobody writes
    #[command(after_help = help::VERIFY)]
    Verify {
        /// The run's folder, or its name below `logs`
        #[arg(value_name = "RUN")]
        run: PathBuf,
    },
    /// Compress all events of a run that nobody writes
    #[command(after_help = help::COMPACT)]
    Compact {
        /// The run's folder, or its name below `logs`
        #[arg(value_name = "RUN")]
        run: PathBuf,
    },
    /// Write the index anew, from which a run is opened quickly
    #[command(after_help = help::INDEX)]
    Index {
        /// The run's folder, or its name below `logs`
        #[arg(value_name = "RUN")]
        run: PathBuf,
    },
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// Folder to which a page is written for the program and for each subcommand
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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
