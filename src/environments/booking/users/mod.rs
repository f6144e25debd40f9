//! The user by rules: it has a goal, an agenda made of it, and manners.

mod agenda;
mod answers;
mod desire;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::goal::Wanted;
use agenda::Agenda;
use rolecall_core::domain::{Message, Seed, Utterance};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};

/// The parameters of the user.
pub const PARAMETERS: &[Parameter] = parameters![
    integer("patience", Some(3), 1..=1_000),
        "the replies in a row that bring it nothing before it leaves";
    choice("verbosity", &["normal", "terse", "chatty"]),
        "how much of its goal it says at a time: two things, one thing, or all of a domain";
    number("forgetfulness", 0.0, 0.0..=1.0),
        "how likely it leaves out a thing that it wants until it is asked for that";
    number("politeness", 0.5, 0.0..=1.0), "how likely it says please and thanks";
];

/// The number of wishes that are said at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verbosity {
    #[default]
    Normal,
    Terse,
    Chatty,
}

/// The manners of a user.
#[derive(Clone, Copy, Debug)]
struct Traits {
    patience: u32,
    verbosity: Verbosity,
    forgetfulness: f64,
    politeness: f64,
}

impl Traits {
    /// The manners of the parameters' defaults.
    const USUAL: Self = Self { patience: 3, verbosity: Verbosity::Normal, forgetfulness: 0.0, politeness: 0.5 };

    /// Most wishes said at a time.
    fn most(self) -> usize {
        match self.verbosity {
            Verbosity::Terse => 1,
            Verbosity::Normal => 2,
            Verbosity::Chatty => usize::MAX,
        }
    }
}

/// Builds the user (registry entry `agenda`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let parameters = &setup.parameters;
    made(Traits {
        patience: parameters.whole("patience").unwrap_or(3),
        verbosity: parameters.choice("verbosity"),
        forgetfulness: parameters.number("forgetfulness").unwrap_or_default(),
        politeness: parameters.number("politeness").unwrap_or_default(),
    })
}

fn made(traits: Traits) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(move || Box::new(AgendaUser(traits))))
}

/// Builds `terse-agenda`.
pub fn build_terse(_: &UserSetup) -> Result<UserFactory, SetupError> {
    made(Traits { verbosity: Verbosity::Terse, politeness: 0.1, ..Traits::USUAL })
}

/// Builds `forgetful-agenda`.
pub fn build_forgetful(_: &UserSetup) -> Result<UserFactory, SetupError> {
    made(Traits { verbosity: Verbosity::Chatty, forgetfulness: 0.4, ..Traits::USUAL })
}

/// Builds `impatient-agenda`.
pub fn build_impatient(_: &UserSetup) -> Result<UserFactory, SetupError> {
    made(Traits { patience: 2, ..Traits::USUAL })
}

struct AgendaUser(Traits);

#[async_trait]
impl UserSimulator for AgendaUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let failed = |why: &str| UserError::Failed(why.to_owned());
        let wanted = Wanted::of_view(&turn.view).ok_or_else(|| {
            failed("the task tells this user nothing of what is wanted; it understands tasks of booking only")
        })?;
        let mut agenda = Agenda::new(&wanted, self.0, Seed(0));
        for event in turn.view.all() {
            match &event.message {
                // The trial's seed, so that the same things stay forgotten in it.
                Message::Begun(begun) => agenda.seed = begun.seed,
                Message::Opened(opened) => agenda.began(&opened.task.text),
                Message::Told(said) => agenda.hear(&said.text),
                Message::Replied(said) => agenda.said(&said.text),
                _ => {}
            }
        }
        let reply = agenda.reply(turn.seed);
        reply.ok_or_else(|| failed("nothing was asked"))
    }
}
