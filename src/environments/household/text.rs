//! The observations of a room, as the grammar words them.

use super::state::conditions::{CLEAN, COOL, HOT, OPENED, SLICED, TOGGLED};
use super::{Action, Style, World, traits};

impl World {
    /// The observation after a reset: welcome, receptacles, task.
    pub fn reset_observation(&self) -> String {
        let mut out = "-= Welcome to TextWorld, ALFRED! =-\n\n".to_owned();
        let mut around = self.game.receptacles_at(self.state.location);
        if around.next().is_some() {
            self.write_look(&mut out);
        } else {
            out.push_str("You are in the middle of a room. Looking quickly around you, you see ");
            self.write_list(&mut out, self.game.orders.receptacles.iter().copied());
            out.push('.');
        }
        out.push_str("\n\n");
        out.push_str(self.game.task_text());
        out
    }

    /// Appends the answer to an action that has just been done.
    pub(crate) fn describe(&self, action: Action, out: &mut String) {
        let name = |thing: u16| self.game.objects.get(thing);
        let mut two = |verb: &str, first: u16, link: &str, second: u16| {
            words(out, &[verb, name(first), link, name(second), "."]);
        };
        match action {
            Action::Look => self.write_look(out),
            Action::Inventory => self.write_inventory(out),
            Action::Help => out.push_str(self.game.dialect.help.as_deref().unwrap_or_default()),
            Action::Go(receptacle) => {
                let place = match self.game.dialect.style {
                    Style::New => name(receptacle),
                    Style::Old => self.game.locations.get(self.state.location),
                };
                words(out, &["You arrive at ", place, ". "]);
                self.write_receptacle(receptacle, out);
            }
            Action::Open(receptacle) => {
                words(out, &["You open the ", name(receptacle), ". "]);
                self.write_receptacle(receptacle, out);
            }
            Action::Close(receptacle) => words(out, &["You close the ", name(receptacle), "."]),
            Action::Take(object, receptacle) => two("You pick up the ", object, " from the ", receptacle),
            Action::Put(object, receptacle) => {
                let (put, into) = self.game.dialect.style.put();
                words(out, &["You ", put, " the ", name(object)]);
                words(out, &[into, "the ", name(receptacle), "."]);
            }
            Action::Treat(treatment, object, receptacle) => {
                words(out, &["You ", treatment.verb(), " the ", name(object)]);
                words(out, &[" using the ", name(receptacle), "."]);
            }
            Action::Use(object) => words(out, &["You turn on the ", name(object), "."]),
            Action::Slice(object, knife) => two("You sliced the ", object, " with the ", knife),
            Action::Examine(thing) if self.state.holding == thing => self.write_object(thing, out),
            Action::Examine(thing) => self.write_receptacle(thing, out),
        }
    }

    /// Writes what stands here, and what was moved about here.
    fn write_look(&self, out: &mut String) {
        let here = self.state.location;
        if self.game.receptacles_at(here).next().is_none() {
            out.push_str("You are in the middle of a room. Looking quickly around you, you see nothing.");
            return;
        }
        out.push_str("You are facing the ");
        list(out, self.game.receptacles_at(here), |out, receptacle| out.push_str(self.game.objects.get(receptacle)));
        out.push_str(". Next to it, you see ");
        let pairs = self.state.objects_at.row(here).flat_map(|object| {
            self.game
                .receptacles_at(here)
                .filter(move |place| self.state.taken_from.contains(object, *place))
                .map(move |_| object)
        });
        self.write_list(out, pairs);
        out.push('.');
    }

    fn write_inventory(&self, out: &mut String) {
        match self.state.held() {
            Some(object) => {
                let name = self.game.objects.get(object);
                words(out, &["You are carrying: a ", name, "."]);
            }
            None => out.push_str("You are not carrying anything."),
        }
    }

    /// Writes what is in or on a receptacle.
    fn write_receptacle(&self, receptacle: u16, out: &mut String) {
        let name = self.game.objects.get(receptacle);
        let (before, after) = if !self.game.has(receptacle, traits::OPENABLE) {
            ("On the ", ", you see ")
        } else if self.state.is(receptacle, OPENED) {
            ("The ", " is open. In it, you see ")
        } else {
            return words(out, &["The ", name, " is closed."]);
        };
        words(out, &[before, name, after]);
        self.write_list(out, self.state.contents.row(receptacle));
        out.push('.');
    }

    /// Writes what is special about a held object.
    fn write_object(&self, object: u16, out: &mut String) {
        let name = self.game.objects.get(object);
        let is = |condition: u8| self.state.is(object, condition);
        if self.game.has(object, traits::CONTAINER) {
            words(out, &["This is a normal ", name, ". In it, you see "]);
            self.write_list(out, self.game.inside(object));
            out.push('.');
            return;
        }
        let (before, after) = match (is(CLEAN), is(HOT), is(COOL), is(SLICED)) {
            (true, true, _, true) => ("This is a hot and clean sliced ", "."),
            (true, false, true, true) => ("This is a cool and clean sliced ", "."),
            (true, false, false, true) => ("This is a clean sliced ", "."),
            (false, true, _, true) => ("This is a hot sliced ", "."),
            (false, false, true, true) => ("This is a cool sliced ", "."),
            (true, true, _, false) => ("This is a hot and clean ", "."),
            (true, false, true, false) => ("This is a cool and clean ", "."),
            (false, true, _, false) => ("This is a hot ", "."),
            (true, false, false, false) => ("This is a clean ", "."),
            (false, false, true, false) => ("This is a cold ", "."),
            (false, false, false, _) if self.game.has(object, traits::TOGGLEABLE) && is(TOGGLED) => {
                ("This ", " is on.")
            }
            (false, false, false, true) if self.game.has(object, traits::SLICEABLE) => ("This is a sliced ", "."),
            (false, false, false, _) => ("There's nothing special about ", "."),
        };
        words(out, &[before, name, after]);
    }

    /// `a x, a y, and a z`.
    fn write_list(&self, out: &mut String, objects: impl Iterator<Item = u16>) {
        list(out, objects, |out, thing| {
            out.push_str("a ");
            out.push_str(self.game.objects.get(thing));
        });
    }
}

fn words(out: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| out.push_str(part));
}

/// Lists items as the game does: `nothing`, `x`, `x, and y`, `x, y, and z`.
fn list<T>(out: &mut String, items: impl Iterator<Item = T>, write: impl Fn(&mut String, T)) {
    let mut items = items.peekable();
    let mut first = true;
    while let Some(item) = items.next() {
        if !first {
            let is_last = items.peek().is_none();
            out.push_str(if is_last { ", and " } else { ", " });
        }
        write(out, item);
        first = false;
    }
    if first {
        out.push_str("nothing");
    }
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn lists_as_the_game_does() {
        let listed = |items: &[&str]| {
            let mut out = String::new();
            list(&mut out, items.iter(), |out, item| out.push_str(item));
            out
        };
        assert_eq!(listed(&[]), "nothing");
        assert_eq!(listed(&["x"]), "x");
        assert_eq!(listed(&["x", "y"]), "x, and y");
        assert_eq!(listed(&["x", "y", "z"]), "x, y, and z");
    }
}
