//! The clarifier who knows nothing but what tools show. Its draws go on from turn to turn, so that it follows every turn
//! in which it was briefed.

use super::clarify::ask;
use super::truth;
use crate::domain::{Message, MoveKind, PublicTask, Seat};
use crate::environments::travel::calls::Call;
use crate::environments::travel::env_only::Asker;
use crate::environments::travel::seen::Seen;
use crate::ports::RoleFactory;
use crate::roles::{Knowledge, by_rules};

/// A factory of clarifiers.
pub(super) fn factory() -> RoleFactory {
    by_rules::<Follower>(None, |follower, brief| ask(follower.question.clone(), brief))
}

/// What was seen, and asked because of it.
#[derive(Default)]
struct Follower {
    seen: Seen,
    asker: Option<Asker>,
    /// What is asked in this turn, if anything is.
    question: Option<String>,
}

impl Knowledge for Follower {
    fn fold(&mut self, message: &Message, own: &Seat) {
        self.seen.fold(message, own);
        match message {
            Message::Begun(_) => self.asker = None,
            Message::Brief(brief) if brief.open.contains(MoveKind::Judge) => {
                let draws = || truth(&self.seen).map_or(0, |truth| truth.draws);
                let asker = self.asker.get_or_insert_with(|| Asker::new(draws()));
                let results = self.seen.results().iter();
                let results = results.filter_map(|(call, shown)| Some((Call::read(call).ok()?.tool(), shown.as_str())));
                self.question = asker.ask(results).map(|found| found.question().to_owned());
            }
            _ => {}
        }
    }

    fn problem(&self, task: Option<&PublicTask>) -> Option<&'static str> {
        self.seen.problem(task)
    }
}
