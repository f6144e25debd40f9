//! The thinker of a cast: names the sub-goal that the others work on (TPE's Thinker, section 3).

use async_trait::async_trait;

use super::Mind;
use crate::domain::{Answer, Move, MoveKind};
use crate::ports::{Role, RoleError, Turn};

/// States, as a thought in plain English, what is to be reached next: `Sub-goal: find a mug.`
#[derive(Clone, Debug, Default)]
pub struct Thinker {
    mind: Mind,
}

#[async_trait]
impl Role for Thinker {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let closed = "a thinker can only think, and that is not open";
        self.mind.begin(turn, MoveKind::Think, closed)?;
        let sub_goal = self.mind.belief.own_sub_goal(&self.mind.talk.preferred);
        let thought = match sub_goal {
            Some(sub_goal) => format!("Sub-goal: {sub_goal}."),
            None => "I see nothing that is left to be done.".to_owned(),
        };
        Ok(Move::think(thought).into())
    }
}
