//! The arguments of `rolecall show`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::cli::runs::LOGS;
use crate::reports::{EventKind, KINDS};
use crate::text::joined;

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

/// Which episodes are shown. Each option that is given several times takes all that it names.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which episodes")]
pub(crate) struct ChoiceArguments {
    /// Only episodes that count and were not solved
    #[arg(long, conflicts_with_all = ["broken", "episode"])]
    pub(crate) failed: bool,
    /// Only episodes that something other than the agent broke
    #[arg(long, conflicts_with = "episode")]
    pub(crate) broken: bool,
    /// Only tasks of this type
    #[arg(long, value_name = "TYPE", conflicts_with = "episode")]
    pub(super) task_type: Vec<String>,
    /// Only this cell
    #[arg(long, value_name = "NAME", conflicts_with = "episode")]
    pub(super) cell: Vec<String>,
    /// Only episodes with this kind of user
    #[arg(long, value_name = "KIND", conflicts_with = "episode")]
    pub(super) user: Vec<String>,
    /// Only episodes that ended like this
    #[arg(
        long,
        value_name = "ENDING",
        value_parser = endings(),
        hide_possible_values = true,
        conflicts_with = "episode",
        help = format!("Only episodes that ended like this: {}", joined(ENDINGS))
    )]
    pub(super) ending: Vec<String>,
    /// Sort by a figure, the greatest first
    #[arg(long, value_name = "FIGURE", value_enum, conflicts_with = "episode")]
    pub(super) sort: Option<SortFigure>,
    /// Turn the order round
    #[arg(long, conflicts_with = "episode")]
    pub(super) reverse: bool,
    /// Only the first N
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "episode")]
    pub(super) limit: Option<usize>,
}

/// The endings of episodes: the words of tables, with hyphens.
const ENDINGS: [&str; 15] = [
    "solved",
    "failed",
    "gave-up",
    "out-of-steps",
    "out-of-questions",
    "out-of-turns",
    "out-of-model-calls",
    "out-of-tokens",
    "out-of-cost",
    "out-of-time",
    "user-left",
    "unusable",
    "broken",
    "cancelled",
    "unfinished",
];

/// The endings, each also as tables write it.
fn endings() -> PossibleValuesParser {
    let value = |word: &'static str| {
        let value = PossibleValue::new(word).alias(word.replace('-', " "));
        value.aliases((word == "unusable").then_some("unusable answers"))
    };
    PossibleValuesParser::new(ENDINGS.map(value))
}

/// The kinds of events.
fn kinds() -> impl TypedValueParser<Value = &'static EventKind> {
    let value = |kind: &EventKind| {
        let alias = Some(kind.alias).filter(|alias| !alias.is_empty());
        PossibleValue::new(kind.word).help(kind.help).aliases(alias)
    };
    PossibleValuesParser::new(KINDS.iter().map(value)).try_map(|word| {
        let mut kinds = KINDS.iter();
        let found = kinds.find(|kind| kind.word == word || kind.alias == word);
        found.ok_or("there is no such kind")
    })
}

impl ChoiceArguments {
    /// Whether some episodes may be left out because of what they are.
    pub(crate) fn is_narrow(&self) -> bool {
        let lists = [&self.task_type, &self.cell, &self.user];
        self.failed || self.broken || !self.ending.is_empty() || lists.iter().any(|list| !list.is_empty())
    }

    /// Whether the choice looks at what episodes came to, not only at what they are of.
    pub(crate) fn is_by_outcome(&self) -> bool {
        let first_by_figure = self.sort.is_some() && self.limit.is_some();
        self.failed || self.broken || !self.ending.is_empty() || first_by_figure
    }

    /// The choice in words; `all` if it leaves nothing out.
    pub(crate) fn in_words(&self) -> String {
        let of = |what: &str, list: &[String]| (!list.is_empty()).then(|| format!("{what} {}", list.join(" or ")));
        let first = self.limit.map(|limit| {
            let least = if self.reverse { " from the least on" } else { "" };
            let figure = self.sort.and_then(|figure| figure.to_possible_value());
            match figure {
                Some(figure) => format!("first {limit} by {}{least}", figure.get_name()),
                None if self.reverse => format!("last {limit}"),
                None => format!("first {limit}"),
            }
        });
        let parts = [
            self.failed.then(|| "failed".to_owned()),
            self.broken.then(|| "broken".to_owned()),
            of("ended as", &self.ending),
            of("of type", &self.task_type),
            of("of cell", &self.cell),
            of("with user", &self.user),
            first,
        ];
        let parts = joined(parts.into_iter().flatten());
        if parts.is_empty() { "all".to_owned() } else { parts }
    }

    /// Whether all episodes are shown, in their usual order.
    pub(crate) fn is_everything(&self) -> bool {
        !self.is_narrow() && self.sort.is_none() && !self.reverse && self.limit.is_none()
    }
}

/// A figure that episodes can be sorted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SortFigure {
    /// Moves of roles
    Steps,
    /// Words to the user
    Questions,
    /// Actions on the environment
    Actions,
    /// Actions that were refused
    Invalid,
    /// Faults of any seat
    Faults,
    /// The reward
    Reward,
    /// What calls of models cost
    Cost,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Ending, Limit, Seat};

    #[test]
    fn every_ending_has_one_word() {
        let broken = Ending::Broken { by: Seat::Conductor };
        let others = [
            Ending::Solved,
            Ending::Failed,
            Ending::GaveUp,
            Ending::UserLeft,
            Ending::Unusable,
            Ending::Cancelled,
            broken,
        ];
        let limits = Limit::ALL.map(|limit| Ending::OutOf { limit });
        for ending in others.into_iter().chain(limits) {
            let label = ending.label();
            let words = ENDINGS.iter().map(|word| word.replace('-', " "));
            let own = words.filter(|word| label.starts_with(word));
            assert_eq!(own.count(), 1, "{label}");
        }
    }
}
