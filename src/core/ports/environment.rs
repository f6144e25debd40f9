//! Environments: the worlds, and the data sets whose tasks are played in them.

use std::sync::Arc;

use async_trait::async_trait;

use super::model::{Calls, ToolSpec};
use crate::domain::{Action, Begun, Observation, Score, Task, Utterance};

/// The world of one episode. It alone owns the world's state.
///
/// An environment is a function of its task, the seed of [`Begun`], the actions performed and, if it
/// [hears](TaskSource::hears), what was said: setting it up again and performing the same actions gives
/// the same observations. That is how it is rebuilt after a fault.
#[diagnostic::on_unimplemented(
    note = "an environment implements `begin`, `perform` and `assess`; see docs/adding-an-environment.md"
)]
#[async_trait]
pub trait Environment: Send {
    /// Sets the world up (or keeps it, if `begun.keep_world`) and shows it.
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError>;

    /// Performs an action. What the world refuses is an observation that says so
    /// ([`Observation::invalid`]), never an error.
    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError>;

    /// Hears what was said to the user and what came back, also from a user who leaves with it. Only
    /// asked where the task source [hears](TaskSource::hears). What it shows is an observation like any
    /// other and may be `done`; it answers no action, so nothing in it is refused.
    async fn hear(&mut self, _said: &Utterance, _reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        Ok(None)
    }

    /// Hands over the way to models for what it is asked next. A world that asks none leaves it alone; one
    /// that does (a retriever of vectors) asks by [`Calls::embed`], and then its turn's deadline stands still
    /// meanwhile.
    fn may_call(&mut self, _calls: &Calls) {}

    /// Whether its observations come from outside and cannot be asked for again, as from a server. Then an
    /// observation is on disk before it is used, and a replay takes it from the log: the environment may be asked to
    /// perform although it never began.
    fn is_external(&self) -> bool {
        false
    }

    /// Is told what another one showed for an action before this one took its place, where it is external: that is
    /// not performed again, and what decides the score may be in it.
    fn recall(&mut self, _action: &Action, _shown: &Observation) {}

    /// Scores the current trial or round.
    async fn assess(&mut self) -> Result<Score, EnvironmentError>;
}

/// Makes the environment of one task, and makes it anew after a fault.
pub type EnvironmentFactory = Arc<dyn Fn() -> Box<dyn Environment> + Send + Sync>;

/// Who follows work that takes long. `()` does not.
pub trait Progress: Sync {
    /// So many of so many pieces of what is loaded are there.
    fn loaded(&self, what: &str, pieces: u64, of: u64);

    /// Takes a remark on what was loaded, for whoever waits.
    fn remark(&self, _text: &str) {}
}

impl Progress for () {
    fn loaded(&self, _: &str, _: u64, _: u64) {}
}

/// A data set: the tasks of a run, in order.
///
/// It is built wherever a config is read, also to check it: what is large is loaded by
/// [`prepare`](Self::prepare), or at the latest when a task is opened.
pub trait TaskSource: Send + Sync {
    /// Number of tasks.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hash of the data that the tasks of these indices are made of, for a later process to know
    /// them again; none if the environment's parameters say everything, as for tasks that are
    /// generated.
    fn digest(&self, _tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        Ok(None)
    }

    /// The kinds of its tasks ([`PublicTask::kind`](crate::domain::PublicTask)), where not every user of the
    /// environment understands all of them; empty if each does.
    fn kinds(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The tools that agents may call instead of writing commands, which are the same for every task: each
    /// call is an action with its [`Call`](crate::domain::Call). None have the name of a kind of move.
    fn tools(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    /// Whether somebody else is asked for the tools when it is built: the record of a run says for each cell which
    /// they were, and what the run is taken up with later gets them from there
    /// ([`EnvironmentSetup::recorded_tools`](super::EnvironmentSetup)).
    fn asks_for_tools(&self) -> bool {
        false
    }

    /// A remedy for a world that ends with its task, so that no strategy can play several `rounds` in
    /// it; none if the next task can follow (`keep_world`), or if only the world itself can tell.
    fn rounds_remedy(&self) -> Option<&'static str> {
        None
    }

    /// A remedy where a strategy of this world has nothing to do in these tasks; none if it can play them.
    fn strategy_remedy(&self, _strategy: &str) -> Option<&'static str> {
        None
    }

    /// The roles that are entrusted with what decides its tasks, because the config says so; none usually.
    fn ground_truth(&self) -> Vec<GroundTruth> {
        Vec::new()
    }

    /// Loads what its worlds need and nobody asks for before: called before the first episode of whatever
    /// plays, by no command that only looks. What equal files hold is loaded once for all cells by
    /// [`load_shared`](super::load_shared).
    fn prepare(&self, _progress: &dyn Progress) -> Result<(), EnvironmentError> {
        Ok(())
    }

    /// Whether its worlds are told what was said to the user and what came back
    /// ([`Environment::hear`]).
    fn hears(&self) -> bool {
        false
    }

    /// Opens a task. May read a file and think for some milliseconds; called off the arbiters.
    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError>;
}

/// A role that is entrusted with what decides a task, such as the labels of its data set. A config that seats
/// another implementation there is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    /// The role.
    pub role: &'static str,
    /// The implementations that may have it.
    pub implementations: &'static [&'static str],
    /// How the config does without it.
    pub remedy: &'static str,
}

/// A task that is ready to be played.
#[derive(Clone)]
pub struct OpenTask {
    /// The task, and who may see what of it.
    pub task: Task,
    /// Makes its world.
    pub environment: EnvironmentFactory,
}

/// Why a world or a data set cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The data cannot be used; the text names file, place and remedy.
    #[error("{0}")]
    Data(String),
    /// The world was asked for something before it was set up, or beyond its end.
    #[error("{0}")]
    OutOfOrder(String),
    /// The world cannot go on for another reason.
    #[error("{0}")]
    Failed(String),
}
