//! The arguments of `rolecall branch`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Command, FromArgMatches, ValueEnum};

use super::at::At;
use crate::choice::ChoiceArguments;
use crate::playing::PlayArguments;

/// The arguments of `branch`.
#[derive(Args, Debug)]
// Said in one way here: `--episodes`.
#[command(mut_arg("failed", |option| option.hide(true)))]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct BranchArguments {
    /// The run's folder, or its name below `logs`
    pub(super) run: PathBuf,
    /// The episodes as cell:task:repeat, for instance main:12:0, or just 12 if that is enough
    #[arg(value_name = "EPISODE", required_unless_present_any = ["episodes", "control"])]
    pub(super) episode: Vec<String>,
    /// These episodes, instead of naming them; the options below choose among them
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "episode")]
    pub(super) episodes: Option<Which>,
    /// Where the new cast takes over: at the last request at or before an event (its number, as `show
    /// --json` prints it), at the first question to the user (who answers it), at the turn of move
    /// N, at the turn after N % of the moves, or when a role or the user is asked for the last time
    #[arg(long, value_name = "SEQ|first-question|turn:N|N%|last", required_unless_present = "control")]
    pub(super) at: Option<At>,
    /// Play the control, too: another branch at the same places, with the run's own cast; the seeds of both
    /// are fresh from there. Without --at, RUN is a branch that was played, and its control alone is
    #[arg(long)]
    pub(super) control: bool,
    /// Change one key of the run's config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    pub(super) models: Vec<String>,
    /// Name of the new run; that of the run and `-branch` if nothing is said
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Folder under which the new run's folder is made
    #[arg(long, value_name = "DIR")]
    pub(super) logs: Option<String>,
    #[command(flatten)]
    pub(super) play: PlayArguments,
    #[command(flatten)]
    pub(super) choice: ChoiceArguments,
}

/// The episodes that are branched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Which {
    /// All that were begun
    All,
    /// Those that count and were not solved
    Failed,
    /// Those that something other than the agent broke
    Broken,
}

impl BranchArguments {
    /// The arguments of a command line, without the name of the command.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(line: Vec<OsString>) -> Result<Self, clap::Error> {
        let command = Self::augment_args(Command::new("branch").no_binary_name(true));
        Self::from_arg_matches(&command.try_get_matches_from(line)?)
    }

    /// The choice, with what `--episodes` says.
    pub(super) fn choice(&self) -> ChoiceArguments {
        let mut choice = self.choice.clone();
        choice.failed |= self.episodes == Some(Which::Failed);
        choice.broken |= self.episodes == Some(Which::Broken);
        choice
    }

    /// The settings that are laid over those of the run, which is called so.
    pub(super) fn settings(&self, parent: &str) -> Vec<String> {
        let name = |name: &str| format!("name={}", toml::Value::from(name));
        let usual = name(&format!("{parent}-branch"));
        let logs = |folder: &str| format!("run.logs={}", toml::Value::from(folder));
        let mut settings = vec![usual];
        settings.extend(self.sets.iter().cloned());
        settings.extend(self.name.as_deref().map(name));
        settings.extend(self.logs.as_deref().map(logs));
        settings
    }
}
