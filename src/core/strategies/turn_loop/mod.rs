//! The turn loop: one executor thinks, speaks and acts, one move at a time (ReSpAct section 3; ABA
//! section 3; `docs/papers`). A thought is answered `OK.`, an action by the environment, an utterance
//! by the user. The strategies differ in what is open when:
//!
//! | strategy | speech | thought |
//! |---|---|---|
//! | `react` | none | where the executor wants |
//! | `respact` | where it wants | where it wants |
//! | `react-im`, `respact-im` | as above | before each other move, and only there |
//! | `respact-schema` | with a dialogue act | where it wants |
//! | `aba` | where it wants; its word for it is `ask` | where it wants |
//!
//! All of them may play several rounds: when one is solved, the next begins in the same world.

mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::domain::{Brief, DialogueAct, Ending, Few, Message, Move, MoveKind, MoveKinds, RoleName};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters, SetupError, StrategyFactory};

use state::TurnLoop;

/// The parameters of every strategy of the turn loop.
pub const TURN_LOOP_PARAMETERS: &[Parameter] = parameters![
    integer("rounds", Some(1), 1..=10_000),
        "tasks in one world: after each one that is solved the next begins, up to so many";
];

/// Rules in which the strategies differ.
pub trait Turns: Clone + Send + Sync + 'static {
    /// Takes note of a message, before the loop goes on.
    fn apply(&mut self, _message: &Message) {}

    /// Whether there is a user to speak to.
    fn speaks(&self) -> bool;

    /// The executor's brief, after a thought of its own or after something else.
    fn brief(&self, after_thought: bool) -> Brief;

    /// Move to make in place of this one, if any.
    fn instead(&self, _made: &Move) -> Option<Move> {
        None
    }

    /// The ending, if nobody goes on after a reply of the user.
    fn over(&self) -> Option<Ending> {
        None
    }
}

/// The moves that are open when.
#[derive(Clone, Copy, Debug, Default)]
struct TurnRules {
    /// There is a user to speak to.
    speaks: bool,
    /// A thought comes before each other move, and only there.
    dense: bool,
    /// Utterances declare a dialogue act.
    declares: bool,
}

const REACT: TurnRules = TurnRules { speaks: false, dense: false, declares: false };

const RESPACT: TurnRules = TurnRules { speaks: true, ..REACT };

/// Builders of the strategies that differ in these rules alone.
macro_rules! builders {
    ($($(#[$doc:meta])* $name:ident: $rules:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(
            roles: &[RoleName],
            parameters: &Parameters,
        ) -> Result<StrategyFactory, SetupError> {
            turn_loop(roles, parameters.whole("rounds").unwrap_or(1), $rules)
        }
    )*};
}

builders! {
    /// Builds `react`: think and act.
    react: REACT;
    /// Builds `respact`: think, speak and act.
    respact: RESPACT;
    /// Builds `react-im`: think before each action (Inner Monologue as ReAct section 4 plays it; ReSpAct
    /// section B.3 and Table 7).
    react_im: TurnRules { dense: true, ..REACT };
    /// Builds `respact-im`: think before each action and utterance (ReSpAct section B.3 and Table 7).
    respact_im: TurnRules { dense: true, ..RESPACT };
    /// Builds `respact-schema`: each utterance declares one of ten dialogue acts (ReSpAct section 5.3 and
    /// Table 20).
    respact_schema: TurnRules { declares: true, ..RESPACT };
    /// Builds `aba`: think, ask and act. To a strategy, asking is speaking.
    aba: RESPACT;
}

/// Builds a strategy of one role.
pub fn turn_loop(roles: &[RoleName], rounds: u32, turns: impl Turns) -> Result<StrategyFactory, SetupError> {
    let [executor] = roles else {
        let problem = "this strategy takes exactly one role, `executor`";
        return Err(SetupError::at("roles", problem));
    };
    let executor = executor.clone();
    Ok(Arc::new(move || Box::new(TurnLoop::new(executor.clone(), turns.clone(), rounds))))
}

impl Turns for TurnRules {
    fn speaks(&self) -> bool {
        self.speaks
    }

    fn brief(&self, after_thought: bool) -> Brief {
        let open = self.open(after_thought);
        let declares = self.declares && open.contains(MoveKind::Speak);
        Brief {
            open,
            acts: if declares { DialogueAct::schema().into() } else { Few::default() },
            notice: after_thought.then(|| Brief::ACKNOWLEDGED.into()),
            ..Brief::default()
        }
    }
}

impl TurnRules {
    fn open(self, after_thought: bool) -> MoveKinds {
        const ALL: MoveKinds = MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak, MoveKind::Finish]);
        let all = if self.speaks { ALL } else { ALL.without(MoveKind::Speak) };
        match (self.dense, after_thought) {
            (false, _) => all,
            (true, false) => MoveKinds::of(&[MoveKind::Think]),
            (true, true) => all.without(MoveKind::Think),
        }
    }
}
