//! Users of the shop by rules: the shopper of ChatShop, who answers in a few words, and the buyer of WebShop, who
//! talks with an agent about the page that both see (ReSpAct Table 25). They know the goal and not the product.

mod buyer;
mod question;
mod shopper;
mod target;

pub use buyer::{PARAMETERS as BUYER_PARAMETERS, build as build_buyer};
pub use shopper::{
    PARAMETERS as SHOPPER_PARAMETERS, build as build_shopper, build_contradictory, build_vague,
};

use crate::domain::{Message, PrivateInfo, Seed, Utterance, View};
use crate::environments::shop::private::TARGET;
use crate::ports::{Turn, UserError};
use target::{Target, Want};

/// What was said to the user, and what it wants.
fn asked(turn: &Turn) -> Result<(&Utterance, Target), UserError> {
    let said = turn
        .question()
        .ok_or_else(|| UserError::Failed("nothing was asked".to_owned()))?;
    let mut parts = turn.view.all().filter_map(|event| match &event.message {
        Message::Entrusted(part) => Target::read(&part.label, &part.value),
        _ => None,
    });
    let target = parts.next().ok_or_else(|| {
        let why = "the task tells this user nothing of what is wanted; it understands tasks of the shop only";
        UserError::Failed(why.to_owned())
    })?;
    Ok((said, target))
}

/// What a person who plays the shopper has to know. The user of WebShop reads it in the instruction.
pub(super) fn wanted(view: &View) -> Vec<String> {
    let is_target = |part: &&PrivateInfo| part.label == TARGET;
    let mut parts = view.all().filter_map(|event| match &event.message {
        Message::Entrusted(part) => Some(&**part),
        _ => None,
    });
    let target = parts
        .find(is_target)
        .and_then(|part| Target::read(&part.label, &part.value));
    target.map(|target| target.lines()).unwrap_or_default()
}

/// A draw below `count` for one purpose; 0 if `count` is 0.
fn draw(seed: Seed, purpose: &str, count: usize) -> usize {
    let drawn = seed.labelled(purpose, "", 0).0 as usize;
    drawn.checked_rem(count).unwrap_or(0)
}
