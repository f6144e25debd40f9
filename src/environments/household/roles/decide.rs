//! What the player does next: a function of what it believes, whom it trusts and, among equals,
//! of the seed.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::prior::is_usually_closed;
use super::{Belief, Goal, KnownReceptacle, PlaceState, Prior, Thing, Treatment};
use crate::domain::Seed;

/// Receptacles where the player stands are preferred to equally likely ones elsewhere: they save
/// the way.
const NEARNESS: f32 = 1.001;

/// What was seen in an earlier trial comes after every place that does not even come to mind.
const RULED_OUT: f32 = 0.0001;

/// What a decision takes into account besides the belief.
pub(super) struct Guidance<'a> {
    /// Receptacles that the user suggested for what is being looked for.
    pub(super) leads: &'a [u8],
    /// Objects that the user asked for.
    pub(super) preferred: &'a [Box<str>],
    /// Whether the player closes again what it opened in vain.
    pub(super) tidy: bool,
    /// How the game words putting, such as `move {object} to {receptacle}`.
    pub(super) put: &'a str,
    /// For a choice among equals.
    pub(super) seed: Seed,
}

impl Belief {
    /// The next action; none if there is no task.
    pub(super) fn next_action(&self, guidance: &Guidance<'_>) -> Option<String> {
        let goal = self.goal.as_ref()?;
        let Some(held) = &self.holding else {
            return Some(self.fetch(goal, guidance));
        };
        if self.is_useless(held, goal) {
            return Some(self.get_rid_of(held, guidance));
        }
        let target = &goal.target;
        if goal.light {
            return Some(self.use_lamp(self.thing(target), target, guidance));
        }
        Some(match goal.treatment {
            Some(treatment) if self.treated != self.holding => {
                self.treat_held(treatment, held, guidance)
            }
            _ => {
                let kept = self.kept_at(goal);
                self.put_or_seek(kept, target, held, guidance)
            }
        })
    }

    /// Switches the lamp on, if it is known, and else looks for one of its class.
    pub(super) fn use_lamp(
        &self,
        lamp: Option<&Thing>,
        class: &str,
        guidance: &Guidance<'_>,
    ) -> String {
        match lamp {
            Some(lamp) => self.at(lamp.place, false, || format!("use {}", lamp.name)),
            None => self.explore(class, guidance),
        }
    }

    /// Puts what is held into that receptacle, or else into the best one of the class.
    pub(super) fn put_or_seek(
        &self,
        target: Option<u8>,
        class: &str,
        held: &str,
        guidance: &Guidance<'_>,
    ) -> String {
        match target.or_else(|| self.best_of_class(class)) {
            Some(target) => self.put_held(target, held, guidance),
            None => self.explore(class, guidance),
        }
    }

    fn fetch(&self, goal: &Goal, guidance: &Guidance<'_>) -> String {
        match self.cheapest(self.candidates(goal), guidance) {
            Some(thing) => self.take_step(thing),
            None => self.explore(&goal.object, guidance),
        }
    }

    /// The thing that the user asked for, and else one that is near.
    pub(super) fn cheapest<'a>(
        &self,
        objects: impl Iterator<Item = &'a Thing>,
        guidance: &Guidance<'_>,
    ) -> Option<&'a Thing> {
        objects.min_by_key(|thing| {
            let preferred = guidance.preferred.contains(&thing.name);
            (
                !preferred,
                !self.room.is_here(thing.place),
                thing.is_hearsay,
            )
        })
    }

    pub(super) fn take_step(&self, thing: &Thing) -> String {
        self.at(thing.place, true, || {
            let from = self.room.name(thing.place);
            format!("take {} from {from}", thing.name)
        })
    }

    /// Goes to a receptacle, opens it if need be, and does something there.
    pub(super) fn at(&self, index: u8, inside: bool, act: impl FnOnce() -> String) -> String {
        let Some(place) = self.room.receptacle(index) else {
            return "look".to_owned();
        };
        if !self.room.is_here(index) {
            format!("go to {}", place.name)
        } else if inside && place.state == PlaceState::Closed {
            format!("open {}", place.name)
        } else {
            act()
        }
    }

    pub(super) fn treat_held(
        &self,
        treatment: Treatment,
        held: &str,
        guidance: &Guidance<'_>,
    ) -> String {
        match self.best_station(treatment) {
            Some(station) => self.treat_at(station, treatment, held),
            None => self.explore(treatment.stations()[0], guidance),
        }
    }

    pub(super) fn treat_at(&self, station: u8, treatment: Treatment, held: &str) -> String {
        self.at(station, false, || {
            let with = self.room.name(station);
            format!("{} {held} with {with}", treatment.verb())
        })
    }

    pub(super) fn put_held(&self, target: u8, held: &str, guidance: &Guidance<'_>) -> String {
        self.at(target, true, || {
            let put = guidance.put.replace("{object}", held);
            put.replace("{receptacle}", self.room.name(target))
        })
    }

    /// Something of no use is in hand: put it down where that is possible.
    fn get_rid_of(&self, held: &str, guidance: &Guidance<'_>) -> String {
        match self.place_to_get_rid() {
            Some(target) => self.put_held(target, held, guidance),
            None => "look".to_owned(),
        }
    }

    /// Where something of no use is put down with the fewest steps.
    pub(super) fn place_to_get_rid(&self) -> Option<u8> {
        let cost = |(index, place): &(u8, &KnownReceptacle)| {
            (!self.room.is_here(*index), place.state != PlaceState::Open)
        };
        self.room
            .usable()
            .min_by_key(cost)
            .map(|(target, _)| target)
    }

    /// The receptacle of a class that takes the fewest steps to use.
    pub(super) fn best_of_class(&self, class: &str) -> Option<u8> {
        let able = self.room.usable();
        let able = able.filter(|(_, place)| place.class() == class);
        let cost = |(index, place): &(u8, &KnownReceptacle)| {
            (place.state != PlaceState::Open, !self.room.is_here(*index))
        };
        able.min_by_key(cost).map(|(index, _)| index)
    }

    /// The receptacle that takes the fewest steps to treat something.
    pub(super) fn best_station(&self, treatment: Treatment) -> Option<u8> {
        let mut stations = treatment.stations().iter();
        stations.find_map(|class| self.best_of_class(class))
    }

    /// The step that looks for an object of the class: where the user said, else where it is
    /// likeliest.
    pub(super) fn explore(&self, class: &str, guidance: &Guidance<'_>) -> String {
        if let Some(place) = self.opened_in_vain().filter(|_| guidance.tidy) {
            return format!("close {}", place.name);
        }
        let led = guidance
            .leads
            .iter()
            .copied()
            .find(|lead| self.is_unseen(*lead));
        match led.or_else(|| self.best_unseen(class, guidance.seed)) {
            Some(index) => self.look_into_step(index),
            None => self.look_again(),
        }
    }

    /// The receptacle that was just opened for nothing; one that the object belongs into stays open.
    fn opened_in_vain(&self) -> Option<&KnownReceptacle> {
        let place = self.room.receptacle(self.just_opened?)?;
        let target = self.goal.as_ref()?.goes_into(place.class());
        (!target && place.state == PlaceState::Open).then_some(place)
    }

    /// Whether it is worth looking into the receptacle.
    pub(super) fn is_unseen(&self, index: u8) -> bool {
        let place = self.room.receptacle(index);
        place.is_some_and(|place| place.seen_at == 0 && !place.dead)
    }

    /// Whether the last look was the last one into a class of several receptacles.
    pub(super) fn class_exhausted(&self) -> bool {
        let looked = self.just_seen.and_then(|index| self.room.receptacle(index));
        let class = looked.map_or("", KnownReceptacle::class);
        let mut count = 0;
        for (index, place) in self.room.places() {
            if place.class() == class {
                if self.is_unseen(index) {
                    return false;
                }
                count += 1;
            }
        }
        count > 1
    }

    fn best_unseen(&self, class: &str, seed: Seed) -> Option<u8> {
        let mut best: Vec<u8> = Vec::new();
        let prior = Prior::of(class);
        let mut highest = f32::MIN;
        for (index, place) in self.room.places() {
            if !self.is_unseen(index) {
                continue;
            }
            let worth = self.worth(index, place, class, prior);
            if worth > highest {
                highest = worth;
                best.clear();
            }
            if worth == highest {
                best.push(index);
            }
        }
        if best.len() < 2 {
            return best.pop();
        }
        best.choose(&mut ChaCha8Rng::seed_from_u64(seed.0)).copied()
    }

    /// How promising it is to look there for an object of the class: places that were said to be
    /// likely before all others, nearer ones first among equals.
    pub(super) fn worth(
        &self,
        index: u8,
        receptacle: &KnownReceptacle,
        class: &str,
        prior: Prior,
    ) -> f32 {
        let hinted = if self.is_hinted(class, receptacle) {
            1.0
        } else {
            0.0
        };
        let doubt = match (receptacle.ruled_out, receptacle.doubted) {
            (true, _) => RULED_OUT,
            (false, true) => 0.05,
            (false, false) => 1.0,
        };
        let nearness = if self.room.is_here(index) {
            NEARNESS
        } else {
            1.0
        };
        (prior.likelihood(receptacle.class()) + hinted) * doubt * nearness
    }

    fn look_into_step(&self, index: u8) -> String {
        let Some(place) = self.room.receptacle(index) else {
            return "look".to_owned();
        };
        let closed = place.state == PlaceState::Closed;
        let name = &place.name;
        if !self.room.is_here(index) {
            format!("go to {name}")
        } else if closed || self.may_have_door(place) {
            format!("open {name}")
        } else {
            format!("examine {name}")
        }
    }

    /// Whether the receptacle is closed as far as one knows.
    pub(super) fn is_expected_closed(&self, name: &str) -> bool {
        let place = self.room.named(name);
        place.is_some_and(|(_, place)| {
            place.state == PlaceState::Closed || self.may_have_door(place)
        })
    }

    fn may_have_door(&self, receptacle: &KnownReceptacle) -> bool {
        receptacle.state == PlaceState::Unknown
            && is_usually_closed(receptacle.class())
            && !receptacle.no_door
    }

    /// Everything was seen: look again where nobody has looked for longest.
    fn look_again(&self) -> String {
        let reachable = self.room.places().filter(|(_, place)| !place.dead);
        match reachable.min_by_key(|(_, place)| place.seen_at) {
            Some((index, _)) => self.look_into_step(index),
            None => "look".to_owned(),
        }
    }
}
