//! A helpful user's answers about how things are: what is where and how much of it, what is open, what is in hand.

use super::reply::{Answering, MOST};
use super::wording::{
    CLOSED, COUNT, DONE, EMPTY_HANDS, HELD, HOLDS, NO_SUCH, NOT_DONE, NOT_HELD, NOT_THERE, NOTHING_IN, OPEN, TASK,
    THERE, UNKNOWN, say,
};
use super::{Command, class_of};
use crate::language::{indefinite, is_meant};
use rolecall_core::text::mention::Mention;
use rolecall_core::text::unique;

impl<'a> Answering<'a> {
    /// Every object with the place where it is now; none for what is in hand.
    fn everything(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let changes = self.changes;
        self.plan
            .placements()
            .map(move |(object, receptacle)| (object, changes.moved(object).unwrap_or(Some(receptacle))))
    }

    /// The objects that a mention means, with their places.
    fn meant(&self, thing: &Mention) -> Vec<(&'a str, Option<&'a str>)> {
        self.everything().filter(|(object, _)| is_meant(object, thing)).collect()
    }

    /// The name, or the number of what has none: `desk 2`, `desk`.
    fn named(&self, mention: &Mention) -> String {
        match (&*mention.numbers, self.names_classes) {
            ([number], false) => format!("{} {number}", mention.class),
            _ => mention.class.clone(),
        }
    }

    /// The receptacles that a mention means, as far as this user knows any.
    fn places(&self, receptacle: &Mention) -> Vec<&'a str> {
        let known = self
            .changes
            .room
            .iter()
            .map(|name| &**name)
            .chain(self.plan.placements().map(|(_, receptacle)| receptacle));
        unique(known.chain(self.plan.visits())).into_iter().filter(|name| is_meant(name, receptacle)).collect()
    }

    /// The answer that there is no such thing, or that nobody knows.
    pub(super) fn no_such(&self, mention: &Mention) -> String {
        match self.changes.room.is_empty() {
            false => say(self.seed, NO_SUCH, &self.named(mention)),
            true => say(self.seed, UNKNOWN, ""),
        }
    }

    fn list(&self, names: &[&str]) -> String {
        unique(names.iter().map(|name| indefinite(self.name(name))))
            .into_iter()
            .take(MOST)
            .collect::<Vec<_>>()
            .join(", and ")
    }

    pub(super) fn is_open(&self, places: &[Mention], asks_closed: bool) -> String {
        if places.is_empty() {
            let all = self.changes.all_open(!asks_closed);
            let names: Vec<String> = all.map(|name| format!("the {}", self.name(name))).collect();
            return match names.is_empty() {
                true => say(self.seed, UNKNOWN, ""),
                false => format!("I know of {}.", unique(names).join(" and ")),
            };
        }
        let told = places.iter().map(|receptacle| {
            let known: Vec<bool> = self.places(receptacle).iter().filter_map(|name| self.is_known_open(name)).collect();
            let name = self.named(receptacle);
            match known.first() {
                // Of several, only what is true of all can be said of the class.
                Some(open) if known.iter().all(|other| other == open) => {
                    let word = if *open == asks_closed { "No" } else { "Yes" };
                    say(self.seed, if *open { OPEN } else { CLOSED }, &name).replacen("Yes", word, 1)
                }
                _ if self.places(receptacle).is_empty() => self.no_such(receptacle),
                _ => say(self.seed, UNKNOWN, ""),
            }
        });
        unique(told).join(" ")
    }

    /// Whether a receptacle is open, as it was seen, or as the plan has it.
    fn is_known_open(&self, receptacle: &str) -> Option<bool> {
        let opens = |step| matches!(Command::read(step), Command::Open(name) if name == receptacle);
        let planned = || self.plan.steps().any(opens).then_some(false);
        self.changes.is_open(receptacle).or_else(planned)
    }

    pub(super) fn contents(&self, places: &[Mention]) -> String {
        let told = places.iter().map(|receptacle| {
            let known = self.places(receptacle);
            if known.is_empty() {
                return self.no_such(receptacle);
            }
            let inside = self.everything().filter(|(_, at)| at.is_some_and(|at| known.contains(&at)));
            let inside: Vec<&str> = inside.map(|(object, _)| object).collect();
            let name = self.named(receptacle);
            match &*inside {
                [] => say(self.seed, NOTHING_IN, &name),
                inside => format!("In/on the {name} there is {}.", self.list(inside)),
            }
        });
        unique(told).join(" ")
    }

    pub(super) fn is_there(&self, objects: &[Mention], places: &[Mention]) -> String {
        let needed = match objects.is_empty() {
            true => self.needed().map(|class| Mention { class: class.to_owned(), numbers: Vec::new(), position: 0 }),
            false => None,
        };
        let told = objects.iter().chain(&needed).map(|thing| {
            let of_room = places.is_empty();
            let there: Vec<&str> = places.iter().flat_map(|receptacle| self.places(receptacle)).collect();
            let inside = |at: Option<&'a str>| of_room || at.is_some_and(|at| there.contains(&at));
            let found = self.meant(thing).into_iter().find(|(_, at)| inside(*at));
            match (found, places.first()) {
                (Some((object, Some(at))), Some(_)) => {
                    let (object, at) = (self.name(object), self.name(at));
                    format!("Yes, the {object} is in/on the {at}.")
                }
                (Some(_), _) => say(self.seed, THERE, &self.named(thing)),
                (None, Some(receptacle)) if there.is_empty() => self.no_such(receptacle),
                (None, Some(receptacle)) => {
                    let (thing, receptacle) = (self.named(thing), self.named(receptacle));
                    format!("No, the {thing} is not in/on the {receptacle}.")
                }
                (None, None) if !self.places(thing).is_empty() => say(self.seed, THERE, &self.named(thing)),
                (None, None) => say(self.seed, NOT_THERE, &self.named(thing)),
            }
        });
        let told = unique(told);
        match told.is_empty() {
            true => say(self.seed, UNKNOWN, ""),
            false => told.join(" "),
        }
    }

    pub(super) fn count(&self, thing: &Mention, places: &[Mention]) -> String {
        let is_object = self.objects.contains(thing.class.as_str());
        let count = if is_object {
            let there: Vec<&str> = places.iter().flat_map(|receptacle| self.places(receptacle)).collect();
            self.meant(thing)
                .into_iter()
                .filter(|(_, at)| places.is_empty() || at.is_some_and(|at| there.contains(&at)))
                .count()
        } else if self.changes.room.is_empty() {
            // Which receptacles there are can only be seen.
            return say(self.seed, UNKNOWN, "");
        } else {
            self.places(thing).len()
        };
        let class = &thing.class;
        let number = match (count, self.names_classes) {
            (0, _) => format!("no {class}"),
            (1, _) => format!("one {class}"),
            (_, true) => format!("more than one {class}"),
            (count, false) => format!("{count} of the kind {class}"),
        };
        let receptacle = match places {
            [] => String::new(),
            [receptacle, ..] => format!(" in/on the {}", self.named(receptacle)),
        };
        say(self.seed, COUNT, &(number + &receptacle))
    }

    pub(super) fn held(&self, asked: &[Mention]) -> String {
        if !self.changes.sees {
            return say(self.seed, UNKNOWN, "");
        }
        let held = self.everything().filter(|(_, at)| at.is_none());
        let held: Vec<&str> = held.map(|(object, _)| object).collect();
        match (asked.first(), held.first()) {
            (None, None) => say(self.seed, EMPTY_HANDS, ""),
            (None, Some(object)) => say(self.seed, HELD, self.name(object)),
            (Some(thing), _) => match held.iter().find(|object| is_meant(object, thing)) {
                Some(object) => say(self.seed, HOLDS, self.name(object)),
                None => say(self.seed, NOT_HELD, &self.named(thing)),
            },
        }
    }

    pub(super) fn treated(&self, thing: &Mention, verb: &str) -> String {
        let found = self.changes.treated.iter().find(|(object, with)| **with == *verb && is_meant(object, thing));
        match found {
            Some((object, _)) => format!("Yes, you have {} the {}.", past_tense(verb), self.name(object)),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    pub(super) fn task(&self, opened: Option<&str>) -> String {
        match self.changes.task.as_deref().or(opened) {
            Some(task) => say(self.seed, TASK, task.trim().trim_end_matches('.')),
            None => say(self.seed, UNKNOWN, ""),
        }
    }

    pub(super) fn done(&self) -> String {
        let left = self.plan.steps().nth(self.changes.steps_done).is_some();
        match (self.changes.sees, left) {
            (false, _) => say(self.seed, UNKNOWN, ""),
            (true, true) => say(self.seed, NOT_DONE, ""),
            (true, false) => say(self.seed, DONE, ""),
        }
    }

    /// The class of what is needed next.
    pub(super) fn needed(&self) -> Option<&'a str> {
        self.plan.takes().find(|(object, _)| self.changes.moved(object).is_none()).map(|(object, _)| class_of(object))
    }
}

fn past_tense(verb: &str) -> &'static str {
    match verb {
        "clean" => "cleaned",
        "heat" => "heated",
        _ => "cooled",
    }
}
