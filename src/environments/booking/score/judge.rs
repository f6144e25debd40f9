//! The log judge: AutoTOD's verdict on a conversation without a model. The judge's answers are read off the account
//! (spec section 9), so it is no score of AutoTOD's.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::row::{Row, without_case};
use super::said::{Said, squashed};
use super::{Answers, REFERENCE, Venues, Verdicts, answer_key, clean_name, clean_time, verdict};
use crate::account::{Account, Booking};
use crate::api::Domain;
use crate::goal::{DomainGoal, Goal, Slots};

/// The answer if the record has no value to tell. AutoTOD counts it as right.
const NOTHING: &str = "none";
/// The answer if the user was not told a requested slot. No record holds it.
const UNTOLD: &str = "not told";

/// The verdicts on a conversation, and their grounds, by the names of domains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Each domain with its verdict.
    pub domains: Verdicts,
    /// The answers behind the verdicts.
    pub answers: Map<String, Value>,
    /// The records that decide any other answers: venues and trains that meet the goal, with the keys that it names.
    pub records: Map<String, Value>,
    /// Domains whose goal cannot be judged, with the reason.
    pub unjudged: Map<String, Value>,
    /// Police or hospital are wanted too: as by AutoTOD, such a conversation has no scores.
    pub left_out: bool,
}

/// Judges a conversation.
pub fn judge(goal: &Goal, account: &Account, venues: &Venues) -> Judged {
    let said = Said::new(account.replies());
    let mut judged = Judged { left_out: goal.has_others, ..Judged::default() };
    let wanted = Domain::ALL.into_iter();
    for (domain, wanted) in wanted.filter_map(|domain| Some((domain, goal.of(domain)?))) {
        let found = Answered { domain, wanted, account, venues, said: &said }.answers();
        let bookings: Vec<Slots> = account.bookings(domain).map(|booking| booking.row.clone()).collect();
        let wanted = fair(domain, wanted);
        let name = || domain.as_str().to_owned();
        match verdict(domain, &wanted, &found, &bookings, venues) {
            Ok(verdict) => judged.domains.0.push((domain, verdict)),
            Err(why) => {
                judged.unjudged.insert(name(), why.to_string().into());
            }
        }
        judged.answers.insert(name(), Value::Object(found));
        judged.records.insert(name(), records(domain, &wanted, &bookings, venues).into());
    }
    judged
}

/// A goal that AutoTOD's code can meet. It looks a venue up by the cleaned name, and compares that with the name in the
/// goal, so that nobody ever finds `gonville hotel`; and where a goal allows nothing else, it stops.
fn fair(domain: Domain, wanted: &DomainGoal) -> DomainGoal {
    let mut wanted = wanted.clone();
    wanted.fail_book.get_or_insert_default();
    let before = wanted.fail_info.get_or_insert_default();
    if !matches!(domain, Domain::Train | Domain::Taxi) {
        for slots in [&mut wanted.info, before] {
            if let Some(Value::String(name)) = slots.get_mut("name") {
                *name = clean_name(name);
            }
        }
    }
    wanted
}

/// The records that decide verdicts on a domain, whatever a judge answers: no other venue or train meets the
/// goal.
fn records(domain: Domain, wanted: &DomainGoal, bookings: &[Slots], venues: &Venues) -> Vec<Slots> {
    let asked: Vec<&Slots> = wanted.fail_info.iter().filter(|slots| !slots.is_empty()).chain([&wanted.info]).collect();
    let rows: Vec<Row<'_>> = if domain == Domain::Train {
        // Of several trains with one id the first is the one that was booked.
        let booked = bookings.iter();
        let booked = booked.filter_map(|slots| venues.train(slots.get("trainID")?.as_str()?));
        booked.chain(venues.trains_for(&wanted.info).filter(|_| !wanted.requests().is_empty())).collect()
    } else {
        let fits = |row: &Row<'_>| asked.iter().any(|slots| row.satisfies(slots).unwrap_or(false));
        venues.all(domain).filter(fits).collect()
    };
    let keys: BTreeSet<&str> = asked
        .iter()
        .flat_map(|slots| slots.keys())
        .chain(wanted.requests())
        .map(String::as_str)
        .chain(["name", "trainID"])
        .collect();
    rows.into_iter().map(|row| row.part(&keys)).collect()
}

/// A domain whose answers are to be found.
struct Answered<'a> {
    domain: Domain,
    wanted: &'a DomainGoal,
    account: &'a Account,
    venues: &'a Venues,
    said: &'a Said<'a>,
}

impl Answered<'_> {
    fn answers(&self) -> Answers {
        if self.domain == Domain::Taxi {
            return self.taxi();
        }
        let mut answers = Answers::new();
        let booked = self.told_last();
        if self.wanted.booking().is_some() {
            answers.insert(REFERENCE.to_owned(), booked.map_or(NOTHING, |booking| &booking.reference).into());
        }
        if self.domain == Domain::Train {
            self.tell(&mut answers, self.train(booked));
            return answers;
        }
        let booked = booked.filter(|_| self.wanted.booking().is_some());
        let venue = match booked.and_then(|booking| booking.row.get("name")?.as_str()) {
            Some(name) => {
                let place = self.said.places(name, 0).next().unwrap_or(0);
                let venue = self.venues.venue(self.domain, name);
                venue.map(|venue| (venue, place))
            }
            None => self.venues.named(self.domain, self.said),
        };
        let name = venue.map_or_else(|| NOTHING.to_owned(), |(venue, _)| venue.name());
        answers.insert(self.domain.as_str().to_owned(), name.into());
        self.tell(&mut answers, venue);
        answers
    }

    /// The booking of the domain whose reference comes last in the replies.
    fn told_last(&self) -> Option<&Booking> {
        let last = |booking: &&Booking| self.said.places(&booking.reference, 0).last();
        self.account.bookings(self.domain).filter(|booking| last(booking).is_some()).max_by_key(last)
    }

    /// The train whose id was told last, else the one that was booked, else any that meets the goal; and the position
    /// from which on it is discussed. Of several trains with one id the one that meets the goal; of several that meet
    /// it one with every requested slot told.
    fn train(&self, booked: Option<&Booking>) -> Option<(Row<'_>, usize)> {
        let named = self.venues.named_train(self.said).or_else(|| {
            let id = booked?.row.get("trainID")?.as_str()?;
            Some((id.to_owned(), 0))
        });
        let fitting: Vec<Row<'_>> = self.venues.trains_for(&self.wanted.info).collect();
        let mut all = fitting.iter().copied();
        if let Some((id, place)) = named {
            let booked = all.find(|row| row.runs_as("trainID", &id, without_case));
            return Some((booked.or_else(|| self.venues.train(&id))?, place));
        }
        let told = all.find(|row| {
            self.wanted.requests().iter().all(|slot| {
                let value = row.column(slot);
                value.is_none_or(|value| self.said.tells(slot, value, 0))
            })
        });
        Some((told.or(fitting.first().copied())?, 0))
    }

    /// Answers the requested slots of a venue or train by what was told from a position on: from the beginning of the
    /// reply that names it first.
    fn tell(&self, answers: &mut Answers, about: Option<(Row<'_>, usize)>) {
        let from = about.map_or(0, |(_, place)| self.said.reply_at(place));
        for slot in self.wanted.requests() {
            let Some(key) = answer_key(self.domain, slot) else {
                continue;
            };
            let value = about.and_then(|(row, _)| row.column(slot));
            let answer = match value.filter(|value| !squashed(value).is_empty()) {
                Some(value) if self.said.tells(slot, value, from) => match slot.as_str() {
                    "entrance fee" => value.to_lowercase(),
                    _ => value.to_owned(),
                },
                None if about.is_some() => NOTHING.to_owned(),
                // AutoTOD accepts any time later than a train's as its arrival.
                _ if (self.domain, slot.as_str()) == (Domain::Train, "arriveBy") => String::new(),
                _ => UNTOLD.to_owned(),
            };
            answers.insert(key.to_owned(), answer.into());
        }
    }

    /// The answers about a taxi: its booking, the one whose telephone was told last, else the last one; and its
    /// telephone and kind as they were told.
    fn taxi(&self) -> Answers {
        let last = || self.account.bookings(Domain::Taxi).last();
        let booked = self.told_last().or_else(last);
        let text = |keys: &[&str]| {
            let row = &booked?.row;
            keys.iter().find_map(|key| row.get(*key)?.as_str())
        };
        let told = |keys: &[&str]| text(keys).filter(|value| self.said.tells("", value, 0));
        let answers = self.wanted.info.keys().chain(self.wanted.requests()).filter_map(|slot| {
            let wanted = self.wanted.info.get(slot).and_then(Value::as_str);
            let answer = match slot.as_str() {
                "car type" => told(&["type", "car type"]),
                "phone" => told(&["phone"]),
                "leaveAt" => text(&["leaveAt", "leave time", "leave_time", "leave"]),
                "arriveBy" => text(&["arriveBy", "arrive time", "arrive_time", "arrive"]),
                other => text(&[other]),
            };
            let answer = answer.unwrap_or(NOTHING);
            // A place under another name is the same place.
            let same = wanted.filter(|wanted| is_same(slot, wanted, answer));
            let key = answer_key(Domain::Taxi, slot)?;
            Some((key.to_owned(), Value::from(same.unwrap_or(answer))))
        });
        answers.collect()
    }
}

/// Whether answers, as the detail of a score has them, say that the user was told a slot.
pub fn was_told(domain: Domain, slot: &str, answers: Option<&Value>) -> bool {
    let answer = answer_key(domain, slot).and_then(|key| answers?.get(key)?.as_str());
    answer.is_some_and(|answer| !["", NOTHING, UNTOLD].contains(&answer))
}

/// Whether two values of a taxi are the same place, up to the spelling of its name, or the same time.
fn is_same(slot: &str, one: &str, other: &str) -> bool {
    match slot {
        "departure" | "destination" => {
            let plain = |name: &str| squashed(&clean_name(name));
            plain(one) == plain(other)
        }
        _ => clean_time(one) == clean_time(other),
    }
}

impl Judged {
    /// Everything that was wanted was reached.
    pub fn is_success(&self) -> bool {
        let all = self.domains.dialogue();
        all.inform == Some(true) && ![all.success, all.book].contains(&Some(false)) && self.unjudged.is_empty()
    }

    /// `combine` of the dialogue.
    pub fn reward(&self) -> f64 {
        self.domains.dialogue().combine().unwrap_or(0.0)
    }

    /// The parts as they are logged: `dialogue`, and `domains`, `answers` and `records` by name; `unjudged` and
    /// `left_out` if they apply.
    pub fn detail(&self) -> Value {
        let domains = self.domains.0.iter().map(|(domain, verdict)| (domain.as_str(), json!(verdict)));
        let mut detail = json!({
            "dialogue": self.domains.dialogue(), "domains": domains.collect::<Value>(),
            "answers": self.answers, "records": self.records,
        });
        if !self.unjudged.is_empty() {
            detail["unjudged"] = json!(self.unjudged);
        }
        if self.left_out {
            detail["left_out"] = json!("police or hospital are wanted too, of which nothing is scored");
        }
        detail
    }
}

#[cfg(test)]
mod tests;
