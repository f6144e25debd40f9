//! Roles of the shop by rules: an executor for both games, and the thinker, clarifier and planner of a relay. Each
//! knows what its seat has seen, as a fold over its view.

mod asking;
mod browsing;
mod cast;
mod chatting;
mod mind;
mod wishes;

use std::sync::Arc;

use async_trait::async_trait;

pub use cast::{build_clarifier, build_planner, build_thinker};

use crate::domain::{Answer, Brief, Move, MoveKind, MoveKinds};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn};
use browsing::Next;
use mind::{Mind, brief};

/// The parameters of the executor.
pub const PARAMETERS: &[Parameter] = parameters![
    flag("asks", true), "it asks the user where that helps and the strategy lets it";
    integer("looks", Some(3), 1..=50),
        "WebShop: the most products that it looks at before it buys one (in ReSpAct's rendering always 1)";
];

/// Builds the executor (registry entry `rules`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let asks = setup.parameters.flag("asks");
    let looks = setup.parameters.whole("looks").unwrap_or(1);
    Ok(Arc::new(move || {
        Box::new(Assistant {
            mind: Mind::default(),
            asks,
            looks,
        })
    }))
}

/// The shopper's assistant: searches, asks for what splits the candidates best, and selects or buys.
struct Assistant {
    mind: Mind,
    asks: bool,
    looks: usize,
}

#[async_trait]
impl Role for Assistant {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn)?;
        Ok(self.decide(brief(turn)?).into())
    }
}

impl Assistant {
    fn decide(&self, brief: &Brief) -> Move {
        let mind = &self.mind;
        if brief.open == MoveKinds::of(&[MoveKind::Think]) {
            return Move::think(summary(mind));
        }
        if mind.has_planner && brief.open.contains(MoveKind::Think) {
            return match mind.plan.front() {
                Some(step) => Move::Act {
                    action: step.clone(),
                },
                None => Move::think("There is no step of the plan left."),
            };
        }
        match next(mind, brief, self.asks && !mind.has_clarifier, self.looks) {
            Next::Act(action) => Move::act(action),
            Next::Say(text) => spoken(text, brief),
        }
    }
}

/// The next step in either game.
fn next(mind: &Mind, brief: &Brief, asks: bool, looks: usize) -> Next {
    match mind.is_chat {
        true => Next::Act(chatting::next_action(mind, brief, asks)),
        false => mind.browsing.next(brief, looks, asks),
    }
}

/// What is known, in a few sentences.
fn summary(mind: &Mind) -> String {
    match mind.is_chat {
        true => chatting::summary(mind),
        false => mind.browsing.summary(),
    }
}

/// A question, with the act that fits it where one has to be declared.
fn spoken(text: String, brief: &Brief) -> Move {
    let fits = brief
        .acts
        .iter()
        .find(|act| act.as_str() == "AlternateQuestions");
    Move::Speak {
        text,
        act: fits.or(brief.acts.first()).cloned(),
    }
}
