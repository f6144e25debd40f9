//! The player as a role: folds its view, then decides.

use async_trait::async_trait;

use super::belief::Belief;
use super::decide::Guidance;
use super::speech;
use super::talk::{Standing, Talk, Topic};
use crate::domain::{Answer, Brief, Event, Message, Move, MoveKind, PublicTask, Seat};
use crate::ports::{Role, RoleError, Turn};

/// How putting is worded if the task does not say.
const PUT: &str = "put {object} in/on {receptacle}";

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
#[derive(Clone, Debug, Default)]
pub struct HouseholdPlayer {
    /// Events before this position are folded.
    folded: usize,
    belief: Belief,
    talk: Talk,
    habits: Habits,
    kind: Box<str>,
    put: Box<str>,
}

#[async_trait]
impl Role for HouseholdPlayer {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        for event in turn.view.starting_at(self.folded) {
            self.fold(event, &turn.seat);
        }
        self.folded = turn.view.end();
        if let (None, Some(task)) = (&self.belief.goal, turn.task()) {
            self.belief.read_task(&task.text, &self.kind);
        }
        let brief = turn
            .brief()
            .ok_or_else(|| RoleError::Failed("the turn holds no brief".to_owned()))?;
        self.decide(turn, brief).map(Answer::from)
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

    fn fold(&mut self, event: &Event, own: &Seat) {
        match &event.message {
            Message::Opened(opened) => self.read_task(&opened.task),
            Message::Begun(begun) if !begun.keep_world => {
                self.belief.begin_anew();
                self.talk.begin_anew();
            }
            Message::Moved(made) if event.from == *own => self.moved(made),
            Message::Perform(action) => self.belief.perform(&action.text),
            Message::Observed(observation) => {
                let before = Standing::of(&self.belief);
                self.belief
                    .observe(&observation.text, observation.invalid, &self.kind);
                let each_look = self.habits.reasons_after_each_look;
                self.talk.observe(before, &self.belief, each_look);
            }
            Message::Replied(utterance) => self.talk.hear(&utterance.text, &mut self.belief),
            Message::Entrusted(_) | Message::Begun(_) | Message::Brief(_) | Message::Moved(_) => {}
            Message::Repaired(_) | Message::Told(_) | Message::ModelCalled(_) => {}
            Message::Assess | Message::Scored(_) | Message::Fault(_) | Message::Closed(_) => {}
        }
    }

    fn read_task(&mut self, task: &PublicTask) {
        self.kind = task.kind.as_str().into();
        let put = task.data.get("put").and_then(|put| put.as_str());
        self.put = put.unwrap_or(PUT).into();
    }

    fn moved(&mut self, made: &Move) {
        match made {
            Move::Think { .. } => self.talk.thought(),
            Move::Speak { .. } => self.talk.spoke(&self.belief),
            Move::Act { .. } => self.talk.acted(),
            Move::Plan { .. } | Move::Judge { .. } | Move::Learn { .. } | Move::Finish { .. } => {}
        }
    }

    fn decide(&self, turn: &Turn, brief: &Brief) -> Result<Move, RoleError> {
        if self.belief.goal.is_none() {
            let why = "the task sentence is none that this player understands";
            return Err(RoleError::Unusable(why.to_owned()));
        }
        if let Some(thought) = self.talk.due_thought(brief) {
            return Ok(Move::think(speech::thought(thought, &self.belief)));
        }
        if let Some(topic) = self
            .talk
            .due_question(&self.belief, brief, self.habits.patience)
        {
            return Ok(Move::speak(speech::question(
                topic,
                &self.talk,
                &self.belief,
            )));
        }
        let guidance = Guidance {
            leads: &self.talk.leads,
            preferred: &self.talk.preferred,
            tidy: self.habits.tidy,
            put: &self.put,
            seed: turn.seed,
        };
        match self.belief.next_action(&guidance) {
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
            let topic = self.belief.need().map_or(Topic::Which, Topic::Where);
            return Ok(Move::speak(speech::question(
                topic,
                &self.talk,
                &self.belief,
            )));
        }
        let why = "this player can think, act and speak, and none of these is open";
        Err(RoleError::Unusable(why.to_owned()))
    }
}
