//! The casts and the games of exemplars: the rule-based player, the helpful user or the owner, the
//! training split.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::MOST_GAMES;
use crate::Split;
use crate::roles::{self, Habits, HouseholdPlayer, Recall, Wording};
use crate::tasks::{self, BUILTIN};
use crate::user::{self, HelpfulUser, MistakenUser, build_owner};
use rolecall_core::domain::{CellName, EpisodeId, Event, RoleName, Seed, UserSees};
use rolecall_core::ports::{
    OpenTask, ParameterValue, Parameters, RoleFactory, SetupError, StrategyFactory, TaskSource, UserSetup,
};
use rolecall_core::strategies;
use rolecall_core::world::{Desk, Rehearsal};

/// The only role.
const EXECUTOR: &str = "executor";

/// Tasks in the trajectory of several rounds.
const ROUNDS: u32 = 4;

/// The function that builds a strategy.
type Build = fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>;

/// The cast and the variant that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// The player and the helpful user (ReSpAct).
    Respact,
    /// The player and a helpful user whose first advice is wrong.
    Misled,
    /// The player that asks where all things of a class are, and the owner (ABA).
    Aba,
    /// As `Aba`, where one particular thing is meant.
    Ambiguous,
    /// As `Aba`, where one task follows the other.
    MultiRound,
}

impl Setting {
    /// The variant of the environment.
    fn variant(self) -> &'static str {
        match self {
            Self::Respact | Self::Misled | Self::Aba => "standard",
            Self::Ambiguous => "ambiguous",
            Self::MultiRound => "multi-round",
        }
    }

    /// Tasks in one world.
    fn rounds(self) -> u32 {
        if self == Self::MultiRound { ROUNDS } else { 1 }
    }
}

/// The player of exemplars: one cast on the built-in games.
pub(super) struct ExemplarPlayer {
    rehearsal: Rehearsal,
    name: CellName,
    seed: Seed,
}

impl ExemplarPlayer {
    /// Prepares the games of the seed; none is drawn yet.
    pub(super) fn new(setting: Setting, seed: u32, classic: bool) -> anyhow::Result<Self> {
        let executor = RoleName::new(EXECUTOR).context("the name of the role is valid")?;
        let name = CellName::new("exemplars").context("the name of the cell is valid")?;
        let rounds = ParameterValue::Integer(i64::from(setting.rounds()));
        let rounds = Parameters::new([("rounds", rounds)]);
        let respact = matches!(setting, Setting::Respact | Setting::Misled);
        let (strategy_name, kind, sees) = match respact {
            true => ("respact", "helpful", UserSees::DialogueAndObservations),
            false => ("aba", "owner", UserSees::Question),
        };
        let (strategy, user) = match respact {
            true => (
                strategies::respact as Build,
                match setting {
                    Setting::Misled => user::factory(MistakenUser::default)?,
                    _ => user::factory(HelpfulUser::default)?,
                },
            ),
            false => (strategies::aba as Build, build_owner(&UserSetup::default())?),
        };
        let rehearsal = Rehearsal {
            environment: "household",
            tasks: training(setting, seed, classic)?,
            strategy_name,
            strategy: strategy(std::slice::from_ref(&executor), &rounds)?,
            implementation: "rules",
            player: player(setting)?,
            role: executor,
            kind,
            sees,
            user,
        };
        Ok(Self { rehearsal, name, seed: Seed(u64::from(seed)) })
    }

    /// The game of that number.
    pub(super) fn open(&self, game: usize) -> anyhow::Result<OpenTask> {
        Ok(self.rehearsal.tasks.open(game)?)
    }

    /// Plays it.
    pub(super) fn play(&self, desk: &dyn Desk, game: usize, task: OpenTask) -> anyhow::Result<Vec<Event>> {
        let id = EpisodeId { cell: self.name.clone(), task: u32::try_from(game)?, repeat: 0 };
        desk.dry_run(&self.rehearsal, id, self.seed, task)
    }
}

/// Built-in games of the training split.
fn training(setting: Setting, seed: u32, classic: bool) -> Result<Arc<dyn TaskSource>, SetupError> {
    let text = |text: &str| ParameterValue::Text(text.to_owned());
    let wording = text(if classic { "classic" } else { "as-game" });
    let parameters = Parameters::new([
        ("data", ParameterValue::Path(PathBuf::from(BUILTIN))),
        ("split", text(Split::Train.folder())),
        ("variant", text(setting.variant())),
        ("games", ParameterValue::Integer(MOST_GAMES as i64)),
        ("games_seed", ParameterValue::Integer(i64::from(seed))),
        ("commands", wording.clone()),
        ("observations", wording),
    ]);
    tasks::build(&parameters)
}

/// The player, without the habits that cost steps and show nothing.
fn player(setting: Setting) -> Result<RoleFactory, SetupError> {
    let (phrasing, recall) = match setting {
        Setting::Respact | Setting::Misled => (Wording::Respact, Recall::None),
        Setting::Aba | Setting::Ambiguous => (Wording::Aba, Recall::None),
        Setting::MultiRound => (Wording::Aba, Recall::Module),
    };
    let habits = Habits { patience: 3, phrasing, recall, ..Habits::default() };
    roles::factory(move || HouseholdPlayer::new(habits))
}
