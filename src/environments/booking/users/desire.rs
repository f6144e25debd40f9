//! What a user wants of one domain, and how far that has come.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::environments::booking::api::Domain;
use crate::environments::booking::goal::{DomainGoal, filled};
use crate::environments::booking::language::{
    Pair, Sentence, asked, domain, is_booked, is_failure, is_offer, read, tells,
};
use crate::environments::booking::normalise::normalised;
use crate::text::unique;

/// A thing that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Want<'g> {
    pub(super) slot: &'g str,
    pub(super) value: &'g str,
    /// It belongs to the booking.
    pub(super) books: bool,
}

/// What is wanted of one domain.
#[derive(Clone, Debug)]
pub(super) struct Desire<'g> {
    pub(super) domain: Domain,
    pub(super) goal: &'g DomainGoal,
    /// Where a taxi goes from and to, if the goal names the domains only.
    ways: Vec<Want<'g>>,
    /// There is nothing of the first request: the other one holds.
    pub(super) is_fallen: bool,
    /// The first booking was refused: the other one holds.
    is_rebooked: bool,
    /// The user spoke of it.
    pub(super) is_opened: bool,
    /// Something was offered.
    pub(super) is_offered: bool,
    /// The reference number was told.
    is_referenced: bool,
    /// Slots that were said.
    pub(super) told: BTreeSet<&'g str>,
    /// Slots that the agent asked for, or had wrong.
    pub(super) asked: BTreeSet<&'g str>,
    /// What the user wanted to know, and was told.
    pub(super) answered: BTreeSet<&'g str>,
}

impl<'g> Desire<'g> {
    pub(super) fn new(domain: Domain, goal: &'g DomainGoal, ways: Vec<Want<'g>>) -> Self {
        Self {
            domain,
            goal,
            ways,
            is_fallen: false,
            is_rebooked: false,
            is_opened: false,
            is_offered: false,
            is_referenced: false,
            told: BTreeSet::new(),
            asked: BTreeSet::new(),
            answered: BTreeSet::new(),
        }
    }

    /// Everything that is wanted now, in the order in which it is said.
    pub(super) fn wants(&self) -> Vec<Want<'g>> {
        let info = match self.is_fallen {
            true => &self.goal.info,
            false => self.goal.first_info(),
        };
        let mut wants = self.ways.clone();
        wants.extend(texts(info, false));
        if let Some(book) = self.goal.booking() {
            let first = self.goal.fail_book.as_ref().filter(|_| !self.is_rebooked);
            let changed = |slot| first.and_then(|first| first.get(slot));
            let own = book.iter().map(|(slot, value)| (slot, changed(slot).unwrap_or(value)));
            let others = first.into_iter().flatten();
            let others = others.filter(|(slot, _)| !book.contains_key(*slot));
            wants.extend(texts(own.chain(others), true));
        }
        // A ride is told from its beginning to its end.
        wants.sort_by_key(|want| {
            let before = match want.books {
                true => ["people", "day"],
                false => ["departure", "destination"],
            };
            let place = before.iter().position(|slot| *slot == want.slot);
            (want.books, place.unwrap_or(before.len()))
        });
        wants
    }

    /// What is wanted of a slot now.
    pub(super) fn want(&self, slot: &str) -> Option<Want<'g>> {
        self.wants().into_iter().find(|want| want.slot == slot)
    }

    /// Whether something is to be booked.
    pub(super) fn books(&self) -> bool {
        self.goal.booking().is_some()
    }

    /// What was asked for is not there, or its booking was refused: asks for the other one. False if there is none.
    fn fall(&mut self, books: bool) -> bool {
        let before = self.wants();
        let (is_fallen, first) = match books {
            true => (&mut self.is_rebooked, &self.goal.fail_book),
            false => (&mut self.is_fallen, &self.goal.fail_info),
        };
        if *is_fallen || filled(first.as_ref()).is_none() {
            return false;
        }
        *is_fallen = true;
        self.is_offered &= books;
        for want in self.wants() {
            if !before.contains(&want) {
                // It was not said yet, and what is asked for instead is what one does not forget.
                self.told.remove(want.slot);
                self.asked.insert(want.slot);
            }
        }
        true
    }

    /// The pairs that the user said in its first words: what fits counts as said. If it is the other request that
    /// fits, that one holds.
    pub(super) fn began(&mut self, pairs: &[Pair]) {
        let says = |want: &Want<'_>| {
            let mut pairs = pairs.iter().filter(|(slot, _)| *slot == want.slot);
            pairs.any(|(slot, value)| is_same(slot, value, want.value))
        };
        let says_one = |wants: &[Want<'_>], others: &[Want<'_>]| {
            let mut wants = wants.iter().filter(|want| !others.contains(want));
            wants.any(says)
        };
        let (now, mut fallen) = (self.wants(), self.clone());
        if fallen.fall(false) {
            let later = fallen.wants();
            if says_one(&later, &now) && !says_one(&now, &later) {
                *self = fallen;
            }
        }
        let wants = self.wants().into_iter();
        let said = wants.filter(|want| !want.books && says(want));
        self.told.extend(said.map(|want| want.slot));
    }

    /// What an agent has wrong: slots with what is wanted, or none if they do not matter. `failing`: it says that
    /// there is nothing, and with which values.
    pub(super) fn wrong(&self, text: &[Sentence], failing: bool) -> Vec<(&'static str, Option<Want<'g>>)> {
        let own = text.iter().filter(|sentence| {
            let about = domain(sentence, Some(self.domain));
            about.is_none_or(|about| about == self.domain)
        });
        let pairs = own.flat_map(|sentence| {
            let is_way = sentence.has("from") && sentence.has("to");
            let is_food = sentence.has_any("food, cuisine, serving");
            let mut pairs = read(sentence, self.domain);
            pairs.retain(|(slot, _)| match *slot {
                "departure" | "destination" => is_way,
                "food" => is_food,
                _ => true,
            });
            pairs
        });
        let pairs: Vec<Pair> = pairs.collect();
        let wrong = pairs.iter().filter_map(|(slot, value)| {
            let mut all = pairs.iter().filter(|(other, _)| other == slot);
            let is_wrong = match self.want(slot) {
                Some(want) => {
                    let named = want.value.to_lowercase();
                    all.all(|(_, own)| own == value)
                        && !self.ways.iter().any(|way| way.slot == *slot)
                        && !text.iter().any(|sentence| sentence.has(&named))
                        && !self.fits(slot, value, want.value)
                }
                // In what was not found, a value that nobody asked for stands in the way.
                None => failing && !matches!(*slot, "day" | "time" | "people" | "stay" | "trainID"),
            };
            is_wrong.then(|| (*slot, self.want(slot)))
        });
        unique(wrong)
    }

    /// Takes note of what the agent said; says how much that brought.
    pub(super) fn hear(&mut self, text: &[Sentence]) -> u32 {
        let failing = is_failure(text);
        let wrong = self.wrong(text, failing);
        let asked = asked(text, self.domain).slots;
        let mut steps = 0;
        for slot in asked.iter().chain(wrong.iter().map(|(slot, _)| slot)) {
            steps += u32::from(self.asked.insert(slot));
        }
        let mut booked = self.wants().into_iter().filter(|want| want.books);
        let is_said = booked.all(|want| self.told.contains(want.slot));
        let is_booking = self.is_offered && self.books() && is_said;
        let mut wanted = wrong.iter().filter_map(|(_, want)| *want);
        if wanted.any(|want| want.books) {
            self.is_referenced = false;
        } else if tells(text, "reference") && self.books() && !self.is_referenced {
            (self.is_referenced, self.is_offered) = (true, true);
            steps += 1;
        } else if failing && wrong.is_empty() {
            steps += u32::from(self.fall(is_booking));
        }
        let asks_more = asked.iter().any(|slot| !is_booked(self.domain, slot));
        if !failing && !asks_more && !self.is_offered && is_offer(text) {
            self.is_offered = true;
            steps += 1;
        }
        for slot in self.goal.requests() {
            steps += u32::from(tells(text, slot) && self.answered.insert(slot));
        }
        steps
    }

    /// Everything was said, offered, told and booked.
    pub(super) fn is_done(&self, forgets: impl Fn(Want<'g>) -> bool) -> bool {
        let mut wants = self.wants().into_iter();
        let mut requests = self.goal.requests().iter();
        self.is_opened
            && wants.all(|want| self.told.contains(want.slot) || forgets(want))
            && (self.is_offered || self.domain == Domain::Taxi)
            && requests.all(|slot| self.answered.contains(slot.as_str()))
            && (self.is_referenced || !self.books())
    }

    /// Whether what an agent says of a slot is what is wanted. A train may leave later and arrive earlier.
    fn fits(&self, slot: &str, value: &str, wanted: &str) -> bool {
        match (self.domain, slot) {
            (Domain::Train, "leaveAt") => value >= wanted,
            (Domain::Train, "arriveBy") => value <= wanted,
            (Domain::Taxi, "leaveAt" | "arriveBy") => of_day(value) == of_day(wanted),
            _ => is_same(slot, value, wanted),
        }
    }
}

/// A time as minutes of a day: half past midnight may be called 24:30.
fn of_day(time: &str) -> Option<u32> {
    let (hours, minutes) = time.split_once(':')?;
    Some(hours.parse::<u32>().ok()? % 24 * 60 + minutes.parse::<u32>().ok()?)
}

/// The slots whose values are texts. Marks such as `invalid` are no wishes.
fn texts<'g>(slots: impl IntoIterator<Item = (&'g String, &'g Value)>, books: bool) -> impl Iterator<Item = Want<'g>> {
    let texts = slots.into_iter();
    let texts = texts.filter_map(|(slot, value)| Some((slot, value.as_str()?.trim())));
    let texts = texts.filter(|(_, value)| !value.is_empty());
    texts.map(move |(slot, value)| Want { slot, value, books })
}

/// Whether two values of a slot mean the same: as the databases compare them, or one name within the other.
fn is_same(slot: &str, one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|value| {
        let small = value.to_lowercase();
        let normal = normalised(slot, &small);
        let normal = normal.as_deref().unwrap_or(&small);
        normal.trim_start_matches("the ").to_owned()
    });
    let is_name = matches!(slot, "name" | "departure" | "destination" | "food");
    one == other || is_name && (one.contains(&other) || other.contains(&one))
}
