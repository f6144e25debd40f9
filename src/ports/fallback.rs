//! Somebody who plays on for whoever lets the time of a turn go by.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Role, RoleError, RoleFactory, Turn, UserError, UserFactory, UserSimulator};
use crate::domain::{Answer, FaultKind, Message, Utterance};

/// Whether the seat has let the time of this turn go by, as its log says.
pub fn after_deadline(turn: &Turn) -> bool {
    turn.view.new_events().any(|event| match &event.message {
        Message::Fault(fault) => fault.seat == turn.seat && fault.kind == FaultKind::Deadline,
        _ => false,
    })
}

/// A role, and another one for the turns whose deadline it missed.
pub fn role_or_other(first: RoleFactory, other: RoleFactory) -> RoleFactory {
    Arc::new(move || {
        let (first, other) = (first(), other());
        Box::new(Either { first, other })
    })
}

/// A user, and another one, likewise.
pub fn user_or_other(first: UserFactory, other: UserFactory) -> UserFactory {
    Arc::new(move || {
        let (first, other) = (first(), other());
        Box::new(Either { first, other })
    })
}

struct Either<T: ?Sized> {
    first: Box<T>,
    other: Box<T>,
}

impl<T: ?Sized> Either<T> {
    fn of(&mut self, turn: &Turn) -> &mut T {
        match after_deadline(turn) {
            true => &mut self.other,
            false => &mut self.first,
        }
    }
}

#[async_trait]
impl Role for Either<dyn Role> {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        self.of(turn).take_turn(turn).await
    }

    fn is_external(&self) -> bool {
        self.first.is_external() || self.other.is_external()
    }
}

#[async_trait]
impl UserSimulator for Either<dyn UserSimulator> {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        self.of(turn).reply(turn).await
    }

    fn is_external(&self) -> bool {
        self.first.is_external() || self.other.is_external()
    }
}
