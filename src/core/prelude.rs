//! The names that somebody who writes a role, a user, an environment, a strategy or a metric needs.
//!
//! ```
//! use std::sync::Arc;
//!
//! use rolecall_core::prelude::*;
//!
//! /// Repeats the user's last words as an action, and looks around until there are any.
//! struct Parrot;
//!
//! #[async_trait]
//! impl Role for Parrot {
//!     async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
//!         let replies = turn.view.all().filter_map(|event| match &event.message {
//!             Message::Replied(utterance) => Some(utterance.text.as_str()),
//!             _ => None,
//!         });
//!         Ok(Move::act(replies.last().unwrap_or("look")).into())
//!     }
//! }
//!
//! /// Goes into the table of `src/run/registry.rs`.
//! pub fn build(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
//!     Ok(Arc::new(|| Box::new(Parrot)))
//! }
//! ```

pub use async_trait::async_trait;

pub use crate::domain::{
    Action, Answer, Begun, Brief, Call, Ending, Event, Message, Move, MoveKind, MoveKinds, Notation, Observation,
    PlanStep, PrivateInfo, PublicTask, RoleName, Score, Scored, Seat, Section, Seed, Task, Utterance, View,
};
pub use crate::ports::{
    Directive, Environment, EnvironmentError, EnvironmentFactory, EnvironmentSetup, EpisodeLog, Measurement, Metric,
    OpenTask, Parameter, ParameterKind, Parameters, Persona, Progress, Role, RoleError, RoleFactory, RoleSetup,
    SetupError, Strategy, StrategyError, StrategyFactory, TaskSource, Turn, UserError, UserFactory, UserSetup,
    UserSimulator, load_shared,
};
