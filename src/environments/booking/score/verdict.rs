//! AutoTOD's verdict on a domain of a dialogue: inform, success and booking, from a judge's answers and the bookings
//! that were made (spec section 6.4).

use serde_json::{Map, Value, json};

use super::clean::clean_time;
use super::venues::{Unjudged, Venues};
use crate::environments::booking::api::Domain;
use crate::environments::booking::goal::{DomainGoal, Slots};

/// What a judge answered, by the keys of its questions.
pub type Answers = Map<String, Value>;

/// The bookings of a domain: each with its `refer_number`, and what was booked.
pub type Bookings = [Slots];

/// The verdict on a domain; a part that the goal does not ask for is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What was wanted was found.
    pub inform: Option<bool>,
    /// What the user wanted to know was said.
    pub success: Option<bool>,
    /// What was wanted was booked.
    pub book: Option<bool>,
}

impl Verdict {
    /// Half of `inform` and half of the mean of the other parts; `inform` alone if there are none. None if
    /// there is no `inform`.
    pub fn combine(self) -> Option<f64> {
        let share = |part: bool| f64::from(u8::from(part));
        let inform = share(self.inform?);
        Some(match (self.success, self.book) {
            (None, None) => inform,
            (Some(part), None) | (None, Some(part)) => 0.5 * inform + 0.5 * share(part),
            (Some(success), Some(book)) => {
                0.5 * inform + 0.25 * share(success) + 0.25 * share(book)
            }
        })
    }

    /// The verdict on a dialogue: a part is reached if it is in every domain that has it.
    pub fn of_dialogue(domains: &[Self]) -> Self {
        let all = |part: fn(&Self) -> Option<bool>| {
            let parts = domains.iter().filter_map(part);
            parts.reduce(|one, other| one && other)
        };
        Self {
            inform: all(|verdict| verdict.inform),
            success: all(|verdict| verdict.success),
            book: all(|verdict| verdict.book),
        }
    }

    /// The parts by their names.
    pub fn parts(self) -> Value {
        json!({ "inform": self.inform, "success": self.success, "book": self.book })
    }
}

/// What a judge's answer to a slot of a goal is called.
pub fn answer_key(domain: Domain, slot: &str) -> Option<&str> {
    Some(match (domain, slot) {
        (Domain::Taxi | Domain::Train, "leaveAt") => "leave time",
        (Domain::Taxi, "arriveBy") => "arrival time",
        (Domain::Taxi, "phone") => "phone number",
        (Domain::Taxi, "departure" | "destination" | "car type") => slot,
        (Domain::Train, "arriveBy") => "arrive time",
        (Domain::Train, "trainID") => "train id",
        (Domain::Train, "price" | "duration") => slot,
        (Domain::Taxi | Domain::Train, _) => return None,
        _ => slot,
    })
}

/// The key of the answer that names a booking.
pub const REFERENCE: &str = "reference number";

/// The verdict on a domain.
///
/// # Errors
/// When an answer is missing or no text, where the original stops with an error and leaves the dialogue out.
pub fn verdict(
    domain: Domain,
    goal: &DomainGoal,
    answers: &Answers,
    bookings: &Bookings,
    venues: &Venues,
) -> Result<Verdict, Unjudged> {
    let mut cleaned;
    let mut answers = answers;
    if matches!(domain, Domain::Taxi | Domain::Train) {
        cleaned = answers.clone();
        for key in ["leave time", "arrival time"] {
            if let Some(answer) = cleaned.get_mut(key).filter(|answer| counts(answer)) {
                let time = answer.as_str().ok_or_else(|| Unjudged(key.to_owned()))?;
                *answer = Value::String(clean_time(time));
            }
        }
        answers = &cleaned;
    }
    match domain {
        Domain::Taxi => taxi(goal, answers),
        Domain::Train => train(goal, answers, bookings, venues),
        _ => venue_verdict(domain, goal, answers, bookings, venues),
    }
}

/// Whether an answer counts as true in Python.
fn counts(answer: &Value) -> bool {
    !matches!(answer, Value::Null | Value::Bool(false))
        && *answer != json!("")
        && *answer != json!(0)
}

/// The answers to slots of a goal, by slot.
fn answered<'s>(
    domain: Domain,
    slots: impl Iterator<Item = &'s String>,
    answers: &Answers,
) -> Result<Slots, Unjudged> {
    let missing = |slot: &str| Unjudged(slot.to_owned());
    let answers = slots.map(|slot| {
        let key = answer_key(domain, slot).ok_or_else(|| missing(slot))?;
        let answer = answers.get(key).ok_or_else(|| missing(key))?;
        Ok((slot.clone(), answer.clone()))
    });
    answers.collect()
}

fn text<'a>(answers: &'a Answers, key: &str) -> Result<&'a str, Unjudged> {
    let answer = answers.get(key).and_then(Value::as_str);
    answer.ok_or_else(|| Unjudged(key.to_owned()))
}

/// The booking of the number that was told.
fn booking<'b>(answers: &Answers, bookings: &'b Bookings) -> Result<Option<&'b Slots>, Unjudged> {
    let told = answers
        .get(REFERENCE)
        .ok_or_else(|| Unjudged(REFERENCE.to_owned()))?;
    let told = match told {
        Value::Number(number) => Value::String(number.to_string()),
        other => other.clone(),
    };
    let mut bookings = bookings.iter();
    Ok(bookings.find(|booking| booking.get("refer_number") == Some(&told)))
}

/// Whether a booking is as these slots want it; marks of invalid ones are passed over.
fn is_as_wanted(booking: &Slots, slots: &Slots) -> Result<bool, Unjudged> {
    for (slot, wanted) in slots.iter().filter(|(slot, _)| !slot.contains("invalid")) {
        let wanted = wanted.as_str().ok_or_else(|| Unjudged(slot.clone()))?;
        if booking.get(slot).and_then(Value::as_str) != Some(&wanted.to_lowercase()) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn venue_verdict(
    domain: Domain,
    goal: &DomainGoal,
    answers: &Answers,
    bookings: &Bookings,
    venues: &Venues,
) -> Result<Verdict, Unjudged> {
    let missing = |key: &str| Unjudged(key.to_owned());
    let venue = venues.venue(domain, text(answers, domain.as_str())?);
    let inform = match venue {
        None => false,
        Some(venue) if venue.satisfies(&goal.info)? => true,
        Some(venue) => {
            let other = goal
                .fail_info
                .as_ref()
                .ok_or_else(|| missing("fail_info"))?;
            !other.is_empty() && venue.satisfies(other)?
        }
    };
    let venue = venue.filter(|_| inform);
    let mut verdict = Verdict {
        inform: Some(inform),
        ..Verdict::default()
    };
    if !goal.requests().is_empty() {
        let told = answered(domain, goal.requests().iter(), answers)?;
        let satisfied = venue.map(|venue| venue.satisfies(&told)).transpose()?;
        verdict.success = Some(satisfied.unwrap_or(false));
    }
    if let Some(wanted) = goal.booking() {
        let booked = booking(answers, bookings)?;
        verdict.book = Some(match venue.zip(booked) {
            None => false,
            Some((venue, booked)) => {
                let same = booked.get("name").and_then(Value::as_str) == Some(&venue.name());
                let fits = is_as_wanted(booked, wanted)? || {
                    let other = goal
                        .fail_book
                        .as_ref()
                        .ok_or_else(|| missing("fail_book"))?;
                    !other.is_empty() && is_as_wanted(booked, other)?
                };
                same && fits
            }
        });
    }
    Ok(verdict)
}

fn train(
    goal: &DomainGoal,
    answers: &Answers,
    bookings: &Bookings,
    venues: &Venues,
) -> Result<Verdict, Unjudged> {
    let mut verdict = Verdict::default();
    if !goal.requests().is_empty() {
        let told = answered(Domain::Train, goal.requests().iter(), answers)?;
        let found = venues.has_train(&goal.info, &told);
        (verdict.inform, verdict.success) = (Some(found), Some(found));
    }
    if let Some(wanted) = goal.booking() {
        let booked = booking(answers, bookings)?;
        let id = booked
            .and_then(|booked| booked.get("trainID"))
            .and_then(Value::as_str);
        let runs = id
            .and_then(|id| venues.train(id))
            .is_some_and(|train| train.runs(&goal.info));
        let people = wanted
            .get("people")
            .cloned()
            .ok_or_else(|| Unjudged("people".to_owned()))?;
        let tickets = Slots::from_iter([("tickets".to_owned(), people)]);
        let enough = match booked {
            Some(booked) if runs => is_as_wanted(booked, &tickets)?,
            _ => false,
        };
        (verdict.inform, verdict.book) = (Some(runs), Some(enough));
    }
    Ok(verdict)
}

fn taxi(goal: &DomainGoal, answers: &Answers) -> Result<Verdict, Unjudged> {
    let mut verdict = Verdict::default();
    if !goal.info.is_empty() {
        let told = answered(Domain::Taxi, goal.info.keys(), answers)?;
        let mut inform = true;
        for (slot, wanted) in &goal.info {
            let not_text = || Unjudged(slot.clone());
            let wanted = wanted.as_str().ok_or_else(not_text)?;
            let told = told
                .get(slot)
                .and_then(Value::as_str)
                .ok_or_else(not_text)?;
            inform = wanted.to_lowercase() == told.to_lowercase();
            if !inform {
                break;
            }
        }
        verdict.inform = Some(inform);
    }
    if !goal.requests().is_empty() {
        let told = answered(Domain::Taxi, goal.requests().iter(), answers)?;
        let complete = told.values().all(|answer| answer != "none");
        let inform = verdict.inform.ok_or_else(|| Unjudged("info".to_owned()))?;
        verdict.success = Some(complete && inform);
    }
    Ok(verdict)
}
