//! Wishes of a user in one domain, and their progress.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api::Domain;
use crate::goal::{DomainGoal, filled};
use crate::language::{Pair, Sentence, asked, domain, fragment, is_booked, is_failure, is_offer, read, tells};
use crate::normalise::normalised;
use rolecall_core::text::unique;

/// A thing that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Want<'g> {
    pub(super) slot: &'g str,
    pub(super) value: &'g str,
    /// It belongs to the booking.
    pub(super) books: bool,
}

impl Want<'_> {
    /// The wish as the end of a sentence (` in the north`).
    pub(super) fn fragment(self) -> String {
        let Self { slot, value, .. } = self;
        match slot {
            "food" => format!(" with {value} food"),
            _ => fragment(slot, value).unwrap_or_else(|| format!(" with the {slot} {value}")),
        }
    }
}

/// Several wishes as the end of a sentence. A name goes to the end, for it may hold any word.
pub(super) fn fragments(wants: &[Want<'_>]) -> String {
    let mut wants = wants.to_vec();
    wants.sort_by_key(|want| want.slot == "name");
    wants.into_iter().map(Want::fragment).collect()
}

/// Wishes in one domain.
#[derive(Clone, Debug)]
pub(super) struct Desire<'g> {
    pub(super) domain: Domain,
    pub(super) goal: &'g DomainGoal,
    /// Where a taxi goes from and to, if the goal names the domains only.
    ways: Vec<Want<'g>>,
    /// Nothing met the first constraints: the second ones apply.
    pub(super) is_fallen: bool,
    /// The first booking was refused: the second one applies.
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
    /// Requested slots that were answered.
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

    /// All present wishes, in the order in which they are said.
    pub(super) fn wants(&self) -> Vec<Want<'g>> {
        let info = if self.is_fallen { &self.goal.info } else { self.goal.first_info() };
        let mut wants = self.ways.clone();
        wants.extend(texts(info, false));
        if let Some(book) = self.goal.booking() {
            let first = self.goal.fail_book.as_ref().filter(|_| !self.is_rebooked);
            let changed = |slot| first.and_then(|first| first.get(slot));
            let booked = book.iter().map(|(slot, value)| (slot, changed(slot).unwrap_or(value)));
            let others = first.into_iter().flatten().filter(|(slot, _)| !book.contains_key(*slot));
            wants.extend(texts(booked.chain(others), true));
        }
        // A ride is told from its departure to its destination.
        wants.sort_by_key(|want| {
            let before = if want.books { ["people", "day"] } else { ["departure", "destination"] };
            (want.books, before.iter().position(|slot| *slot == want.slot).unwrap_or(before.len()))
        });
        wants
    }

    /// Present wish for a slot.
    pub(super) fn want(&self, slot: &str) -> Option<Want<'g>> {
        self.wants().into_iter().find(|want| want.slot == slot)
    }

    /// Whether something is to be booked.
    pub(super) fn books(&self) -> bool {
        self.goal.booking().is_some()
    }

    /// Falls back to the second choice when the first one is missing or was refused. False if there is none.
    fn fall(&mut self, books: bool) -> bool {
        let before = self.wants();
        let (is_fallen, first) = if books {
            (&mut self.is_rebooked, &self.goal.fail_book)
        } else {
            (&mut self.is_fallen, &self.goal.fail_info)
        };
        if *is_fallen || filled(first.as_ref()).is_none() {
            return false;
        }
        *is_fallen = true;
        self.is_offered &= books;
        for want in self.wants() {
            if !before.contains(&want) {
                // It was not said yet, and nobody forgets a second choice.
                self.told.remove(want.slot);
                self.asked.insert(want.slot);
            }
        }
        true
    }

    /// Notes the values of the user's first words: wishes that they match count as said. If they match the second
    /// choice, it applies.
    pub(super) fn began(&mut self, pairs: &[Pair]) {
        let says = |want: &Want<'_>| {
            pairs.iter().filter(|(slot, _)| *slot == want.slot).any(|(slot, value)| is_same(slot, value, want.value))
        };
        let says_one =
            |wants: &[Want<'_>], others: &[Want<'_>]| wants.iter().filter(|want| !others.contains(want)).any(says);
        let (now, mut fallen) = (self.wants(), self.clone());
        if fallen.fall(false) {
            let later = fallen.wants();
            if says_one(&later, &now) && !says_one(&now, &later) {
                *self = fallen;
            }
        }
        self.told.extend(self.wants().into_iter().filter(|want| !want.books && says(want)).map(|want| want.slot));
    }

    /// Slots that the agent has wrong, with the wish, or none if they do not matter. `failing`: it reports that
    /// nothing was found, with these values.
    pub(super) fn wrong(&self, text: &[Sentence], failing: bool) -> Vec<(&'static str, Option<Want<'g>>)> {
        let pairs = text
            .iter()
            .filter(|sentence| {
                let about = domain(sentence, Some(self.domain));
                about.is_none_or(|about| about == self.domain)
            })
            .flat_map(|sentence| {
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
                    all.all(|(_, said)| said == value)
                        && !self.ways.iter().any(|way| way.slot == *slot)
                        && !text.iter().any(|sentence| sentence.has(&named))
                        && !self.fits(slot, value, want.value)
                }
                // After a failed search, a value that nobody asked for is in the way.
                None => failing && !matches!(*slot, "day" | "time" | "people" | "stay" | "trainID"),
            };
            is_wrong.then(|| (*slot, self.want(slot)))
        });
        unique(wrong)
    }

    /// Notes a text of the agent; gives the number of steps that it brought.
    pub(super) fn hear(&mut self, text: &[Sentence]) -> u32 {
        let failing = is_failure(text);
        let wrong = self.wrong(text, failing);
        let asked = asked(text, self.domain).slots;
        let mut steps = 0;
        for slot in asked.iter().chain(wrong.iter().map(|(slot, _)| slot)) {
            steps += u32::from(self.asked.insert(slot));
        }
        let is_said = self.wants().into_iter().filter(|want| want.books).all(|want| self.told.contains(want.slot));
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

    /// Whether everything was said, offered, told and booked.
    pub(super) fn is_done(&self, forgets: impl Fn(Want<'g>) -> bool) -> bool {
        let mut wants = self.wants().into_iter();
        let mut requests = self.goal.requests().iter();
        self.is_opened
            && wants.all(|want| self.told.contains(want.slot) || forgets(want))
            && (self.is_offered || self.domain == Domain::Taxi)
            && requests.all(|slot| self.answered.contains(slot.as_str()))
            && (self.is_referenced || !self.books())
    }

    /// Whether a value of the agent meets a wish. A train may leave later and arrive earlier.
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
    let texts = slots.into_iter().filter_map(|(slot, value)| Some((slot, value.as_str()?.trim())));
    texts.filter(|(_, value)| !value.is_empty()).map(move |(slot, value)| Want { slot, value, books })
}

/// Whether two values of a slot mean the same: as the databases compare them, or one name within the other.
fn is_same(slot: &str, one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|value| {
        let small = value.to_lowercase();
        let normal = normalised(slot, &small);
        normal.as_deref().unwrap_or(&small).trim_start_matches("the ").to_owned()
    });
    let is_name = matches!(slot, "name" | "departure" | "destination" | "food");
    one == other || is_name && (one.contains(&other) || other.contains(&one))
}
