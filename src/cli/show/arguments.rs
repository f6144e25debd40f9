//! What can be written after `rolecall show`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::domain::{Ending, Limit};
use crate::reports::{KINDS, Kind};

/// The arguments of `show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The run's folder, or its name below `logs`; without it, the runs below `logs` are listed
    #[arg(value_name = "RUN")]
    pub(super) run: Option<PathBuf>,
    /// The episode as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without it, all are listed
    #[arg(value_name = "EPISODE")]
    pub(super) episode: Option<String>,
    /// Print the transcripts of the episodes, one after the other, and not their list
    #[arg(long, short)]
    pub(super) transcripts: bool,
    /// Show the private parts of the task as well, marked as such
    #[arg(long)]
    pub(super) private: bool,
    /// Print JSON lines: results of episodes, or events (with EPISODE or --transcripts)
    #[arg(long)]
    pub(super) json: bool,
    /// Go on printing while the run goes on: results as episodes close, or events as they happen
    /// (with EPISODE or --transcripts)
    #[arg(long, short, conflicts_with_all = ["sort", "reverse", "limit"])]
    pub(super) follow: bool,
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
    #[arg(long, value_name = "KIND", value_enum)]
    pub(super) kind: Vec<KindWord>,
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
        value_enum,
        hide_possible_values = true,
        conflicts_with = "episode",
        help = ENDING_HELP
    )]
    pub(super) ending: Vec<EndingWord>,
    /// Sort by a figure, the greatest first
    #[arg(long, value_name = "FIGURE", value_enum, conflicts_with = "episode")]
    pub(super) sort: Option<Figure>,
    /// Turn the order round
    #[arg(long, conflicts_with = "episode")]
    pub(super) reverse: bool,
    /// Only the first N
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "episode")]
    pub(super) limit: Option<usize>,
}

const ENDING_HELP: &str = "Only episodes that ended like this: solved, failed, gave-up, \
    out-of-steps, out-of-questions, out-of-model-calls, out-of-tokens, out-of-cost, out-of-time, user-left, \
    unusable, broken, cancelled, unfinished";

impl ChoiceArguments {
    /// Whether some episodes may be left out because of what they are.
    pub(crate) fn is_narrow(&self) -> bool {
        let lists = [&self.task_type, &self.cell, &self.user];
        self.failed
            || self.broken
            || !self.ending.is_empty()
            || lists.iter().any(|list| !list.is_empty())
    }

    /// Whether all episodes are shown, in their usual order.
    pub(crate) fn is_everything(&self) -> bool {
        !self.is_narrow() && self.sort.is_none() && !self.reverse && self.limit.is_none()
    }
}

/// A figure that episodes can be sorted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Figure {
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
}

/// How an episode can end. The words are those of tables, with hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EndingWord {
    Solved,
    Failed,
    #[value(alias = "gave up")]
    GaveUp,
    #[value(alias = "out of steps")]
    OutOfSteps,
    #[value(alias = "out of questions")]
    OutOfQuestions,
    #[value(alias = "out of model calls")]
    OutOfModelCalls,
    #[value(alias = "out of tokens")]
    OutOfTokens,
    #[value(alias = "out of cost")]
    OutOfCost,
    #[value(alias = "out of time")]
    OutOfTime,
    #[value(alias = "user left")]
    UserLeft,
    #[value(alias = "unusable answers")]
    Unusable,
    Broken,
    Cancelled,
    Unfinished,
}

impl EndingWord {
    /// The word for an ending; none stands for an episode without its end.
    pub(super) fn of(ending: Option<&Ending>) -> Self {
        match ending {
            None => Self::Unfinished,
            Some(Ending::Solved) => Self::Solved,
            Some(Ending::Failed) => Self::Failed,
            Some(Ending::GaveUp) => Self::GaveUp,
            Some(Ending::UserLeft) => Self::UserLeft,
            Some(Ending::Unusable) => Self::Unusable,
            Some(Ending::Broken { .. }) => Self::Broken,
            Some(Ending::Cancelled) => Self::Cancelled,
            Some(Ending::OutOf { limit }) => match limit {
                Limit::Steps => Self::OutOfSteps,
                Limit::Questions => Self::OutOfQuestions,
                Limit::ModelCalls => Self::OutOfModelCalls,
                Limit::Tokens => Self::OutOfTokens,
                Limit::Cost => Self::OutOfCost,
                Limit::Time => Self::OutOfTime,
            },
        }
    }
}

/// A kind of event as it is written on the command line.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindWord(pub(super) &'static Kind);

impl ValueEnum for KindWord {
    fn value_variants<'a>() -> &'a [Self] {
        static WORDS: LazyLock<Vec<KindWord>> =
            LazyLock::new(|| KINDS.iter().map(KindWord).collect());
        &WORDS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.word).help(self.0.help);
        let alias = Some(self.0.alias).filter(|alias| !alias.is_empty());
        Some(value.aliases(alias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_ending() {
        for ending in EndingWord::value_variants() {
            let word = ending.to_possible_value().unwrap();
            assert!(ENDING_HELP.contains(word.get_name()), "{ending:?}");
        }
    }
}
