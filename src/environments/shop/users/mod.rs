//! Users of the shop by rules: the shopper of ChatShop, who answers in a few words, and the buyer of WebShop, who
//! talks with an agent about the page that both see (ReSpAct Table 25). They know the goal and not the product.

mod buyer;
mod question;
mod shopper;
mod target;

pub use buyer::{PARAMETERS as BUYER_PARAMETERS, build as build_buyer};
pub use shopper::{PARAMETERS as SHOPPER_PARAMETERS, build as build_shopper, build_contradictory, build_vague};

use std::sync::Arc;

use async_trait::async_trait;

use crate::goal::{GOAL, TARGET};
use rolecall_core::domain::{Utterance, View};
use rolecall_core::ports::{SetupError, Turn, UserError, UserFactory, UserSimulator};
use target::Target;

/// Facts for a person who plays the shopper of ChatShop. The user of WebShop reads them in the instruction.
pub(super) fn wanted(view: &View) -> Vec<String> {
    let target = Target::of(view, &[TARGET]);
    target.map(|target| target.lines()).unwrap_or_default()
}

/// A factory of users whose reply follows from the turn, its question and what they want.
fn made<R>(reply: R) -> Result<UserFactory, SetupError>
where
    R: Fn(&Turn, &str, &Target) -> String + Copy + Send + Sync + 'static,
{
    Ok(Arc::new(move || Box::new(RuleUser(reply))))
}

struct RuleUser<R>(R);

#[async_trait]
impl<R: Fn(&Turn, &str, &Target) -> String + Send> UserSimulator for RuleUser<R> {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let failed = |why: &str| UserError::Failed(why.to_owned());
        let asked = turn.question().ok_or_else(|| failed("nothing was asked"))?;
        let target = Target::of(&turn.view, &[TARGET, GOAL]).ok_or_else(|| {
            failed("the task tells this user nothing of what is wanted; it understands tasks of the shop only")
        })?;
        Ok(Utterance::text((self.0)(turn, &asked.text, &target)))
    }
}
