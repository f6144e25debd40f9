//! The arguments of `rolecall show`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::choice::ChoiceArguments;
use crate::runs::LOGS;
use rolecall_core::reports::{EventKind, KINDS};

/// The arguments of `show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The run's folder, or its name below `logs` (--logs); without it, the runs there are listed
    pub(super) run: Option<PathBuf>,
    /// The episode as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without it, all are listed
    pub(super) episode: Option<String>,
    /// Folder below which runs are looked for
    #[arg(long, value_name = "DIR", default_value = LOGS)]
    pub(super) logs: PathBuf,
    /// Print the transcripts of the episodes, one after the other, and not their list
    #[arg(long, short)]
    pub(super) transcripts: bool,
    /// Show what each model was sent in EPISODE, with its reply: requests are made again from the log,
    /// and compared with the hashes there. They hold what the seat may see, private parts too
    #[arg(long, requires = "episode", conflicts_with_all = ["follow", "transcripts", "kind"])]
    pub(super) prompts: bool,
    /// With --prompts: give a value of the run's config again that may be a secret, so that `run.toml` does
    /// not have it; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "prompts")]
    pub(super) sets: Vec<String>,
    /// Show the private parts of the task as well, marked as such
    #[arg(long)]
    pub(super) private: bool,
    /// Print JSON lines: results of episodes, events (with EPISODE or --transcripts), or calls of
    /// models (with --prompts)
    #[arg(long)]
    pub(super) json: bool,
    /// Go on printing while the run goes on: results as episodes close, or events as they happen
    /// (with EPISODE or --transcripts)
    #[arg(long, short, conflicts_with_all = ["sort", "reverse", "limit"])]
    pub(super) follow: bool,
    /// Show it in a browser, at a free port of this machine, until Ctrl-C
    #[arg(long, requires = "run")]
    #[arg(conflicts_with_all = ["follow", "json", "transcripts", "prompts"])]
    pub(super) web: bool,
    /// Print everything at once, also if it is longer than the screen
    #[arg(long)]
    pub(super) no_pager: bool,
    #[command(flatten)]
    pub(super) events: EventArguments,
    #[command(flatten)]
    pub(super) choice: ChoiceArguments,
}

/// Which events of an episode are shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which events (of EPISODE, or of all with --transcripts)")]
pub(super) struct EventArguments {
    /// Only what comes from this seat: a role such as executor, user, environment or conductor;
    /// may be given several times
    #[arg(long, value_name = "SEAT")]
    pub(super) seat: Vec<String>,
    /// Only events of this kind; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    pub(super) kind: Vec<&'static EventKind>,
}

/// The kinds of events.
fn kinds() -> impl TypedValueParser<Value = &'static EventKind> {
    let value = |kind: &EventKind| {
        let alias = Some(kind.alias).filter(|alias| !alias.is_empty());
        PossibleValue::new(kind.word).help(kind.help).aliases(alias)
    };
    PossibleValuesParser::new(KINDS.iter().map(value)).try_map(|word| {
        let found = KINDS.iter().find(|kind| kind.word == word || kind.alias == word);
        found.ok_or("there is no such kind")
    })
}
