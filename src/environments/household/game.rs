//! A household game compiled into indices: what a room is made of and how it starts.
//!
//! A game never changes; any number of [`World`](super::world::World)s share it.

use super::{Dialect, Goal, NONE, Names, Orders, Pairs, State, TaskType, Treatment, conditions, entry};

/// The opening words of the task text.
pub(super) const TASK_PREFIX: &str = "Your task is to: ";

/// Properties of a thing that never change, as bits.
pub(crate) mod traits {
    pub(crate) const OPENABLE: u16 = 1;
    pub(crate) const PICKUPABLE: u16 = 1 << 1;
    pub(crate) const CLEANABLE: u16 = 1 << 2;
    pub(crate) const HEATABLE: u16 = 1 << 3;
    pub(crate) const COOLABLE: u16 = 1 << 4;
    pub(crate) const TOGGLEABLE: u16 = 1 << 5;
    pub(crate) const SLICEABLE: u16 = 1 << 6;
    pub(crate) const CONTAINER: u16 = 1 << 7;
    pub(crate) const KNIFE: u16 = 1 << 8;
    pub(crate) const CLEANS: u16 = 1 << 9;
    pub(crate) const HEATS: u16 = 1 << 10;
    pub(crate) const COOLS: u16 = 1 << 11;
    /// Of the type that the goal moves or holds.
    pub(crate) const GOAL_OBJECT: u16 = 1 << 12;
    /// A receptacle of the goal's type, or a switchable lamp of it.
    pub(crate) const GOAL_TARGET: u16 = 1 << 13;
}

impl Treatment {
    /// Properties of the objects that it can be done to and of the receptacles that do it, and the condition that
    /// it leads to.
    pub(crate) const fn traits(self) -> (u16, u16, u8) {
        match self {
            Self::Clean => (traits::CLEANABLE, traits::CLEANS, conditions::CLEAN),
            Self::Heat => (traits::HEATABLE, traits::HEATS, conditions::HOT),
            Self::Cool => (traits::COOLABLE, traits::COOLS, conditions::COOL),
        }
    }
}

/// A compiled household game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    pub(crate) name: Box<str>,
    pub(crate) task: Box<str>,
    pub(crate) dialect: Dialect,
    pub(crate) goal: Goal,
    pub(crate) walkthrough: Option<Box<[String]>>,
    /// Objects and receptacles, in the order of their ids.
    pub(crate) objects: Names,
    /// Locations, in the order of their ids.
    pub(crate) locations: Names,
    /// The orders in which things are listed and found.
    pub(crate) orders: Orders,
    /// Properties per thing.
    pub(crate) traits: Box<[u16]>,
    /// Location per thing; [`NONE`] for things that are not placed receptacles.
    pub(crate) location_of: Box<[u16]>,

    /// Row per thing in `accepts`; [`NONE`] for things that hold nothing.
    pub(crate) accept_row: Box<[u16]>,
    /// Bit matrix: which things a receptacle may hold.
    pub(crate) accepts: Box<[u64]>,
    /// The contents of objects that contain others: container and content.
    pub(crate) inside: Pairs,
    /// The state at the start.
    pub(crate) start: State,
}

impl Game {
    /// The path or name the game was made from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole task text, as it ends the first observation: `Your task is to: …`.
    pub fn task_text(&self) -> &str {
        &self.task
    }

    /// The task sentence without its opening words.
    pub fn task_sentence(&self) -> &str {
        self.task.strip_prefix(TASK_PREFIX).unwrap_or(&self.task)
    }

    /// The task type, as the goal tells it.
    pub fn task_type(&self) -> TaskType {
        self.goal.task_type
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The wording and rules in which data releases differ.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// The commands of the solution that the file carries; old-style files carry none.
    pub fn walkthrough(&self) -> Option<&[String]> {
        self.walkthrough.as_deref()
    }

    /// Names of the placed receptacles, in the order of the first observation.
    pub fn receptacle_names(&self) -> impl Iterator<Item = &str> {
        self.orders.receptacles.iter().map(|receptacle| self.objects.get(*receptacle))
    }

    /// Bytes that the game takes, on the heap and inline.
    pub fn memory_bytes(&self) -> usize {
        let commands = self.walkthrough.as_deref().unwrap_or_default();
        let heap = self.name.len()
            + self.task.len()
            + self.dialect.help.as_ref().map_or(0, |help| help.len())
            + self.goal.object.len()
            + self.goal.target.len()
            + commands.iter().map(|command| command.capacity() + size_of::<String>()).sum::<usize>()
            + self.objects.heap_bytes()
            + self.locations.heap_bytes()
            + self.orders.heap_bytes()
            + size_of_val(&*self.traits)
            + size_of_val(&*self.location_of)
            + size_of_val(&*self.accept_row)
            + size_of_val(&*self.accepts)
            + self.inside.heap_bytes()
            + self.start.heap_bytes();
        size_of::<Self>() + heap
    }

    /// Whether the thing has that property.
    #[inline]
    pub(crate) fn has(&self, thing: u16, property: u16) -> bool {
        self.traits.get(usize::from(thing)).is_some_and(|traits| traits & property != 0)
    }

    /// Where the receptacle stands; [`NONE`] when it is no placed receptacle.
    #[inline]
    pub(crate) fn location(&self, receptacle: u16) -> u16 {
        entry(&self.location_of, receptacle)
    }

    /// The receptacles at a location, in the order of their ids.
    #[inline]
    pub(crate) fn receptacles_at(&self, location: u16) -> impl Iterator<Item = u16> {
        self.orders.by_location.row(location)
    }

    /// Whether a receptacle may hold a thing.
    #[inline]
    pub(crate) fn accepts(&self, receptacle: u16, thing: u16) -> bool {
        let row = entry(&self.accept_row, receptacle);
        if row == NONE {
            return false;
        }
        let words = self.traits.len().div_ceil(64);
        let word = usize::from(row) * words + usize::from(thing) / 64;
        self.accepts.get(word).is_some_and(|bits| bits >> (thing % 64) & 1 == 1)
    }

    /// The contents of an object that contains others.
    pub(crate) fn inside(&self, container: u16) -> impl Iterator<Item = u16> {
        self.inside.row(container)
    }
}
