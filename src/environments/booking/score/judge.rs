//! The log judge: AutoTOD's verdict on a conversation without a model. What a judge is asked is read off the account
//! (spec section 9), so it is no score of AutoTOD's.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::row::{Row, without_case};
use super::said::{Said, squashed};
use super::{Answers, REFERENCE, Venues, Verdicts, answer_key, clean_name, clean_time, verdict};
use crate::environments::booking::account::{Account, Booking};
use crate::environments::booking::api::Domain;
use crate::environments::booking::goal::{DomainGoal, Goal, Slots};

/// The answer where the record has nothing that could be told. AutoTOD counts it as right.
const NOTHING: &str = "none";
/// The answer where the user was not told what it wanted to know. No record holds it.
const UNTOLD: &str = "not told";

/// The verdicts on a conversation, and what they are of by the names of domains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Each domain with its verdict.
    pub domains: Verdicts,
    /// The answers that the verdicts are of.
    pub answers: Map<String, Value>,
    /// The records that decide any other answers: venues and trains that the goal wants, with what it names of them.
    pub records: Map<String, Value>,
    /// Domains whose goal cannot be judged, with what is wrong with it.
    pub unjudged: Map<String, Value>,
    /// Police or hospital are wanted too: as by AutoTOD, no figures are made of such a conversation.
    pub left_out: bool,
}

/// Judges a conversation.
pub fn judge(goal: &Goal, account: &Account, venues: &Venues) -> Judged {
    let said = Said::new(account.replies());
    let mut judged = Judged { left_out: goal.has_others, ..Judged::default() };
    let wanted = Domain::ALL.into_iter();
    for (domain, wanted) in wanted.filter_map(|domain| Some((domain, goal.of(domain)?))) {
        let found = Answered { domain, wanted, account, venues, said: &said }.answers();
        let bookings = account.bookings(domain).map(|booking| booking.row.clone());
        let bookings: Vec<Slots> = bookings.collect();
        let wanted = fair(domain, wanted);
        let name = || domain.as_str().to_owned();
        match verdict(domain, &wanted, &found, &bookings, venues) {
            Ok(verdict) => judged.domains.0.push((domain, verdict)),
            Err(why) => {
                judged.unjudged.insert(name(), why.to_string().into());
            }
        }
        judged.answers.insert(name(), Value::Object(found));
        let records = records(domain, &wanted, &bookings, venues);
        judged.records.insert(name(), records.into());
    }
    judged
}

/// A goal that AutoTOD's code can find met. It looks a venue of a name up by the cleaned name, and compares that with
/// the goal's own, so that nobody ever finds `gonville hotel`; and where a goal allows nothing else, it stops.
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

/// The records that decide verdicts on a domain, whatever a judge answers: a venue or train that is none of them is
/// not what is wanted.
fn records(domain: Domain, wanted: &DomainGoal, bookings: &[Slots], venues: &Venues) -> Vec<Slots> {
    let before = wanted.fail_info.iter().filter(|slots| !slots.is_empty());
    let asked: Vec<&Slots> = before.chain([&wanted.info]).collect();
    let rows: Vec<Row<'_>> = if domain == Domain::Train {
        // Of several trains of an id the first is the one that was booked.
        let booked = bookings.iter();
        let booked = booked.filter_map(|own| venues.train(own.get("trainID")?.as_str()?));
        let fitting = venues.trains_for(&wanted.info);
        let fitting = fitting.filter(|_| !wanted.requests().is_empty());
        booked.chain(fitting).collect()
    } else {
        let fits = |row: &Row<'_>| {
            let mut asked = asked.iter();
            asked.any(|slots| row.satisfies(slots).unwrap_or(false))
        };
        venues.all(domain).filter(fits).collect()
    };
    let named = asked.iter().flat_map(|slots| slots.keys());
    let named = named.chain(wanted.requests()).map(String::as_str);
    let keys: BTreeSet<&str> = named.chain(["name", "trainID"]).collect();
    rows.into_iter().map(|row| row.part(&keys)).collect()
}

/// A domain of which the answers are to be found.
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
            let reference = booked.map_or(NOTHING, |booking| &booking.reference);
            answers.insert(REFERENCE.to_owned(), reference.into());
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

    /// Of the bookings of the domain, the one whose reference the replies have last.
    fn told_last(&self) -> Option<&Booking> {
        let last = |booking: &&Booking| self.said.places(&booking.reference, 0).last();
        let bookings = self.account.bookings(self.domain);
        let told = bookings.filter(|booking| last(booking).is_some());
        told.max_by_key(last)
    }

    /// The train that was told last by its id, else the one that was booked, else any that the goal wants; and from
    /// where on it is spoken of. Of several trains of an id the one that the goal wants, of several that it wants
    /// one of which everything was told.
    fn train(&self, booked: Option<&Booking>) -> Option<(Row<'_>, usize)> {
        let named = self.venues.named_train(self.said).or_else(|| {
            let id = booked?.row.get("trainID")?.as_str()?;
            Some((id.to_owned(), 0))
        });
        let fitting: Vec<Row<'_>> = self.venues.trains_for(&self.wanted.info).collect();
        let mut all = fitting.iter().copied();
        if let Some((id, place)) = named {
            let own = all.find(|row| row.runs_as("trainID", &id, without_case));
            return Some((own.or_else(|| self.venues.train(&id))?, place));
        }
        let told = all.find(|row| {
            let mut requests = self.wanted.requests().iter();
            requests.all(|slot| {
                let value = row.column(slot);
                value.is_none_or(|value| self.said.tells(slot, value, 0))
            })
        });
        Some((told.or(fitting.first().copied())?, 0))
    }

    /// Answers what the user wanted to know of a venue or train by what was told from a place on: all from the
    /// reply on that names it first.
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
                // AutoTOD takes any later time than a train's as one by which it has arrived.
                _ if (self.domain, slot.as_str()) == (Domain::Train, "arriveBy") => String::new(),
                _ => UNTOLD.to_owned(),
            };
            answers.insert(key.to_owned(), answer.into());
        }
    }

    /// The answers about a taxi: what was booked, of the one whose telephone was told last, else of the last one; and
    /// of its telephone and kind what was told.
    fn taxi(&self) -> Answers {
        let last = || self.account.bookings(Domain::Taxi).last();
        let booked = self.told_last().or_else(last);
        let text = |keys: &[&str]| {
            let row = &booked?.row;
            keys.iter().find_map(|key| row.get(*key)?.as_str())
        };
        let told = |keys: &[&str]| text(keys).filter(|value| self.said.tells("", value, 0));
        let slots = self.wanted.info.keys().chain(self.wanted.requests());
        let answers = slots.filter_map(|slot| {
            let wanted = self.wanted.info.get(slot).and_then(Value::as_str);
            let answer = match slot.as_str() {
                "car type" => told(&["type", "car type"]),
                "phone" => told(&["phone"]),
                "leaveAt" => text(&["leaveAt", "leave time", "leave_time", "leave"]),
                "arriveBy" => text(&["arriveBy", "arrive time", "arrive_time", "arrive"]),
                other => text(&[other]),
            };
            let answer = answer.unwrap_or(NOTHING);
            // A place that is called otherwise is the same place.
            let same = wanted.filter(|wanted| is_same(slot, wanted, answer));
            let key = answer_key(Domain::Taxi, slot)?;
            Some((key.to_owned(), Value::from(same.unwrap_or(answer))))
        });
        answers.collect()
    }
}

/// Whether answers, as the detail of a score has them, say that the user was told something.
pub fn was_told(domain: Domain, slot: &str, answers: Option<&Value>) -> bool {
    let answer = answer_key(domain, slot).and_then(|key| answers?.get(key)?.as_str());
    answer.is_some_and(|answer| !["", NOTHING, UNTOLD].contains(&answer))
}

/// Whether two values of a taxi are the same place, but for how its name is written, or the same time.
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
        let fails = [all.success, all.book].contains(&Some(false));
        all.inform == Some(true) && !fails && self.unjudged.is_empty()
    }

    /// `combine` of the dialogue.
    pub fn reward(&self) -> f64 {
        self.domains.dialogue().combine().unwrap_or(0.0)
    }

    /// The parts as they are logged: `dialogue`, and `domains`, `answers` and `records` by their names; `unjudged` and
    /// `left_out` where that is so.
    pub fn detail(&self) -> Value {
        let domains = self.domains.0.iter();
        let domains = domains.map(|(domain, verdict)| (domain.as_str(), json!(verdict)));
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
