//! Knowledge of a role about one domain.

use std::collections::BTreeSet;

use super::results::Found;
use crate::api::{ANY, Domain};
use crate::language::is_booked;

/// Slots with their values, in the order in which they came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots(Vec<(&'static str, String)>);

impl Slots {
    /// Value that was said of a slot, including that it does not matter.
    fn said(&self, slot: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| *key == slot).map(|(_, value)| value.as_str())
    }

    /// The value of a slot, unless it does not matter.
    pub(super) fn get(&self, slot: &str) -> Option<&str> {
        self.said(slot).filter(|value| *value != ANY)
    }

    /// Whether something was said of a slot, that it does not matter included.
    pub(super) fn knows(&self, slot: &str) -> bool {
        self.said(slot).is_some()
    }

    /// Sets a slot; says whether that changed it.
    pub(super) fn set(&mut self, slot: &'static str, value: &str) -> bool {
        let is_new = self.said(slot) != Some(value);
        match self.0.iter_mut().find(|(key, _)| *key == slot) {
            Some((_, known)) => value.clone_into(known),
            None => self.0.push((slot, value.to_owned())),
        }
        is_new
    }

    /// Slots that matter.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(slot, value)| (*slot, value.as_str())).filter(|(_, value)| *value != ANY)
    }

    /// Slots of a list that matter, in its order.
    pub(super) fn kept(&self, slots: &'static [&'static str]) -> impl Iterator<Item = (&'static str, &str)> {
        slots.iter().filter_map(|slot| Some((*slot, self.get(slot)?)))
    }

    /// Slots that matter and pass a test.
    pub(super) fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        Self(self.iter().filter(|(slot, _)| is_kept(slot)).map(|(slot, value)| (slot, value.to_owned())).collect())
    }

    /// Whether the time of a ride is known.
    pub(super) fn has_time(&self) -> bool {
        self.get("leaveAt").or(self.get("arriveBy")).is_some()
    }
}

/// The state of a domain.
#[derive(Clone, Debug)]
pub(super) struct Topic {
    pub(super) domain: Domain,
    /// Slots that the user gave, of the search and of the booking.
    pub(super) slots: Slots,
    /// Slots whose values the user implied.
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
    pub(super) search: Search,
    /// Booking that was made.
    pub(super) booked: Option<Found>,
    /// Why the last call was refused.
    pub(super) refused: Option<Refusal>,
}

/// The last query with its result.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// Slots that it asked for.
    pub(super) query: Option<Slots>,
    pub(super) found: Vec<Found>,
    /// There are more than these.
    pub(super) more: bool,
    /// Names that are not to be offered again.
    pub(super) rejected: Vec<String>,
    /// Queries without one of the slots, after one that found nothing: the slot, and the records found.
    pub(super) widened: Vec<(&'static str, Vec<Found>)>,
    /// The names that were told.
    pub(super) told: Vec<String>,
}

/// Refusal of a call.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) why: String,
    /// It was a call to book.
    pub(super) books: bool,
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
            search: Search::default(),
            booked: None,
            refused: None,
        }
    }

    /// Constraints of the search.
    pub(super) fn info(&self) -> Slots {
        self.slots.only(|slot| !is_booked(self.domain, slot))
    }

    /// Takes a value of the user.
    pub(super) fn learn(&mut self, slot: &'static str, value: &str) {
        self.inferred.remove(slot);
        if !self.slots.set(slot, value) {
            return;
        }
        (self.confirmed, self.refused) = (false, None);
        let is_booked = is_booked(self.domain, slot);
        self.books |= is_booked;
        if is_booked || self.domain == Domain::Taxi {
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

    /// The slot to leave out in the next search, after one that found nothing.
    pub(super) fn widening(&self) -> Option<&'static str> {
        let (info, search) = (self.info(), &self.search);
        let has_failed = search.query.as_ref() == Some(&info) && search.found.is_empty();
        info.iter().nth(search.widened.len()).filter(|_| has_failed).map(|(slot, _)| slot)
    }

    /// The venue or train that is offered: the best that was not turned down.
    pub(super) fn choice(&self) -> Option<&Found> {
        let Search { found, rejected, .. } = &self.search;
        let is_open = |found: &&Found| rejected.iter().all(|name| name != found.name());
        let mut open = found.iter().filter(is_open);
        let is_late = self.slots.get("arriveBy").is_some() && self.slots.get("leaveAt").is_none();
        match self.domain {
            Domain::Train if is_late => open.max_by_key(|train| train.get("arriveBy")),
            Domain::Train => open.min_by_key(|train| train.get("leaveAt")),
            _ => {
                // An exact name goes before a similar one.
                let name = self.slots.get("name").unwrap_or_default();
                open.clone()
                    .find(|venue| venue.name().eq_ignore_ascii_case(name))
                    .filter(|_| !name.is_empty())
                    .or_else(|| open.next())
            }
        }
    }

    /// The name of the offer; empty if there is none.
    pub(super) fn chosen(&self) -> &str {
        self.choice().map_or("", Found::name)
    }

    /// Up to three slots that could narrow the records found, and that are neither known nor asked yet.
    pub(super) fn narrowing(&self) -> Vec<&'static str> {
        let Search { found, more, .. } = &self.search;
        if found.len() < 2 || self.settled || self.slots.get("name").is_some() {
            return Vec::new();
        }
        let slots: &[&'static str] = match self.domain {
            Domain::Hotel => &["area", "pricerange", "type", "stars", "internet", "parking"],
            Domain::Restaurant => &["food", "area", "pricerange"],
            Domain::Attraction => &["type", "area"],
            Domain::Train | Domain::Taxi => &[],
        };
        let differs = |slot: &str| {
            let mut values = found.iter().filter_map(|found| found.get(slot));
            let first = values.next();
            *more || values.any(|value| Some(value) != first)
        };
        slots
            .iter()
            .filter(|slot| !self.slots.knows(slot) && !self.asked.contains(*slot) && differs(slot))
            .take(3)
            .copied()
            .collect()
    }
}
