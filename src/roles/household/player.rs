//! The player as a role: folds its view, then decides.

use async_trait::async_trait;

use super::follow::follow;
use super::mind::{Mind, brief};
use super::speech;
use super::talk::Topic;
use crate::domain::{Answer, Brief, Move, MoveKind};
use crate::ports::{Role, RoleError, Turn};

/// Habits that cost steps and find nothing. They are those of language agents and of ALFWorld's
/// own expert; without them the player is quicker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Closes again what was opened in vain.
    pub tidy: bool,
    /// Thinks after each look in vain, not only when all receptacles of a class were seen.
    pub reasons_after_each_look: bool,
    /// Answers that lead nowhere before it stops asking.
    pub patience: u8,
}

/// The rule-based executor for household games (ReAct and ReSpAct section 4.1: the same player
/// with and without speech).
///
/// In a cast of several roles it performs the planner's plan step by step, and hands the turn back
/// with a thought where the rest of it is pointless. Without a plan it works on the thinker's sub-goal
/// or acts on its own, and leaves thinking aloud to the others.
#[derive(Clone, Debug, Default)]
pub struct HouseholdPlayer {
    mind: Mind,
    habits: Habits,
}

#[async_trait]
impl Role for HouseholdPlayer {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind
            .catch_up(turn, self.habits.reasons_after_each_look);
        self.decide(turn, brief(turn)?).map(Answer::from)
    }
}

impl HouseholdPlayer {
    /// A player with the given habits.
    pub fn new(habits: Habits) -> Self {
        Self {
            habits,
            ..Self::default()
        }
    }

    fn decide(&self, turn: &Turn, brief: &Brief) -> Result<Move, RoleError> {
        let Mind {
            belief,
            talk,
            heard,
            ..
        } = &self.mind;
        self.mind.require_goal()?;
        if let Some(made) = follow(heard, belief, brief) {
            return Ok(made);
        }
        let thought = talk.due_thought(brief).filter(|_| !heard.has_company);
        if let Some(thought) = thought {
            return Ok(Move::think(speech::thought(thought, belief)));
        }
        if let Some(topic) = talk.due_question(belief, brief, self.habits.patience) {
            return Ok(Move::speak(speech::question(topic, talk, belief)));
        }
        let guidance = self.mind.guidance(self.habits.tidy, turn.seed);
        let given = heard.sub_goal.as_ref();
        let towards = given.and_then(|given| belief.step_towards(given, &guidance));
        match towards.or_else(|| belief.next_action(&guidance)) {
            Some(action) if brief.open.contains(MoveKind::Act) => Ok(Move::act(action)),
            Some(_) | None => self.when_acting_is_closed(brief),
        }
    }

    /// A strategy may leave only other moves open (a question budget that must be used, say).
    fn when_acting_is_closed(&self, brief: &Brief) -> Result<Move, RoleError> {
        if brief.open.contains(MoveKind::Think) {
            return Ok(Move::think("I have to wait before I can act."));
        }
        if brief.open.contains(MoveKind::Speak) {
            let Mind { belief, talk, .. } = &self.mind;
            let topic = belief.need().map_or(Topic::Which, Topic::Where);
            return Ok(Move::speak(speech::question(topic, talk, belief)));
        }
        let why = "this player can think, act and speak, and none of these is open";
        Err(RoleError::Unusable(why.to_owned()))
    }
}
