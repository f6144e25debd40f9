//! A live room: which commands it accepts, what they change, and whether the goal holds.

use std::sync::Arc;

use super::action::strip;
use super::{Action, Game, NONE, State, TaskType, Treatment, conditions, traits};

/// The answer to every command that is not admissible; nothing changes.
pub const NOTHING_HAPPENS: &str = "Nothing happens.";

/// A room while it is played; cheap to clone.
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) game: Arc<Game>,
    pub(crate) state: State,
    won: bool,
}

impl World {
    /// The room as the game starts.
    pub fn new(game: Arc<Game>) -> Self {
        let state = game.start.clone();
        let mut world = Self { game, state, won: false };
        world.won = world.goal_holds();
        world
    }

    /// The game that is played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Goes on in the room as it is with what another game of the same room asks for, such as that of
    /// a [`Wish`](super::variant::Wish) or of a [next task](super::next_task::next_task).
    pub fn pursue(&mut self, game: Arc<Game>) {
        self.game = game;
        self.won = self.goal_holds();
    }

    /// Performs a command and gives its observation.
    pub fn perform(&mut self, command: &str) -> String {
        let mut observation = String::new();
        self.perform_into(command, &mut observation);
        observation
    }

    /// Performs a command; writes the observation into a buffer, which is cleared first. False when
    /// the command is not admissible, so that nothing happens.
    pub fn perform_into(&mut self, command: &str, observation: &mut String) -> bool {
        observation.clear();
        match self.game.parse(strip(command)) {
            Some(action) if self.allows(action) => {
                self.apply(action);
                self.describe(action, observation);
                true
            }
            _ => {
                observation.push_str(NOTHING_HAPPENS);
                false
            }
        }
    }

    /// Whether the goal holds now; undoing it makes this false again.
    pub fn won(&self) -> bool {
        self.won
    }

    /// The contents of all receptacles: names of object and receptacle, in the order
    /// of the receptacles of the first observation. Closed receptacles are included.
    pub fn placements(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = &self.game.objects;
        self.state.contents.iter().map(|(receptacle, object)| (names.get(object), names.get(receptacle)))
    }

    /// Name of the object in the hand.
    pub fn holding(&self) -> Option<&str> {
        self.state.held().map(|object| self.game.objects.get(object))
    }

    /// Names of the receptacles where the agent is; none at the start.
    pub fn facing(&self) -> impl Iterator<Item = &str> {
        self.game.receptacles_at(self.state.location).map(|receptacle| self.game.objects.get(receptacle))
    }

    /// Whether the receptacle of that name can be opened and is closed.
    pub fn is_closed(&self, receptacle: &str) -> bool {
        self.game.orders.table.find(&self.game.objects, receptacle).is_some_and(|found| !self.accessible(found))
    }

    /// Bytes that this room takes of its own, without the shared game.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.state.heap_bytes()
    }

    /// Whether the receptacle is where the agent is.
    pub(crate) fn here(&self, receptacle: u16) -> bool {
        self.game.location(receptacle) == self.state.location
    }

    /// Whether the inside of a receptacle can be reached.
    pub(crate) fn accessible(&self, receptacle: u16) -> bool {
        !self.game.has(receptacle, traits::OPENABLE) || self.state.is(receptacle, conditions::OPENED)
    }

    /// Whether an action can be done now.
    pub(crate) fn allows(&self, action: Action) -> bool {
        let (game, state) = (&*self.game, &self.state);
        match action {
            Action::Look | Action::Inventory | Action::Help => true,
            Action::Go(receptacle) => game.location(receptacle) != NONE && !self.here(receptacle),
            Action::Open(receptacle) => {
                let closed = !state.is(receptacle, conditions::OPENED);
                game.has(receptacle, traits::OPENABLE) && self.here(receptacle) && closed
            }
            Action::Close(receptacle) => {
                let opened = state.is(receptacle, conditions::OPENED);
                game.has(receptacle, traits::OPENABLE) && self.here(receptacle) && opened
            }
            Action::Take(object, receptacle) => {
                state.holding == NONE
                    && game.has(object, traits::PICKUPABLE)
                    && self.here(receptacle)
                    && self.accessible(receptacle)
                    && state.contents.contains(receptacle, object)
            }
            Action::Put(object, receptacle) => {
                state.holding == object
                    && self.here(receptacle)
                    && self.accessible(receptacle)
                    && game.accepts(receptacle, object)
            }
            Action::Treat(treatment, object, receptacle) => {
                let (able, does, _) = treatment.traits();
                state.holding == object && game.has(object, able) && game.has(receptacle, does) && self.here(receptacle)
            }
            Action::Use(object) => {
                let mut around = game.receptacles_at(state.location);
                game.has(object, traits::TOGGLEABLE) && around.any(|place| state.contents.contains(place, object))
            }
            Action::Slice(object, knife) => {
                state.holding == knife
                    && game.has(knife, traits::KNIFE)
                    && game.has(object, traits::SLICEABLE)
                    && state.objects_at.contains(state.location, object)
            }
            Action::Examine(thing) => state.holding == thing || self.here(thing),
        }
    }

    /// Does what an allowed action changes.
    pub(crate) fn apply(&mut self, action: Action) {
        let here = self.state.location;
        match action {
            Action::Look | Action::Inventory | Action::Help | Action::Examine(_) => return,
            Action::Go(receptacle) => self.state.location = self.game.location(receptacle),
            Action::Open(receptacle) => self.state.set(receptacle, conditions::OPENED, true),
            Action::Close(receptacle) => self.state.set(receptacle, conditions::OPENED, false),
            Action::Take(object, receptacle) => {
                self.state.contents.remove(receptacle, object);
                self.state.objects_at.remove(here, object);
                self.state.taken_from.insert(object, receptacle);
                self.state.holding = object;
            }
            Action::Put(object, receptacle) => {
                self.state.contents.insert(receptacle, object);
                self.state.objects_at.insert(here, object);
                self.state.taken_from.remove(object, receptacle);
                self.state.holding = NONE;
            }
            Action::Treat(treatment, object, _) => {
                if treatment != Treatment::Clean {
                    self.state.set(object, conditions::HOT, false);
                    self.state.set(object, conditions::COOL, false);
                }
                self.state.set(object, treatment.traits().2, true);
            }
            Action::Use(object) => self.state.set(object, conditions::TOGGLED, true),
            Action::Slice(object, _) => self.state.set(object, conditions::SLICED, true),
        }
        self.won = self.goal_holds();
    }

    /// Evaluates the goal in the current state.
    fn goal_holds(&self) -> bool {
        match self.game.goal.task_type {
            TaskType::LookInLight => self.lit(),
            TaskType::PickTwo => self.two_placed(),
            _ => self.placed().any(|(_, object)| self.treated(object)),
        }
    }

    /// Objects of the goal's type in receptacles of the goal's type.
    fn placed(&self) -> impl Iterator<Item = (u16, u16)> {
        let (target, object) = (traits::GOAL_TARGET, traits::GOAL_OBJECT);
        let game = &*self.game;
        self.state.contents.iter().filter(move |pair| game.has(pair.0, target) && game.has(pair.1, object))
    }

    /// Whether an object has been treated as the goal asks.
    pub(crate) fn treated(&self, object: u16) -> bool {
        let Some(treatment) = self.game.goal.task_type.treatment() else {
            return true;
        };
        let (able, _, done) = treatment.traits();
        self.game.has(object, able) && self.state.is(object, done)
    }

    fn two_placed(&self) -> bool {
        let mut last = NONE;
        self.placed().any(|(receptacle, _)| std::mem::replace(&mut last, receptacle) == receptacle)
    }

    fn lit(&self) -> bool {
        let (game, state) = (&*self.game, &self.state);
        let shines = |object: u16| game.has(object, traits::GOAL_TARGET) && state.is(object, conditions::TOGGLED);
        game.has(state.holding, traits::GOAL_OBJECT)
            && game.receptacles_at(state.location).any(|receptacle| state.contents.row(receptacle).any(shines))
    }
}
