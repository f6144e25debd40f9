//! The text side of ALFWorld: household games in the official format, played exactly.
//!
//! A [`Game`] is read once from a `game.tw-pddl` file and shared; a [`World`] is one live room.
//! Everything here is pure: no clock, no randomness of its own, no messages.

mod action;
pub mod admissible;
pub mod builtin;
pub mod classic;
mod compile;
pub mod data;
pub mod dialect;
mod entries;
pub mod environment;
pub mod error;
mod expression;
mod facts;
pub mod game;
pub mod generate;
pub mod goal;
mod held;
pub mod language;
pub mod load;
pub mod memory;
mod moves;
mod names;
pub mod next_task;
pub mod plan;
mod problem;
pub mod roles;
mod sketch;
pub mod sources;
mod state;
pub mod statistics;
pub mod tasks;
mod text;
pub mod underspecified;
pub mod user;
pub mod variant;
pub mod words;
pub mod world;

use classic::Phrasing;
use dialect::Style;
use expression::Expression;
use game::traits;
use generate::{Generator, Split, Wishes, dice};
use language::{Command, by_class, class_of, split_name};
use load::Selection;
use plan::{PlanLimits, shortest_plan};
use sketch::{Move, Planner, Sketch};
use state::{NONE, Pairs, State, conditions, entry};
use variant::Wish;

use goal::Treatment;
use names::{Names, Orders};

// Short paths for the modules below.
use action::Action;

pub use admissible::Commands;
pub use dialect::{Dialect, Rules};
pub use entries::ENTRIES;
pub use error::{Defect, HouseholdError};
pub use game::Game;
pub use goal::{Goal, TaskType};
pub use variant::{Hints, Variant};
pub use world::{NOTHING_HAPPENS, World};
