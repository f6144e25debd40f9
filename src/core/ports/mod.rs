//! The traits that a newcomer implements, their errors, and the suites that every implementation
//! must pass.
//!
//! Each trait is object safe and its futures are `Send`, although an episode stays on one thread:
//! participants that live in other processes, and another actor library, depend on it. Imports the
//! domain.

pub mod conformance;

mod entry;
mod environment;
mod format;
pub mod held;
mod metric;
pub mod model;
mod parameter;
mod parameters;
mod participants;
pub mod settings;
mod shared;
mod stand_ins;
mod strategy;
mod words;

pub use entry::{
    Cast, Entry, EnvironmentEntry, EnvironmentSetup, LeavingMarks, MetricEntry, ModelEntry, Persona, RoleEntry,
    RoleSetup, StrategyBuild, StrategyEntry, UserEntry, UserNeed, UserSetup,
};
pub use environment::{Environment, EnvironmentError, EnvironmentFactory, GroundTruth, OpenTask, Progress, TaskSource};
pub use format::{Asked, Format, Mended, Unreadable};
pub use metric::{EpisodeLog, Measurement, Metric};
pub use model::{ModelClient, ModelError, ModelRequest, Models};
pub use parameter::{CommandLine, Earlier, Parameter, ParameterKind, ParameterValue, SetupError};
pub use parameters::Parameters;
pub use participants::{Introduction, Role, RoleError, RoleFactory, Turn, UserError, UserFactory, UserSimulator};
pub use settings::Settings;
pub use shared::load_shared;
pub use stand_ins::{absent_role, absent_user, after_deadline, role_or_other, user_or_other};
pub use strategy::{Directive, Strategy, StrategyError, StrategyFactory};
pub use words::{Conversation, Known, NoWords, Recall, Response, Words, World};
