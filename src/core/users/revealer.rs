//! The user who says what a task leaves out: whatever it is asked, it states the whole goal (the oracle of
//! "Uncertainty Decomposition for Clarification Seeking in LLM Agents", arXiv 2606.19559).

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::{Message, Seat, UserSees, Utterance};
use crate::ports::{SetupError, Turn, UserEntry, UserError, UserFactory, UserSetup, UserSimulator};

/// The label of the private part with the whole goal, a text.
pub const FULL_GOAL: &str = "full_goal";

/// Reply where there is no goal to state.
const NOTHING_TO_ADD: &str = "I have nothing to add.";

/// Its entry in the registry.
pub const ENTRY: UserEntry = UserEntry {
    name: "revealer",
    summary: "states the whole goal, whatever it is asked (asking as detection)",
    environments: &[],
    tasks: &[],
    sees: UserSees::Question,
    parameters: &[],
    build,
};

fn build(_: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(Arc::new(|| Box::new(Revealer)))
}

struct Revealer;

#[async_trait]
impl UserSimulator for Revealer {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let goal = turn.view.all().find_map(|event| match &event.message {
            Message::Entrusted(part) if part.audience == Seat::User && part.label == FULL_GOAL => part.value.as_str(),
            _ => None,
        });
        // Where nothing was left out, the task itself is the whole goal.
        let goal = goal.or_else(|| Some(turn.task()?.text.as_str()));
        let goal = goal.filter(|goal| !goal.trim().is_empty());
        Ok(Utterance::text(goal.unwrap_or(NOTHING_TO_ADD)))
    }
}
