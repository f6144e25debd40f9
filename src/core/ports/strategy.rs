//! Strategies: who moves next.

use std::sync::Arc;

use crate::domain::{Action, Brief, Ending, Event, RoleName, Utterance};

/// The order in which a cast works: a pure fold over the events of an episode.
///
/// A strategy has no clock, no model and no randomness, and looks at each event once. Because
/// [`Strategy::next`] is asked again after every event that answers a directive, a list of actions
/// is a queue in the strategy's state: a resumed episode goes on in the middle of it.
#[diagnostic::on_unimplemented(note = "a strategy implements `apply` and `next`; see docs/adding-a-strategy.md")]
pub trait Strategy: Send {
    /// Takes note of an event.
    fn apply(&mut self, event: &Event);

    /// Says what is to happen now. Asking twice gives the same answer.
    fn next(&self) -> Result<Directive, StrategyError>;
}

/// Makes the strategy of one episode.
pub type StrategyFactory = Arc<dyn Fn() -> Box<dyn Strategy> + Send + Sync>;

/// The next step of the episode.
#[derive(Clone, Debug, PartialEq)]
pub enum Directive {
    /// A trial or a further round begins.
    Begin {
        /// Trial, from 0.
        trial: u32,
        /// Round within the trial, from 0.
        round: u32,
        /// The world goes on as the last round left it.
        keep_world: bool,
    },
    /// A role is asked for its move.
    Brief(RoleName, Brief),
    /// The environment performs an action.
    Perform(Action),
    /// The user is told something and replies.
    Tell(Utterance),
    /// The trial or round is over: the environment scores it.
    Assess {
        /// Its ending if the environment says that it is not solved.
        unsolved: Ending,
    },
    /// The episode is over.
    Close,
}

/// Why a strategy cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// The events do not follow from the strategy's directives.
    #[error("the events do not follow from the strategy: {0}")]
    OutOfOrder(String),
    /// The strategy cannot go on for another reason.
    #[error("{0}")]
    Failed(String),
}
