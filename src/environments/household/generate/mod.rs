//! Generated games: rooms, contents and tasks of our own in the official format, drawn from a seed.
//!
//! Game `k` depends on the wishes and on `k` alone, so that a longer set begins with the shorter one.
//! A game is solvable by construction, proved by the plan search, and never solved at its start. See
//! `docs/household-games.md`.

mod catalogue;
mod contents;
mod floor;
mod furnish;
mod rooms;
mod task;
mod wishes;
mod writer;

use std::sync::Arc;

use super::{Game, PlanLimits, TaskType, World, shortest_plan};
use catalogue::{Height, ObjectClass, ReceptacleClass, object_class, receptacle};
use floor::FloorPlan;
use rolecall_core::text::Dice;
use rooms::{KINDS, RoomKind};
use task::Chore;
use writer::Drawn;

pub use wishes::{GenerateError, Span, SpanError, Split, Wishes};

/// How many games are drawn at most until one is as wished.
const TRIES: u32 = 500;

/// Generates the games of a split.
#[derive(Debug)]
pub struct Generator {
    wishes: Wishes,
    /// The task types of the first games, after which they begin again.
    order: Vec<TaskType>,
}

/// A generated game: the files of an official one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedGame {
    /// The path of its folder: `SPLIT/TASKTYPE-Object-None-Target-Scene/trial_T…`.
    pub id: String,
    /// The text of `game.tw-pddl`.
    pub game: String,
    /// The text of `traj_data.json`.
    pub trajectory: String,
    /// The text of `initial_state.pddl`.
    pub problem: String,
}

impl Generator {
    /// A generator of the games wished for. Draws nothing yet.
    ///
    /// # Errors
    /// For wishes that no game can fulfil.
    pub fn new(wishes: Wishes) -> Result<Self, GenerateError> {
        wishes.check()?;
        let order = task::order(&wishes);
        if order.is_empty() {
            let lengths = TaskType::ALL.map(task::plan_lengths);
            let least = lengths.iter().map(|span| span.least()).min();
            let most = lengths.iter().map(|span| span.most()).max();
            let possible = Span::new(least.unwrap_or(0), most.unwrap_or(0));
            let problem =
                format!("no task has a plan of {} commands; choose a range that overlaps {possible}", wishes.plan);
            return Err(GenerateError::at("plan", problem));
        }
        Ok(Self { wishes, order })
    }

    /// The task type of a game.
    pub fn task_type(&self, index: usize) -> TaskType {
        self.order[index % self.order.len()]
    }

    /// Draws the game of that number, from 0.
    ///
    /// # Errors
    /// When the wishes together are so narrow that no game fulfils them.
    pub fn game(&self, index: usize) -> Result<GeneratedGame, GenerateError> {
        let mut drawn = (0..TRIES).map(|tried| self.draw(index, tried));
        if let Some(game) = drawn.find_map(Result::transpose) {
            return game;
        }
        let problem = format!(
            "game {index} could not be had: {TRIES} games were drawn, and no plan had {} commands; \
             choose a wider range",
            self.wishes.plan
        );
        Err(GenerateError::at("plan", problem))
    }

    /// Draws a game; none when it turns out not to be as wished.
    fn draw(&self, index: usize, tried: u32) -> Result<Option<GeneratedGame>, GenerateError> {
        let wishes = &self.wishes;
        let parts = [u64::from(wishes.seed), index as u64, u64::from(tried)];
        let mut dice = dice(wishes.split.folder(), &parts);
        let task = self.task_type(index);
        let plan = FloorPlan::draw(wishes, task::floor_plan(task, wishes.rooms, &mut dice))?;
        let Some(chore) = task::draw(task, &plan, &mut dice) else {
            return Ok(None);
        };
        let Some(contents) = contents::draw(&plan, &chore, wishes.objects, &mut dice) else {
            return Ok(None);
        };
        let start = plan.start(&mut dice);
        let (seed, mark) = (wishes.seed, dice.below(1_000_000));
        let trial = format!("trial_T{seed:08}_{index:06}_{mark:06}");
        let drawn = Drawn { plan: &plan, chore: &chore, contents: &contents, start: &start, trial: &trial };
        let problem = writer::problem(&drawn);
        let Some(walkthrough) = self.walkthrough(&writer::game(&drawn, &problem, None))? else {
            return Ok(None);
        };
        let (split, folder) = (wishes.split.folder(), writer::folder(&drawn));
        Ok(Some(GeneratedGame {
            id: format!("{split}/{folder}/{trial}"),
            game: writer::game(&drawn, &problem, Some(&walkthrough)),
            trajectory: writer::trajectory(&drawn, &walkthrough),
            problem,
        }))
    }

    /// The shortest plan of a game; none when it is solved already or the plan is not as wished.
    fn walkthrough(&self, json: &str) -> Result<Option<Vec<String>>, GenerateError> {
        let game = Game::from_json("generated", json.as_bytes());
        let fault = "a generated game cannot be played, which is a fault of rolecall";
        let game = game.map_err(|error| GenerateError { knob: None, problem: format!("{fault}: {error}") })?;
        let world = World::new(Arc::new(game));
        if world.won() {
            return Ok(None);
        }
        let plan = shortest_plan(&world, PlanLimits::default()).ok();
        let commands = plan.map(|plan| plan.commands);
        Ok(commands.filter(|commands| self.wishes.plan.contains(commands.len())))
    }
}

/// The stream of draws for a purpose, which a word and numbers identify.
pub(crate) fn dice(purpose: &str, numbers: &[u64]) -> Dice {
    Dice::new("rolecall household 1", purpose, numbers)
}
