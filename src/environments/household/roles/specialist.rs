//! The roles of a cast that make moves of one kind only.

use async_trait::async_trait;

use super::{Mind, brief};
use crate::domain::{Action, Answer, Move, MoveKind, PlanStep};
use crate::ports::{Role, RoleError, Turn};

/// A role that makes moves of one kind, each a function of what it knows and of the turn.
pub(super) struct Specialist<F> {
    mind: Mind,
    kind: MoveKind,
    /// The error where that kind is not open.
    closed: &'static str,
    choose: F,
}

impl<F: Fn(&Mind, &Turn) -> Move + Send + Sync> Specialist<F> {
    pub(super) fn new(kind: MoveKind, closed: &'static str, choose: F) -> Self {
        Self { mind: Mind::default(), kind, closed, choose }
    }
}

#[async_trait]
impl<F: Fn(&Mind, &Turn) -> Move + Send + Sync> Role for Specialist<F> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.mind.catch_up(turn, false);
        self.mind.require_goal()?;
        if !brief(turn)?.open.contains(self.kind) {
            return Err(RoleError::Failed(self.closed.to_owned()));
        }
        Ok((self.choose)(&self.mind, turn).into())
    }
}

/// The thinker of a cast (TPE's Thinker, section 3): names the sub-goal that the others work on, as a
/// thought in plain English: `Sub-goal: find a mug.`
pub(crate) fn thinker() -> impl Role {
    let closed = "a thinker can only think, and that is not open";
    Specialist::new(MoveKind::Think, closed, |mind, _| {
        let sub_goal = mind.belief.own_sub_goal(&mind.talk.preferred);
        Move::think(match sub_goal {
            Some(sub_goal) => format!("Sub-goal: {sub_goal}."),
            None => "I see nothing that is left to be done.".to_owned(),
        })
    })
}

/// The planner of a cast (TPE's Planner, section 3): proposes the next actions towards the thinker's
/// sub-goal, or towards its own if there is none that it can read and work on. It uses what the user said,
/// and common sense about where things are kept. It closes again what was opened in vain if it is `tidy`,
/// and its plans have at most `longest` steps.
///
/// The steps follow from each other if every look is in vain and all else goes well; so a plan is
/// cut short by good news, or by something that nobody could know.
pub(super) fn planner(tidy: bool, longest: usize) -> impl Role {
    let closed = "a planner can only plan, and that is not open";
    Specialist::new(MoveKind::Plan, closed, move |mind, turn| {
        let decision = mind.decision(tidy, turn.seed);
        let steps = match mind.sub_goal(&decision) {
            Some(sub_goal) => decision.steps_towards(&sub_goal, longest, &mind.kind),
            None => decision.next_action().into_iter().collect(),
        };
        let steps = steps.into_iter().map(|step| PlanStep {
            description: String::new(),
            variable: None,
            action: Action::text(step),
        });
        Move::Plan { steps: steps.collect() }
    })
}
