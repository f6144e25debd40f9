//! The admissible commands of a room, sorted as whole texts.
//!
//! Verbs differ before their arguments do, and names order commands as they order themselves, so
//! the list is written group by group in the right order and never sorted as text.

use super::action::Action;
use super::dialect::PutWording;
use super::game::traits;
use super::goal::Treatment;
use super::state::{NONE, conditions};
use super::world::World;

/// A list of commands in memory that is used again.
#[derive(Debug, Clone, Default)]
pub struct Commands {
    text: String,
    ends: Vec<u32>,
    /// Actions of one group with their sorting keys.
    group: Vec<(u32, Action)>,
}

impl Commands {
    /// The commands in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let command = self.text.get(start..*end as usize).unwrap_or_default();
            start = *end as usize;
            command
        })
    }

    /// How many commands there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The command at that position.
    pub fn get(&self, index: usize) -> Option<&str> {
        let start = index
            .checked_sub(1)
            .map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text
            .get(start as usize..*self.ends.get(index)? as usize)
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, world: &World, action: Action) {
        world.game.write_command(action, &mut self.text);
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    /// Writes the gathered group in the order of its keys, each action once.
    fn flush(&mut self, world: &World) {
        let mut group = std::mem::take(&mut self.group);
        group.sort_unstable_by_key(|(key, _)| *key);
        group.dedup_by_key(|(key, _)| *key);
        group
            .drain(..)
            .for_each(|(_, action)| self.push(world, action));
        self.group = group;
    }
}

impl World {
    /// The admissible commands in order.
    pub fn admissible(&self) -> Vec<String> {
        let mut commands = Commands::default();
        self.admissible_into(&mut commands);
        commands.iter().map(str::to_owned).collect()
    }

    /// Writes the admissible commands into a list that is used again.
    pub fn admissible_into(&self, commands: &mut Commands) {
        commands.clear();
        let held = self.state.holding;
        self.treatments(commands, Treatment::Clean);
        self.openables(commands, true);
        self.treatments(commands, Treatment::Cool);
        let around = self
            .game
            .receptacles_at(self.state.location)
            .chain(self.state.held());
        commands
            .group
            .extend(around.map(|thing| (self.key(thing), Action::Examine(thing))));
        commands.flush(self);
        for receptacle in self.game.receptacles_by_name.iter().copied() {
            if !self.here(receptacle) {
                commands.push(self, Action::Go(receptacle));
            }
        }
        self.treatments(commands, Treatment::Heat);
        if self.game.dialect.help.is_some() {
            commands.push(self, Action::Help);
        }
        commands.push(self, Action::Inventory);
        commands.push(self, Action::Look);
        // `move` stands before `open`, `put` after it.
        let moves = self.game.dialect.put == PutWording::MoveTo;
        if moves && held != NONE {
            self.puts(commands, held);
        }
        self.openables(commands, false);
        if !moves && held != NONE {
            self.puts(commands, held);
        }
        self.slices(commands);
        self.takes(commands);
        self.uses(commands);
    }

    /// Sorting key of a name.
    fn key(&self, thing: u16) -> u32 {
        u32::from(
            self.game
                .rank
                .get(usize::from(thing))
                .copied()
                .unwrap_or(NONE),
        )
    }

    fn treatments(&self, commands: &mut Commands, treatment: Treatment) {
        let (able, does, _) = treatment.traits();
        let Some(object) = self
            .state
            .held()
            .filter(|object| self.game.has(*object, able))
        else {
            return;
        };
        for receptacle in self.game.receptacles_at(self.state.location) {
            if self.game.has(receptacle, does) {
                let action = Action::Treat(treatment, object, receptacle);
                commands.group.push((self.key(receptacle), action));
            }
        }
        commands.flush(self);
    }

    /// What can be closed (true) or opened (false) here.
    fn openables(&self, commands: &mut Commands, opened: bool) {
        for receptacle in self.game.receptacles_at(self.state.location) {
            let fits = self.state.is(receptacle, conditions::OPENED) == opened;
            if fits && self.game.has(receptacle, traits::OPENABLE) {
                let action = if opened {
                    Action::Close(receptacle)
                } else {
                    Action::Open(receptacle)
                };
                commands.group.push((self.key(receptacle), action));
            }
        }
        commands.flush(self);
    }

    fn puts(&self, commands: &mut Commands, object: u16) {
        for receptacle in self.game.receptacles_at(self.state.location) {
            if self.accessible(receptacle) && self.game.accepts(receptacle, object) {
                commands
                    .group
                    .push((self.key(receptacle), Action::Put(object, receptacle)));
            }
        }
        commands.flush(self);
    }

    fn slices(&self, commands: &mut Commands) {
        let Some(knife) = self
            .state
            .held()
            .filter(|object| self.game.has(*object, traits::KNIFE))
        else {
            return;
        };
        for object in self.state.objects_at.row(self.state.location) {
            if self.game.has(object, traits::SLICEABLE) {
                commands
                    .group
                    .push((self.key(object), Action::Slice(object, knife)));
            }
        }
        commands.flush(self);
    }

    fn takes(&self, commands: &mut Commands) {
        if self.state.holding != NONE {
            return;
        }
        for receptacle in self.game.receptacles_at(self.state.location) {
            if !self.accessible(receptacle) {
                continue;
            }
            for object in self.state.contents.row(receptacle) {
                if self.game.has(object, traits::PICKUPABLE) {
                    let key = self.key(object) << 16 | self.key(receptacle);
                    commands.group.push((key, Action::Take(object, receptacle)));
                }
            }
        }
        commands.flush(self);
    }

    fn uses(&self, commands: &mut Commands) {
        for receptacle in self.game.receptacles_at(self.state.location) {
            for object in self.state.contents.row(receptacle) {
                if self.game.has(object, traits::TOGGLEABLE) {
                    commands.group.push((self.key(object), Action::Use(object)));
                }
            }
        }
        commands.flush(self);
    }
}
