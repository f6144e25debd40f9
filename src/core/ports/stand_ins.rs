//! Stand-ins: a fallback for participants who miss a deadline, and absent participants, whose answers a log has.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Role, RoleError, RoleFactory, Turn, UserError, UserFactory, UserSimulator};
use crate::domain::{Answer, FaultKind, Message, Utterance};

/// Whether the seat missed the deadline of this turn before, as the log says.
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

/// A user, and another one for the turns whose deadline it missed.
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
        if after_deadline(turn) { &mut self.other } else { &mut self.first }
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

/// A role that is not in this process, which the text explains: its answers in a log stand, and it gives no more.
pub fn absent_role(why: &str) -> RoleFactory {
    let why: Arc<str> = why.into();
    Arc::new(move || Box::new(Absent(Arc::clone(&why))))
}

/// A user who is not in this process; see [`absent_role`].
pub fn absent_user(why: &str) -> UserFactory {
    let why: Arc<str> = why.into();
    Arc::new(move || Box::new(Absent(Arc::clone(&why))))
}

/// An absent participant, and why it is absent.
struct Absent(Arc<str>);

#[async_trait]
impl Role for Absent {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, RoleError> {
        Err(RoleError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[async_trait]
impl UserSimulator for Absent {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Err(UserError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}
