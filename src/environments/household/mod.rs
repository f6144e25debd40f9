//! The text side of ALFWorld: household games in the official format, played exactly.
//!
//! A [`Game`] is read once from a `game.tw-pddl` file and shared; a [`World`] is one live room.
//! Everything here is pure: no clock, no randomness of its own, no messages.

pub mod admissible;
pub mod builtin;
pub mod classic;
pub mod conformance;
pub mod data;
pub mod dialect;
pub mod environment;
pub mod error;
pub mod game;
pub mod generate;
pub mod goal;
pub mod language;
pub mod load;
pub mod memory;
mod metrics;
pub mod next_task;
pub mod plan;
pub mod roles;
pub mod sources;
pub mod statistics;
pub mod tasks;
pub mod underspecified;
pub mod user;
pub mod variant;
pub mod wish;
pub mod words;
pub mod world;

mod action;
mod compile;
mod entries;
mod expression;
mod facts;
mod game_file;
mod held;
mod moves;
mod names;
mod new;
mod orders;
mod pairs;
mod parts;
mod problem;
mod retarget;
mod sentence;
mod sketch;
mod state;
mod text;

// Short paths for the modules below.
use action::Action;
use classic::Phrasing;
use dialect::Style;
use expression::Expression;
use game::traits;
use generate::random::dice;
use generate::{Generator, Split, Wishes};
use goal::Treatment;
use language::{Command, by_class, class_of, split_name};
use load::Selection;
use names::Names;
use orders::Orders;
use pairs::Pairs;
use plan::{PlanLimits, shortest_plan};
use sketch::{Move, Planner, Sketch};
use state::{NONE, State, conditions, entry};
use wish::Wish;

pub use admissible::Commands;
pub use dialect::{Dialect, Rules};
pub use entries::ENTRIES;
pub use error::{Defect, HouseholdError};
pub use game::Game;
pub use goal::{Goal, TaskType};
pub use variant::{Hints, Variant};
pub use world::{NOTHING_HAPPENS, World};
