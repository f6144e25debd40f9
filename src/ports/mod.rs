//! The traits that a newcomer implements, their errors, and the suites that every implementation
//! must pass.
//!
//! Each trait is object safe and its futures are `Send`, although an episode stays on one thread:
//! participants that live in other processes, and another actor library, depend on it. Imports the
//! domain.

pub mod conformance;

mod absent;
mod entry;
mod environment;
mod fallback;
mod format;
pub mod held;
mod introduction;
mod metric;
pub mod model;
mod parameter;
mod parameters;
mod role;
pub(crate) mod settings;
mod setup;
mod shared;
mod strategy;
mod turn;
mod user;
mod words;

pub use absent::{absent_role, absent_user};
pub use entry::{
    Cast, Entry, EnvironmentEntry, MetricEntry, ModelEntry, RoleEntry, StrategyBuild, StrategyEntry, UserEntry,
    UserNeed,
};
pub use environment::{Environment, EnvironmentError, EnvironmentFactory, GroundTruth, OpenTask, Progress, TaskSource};
pub use fallback::{after_deadline, role_or_other, user_or_other};
pub use format::{Asked, Format, Mended, Unreadable};
pub use introduction::Introduction;
pub use metric::{EpisodeLog, Measurement, Metric};
pub use model::{ModelClient, ModelError, ModelRequest, Models};
pub use parameter::{CommandLine, Earlier, Parameter, ParameterKind, ParameterValue, SetupError};
pub use parameters::Parameters;
pub use role::{Role, RoleError, RoleFactory};
pub use settings::Settings;
pub use setup::{EnvironmentSetup, LeavingMarks, Persona, RoleSetup, UserSetup};
pub use shared::load_shared;
pub use strategy::{Directive, Strategy, StrategyError, StrategyFactory};
pub use turn::Turn;
pub use user::{UserError, UserFactory, UserSimulator};
pub use words::{Conversation, Known, NoWords, Recall, Response, Words, World};
