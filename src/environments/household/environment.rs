//! The household world as an environment of episodes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::admissible::Commands;
use super::classic::{Phrasing, first_observation};
use super::game::Game;
use super::world::World;
use crate::domain::{Action, Begun, Observation, Score};
use crate::ports::{Environment, EnvironmentError};

/// One live room, spoken to in the agent's wording.
pub struct HouseholdEnvironment {
    game: Arc<Game>,
    phrasing: Phrasing,
    list_admissible: bool,
    world: Option<World>,
}

impl HouseholdEnvironment {
    /// A room that is not set up yet. With `list_admissible` each observation's data names the
    /// admissible commands.
    pub fn new(game: Arc<Game>, phrasing: Phrasing, list_admissible: bool) -> Self {
        Self {
            game,
            phrasing,
            list_admissible,
            world: None,
        }
    }

    fn observation(&self, world: &World, text: String, invalid: bool) -> Observation {
        Observation {
            text,
            data: self
                .list_admissible
                .then(|| Box::new(self.admissible(world))),
            done: world.won(),
            invalid,
        }
    }

    fn admissible(&self, world: &World) -> Value {
        let mut commands = Commands::default();
        world.admissible_into(&mut commands);
        let mut worded: Vec<_> = commands
            .iter()
            .map(|command| self.phrasing.command_to_agent(command).into_owned())
            .collect();
        // Translated commands have other places in the order of their texts.
        worded.sort_unstable();
        json!({ "admissible": worded })
    }
}

fn not_begun() -> EnvironmentError {
    EnvironmentError::OutOfOrder("the household was asked for something before it began".to_owned())
}

#[async_trait]
impl Environment for HouseholdEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if !begun.keep_world {
            self.world = Some(World::new(self.game.clone()));
        }
        let world = self.world.as_ref().ok_or_else(not_begun)?;
        let text = first_observation(&world.reset_observation());
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
        Ok(Score::all_or_nothing(world.won()))
    }
}
