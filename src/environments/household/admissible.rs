//! The admissible commands of a room, sorted as whole texts.
//!
//! Verbs differ before their arguments do, and names order commands as they order themselves, so
//! the list is written group by group in the right order and never sorted as text.

use super::{Action, NONE, Names, Style, Treatment, World, conditions, entry, traits};

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
        self.texts.push(|text| world.game.write_command(action, text));
    }

    /// Writes the actions of a group in the order of their keys, each once.
    fn add(&mut self, world: &World, actions: impl Iterator<Item = (u32, Action)>) {
        let mut group = std::mem::take(&mut self.group);
        group.extend(actions);
        group.sort_unstable_by_key(|(key, _)| *key);
        group.dedup_by_key(|(key, _)| *key);
        group.drain(..).for_each(|(_, action)| self.push(world, action));
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
    ///
    /// Conditions that `World::allows` checks for each command are known here of whole groups: agents that are shown
    /// the list need it at every step.
    pub fn admissible_into(&self, commands: &mut Commands) {
        commands.texts.clear();
        self.add_treatments(commands, Treatment::Clean);
        self.add_openables(commands, true);
        self.add_treatments(commands, Treatment::Cool);
        let examined = self.around().chain(self.state.held()).map(|thing| (self.rank(thing), Action::Examine(thing)));
        commands.add(self, examined);
        self.game
            .orders
            .receptacles_by_name
            .iter()
            .copied()
            .filter(|place| !self.here(*place))
            .for_each(|place| commands.push(self, Action::Go(place)));
        self.add_treatments(commands, Treatment::Heat);
        if self.game.dialect.help.is_some() {
            commands.push(self, Action::Help);
        }
        commands.push(self, Action::Inventory);
        commands.push(self, Action::Look);
        // `move` stands before `open`, `put` after it.
        match self.game.dialect.style {
            Style::New => {
                self.add_puts(commands);
                self.add_openables(commands, false);
            }
            Style::Old => {
                self.add_openables(commands, false);
                self.add_puts(commands);
            }
        }
        self.add_slices(commands);
        self.add_takes(commands);
        self.add_uses(commands);
    }

    fn around(&self) -> impl Iterator<Item = u16> {
        self.game.receptacles_at(self.state.location)
    }

    /// The object in hand, if it has the property.
    fn held_with(&self, property: u16) -> Option<u16> {
        self.state.held().filter(|object| self.game.has(*object, property))
    }

    /// Sorting key of a name.
    fn rank(&self, thing: u16) -> u32 {
        u32::from(entry(&self.game.orders.rank, thing))
    }

    fn add_treatments(&self, commands: &mut Commands, treatment: Treatment) {
        let (able, does, _) = treatment.traits();
        if let Some(object) = self.held_with(able) {
            let places = self.around().filter(|place| self.game.has(*place, does));
            let treat = |place| (self.rank(place), Action::Treat(treatment, object, place));
            commands.add(self, places.map(treat));
        }
    }

    /// Adds the receptacles that can be closed (true) or opened (false) here.
    fn add_openables(&self, commands: &mut Commands, opened: bool) {
        let action = if opened { Action::Close } else { Action::Open };
        let places = self.around().filter(|place| {
            let fits = self.state.is(*place, conditions::OPENED) == opened;
            fits && self.game.has(*place, traits::OPENABLE)
        });
        commands.add(self, places.map(|place| (self.rank(place), action(place))));
    }

    fn add_puts(&self, commands: &mut Commands) {
        if let Some(object) = self.state.held() {
            let places = self.around().filter(|place| self.accessible(*place) && self.game.accepts(*place, object));
            let put = |place| (self.rank(place), Action::Put(object, place));
            commands.add(self, places.map(put));
        }
    }

    fn add_slices(&self, commands: &mut Commands) {
        if let Some(knife) = self.held_with(traits::KNIFE) {
            let objects = self
                .state
                .objects_at
                .row(self.state.location)
                .filter(|object| self.game.has(*object, traits::SLICEABLE));
            let slice = |object| (self.rank(object), Action::Slice(object, knife));
            commands.add(self, objects.map(slice));
        }
    }

    fn add_takes(&self, commands: &mut Commands) {
        if self.state.holding != NONE {
            return;
        }
        let takes = self.around().filter(|place| self.accessible(*place)).flat_map(|place| {
            let objects = self.state.contents.row(place);
            objects.filter(|object| self.game.has(*object, traits::PICKUPABLE)).map(move |object| {
                let key = self.rank(object) << 16 | self.rank(place);
                (key, Action::Take(object, place))
            })
        });
        commands.add(self, takes);
    }

    fn add_uses(&self, commands: &mut Commands) {
        let contents = |place| self.state.contents.row(place);
        let objects = self.around().flat_map(contents).filter(|object| self.game.has(*object, traits::TOGGLEABLE));
        let uses = objects.map(|object| (self.rank(object), Action::Use(object)));
        commands.add(self, uses);
    }
}
