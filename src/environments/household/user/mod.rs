//! Rule-based users of household games: helpful, helpful but vague, and uninformed (ReSpAct appendix
//! B.1 and E.3), and the owner who knows where everything is (ABA appendix A and G). They answer what
//! was asked and nothing more.

mod facts;
mod knowledge;
mod lexicon;
mod owner;
mod question;
mod reply;
mod unhelpful;
mod wording;

use std::sync::Arc;

pub use owner::{PARAMETERS as OWNER_PARAMETERS, build as build_owner};
pub(super) use question::{Asked, Preference, Question};
pub(super) use reply::{HelpfulUser, MistakenUser};
pub(super) use unhelpful::UnhelpfulUser;

use super::language::{Command, Fact, class_of, for_each_fact};
use knowledge::{Changes, Knowledge};
use rolecall_core::domain::Utterance;
use rolecall_core::ports::{SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};
use wording::{THANKS, UNKNOWN, say};

/// A factory of users that `make` makes.
pub(super) fn factory<U: UserSimulator + 'static>(
    make: impl Fn() -> U + Send + Sync + 'static,
) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(move || Box::new(make()) as Box<dyn UserSimulator>))
}

/// The question of the turn.
fn question(turn: &Turn) -> Result<&Utterance, UserError> {
    let nothing = || UserError::Failed("nothing was asked".to_owned());
    turn.question().ok_or_else(nothing)
}

/// Builds the user who knows the same as the helpful one and names classes only, never numbers.
pub(super) fn build_perturbed(_: &UserSetup) -> Result<UserFactory, SetupError> {
    factory(|| HelpfulUser { names_classes: true, changes: Changes::default() })
}
