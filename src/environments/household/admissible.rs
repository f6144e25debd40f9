//! The admissible commands of a room, sorted as whole texts.
//!
//! Verbs differ before their arguments do, and names order commands as they order themselves, so
//! the list is written group by group in the right order and never sorted as text.

use super::action::Action;
use super::dialect::Style;
use super::goal::Treatment;
use super::names::Names;
use super::state::entry;
use super::world::World;

/// A list of commands in memory that is used again.
#[derive(Debug, Clone, Default)]
pub struct Commands {
    texts: Names,
    /// Actions of one group with their sorting keys.
    group: Vec<(u32, Action)>,
}

impl Commands {
    /// The commands in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter()
    }

    fn push(&mut self, world: &World, action: Action) {
        self.texts
            .push(|text| world.game.write_command(action, text));
    }

    /// Writes those actions of a group that can be done, in the order of their keys, each once.
    fn add(&mut self, world: &World, actions: impl Iterator<Item = Action>) {
        let mut group = std::mem::take(&mut self.group);
        let allowed = actions.filter(|action| world.allows(*action));
        group.extend(allowed.map(|action| (world.key(action), action)));
        group.sort_unstable_by_key(|(key, _)| *key);
        group.dedup_by_key(|(key, _)| *key);
        let sorted = group.drain(..);
        sorted.for_each(|(_, action)| self.push(world, action));
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
        commands.texts.clear();
        let (game, state) = (&*self.game, &self.state);
        let held = state.held();
        let around = || game.receptacles_at(state.location);
        let inside = || {
            around().flat_map(|place| state.contents.row(place).map(move |thing| (thing, place)))
        };
        let treat = |commands: &mut Commands, treatment| {
            let treat = |object| around().map(move |at| Action::Treat(treatment, object, at));
            commands.add(self, held.into_iter().flat_map(treat));
        };
        let put = |commands: &mut Commands| {
            let put = |object| around().map(move |at| Action::Put(object, at));
            commands.add(self, held.into_iter().flat_map(put));
        };
        treat(commands, Treatment::Clean);
        commands.add(self, around().map(Action::Close));
        treat(commands, Treatment::Cool);
        commands.add(self, around().chain(held).map(Action::Examine));
        let things = game.orders.by_name.iter().copied();
        commands.add(self, things.map(Action::Go));
        treat(commands, Treatment::Heat);
        if game.dialect.help.is_some() {
            commands.push(self, Action::Help);
        }
        commands.push(self, Action::Inventory);
        commands.push(self, Action::Look);
        // `move` stands before `open`, `put` after it.
        if game.dialect.style == Style::New {
            put(commands);
        }
        commands.add(self, around().map(Action::Open));
        if game.dialect.style == Style::Old {
            put(commands);
        }
        let objects = || state.objects_at.row(state.location);
        let slice = |knife| objects().map(move |object| Action::Slice(object, knife));
        commands.add(self, held.into_iter().flat_map(slice));
        commands.add(
            self,
            inside().map(|(object, place)| Action::Take(object, place)),
        );
        commands.add(self, inside().map(|(object, _)| Action::Use(object)));
    }

    /// Sorting key of an action among those of its group: by the names that differ.
    fn key(&self, action: Action) -> u32 {
        let rank = |thing: u16| u32::from(entry(&self.game.orders.rank, thing));
        match action {
            Action::Take(object, receptacle) => rank(object) << 16 | rank(receptacle),
            Action::Put(_, thing) | Action::Treat(_, _, thing) | Action::Slice(thing, _) => {
                rank(thing)
            }
            Action::Open(thing) | Action::Close(thing) | Action::Go(thing) => rank(thing),
            Action::Use(thing) | Action::Examine(thing) => rank(thing),
            Action::Look | Action::Inventory | Action::Help => 0,
        }
    }
}
