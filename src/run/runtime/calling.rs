//! The conductor's part in calls of models: it records them, and says when no more are
//! allowed.

use std::sync::Arc;

use super::allowance::LIMITS;
use super::conductor::Conductor;
use rolecall_core::domain::{Limit, Message, ModelCall, Seat};
use rolecall_core::ports::ModelError;
use rolecall_core::ports::model::CallBook;

impl Conductor {
    /// Has turns record their calls of models in the book; it must hand them to
    /// [`Conductor::called`].
    pub(crate) fn keep_book(&mut self, book: Arc<dyn CallBook>) {
        self.book = book;
    }

    /// Records calls of models that belong to the open request. Says whether it is still open:
    /// replies that nobody awaits any more are not used.
    pub(crate) fn called(&mut self, number: u32, calls: Vec<ModelCall>) -> Result<(), ModelError> {
        let open = self.pending.as_ref().filter(|open| open.number == number).ok_or(ModelError::Cancelled)?;
        let (cause, seat) = (open.cause, open.seat.clone());
        for call in calls {
            self.record_event(Some(cause), seat.clone(), Seat::Conductor, Message::ModelCalled(Box::new(call)));
        }
        if let Some(limit) = self.model_limit() {
            self.allowance.exhaust(limit);
        }
        Ok(())
    }

    /// The limit on models that is used up, if one is.
    pub(super) fn model_limit(&self) -> Option<Limit> {
        let (limits, counts) = (&self.setup.limits, self.record.counts());
        let calls = limits.model_calls.is_some_and(|most| counts.model_calls >= most);
        let tokens = limits.tokens.is_some_and(|most| counts.tokens >= most);
        let cost = limits.cost.is_some_and(|most| self.record.cost() >= most);
        [calls, tokens, cost].into_iter().zip(LIMITS).find_map(|(used_up, limit)| used_up.then_some(limit))
    }
}
