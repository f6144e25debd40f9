//! The player as a role: folds its view, then decides.

use async_trait::async_trait;

use super::follow::follow;
use super::report::{self, Chatter};
use super::{Mind, Recall, SearchOrder, Topic, Wording, brief, speech};
use rolecall_core::domain::{Answer, Brief, Move, MoveKind, MoveKinds};
use rolecall_core::ports::{Role, RoleError, Turn};

/// How the player plays. The first three are habits that cost steps and find nothing: those of
/// language agents and of ALFWorld's own expert; without them the player is quicker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Closes again what was opened in vain.
    pub tidy: bool,
    /// Thinks after each look in vain, not only when all receptacles of a class were seen.
    pub reasons_after_each_look: bool,
    /// Answers that lead nowhere before it stops asking.
    pub patience: u8,
    /// Where it begins to search.
    pub search: SearchOrder,
    /// How it words its thoughts and questions, and what it asks.
    pub phrasing: Wording,
    /// Its memory from task to task.
    pub recall: Recall,
    /// The reports where it speaks to itself before whatever it does.
    pub chatter: Chatter,
}

/// The rule-based executor for household games (ReAct and ReSpAct section 4.1: the same player
/// with and without speech; ABA).
///
/// The brief says which moves it is asked for: where only thoughts are open, it speaks to itself
/// (inner monologue); where utterances must declare a dialogue act, they do.
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
        self.mind.catch_up(turn, self.habits.reasons_after_each_look);
        self.decide(turn, brief(turn)?).map(Answer::from)
    }
}

impl HouseholdPlayer {
    /// A player with the given habits.
    pub fn new(habits: Habits) -> Self {
        let mut mind = Mind::new(habits.phrasing, habits.recall, habits.patience);
        mind.belief.search = habits.search;
        Self { mind, habits }
    }

    fn decide(&self, turn: &Turn, brief: &Brief) -> Result<Move, RoleError> {
        let (belief, talk, advice) = (&self.mind.belief, &self.mind.talk, &self.mind.advice);
        self.mind.require_goal()?;
        if let Some(made) = follow(advice, belief, brief) {
            return Ok(made);
        }
        if brief.open == MoveKinds::of(&[MoveKind::Think]) {
            return Ok(Move::think(speech::monologue(&self.mind, self.question(brief))));
        }
        let thought = talk.due_thought(brief).filter(|_| !advice.has_company);
        if let Some(thought) = thought {
            let next = talk.due_question(belief, brief);
            return Ok(Move::think(speech::thought(thought, &self.mind, next)));
        }
        if let Some(made) = report::due_report(&self.mind, brief, self.habits.chatter) {
            return Ok(made);
        }
        if let Some(topic) = talk.due_question(belief, brief) {
            return Ok(report::asked(topic, &self.mind, brief));
        }
        let decision = self.mind.decision(self.habits.tidy, turn.seed);
        let given = advice.sub_goal.as_ref();
        let towards = given.and_then(|given| decision.step_towards(given));
        match towards.or_else(|| decision.next_action()) {
            Some(action) if brief.open.contains(MoveKind::Act) => Ok(Move::act(action)),
            Some(_) | None => self.when_acting_is_closed(brief),
        }
    }

    /// The question that is worth asking at the next turn, which leaves speech open if there is a user.
    fn question(&self, brief: &Brief) -> Option<Topic> {
        let (belief, talk, advice) = (&self.mind.belief, &self.mind.talk, &self.mind.advice);
        let next = Brief {
            open: MoveKinds::of(&[MoveKind::Speak]),
            questions_left: brief.questions_left,
            steps_left: brief.steps_left,
            ..Brief::default()
        };
        talk.due_question(belief, &next).filter(|_| advice.has_user && !advice.has_company)
    }

    /// A strategy may leave only other moves open (a question budget that must be used, say).
    fn when_acting_is_closed(&self, brief: &Brief) -> Result<Move, RoleError> {
        if brief.open.contains(MoveKind::Think) {
            return Ok(Move::think("I have to wait before I can act."));
        }
        if brief.open.contains(MoveKind::Speak) {
            let belief = &self.mind.belief;
            let topic = belief.need().map_or(Topic::Which, Topic::Where);
            return Ok(report::asked(topic, &self.mind, brief));
        }
        let why = "this player can think, act and speak, and none of these is open";
        Err(RoleError::Failed(why.to_owned()))
    }
}
