//! What a role knows of one domain.

use std::collections::BTreeSet;

use super::results::Found;
use crate::environments::booking::api::{ANY, Domain};
use crate::environments::booking::language::is_booked;

/// Slots with their values, in the order in which they came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots(Vec<(&'static str, String)>);

impl Slots {
    /// The value of a slot, unless it does not matter.
    pub(super) fn get(&self, slot: &str) -> Option<&str> {
        let found = self.0.iter().find(|(own, _)| *own == slot);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| *value != ANY)
    }

    /// Whether something was said of a slot, that it does not matter included.
    pub(super) fn knows(&self, slot: &str) -> bool {
        self.0.iter().any(|(own, _)| *own == slot)
    }

    /// Sets a slot; says whether that changed it.
    pub(super) fn set(&mut self, slot: &'static str, value: &str) -> bool {
        match self.0.iter_mut().find(|(own, _)| *own == slot) {
            Some((_, own)) if own == value => false,
            Some((_, own)) => {
                value.clone_into(own);
                true
            }
            None => {
                self.0.push((slot, value.to_owned()));
                true
            }
        }
    }

    /// Those that matter.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = self.0.iter().map(|(slot, value)| (*slot, value.as_str()));
        all.filter(|(_, value)| *value != ANY)
    }

    /// The same without one of them.
    pub(super) fn without(&self, slot: &str) -> Self {
        self.only(|own| own != slot)
    }

    /// Those of a list, in its order.
    pub(super) fn kept(&self, slots: &[&'static str]) -> Self {
        let kept = slots
            .iter()
            .filter_map(|slot| Some((*slot, self.get(slot)?.to_owned())));
        Self(kept.collect())
    }

    fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let kept = self
            .0
            .iter()
            .filter(|(slot, value)| is_kept(slot) && value != ANY);
        Self(kept.cloned().collect())
    }
}

/// The state of one domain.
#[derive(Clone, Debug)]
pub(super) struct Topic {
    pub(super) domain: Domain,
    /// What the user said, of what is looked for and of the booking.
    pub(super) slots: Slots,
    /// Slots whose values the user did not say in so many words.
    pub(super) inferred: BTreeSet<&'static str>,
    /// Slots that the user was asked for.
    pub(super) asked: BTreeSet<&'static str>,
    /// The user wants something to be booked.
    pub(super) books: bool,
    /// The user said yes to the booking as it is.
    pub(super) confirmed: bool,
    /// The user spoke of a hotel, which may or may not mean the type.
    pub(super) says_hotel: bool,
    /// The user leaves the choice to the agent.
    pub(super) settled: bool,
    /// What the last query asked for, and what it found.
    pub(super) query: Option<Slots>,
    pub(super) found: Vec<Found>,
    pub(super) more: bool,
    /// Names that are not to be offered again.
    pub(super) rejected: Vec<String>,
    /// Queries without one of the slots, after one that found nothing: the slot, and what was found.
    pub(super) widened: Vec<(&'static str, Vec<Found>)>,
    /// The names that were told.
    pub(super) told: Vec<String>,
    /// What was booked.
    pub(super) booked: Option<Found>,
    /// Why the last call was refused, and whether it was one to book.
    pub(super) refused: Option<String>,
    pub(super) refused_books: bool,
}

impl Topic {
    pub(super) fn new(domain: Domain) -> Self {
        Self {
            domain,
            slots: Slots::default(),
            inferred: BTreeSet::new(),
            asked: BTreeSet::new(),
            books: domain == Domain::Taxi,
            confirmed: false,
            says_hotel: false,
            settled: false,
            query: None,
            found: Vec::new(),
            more: false,
            rejected: Vec::new(),
            widened: Vec::new(),
            told: Vec::new(),
            booked: None,
            refused: None,
            refused_books: false,
        }
    }

    /// What is looked for.
    pub(super) fn info(&self) -> Slots {
        self.slots.only(|slot| !is_booked(self.domain, slot))
    }

    /// Takes a value of the user.
    pub(super) fn learn(&mut self, slot: &'static str, value: &str) {
        if !self.slots.set(slot, value) {
            self.inferred.remove(slot);
            return;
        }
        self.inferred.remove(slot);
        (self.confirmed, self.refused) = (false, None);
        if is_booked(self.domain, slot) {
            self.books = true;
            self.booked = None;
        } else if self.domain == Domain::Taxi {
            self.booked = None;
        }
    }

    /// The slots that a booking needs.
    pub(super) fn due(&self) -> &'static [&'static str] {
        match self.domain {
            Domain::Hotel => &["people", "day", "stay"],
            Domain::Restaurant => &["people", "day", "time"],
            Domain::Train => &["people"],
            Domain::Taxi => &["departure", "destination"],
            Domain::Attraction => &[],
        }
    }

    /// The venue or train that is offered: the best that was not turned down.
    pub(super) fn choice(&self) -> Option<&Found> {
        let open = || {
            self.found
                .iter()
                .filter(|found| !self.rejected.iter().any(|name| name == found.name()))
        };
        if self.domain != Domain::Train {
            // A name in full is meant before one that is like it.
            let name = self.slots.get("name").unwrap_or_default();
            let exact =
                open().find(|found| !name.is_empty() && found.name().eq_ignore_ascii_case(name));
            return exact.or_else(|| open().next());
        }
        match (self.slots.get("leaveAt"), self.slots.get("arriveBy")) {
            (None, Some(_)) => {
                open().max_by_key(|found| found.get("arriveBy").unwrap_or_default().to_owned())
            }
            _ => open().min_by_key(|found| found.get("leaveAt").unwrap_or_default().to_owned()),
        }
    }

    /// The slots that could tell apart what was found, and of which nothing was said or asked.
    pub(super) fn narrowing(&self) -> Vec<&'static str> {
        let slots: &[&'static str] = match self.domain {
            Domain::Hotel => &["area", "pricerange", "type", "stars", "internet", "parking"],
            Domain::Restaurant => &["food", "area", "pricerange"],
            Domain::Attraction => &["type", "area"],
            Domain::Train | Domain::Taxi => &[],
        };
        let differs = |slot: &str| {
            let mut values = self.found.iter().filter_map(|found| found.get(slot));
            let first = values.next();
            self.more || values.any(|value| Some(value) != first)
        };
        let is_open = |slot: &&&'static str| {
            !self.slots.knows(slot) && !self.asked.contains(*slot) && differs(slot)
        };
        let has_name = self.slots.get("name").is_some();
        let is_sole = self.found.len() < 2 || has_name || self.settled;
        slots
            .iter()
            .filter(is_open)
            .filter(|_| !is_sole)
            .copied()
            .collect()
    }
}
