//! Tools of a world's data sets, and what the command line lends them.

use std::sync::Arc;

use anyhow::bail;

use crate::domain::{EpisodeId, Event, ModelReply, RoleName, Seed, UserSees};
use crate::ports::model::EncodedRequest;
use crate::ports::{
    ModelClient, ModelError, OpenTask, Parameter, Parameters, RoleFactory, StrategyFactory, TaskSource, UserFactory,
};
use crate::reports::Layout;

/// One thing that can be done with the data sets of a world: `rolecall data NAME ENVIRONMENT`.
pub struct DataTool {
    /// The verb, for instance `generate`. Worlds may share one.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub summary: &'static str,
    /// Its options: `per_type` is `--per-type`. Paths are taken as they are written; a text with an
    /// empty default, and what is optional, may be left out. One that has a model gets `--config` and `--set` as
    /// well, which describe it.
    pub parameters: &'static [Parameter],
    /// Examples for the help, as they stand there.
    pub examples: &'static str,
    /// Does it, and returns what is to be printed.
    pub run: fn(&Parameters, &dyn Desk) -> anyhow::Result<String>,
}

/// The services that a tool gets from whoever runs it. Unless they are given, nothing is shown, played or asked.
pub trait Desk: Sync {
    /// How tables are laid out.
    fn layout(&self) -> Layout {
        Layout::default()
    }

    /// Shows how far something long has come. It is to be called once for each of the `most` things
    /// that are named by `what`, and ends when it is dropped.
    fn progress(&self, _most: usize, _what: &str) -> Box<dyn FnMut() + Send> {
        Box::new(|| {})
    }

    /// Plays an episode without a log.
    ///
    /// # Errors
    /// When no episode can be played here.
    fn dry_run(
        &self,
        _rehearsal: &Rehearsal,
        _episode: EpisodeId,
        _seed: Seed,
        _task: OpenTask,
    ) -> anyhow::Result<Vec<Event>> {
        bail!("no episode can be played here")
    }

    /// Asks the model of this name about everything of an inquiry, some things at a time, and shows how far that
    /// has come. Replies are kept: what was interrupted goes on where it stopped when it is asked again.
    ///
    /// # Errors
    /// When the model cannot be used or reached, or somebody interrupts.
    fn ask(&self, _model: &str, _inquiry: &dyn Inquiry) -> anyhow::Result<Answers> {
        bail!("no model can be asked here")
    }
}

impl Desk for () {}

/// Things that a tool asks a model about, one request each.
pub trait Inquiry: Sync {
    /// Noun for them, for whoever watches.
    fn what(&self) -> &str;

    /// How many there are.
    fn count(&self) -> usize;

    /// The request about one of them; `repeated` tells that the answer to the first one could not be read.
    ///
    /// # Errors
    /// When the model cannot be asked for it.
    fn request(&self, thing: usize, repeated: bool, model: &dyn ModelClient) -> Result<EncodedRequest, ModelError>;

    /// Whether a reply is an answer, as every one is unless it says otherwise; what has none is asked about once more.
    fn is_answer(&self, _thing: usize, _reply: &ModelReply) -> bool {
        true
    }
}

/// Replies of a model about the things of an [`Inquiry`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// The answer about each, if there is one.
    pub replies: Vec<Option<ModelReply>>,
    /// How many have none and why, in words; empty if all have one.
    pub missing: String,
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
