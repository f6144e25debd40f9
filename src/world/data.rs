//! Tools of a world's data sets, and what the command line lends them.

use std::sync::Arc;

use crate::domain::{EpisodeId, Event, RoleName, Seed, UserSees};
use crate::ports::{
    OpenTask, Parameter, Parameters, RoleFactory, StrategyFactory, TaskSource, UserFactory,
};
use crate::reports::Layout;

/// One thing that can be done with the data sets of a world: `rolecall data NAME ENVIRONMENT`.
pub struct DataTool {
    /// The verb, for instance `generate`. Worlds may share one.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub summary: &'static str,
    /// Its options: `per_type` is `--per-type`. Paths are taken as they are written; a text with an
    /// empty default may be left out.
    pub parameters: &'static [Parameter],
    /// Examples for the help, as they stand there.
    pub examples: &'static str,
    /// Does it, and returns what is to be printed.
    pub run: fn(&Parameters, &dyn Desk) -> anyhow::Result<String>,
}

/// The services that a tool gets from whoever runs it.
pub trait Desk: Sync {
    /// How tables are laid out.
    fn layout(&self) -> Layout;

    /// Shows how far something long has come. It is to be called once for each of the `most` things
    /// that are named by `what`, and ends when it is dropped.
    fn progress(&self, most: usize, what: &str) -> Box<dyn FnMut() + Send>;

    /// Plays an episode without a log.
    ///
    /// # Errors
    /// When no episode can be played here.
    fn dry_run(
        &self,
        rehearsal: &Rehearsal,
        episode: EpisodeId,
        seed: Seed,
        task: OpenTask,
    ) -> anyhow::Result<Vec<Event>>;
}

/// The setup of an episode that is played dry. None of it calls models.
pub struct Rehearsal {
    /// Name of the environment.
    pub environment: &'static str,
    /// The tasks.
    pub tasks: Arc<dyn TaskSource>,
    /// Name of the strategy.
    pub strategy_name: &'static str,
    /// Makes the strategy.
    pub strategy: StrategyFactory,
    /// The only role.
    pub role: RoleName,
    /// Name of its implementation.
    pub implementation: &'static str,
    /// Makes it.
    pub player: RoleFactory,
    /// The user's kind.
    pub kind: &'static str,
    /// The part of the episode that the user sees.
    pub sees: UserSees,
    /// Makes the user.
    pub user: UserFactory,
}
