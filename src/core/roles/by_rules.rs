//! Roles by rules: what a seat has seen, as a fold over its view, and a choice that is made by it.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::{Answer, Brief, Message, Move, MoveKind, PublicTask, Seat};
use crate::ports::{Role, RoleError, RoleFactory, Turn};

/// Knowledge of a role: a fold over its view.
pub trait Knowledge: Default + Send + 'static {
    /// Takes in what comes next in the view of a seat.
    fn fold(&mut self, message: &Message, seat: &Seat);

    /// Why the role cannot play the task, if it cannot.
    fn problem(&self, task: Option<&PublicTask>) -> Option<&'static str>;
}

/// A factory of roles that all choose alike; of one kind of move, only where that is open.
pub fn by_rules<K: Knowledge>(
    kind: Option<MoveKind>,
    choose: impl Fn(&K, &Brief) -> Vec<Move> + Copy + Send + Sync + 'static,
) -> RoleFactory {
    Arc::new(move || Box::new(RuleRole { folded: 0, knowledge: K::default(), kind, choose }))
}

/// Words for the user, with this dialogue act where it is one of those that have to be declared, else with the first
/// of them.
pub fn spoken(text: String, act: &str, brief: &Brief) -> Move {
    let fits = brief.acts.iter().find(|declared| declared.as_str() == act);
    Move::Speak { text, act: fits.or(brief.acts.first()).cloned() }
}

/// A role that chooses by what it knows.
struct RuleRole<K, C> {
    /// Events before this position are folded.
    folded: usize,
    knowledge: K,
    kind: Option<MoveKind>,
    choose: C,
}

#[async_trait]
impl<K: Knowledge, C: Fn(&K, &Brief) -> Vec<Move> + Send> Role for RuleRole<K, C> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        for event in turn.view.starting_at(self.folded) {
            self.knowledge.fold(&event.message, &turn.seat);
        }
        self.folded = turn.view.end();
        let failed = |why: &str| RoleError::Failed(why.to_owned());
        if let Some(problem) = self.knowledge.problem(turn.task()) {
            return Err(failed(problem));
        }
        let brief = turn.brief().ok_or_else(|| failed("there is no brief"))?;
        if let Some(kind) = self.kind.filter(|kind| !brief.open.contains(*kind)) {
            let kind = kind.as_str();
            return Err(failed(&format!("this role can only {kind}, and that is not open")));
        }
        Ok((self.choose)(&self.knowledge, brief).into())
    }
}
