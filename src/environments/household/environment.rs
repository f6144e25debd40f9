//! The household world as an environment of episodes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::classic::first_observation;
use super::next_task::next_task;
use super::{Commands, Game, Phrasing, Variant, World};
use rolecall_core::domain::{Action, Begun, Observation, Score, Seed};
use rolecall_core::ports::{Environment, EnvironmentError};

/// The observation where a room allows no further task.
pub const NOTHING_TO_DO: &str = "There is nothing more to do in this room.";

/// One live room, spoken to in the agent's wording.
pub struct HouseholdEnvironment {
    pub(super) game: Arc<Game>,
    pub(super) phrasing: Phrasing,
    pub(super) variant: Variant,
    /// Each observation's data names the admissible commands.
    pub(super) list_admissible: bool,
    /// The live room; none until it is set up.
    pub(super) world: Option<World>,
    /// The room allows no further task.
    pub(super) over: bool,
}

impl HouseholdEnvironment {
    fn observation(&self, world: &World, text: String, invalid: bool) -> Observation {
        let data = self.list_admissible;
        Observation {
            asks: None,
            text,
            data: data.then(|| Box::new(self.admissible(world))),
            done: self.over || world.won(),
            invalid,
        }
    }

    fn admissible(&self, world: &World) -> Value {
        let mut commands = Commands::default();
        world.admissible_into(&mut commands);
        let worded = commands.iter().map(|command| self.phrasing.command_to_agent(command));
        let mut worded: Vec<_> = worded.collect();
        // Translated commands have other places in the order of their texts.
        worded.sort_unstable();
        json!({ "admissible": worded })
    }

    /// Asks for another task in the room as it is; gives the words that ask for it.
    fn go_on(&mut self, seed: Seed) -> Result<String, EnvironmentError> {
        let world = self.world.as_mut().ok_or_else(not_begun)?;
        if self.variant != Variant::MultiRound {
            return Err(EnvironmentError::OutOfOrder(format!(
                "this household has one task a room and cannot go on with another one; set \
                 environment.variant = \"{}\", or strategy.rounds = 1",
                Variant::MultiRound.as_str()
            )));
        }
        let next = (!self.over).then(|| next_task(world, seed));
        let Some(game) = next.flatten() else {
            self.over = true;
            return Ok(NOTHING_TO_DO.to_owned());
        };
        let text = format!("Your next task is to: {}", game.task_sentence());
        world.pursue(game);
        Ok(text)
    }
}

fn not_begun() -> EnvironmentError {
    EnvironmentError::OutOfOrder("the household was asked for something before it began".to_owned())
}

#[async_trait]
impl Environment for HouseholdEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        let text = if begun.keep_world {
            self.go_on(begun.seed)?
        } else {
            self.over = false;
            let world = self.world.insert(World::new(self.game.clone()));
            first_observation(&world.reset_observation())
        };
        let world = self.world.as_ref().ok_or_else(not_begun)?;
        Ok(self.observation(world, text, false))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let world = self.world.as_mut().ok_or_else(not_begun)?;
        let mut text = String::new();
        let happened = world.perform_into(&self.phrasing.to_game(&action.text), &mut text);
        let text = self.phrasing.observation_to_agent(text);
        let world = self.world.as_ref().ok_or_else(not_begun)?;
        Ok(self.observation(world, text, !happened))
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let world = self.world.as_ref().ok_or_else(not_begun)?;
        Ok(Score::all_or_nothing(!self.over && world.won()))
    }
}
