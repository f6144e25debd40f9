//! A corridor with a key in it and a locked door at its end.

use std::sync::Arc;

use rolecall::ports::{EnvironmentEntry, NoWords, RoleEntry};
use rolecall::prelude::*;
use rolecall::world::WorldEntry;

/// What configs can name.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: "corridor",
        summary: "a key, and a door at the end",
        parameters: &[],
        words: &NoWords,
        build: |_| Ok(Arc::new(Corridors)),
    }],
    roles: &[RoleEntry {
        name: "walker",
        summary: "walks to the right",
        roles: &[],
        environments: &["corridor"],
        parameters: &[],
        build: |_| Ok(Arc::new(|| Box::new(Walker))),
    }],
    ..WorldEntry::EMPTY
};

/// Place of the door.
const DOOR: usize = 4;

/// The corridor of one episode: places from 0 to the door.
#[derive(Default)]
struct Corridor {
    key: usize,
    at: usize,
    has_key: bool,
    open: bool,
}

impl Corridor {
    fn shown(&self) -> Observation {
        let text = match self.at {
            at if at == self.key && !self.has_key => "There is a key.",
            DOOR => "There is a door.",
            _ => "The corridor goes on to the right.",
        };
        Observation { done: self.open, ..Observation::text(text) }
    }
}

#[async_trait]
impl Environment for Corridor {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        let key = self.key;
        *self = Self { key, ..Self::default() };
        Ok(self.shown())
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        match action.text.as_str() {
            "right" if self.at < DOOR => self.at += 1,
            "take key" if self.at == self.key => self.has_key = true,
            "open door" if self.at == DOOR && self.has_key => self.open = true,
            // What is refused is an observation, never an error.
            _ => return Ok(Observation::refused("That is not possible.")),
        }
        Ok(self.shown())
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(self.open))
    }
}

/// The tasks: the key lies in another place each time.
struct Corridors;

impl TaskSource for Corridors {
    fn len(&self) -> usize {
        DOOR + 1
    }

    fn open(&self, key: usize) -> Result<OpenTask, EnvironmentError> {
        let task = PublicTask::new(format!("key-{key}"), "corridor", "open the door").into();
        let corridor = move || Corridor { key, ..Corridor::default() };
        let environment = Arc::new(move || Box::new(corridor()) as Box<dyn Environment>);
        Ok(OpenTask { task, environment })
    }
}

/// Walks to the right, takes the key where it sees it, and opens the door.
struct Walker;

#[async_trait]
impl Role for Walker {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let seen = turn.view.new_events().filter_map(|event| match &event.message {
            Message::Observed(observation) => Some(observation.text.as_str()),
            _ => None,
        });
        let action = match seen.last() {
            Some("There is a key.") => "take key",
            Some("There is a door.") => "open door",
            _ => "right",
        };
        Ok(Move::act(action).into())
    }
}
