//! AutoTOD's verdict on a domain of a dialogue: inform, success and booking, from a judge's answers and the bookings
//! that were made (spec section 6.4).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Unjudged, Venues, clean_time};
use crate::api::Domain;
use crate::goal::{DomainGoal, Slots};

/// Answers of a judge, by the keys of its questions.
pub type Answers = Map<String, Value>;

/// The bookings of a domain: each with its `refer_number` and slots.
pub type Bookings = [Slots];

/// The verdict on a domain; a part is none if the goal does not ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether a venue or ride that meets the goal was found.
    pub inform: Option<bool>,
    /// Whether the requested slots were told.
    pub success: Option<bool>,
    /// Whether the right booking was made.
    pub book: Option<bool>,
}

/// Key of a judge's answer to a slot of a goal.
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
    let mut case = Case { domain, goal, answers: Cow::Borrowed(answers), bookings, venues };
    if matches!(domain, Domain::Train | Domain::Taxi) {
        case.clean_times()?;
    }
    match domain {
        Domain::Train => case.train(),
        Domain::Taxi => case.taxi(),
        _ => case.venue(),
    }
}

/// Data of a verdict.
struct Case<'a> {
    domain: Domain,
    goal: &'a DomainGoal,
    answers: Cow<'a, Answers>,
    bookings: &'a Bookings,
    venues: &'a Venues,
}

impl Case<'_> {
    /// Cleans the times in the answers, except a train's time of arrival.
    fn clean_times(&mut self) -> Result<(), Unjudged> {
        for key in ["leave time", "arrival time"] {
            let answer = self.answers.to_mut().get_mut(key);
            if let Some(answer) = answer.filter(|answer| counts(answer)) {
                *answer = clean_time(Unjudged::text(key, Some(&*answer))?).into();
            }
        }
        Ok(())
    }

    /// The answers to slots of the goal, by slot.
    fn answered<'s>(&self, slots: impl IntoIterator<Item = &'s String>) -> Result<Slots, Unjudged> {
        slots
            .into_iter()
            .map(|slot| {
                let key = Unjudged::unless(slot, answer_key(self.domain, slot))?;
                let answer = Unjudged::unless(key, self.answers.get(key))?;
                Ok((slot.clone(), answer.clone()))
            })
            .collect()
    }

    /// Requested slots with their answers; none if nothing was requested.
    fn requested(&self) -> Result<Option<Slots>, Unjudged> {
        let requests = self.goal.requests();
        (!requests.is_empty()).then(|| self.answered(requests)).transpose()
    }

    /// The booking with the reference of the answers.
    fn booked(&self) -> Result<Option<&Slots>, Unjudged> {
        let number = match Unjudged::unless(REFERENCE, self.answers.get(REFERENCE))? {
            Value::Number(number) => Value::String(number.to_string()),
            other => other.clone(),
        };
        let mut bookings = self.bookings.iter();
        Ok(bookings.find(|booking| booking.get("refer_number") == Some(&number)))
    }

    fn venue(&self) -> Result<Verdict, Unjudged> {
        let (goal, name) = (self.goal, self.domain.as_str());
        let name = Unjudged::text(name, self.answers.get(name))?;
        let venue = self.venues.venue(self.domain, name);
        let before = Unjudged::unless("fail_info", goal.fail_info.as_ref());
        let inform = match venue {
            Some(venue) => fits_one(&goal.info, before, |slots| venue.satisfies(slots))?,
            None => false,
        };
        let venue = venue.filter(|_| inform);
        let success =
            self.requested()?.map(|answered| venue.map(|venue| venue.satisfies(&answered)).unwrap_or(Ok(false)));
        let book = goal.booking().map(|wanted| {
            let Some((venue, booked)) = venue.zip(self.booked()?) else {
                return Ok(false);
            };
            let before = Unjudged::unless("fail_book", goal.fail_book.as_ref());
            let fits = fits_one(wanted, before, |slots| is_as_wanted(booked, slots))?;
            Ok(fits && booked.get("name").and_then(Value::as_str) == Some(&venue.name()))
        });
        Ok(Verdict { inform: Some(inform), success: success.transpose()?, book: book.transpose()? })
    }

    fn train(&self) -> Result<Verdict, Unjudged> {
        let mut verdict = Verdict::default();
        if let Some(answered) = self.requested()? {
            let found = Some(self.venues.has_train(&self.goal.info, &answered));
            (verdict.inform, verdict.success) = (found, found);
        }
        if let Some(wanted) = self.goal.booking() {
            let booked = self.booked()?;
            let train = booked.and_then(|booked| {
                let id = booked.get("trainID")?.as_str()?;
                self.venues.train(id)
            });
            let runs = train.is_some_and(|train| train.runs(&self.goal.info));
            let people = Unjudged::unless("people", wanted.get("people"))?.clone();
            let tickets = Slots::from_iter([("tickets".to_owned(), people)]);
            let booked = booked.filter(|_| runs);
            let enough = booked.map_or(Ok(false), |booked| is_as_wanted(booked, &tickets));
            (verdict.inform, verdict.book) = (Some(runs), Some(enough?));
        }
        Ok(verdict)
    }

    fn taxi(&self) -> Result<Verdict, Unjudged> {
        let mut verdict = Verdict::default();
        let info = &self.goal.info;
        if !info.is_empty() {
            let answered = self.answered(info.keys())?;
            verdict.inform = Some(is_answered(info, &answered)?);
        }
        if let Some(answered) = self.requested()? {
            let complete = answered.values().all(|answer| answer != "none");
            let inform = Unjudged::unless("info", verdict.inform)?;
            verdict.success = Some(complete && inform);
        }
        Ok(verdict)
    }
}

/// Whether an answer counts as true in Python.
fn counts(answer: &Value) -> bool {
    !matches!(answer, Value::Null | Value::Bool(false)) && *answer != json!("") && *answer != json!(0)
}

/// Whether the constraints are met, or else the first choice, which the goal then has to have.
fn fits_one(
    wanted: &Slots,
    before: Result<&Slots, Unjudged>,
    fits: impl Fn(&Slots) -> Result<bool, Unjudged>,
) -> Result<bool, Unjudged> {
    if fits(wanted)? {
        return Ok(true);
    }
    let before = before?;
    Ok(!before.is_empty() && fits(before)?)
}

/// Whether the answers match a goal.
fn is_answered(info: &Slots, answered: &Slots) -> Result<bool, Unjudged> {
    for (slot, wanted) in info {
        let wanted = Unjudged::text(slot, Some(wanted))?.to_lowercase();
        if wanted != Unjudged::text(slot, answered.get(slot))?.to_lowercase() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a booking matches these slots; marks of invalid ones are skipped.
fn is_as_wanted(booking: &Slots, slots: &Slots) -> Result<bool, Unjudged> {
    for (slot, wanted) in slots.iter().filter(|(slot, _)| !slot.contains("invalid")) {
        let wanted = Unjudged::text(slot, Some(wanted))?.to_lowercase();
        if booking.get(slot).and_then(Value::as_str) != Some(&wanted) {
            return Ok(false);
        }
    }
    Ok(true)
}
