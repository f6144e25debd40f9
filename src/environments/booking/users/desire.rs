//! What a user wants of one domain, and how far that has come.

use std::collections::BTreeSet;

use crate::environments::booking::api::Domain;
use crate::environments::booking::goal::{DomainGoal, Slots};
use crate::environments::booking::language::{Pair, Sentence, domain, is_booked, read};
use crate::environments::booking::normalise::normalised;

/// A thing that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) slot: String,
    pub(super) value: String,
    /// It belongs to the booking.
    pub(super) books: bool,
}

/// What is wanted of one domain.
#[derive(Clone, Debug)]
pub(super) struct Desire<'g> {
    pub(super) domain: Domain,
    goal: &'g DomainGoal,
    /// Where a taxi goes from and to, if the goal names the domains only.
    ways: Vec<(&'static str, Domain)>,
    /// There is nothing of the first request: the other one holds.
    pub(super) is_fallen: bool,
    /// The first booking was refused: the other one holds.
    pub(super) is_rebooked: bool,
    /// The user spoke of it.
    pub(super) is_opened: bool,
    /// Something was offered.
    pub(super) is_offered: bool,
    /// The reference number was told.
    pub(super) is_referenced: bool,
    /// Slots that were said.
    pub(super) told: BTreeSet<String>,
    /// Slots that the agent asked for, or had wrong.
    pub(super) asked: BTreeSet<String>,
    /// What the user wanted to know, and was told.
    pub(super) answered: BTreeSet<String>,
}

impl<'g> Desire<'g> {
    pub(super) fn new(
        domain: Domain,
        goal: &'g DomainGoal,
        ways: Vec<(&'static str, Domain)>,
    ) -> Self {
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

    /// What is asked for first although there is nothing of the kind.
    fn fail_info(&self) -> Option<&Slots> {
        self.goal
            .fail_info
            .as_ref()
            .filter(|slots| !slots.is_empty())
    }

    fn fail_book(&self) -> Option<&Slots> {
        self.goal
            .fail_book
            .as_ref()
            .filter(|slots| !slots.is_empty())
    }

    /// Everything that is wanted now, in the order in which it is said.
    pub(super) fn wants(&self) -> Vec<Want> {
        let info = match self.fail_info() {
            Some(first) if !self.is_fallen => first,
            _ => &self.goal.info,
        };
        let ways = self.ways.iter().map(|(slot, place)| Want {
            slot: (*slot).to_owned(),
            value: format!("the {place}"),
            books: false,
        });
        let mut wants: Vec<Want> = ways.chain(texts(info, false)).collect();
        // A ride is told from its beginning to its end.
        wants.sort_by_key(|want| match want.slot.as_str() {
            "departure" => 0,
            "destination" => 1,
            _ => 2,
        });
        if let Some(book) = self.goal.booking() {
            let mut book = book.clone();
            if let Some(first) = self.fail_book().filter(|_| !self.is_rebooked) {
                book.extend(first.clone());
            }
            let mut book: Vec<Want> = texts(&book, true).collect();
            book.sort_by_key(|want| {
                ["people", "day"]
                    .iter()
                    .position(|slot| *slot == want.slot)
                    .unwrap_or(2)
            });
            wants.extend(book);
        }
        wants
    }

    /// What is wanted of a slot now.
    pub(super) fn want(&self, slot: &str) -> Option<Want> {
        self.wants().into_iter().find(|want| want.slot == slot)
    }

    pub(super) fn requests(&self) -> &[String] {
        self.goal.requests()
    }

    /// Whether a slot belongs to the booking.
    pub(super) fn is_of_booking(&self, slot: &str) -> bool {
        is_booked(self.domain, slot)
    }

    /// Whether something is to be booked.
    pub(super) fn books(&self) -> bool {
        self.goal.booking().is_some()
    }

    /// There is nothing of what was asked for: asks for the other thing. False if there is none.
    pub(super) fn fall(&mut self) -> bool {
        if self.is_fallen || self.fail_info().is_none() {
            return false;
        }
        let before = self.wants();
        self.is_fallen = true;
        self.is_offered = false;
        self.forget_changes(&before);
        true
    }

    /// The booking was refused: asks for the other one. False if there is none.
    pub(super) fn rebook(&mut self) -> bool {
        if self.is_rebooked || self.fail_book().is_none() {
            return false;
        }
        let before = self.wants();
        self.is_rebooked = true;
        self.forget_changes(&before);
        true
    }

    /// What changed was not said yet.
    fn forget_changes(&mut self, before: &[Want]) {
        for want in self.wants() {
            if !before.contains(&want) {
                self.told.remove(&want.slot);
                // What is asked for instead is what one does not forget.
                self.asked.insert(want.slot);
            }
        }
    }

    /// The pairs that the user said in its first words: what fits counts as said. If it is the other request that
    /// fits, that one holds.
    pub(super) fn began(&mut self, pairs: &[Pair]) {
        let says = |want: &Want| {
            pairs
                .iter()
                .any(|(slot, value)| *slot == want.slot && is_same(slot, value, &want.value))
        };
        let now = self.wants();
        let mut later = self.clone();
        if later.fall() {
            let mut changed = later.wants().into_iter().filter(|want| !now.contains(want));
            let mut first = now
                .iter()
                .filter(|want| later.wants().iter().all(|other| other != *want));
            if changed.any(|want| says(&want)) && !first.any(says) {
                self.fall();
            }
        }
        let said = self
            .wants()
            .into_iter()
            .filter(|want| !want.books && says(want));
        self.told
            .extend(said.map(|want| want.slot).collect::<Vec<_>>());
    }

    /// What an agent has wrong: slots with what is wanted, or none if they do not matter. `failing`: it says that
    /// there is nothing, and with which values.
    pub(super) fn wrong(
        &self,
        text: &[Sentence],
        failing: bool,
    ) -> Vec<(&'static str, Option<Want>)> {
        let mut pairs: Vec<Pair> = Vec::new();
        for sentence in text {
            let about = domain(sentence, Some(self.domain)).unwrap_or(self.domain);
            if about != self.domain {
                continue;
            }
            let is_way = sentence.has("from") && sentence.has("to");
            let is_food = sentence.has_any("food, cuisine, serving");
            let read = read(sentence, self.domain)
                .into_iter()
                .filter(|(slot, _)| match *slot {
                    "departure" | "destination" => is_way,
                    "food" => is_food,
                    _ => true,
                });
            pairs.extend(read);
        }
        let mut wrong: Vec<(&'static str, Option<Want>)> = Vec::new();
        for (slot, value) in &pairs {
            let is_sole = pairs
                .iter()
                .all(|(other, own)| other != slot || own == value);
            if wrong.iter().any(|(other, _)| other == slot) {
                continue;
            }
            match self.want(slot) {
                Some(want) if is_sole => {
                    let is_way = self.ways.iter().any(|(way, _)| way == slot);
                    let is_named = text
                        .iter()
                        .any(|sentence| sentence.has(&want.value.to_lowercase()));
                    if !is_way && !is_named && !self.fits(slot, value, &want.value) {
                        wrong.push((slot, Some(want)));
                    }
                }
                // In what was not found, a value that nobody asked for stands in the way.
                None if failing
                    && !matches!(*slot, "day" | "time" | "people" | "stay" | "trainID") =>
                {
                    wrong.push((slot, None));
                }
                Some(_) | None => {}
            }
        }
        wrong
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
fn texts(slots: &Slots, books: bool) -> impl Iterator<Item = Want> + '_ {
    slots.iter().filter_map(move |(slot, value)| {
        Some(Want {
            slot: slot.clone(),
            value: value
                .as_str()
                .filter(|value| !value.trim().is_empty())?
                .trim()
                .to_owned(),
            books,
        })
    })
}

/// Whether two values of a slot mean the same: as the databases compare them, or one name within the other.
fn is_same(slot: &str, one: &str, other: &str) -> bool {
    let norm = |value: &str| {
        let small = value.to_lowercase();
        let normal =
            normalised(slot, &small).map_or_else(|_| small.clone(), |normal| normal.into_owned());
        normal.trim_start_matches("the ").to_owned()
    };
    let (one, other) = (norm(one), norm(other));
    let is_name = matches!(slot, "name" | "departure" | "destination" | "food");
    one == other || is_name && (one.contains(&other) || other.contains(&one))
}
