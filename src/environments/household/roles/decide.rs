//! The player's next action: a function of what it believes, whom it trusts and, among equals, of the seed.

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;

use super::prior::is_usually_closed;
use super::{Access, Belief, KnownReceptacle, Prior, Thing, Treatment};
use rolecall_core::domain::Seed;

/// Receptacles where the player stands are preferred to equally likely ones elsewhere: they save
/// the way.
const NEARNESS: f32 = 1.001;

/// A receptacle that an earlier trial saw comes after every one that does not even come to mind.
const RULED_OUT: f32 = 0.0001;

/// A decision: the belief that it is made by, and all else that it takes into account.
#[derive(Clone, Copy)]
pub(super) struct Decision<'a> {
    pub(super) belief: &'a Belief,
    /// Receptacles that the user suggested for what is being looked for.
    pub(super) leads: &'a [u8],
    /// Objects that the user asked for.
    pub(super) preferred: &'a [Box<str>],
    /// Whether the player closes again what it opened in vain.
    pub(super) tidy: bool,
    /// The game's wording of putting, such as `move {object} to {receptacle}`.
    pub(super) put: &'a str,
    /// For a choice among equals.
    pub(super) seed: Seed,
}

impl Decision<'_> {
    /// The next action; none if there is no task.
    pub(super) fn next_action(&self) -> Option<String> {
        let belief = self.belief;
        let goal = belief.goal.as_ref()?;
        let Some(held) = &belief.holding else {
            return Some(match self.cheapest(belief.candidates(goal)) {
                Some(thing) => belief.take_step(thing),
                None => self.explore(&goal.object),
            });
        };
        let target = &goal.target;
        Some(match goal.treatment {
            _ if belief.is_useless(held, goal) => match belief.nearest_to_get_rid() {
                Some(target) => self.put_held(target, held),
                None => "look".to_owned(),
            },
            _ if goal.light => self.use_lamp(belief.thing(target), target),
            Some(treatment) if belief.treated != belief.holding => self.treat_held(treatment, held),
            _ => self.put_or_seek(belief.kept_at(goal), target, held),
        })
    }

    /// Switches the lamp on, if it is known, and else looks for one of its class.
    pub(super) fn use_lamp(&self, lamp: Option<&Thing>, class: &str) -> String {
        let belief = self.belief;
        match lamp {
            Some(lamp) => belief.at(lamp.place, false, |_| format!("use {}", lamp.name)),
            None => self.explore(class),
        }
    }

    /// Puts what is held into that receptacle, or else into the best one of the class.
    pub(super) fn put_or_seek(&self, target: Option<u8>, class: &str, held: &str) -> String {
        match target.or_else(|| self.belief.best_of_class(class)) {
            Some(target) => self.put_held(target, held),
            None => self.explore(class),
        }
    }

    /// The object that the user asked for, and else one that is near.
    pub(super) fn cheapest<'t>(&self, of: impl Iterator<Item = &'t Thing>) -> Option<&'t Thing> {
        of.min_by_key(|thing| {
            let preferred = self.preferred.contains(&thing.name);
            let here = self.belief.room.is_here(thing.place);
            (!preferred, !here, thing.is_hearsay)
        })
    }

    pub(super) fn treat_held(&self, treatment: Treatment, held: &str) -> String {
        match self.belief.best_station(treatment) {
            Some(station) => self.belief.treat_at(station, treatment, held),
            None => self.explore(treatment.stations()[0]),
        }
    }

    fn put_held(&self, target: u8, held: &str) -> String {
        self.belief.at(target, true, |target| self.put.replace("{object}", held).replace("{receptacle}", &target.name))
    }

    /// The step that looks for an object of the class: where the user said, else where it is
    /// likeliest, and where everything was seen, where nobody has looked for longest.
    pub(super) fn explore(&self, class: &str) -> String {
        let belief = self.belief;
        if let Some(opened) = belief.opened_in_vain().filter(|_| self.tidy) {
            return format!("close {}", opened.name);
        }
        let led = self.leads.iter().copied().find(|lead| belief.is_unseen(*lead));
        let unseen = led.or_else(|| self.best_unseen(class));
        match unseen.or_else(|| belief.seen_longest_ago()) {
            Some(index) => belief.look_into_step(index),
            None => "look".to_owned(),
        }
    }

    fn best_unseen(&self, class: &str) -> Option<u8> {
        let (mut best, mut highest) = (Vec::new(), f32::MIN);
        let prior = Prior::of(class, self.belief.search);
        let places = self.belief.room.receptacles();
        for (index, place) in places.filter(|(_, place)| place.is_unseen()) {
            let worth = self.belief.worth(index, place, prior);
            if worth > highest {
                highest = worth;
                best.clear();
            }
            if worth == highest {
                best.push(index);
            }
        }
        best.choose(&mut ChaCha8Rng::seed_from_u64(self.seed.0)).copied()
    }
}

impl Belief {
    pub(super) fn take_step(&self, thing: &Thing) -> String {
        let take = |from: &KnownReceptacle| format!("take {} from {}", thing.name, from.name);
        self.at(thing.place, true, take)
    }

    /// Goes to a receptacle, opens it if need be, and does something there.
    fn at(&self, index: u8, inside: bool, act: impl FnOnce(&KnownReceptacle) -> String) -> String {
        let Some(place) = self.room.receptacle(index) else {
            return "look".to_owned();
        };
        if !self.room.is_here(index) {
            format!("go to {}", place.name)
        } else if inside && place.state == Access::Closed {
            format!("open {}", place.name)
        } else {
            act(place)
        }
    }

    pub(super) fn treat_at(&self, station: u8, treatment: Treatment, held: &str) -> String {
        let verb = treatment.verb();
        self.at(station, false, |with| format!("{verb} {held} with {}", with.name))
    }

    /// The receptacle into which something of no use is put with the fewest steps.
    pub(super) fn nearest_to_get_rid(&self) -> Option<u8> {
        let cost = |(index, place): &(u8, &KnownReceptacle)| (!self.room.is_here(*index), place.state != Access::Open);
        self.room.usable().min_by_key(cost).map(|(index, _)| index)
    }

    /// The receptacle of a class that takes the fewest steps to use.
    pub(super) fn best_of_class(&self, class: &str) -> Option<u8> {
        let cost = |(index, place): &(u8, &KnownReceptacle)| (place.state != Access::Open, !self.room.is_here(*index));
        self.room.usable().filter(|(_, place)| place.class() == class).min_by_key(cost).map(|(index, _)| index)
    }

    /// The receptacle that takes the fewest steps to treat something.
    pub(super) fn best_station(&self, treatment: Treatment) -> Option<u8> {
        treatment.stations().iter().find_map(|class| self.best_of_class(class))
    }

    /// The receptacle that was just opened for nothing; one that the object belongs into stays open.
    fn opened_in_vain(&self) -> Option<&KnownReceptacle> {
        let place = self.room.receptacle(self.just_opened?)?;
        let target = self.goal.as_ref()?.goes_into(place.class());
        (!target && place.state == Access::Open).then_some(place)
    }

    /// Whether it is worth looking into the receptacle.
    pub(super) fn is_unseen(&self, index: u8) -> bool {
        self.room.receptacle(index).is_some_and(KnownReceptacle::is_unseen)
    }

    /// Whether the last look was the last one into a class of several receptacles.
    pub(super) fn class_exhausted(&self) -> bool {
        let class = self.just_seen.and_then(|index| self.room.receptacle(index)).map_or("", KnownReceptacle::class);
        let of_class: Vec<_> =
            self.room.receptacles().map(|(_, place)| place).filter(|place| place.class() == class).collect();
        of_class.len() > 1 && !of_class.iter().any(|place| place.is_unseen())
    }

    /// How promising it is to look there for an object of the prior's class: places that were said to be
    /// likely before all others, nearer ones first among equals.
    pub(super) fn worth(&self, index: u8, receptacle: &KnownReceptacle, prior: Prior<'_>) -> f32 {
        let hinted = f32::from(u8::from(self.is_hinted(prior.class, receptacle)));
        let doubt = match (receptacle.ruled_out, receptacle.doubted) {
            (true, _) => RULED_OUT,
            (false, true) => 0.05,
            (false, false) => 1.0,
        };
        let here = self.room.is_here(index);
        let nearness = if here { NEARNESS } else { 1.0 };
        (prior.likelihood(receptacle.class()) + hinted) * doubt * nearness
    }

    fn look_into_step(&self, index: u8) -> String {
        self.at(index, false, |place| match place.is_expected_closed() {
            true => format!("open {}", place.name),
            false => format!("examine {}", place.name),
        })
    }

    fn seen_longest_ago(&self) -> Option<u8> {
        self.room
            .receptacles()
            .filter(|(_, place)| !place.dead)
            .min_by_key(|(_, place)| place.seen_at)
            .map(|(index, _)| index)
    }
}

impl KnownReceptacle {
    /// Whether it is worth looking into it.
    fn is_unseen(&self) -> bool {
        self.seen_at == 0 && !self.dead
    }

    /// Whether it is closed as far as one knows.
    pub(super) fn is_expected_closed(&self) -> bool {
        match self.state {
            Access::Closed => true,
            Access::Unknown => is_usually_closed(self.class()) && !self.no_door,
            Access::Open => false,
        }
    }
}
