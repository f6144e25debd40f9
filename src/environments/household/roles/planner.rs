//! The planner of a cast: lays out the steps towards the sub-goal (TPE's Planner, section 3).

use async_trait::async_trait;

use super::Mind;
use crate::domain::{Action, Answer, Move, MoveKind, PlanStep};
use crate::ports::{Role, RoleError, Turn};

/// Proposes the next actions towards the thinker's sub-goal, or towards its own if there is none
/// that it can read and work on. It uses what the user said, and common sense about where things
/// are kept.
///
/// The steps follow from each other if every look is in vain and all else goes well; so a plan is
/// cut short by good news, or by something that nobody could know.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    mind: Mind,
    tidy: bool,
    longest: usize,
}

#[async_trait]
impl Role for Planner {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let closed = "a planner can only plan, and that is not open";
        self.mind.begin(turn, MoveKind::Plan, closed)?;
        let steps = self.steps(turn).into_iter().map(|step| PlanStep {
            description: String::new(),
            variable: None,
            action: Action::text(step),
        });
        let steps = steps.collect();
        Ok(Move::Plan { steps }.into())
    }
}

impl Planner {
    /// A planner that closes again what was opened in vain if it is `tidy`, with plans of at most
    /// `longest` steps.
    pub fn new(tidy: bool, longest: usize) -> Self {
        Self {
            mind: Mind::default(),
            tidy,
            longest,
        }
    }

    fn steps(&self, turn: &Turn) -> Vec<String> {
        let mind = &self.mind;
        let guidance = mind.guidance(self.tidy, turn.seed);
        let Some(sub_goal) = mind.sub_goal(&guidance) else {
            return mind.belief.next_action(&guidance).into_iter().collect();
        };
        let kind = mind.kind();
        mind.belief
            .steps_towards(&sub_goal, &guidance, self.longest, kind)
    }
}
