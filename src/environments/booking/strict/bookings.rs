//! Bookings: checked against the records, and kept.

use serde_json::Value;

use super::places::{Found, place, venue};
use super::queries::field;
use super::values::{Values, quoted};
use super::{Done, StrictDesk, answer};
use crate::environments::booking::account::{Booking, Outcome};
use crate::environments::booking::api::{Api, Domain};
use crate::environments::booking::database::Table;
use crate::environments::booking::goal::Slots;
use crate::environments::booking::keys::nouns;
use crate::environments::booking::reference::{reference, taxi_of};
use crate::environments::booking::score::clean_name;
use crate::text::{Dice, python};

/// The letters of references.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The most journeys that are told of a train that does not run as it is asked for.
const JOURNEYS: usize = 3;

impl StrictDesk {
    /// Books a table or a room.
    pub(super) fn book(&mut self, api: Api, values: &mut Values) -> Result<Done, String> {
        let domain = api.domain();
        let (noun, booked) = nouns(domain);
        let found = venue(&self.city, domain, values.get("name").unwrap_or_default())?;
        values
            .slots
            .insert("name".to_owned(), found.name.as_str().into());
        let text = |key: &str| values.get(key).unwrap_or_default();
        let (last, during) = match domain {
            Domain::Hotel => (
                "stay",
                format!("for {}", several(text("stay"), "night", "nights")),
            ),
            _ => ("time", format!("at {}", text("time"))),
        };
        let (day, name) = (text("day"), &found.name);
        if self.is_taken(&[name, day, text(last)]) {
            return Err(format!(
                "The {noun} {name} has no {booked} left on {day} {during}; ask for another {last} or day, or another \
                 {noun}."
            ));
        }
        let said = format!(
            "a {booked} at {name} for {} on {day} {during}",
            several(text("people"), "person", "people")
        );
        let mut row = Slots::new();
        row.insert("name".to_owned(), clean_name(name).into());
        for key in ["people", "day", last] {
            row.insert(key.to_owned(), text(key).into());
        }
        Ok(self.keep(domain, row, &said, &guessed(&[("name", &found)])))
    }

    /// Whether everything is taken then: the same for everybody who asks in this episode, as often as they do.
    fn is_taken(&self, what: &[&str]) -> bool {
        let seed = self.seed.labelled("taken", &what.join("\n"), 0);
        Dice::new("rolecall booking 1", "taken", &[seed.0]).chance(self.vacancy.taken)
    }

    /// Buys tickets for a train.
    pub(super) fn buy(&mut self, values: &mut Values) -> Result<Done, String> {
        let asked = values.get("trainID").unwrap_or_default();
        let upper = asked.to_uppercase();
        let unknown = || {
            format!(
                "There is no train {}; query_trains finds IDs.",
                quoted(asked)
            )
        };
        let table = self
            .city
            .database
            .table(Domain::Train)
            .ok_or_else(unknown)?;
        let ids = table.column("trainID").ok_or_else(unknown)?;
        let first = ids.equal(asked).or_else(|| ids.equal(&upper));
        let id = field(table, first.ok_or_else(unknown)?, "trainID").to_owned();
        values
            .slots
            .insert("trainID".to_owned(), id.as_str().into());
        let pairs = values.pairs().filter(|(key, _)| *key != "people");
        let (passing, _) = table.scan(pairs);
        let Some(train) = passing.iter().next() else {
            let (all, _) = table.scan([("trainID", id.as_str())].into_iter());
            let journeys = all.iter().take(JOURNEYS).map(|row| journey(table, row));
            let journeys: Vec<String> = journeys.collect();
            return Err(format!(
                "{id} does not run so. It runs {}. Leave out what does not matter, or ask for another train.",
                journeys.join("; ")
            ));
        };
        let tickets = values.get("people").unwrap_or_default();
        let said = format!(
            "{} for {id}, {}",
            several(tickets, "ticket", "tickets"),
            journey(table, train)
        );
        let mut row = Slots::new();
        row.insert("trainID".to_owned(), id.as_str().into());
        row.insert("tickets".to_owned(), tickets.into());
        Ok(self.keep(Domain::Train, row, &said, ""))
    }

    /// Keeps a booking, and tells its reference.
    fn keep(&mut self, domain: Domain, row: Slots, said: &str, remark: &str) -> Done {
        let is_same = |booking: &Booking| {
            let mut pairs = row.iter();
            pairs.all(|(key, value)| booking.row.get(key) == Some(value))
        };
        let mut earlier = self.booked.iter().filter(|(own, _)| *own == domain);
        let earlier = earlier.find(|(_, booking)| is_same(booking));
        let again = earlier.map(|(_, booking)| {
            let number = &booking.reference;
            format!(" The same is booked as {number} already; this is a second booking.")
        });
        let number = reference(&mut self.dice, LETTERS);
        let mut full = Slots::new();
        full.insert("refer_number".to_owned(), number.as_str().into());
        full.extend(row);
        let booking = Booking {
            reference: number.clone(),
            row: full,
        };
        self.booked.push((domain, booking.clone()));
        let message = format!("Booked: {said}.{remark}{}", again.unwrap_or_default());
        let text = answer(&format!("{{\"reference\": \"{number}\"}}"), &message);
        (text, Outcome::Booked(booking))
    }

    /// Books a taxi.
    pub(super) fn taxi(&mut self, values: &mut Values) -> Result<Done, String> {
        let ends = ["departure", "destination"];
        let [from, to] = ends.map(|end| place(&self.city, values.get(end).unwrap_or_default()));
        let (from, to) = match (from, to) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(problem), Ok(_)) | (Ok(_), Err(problem)) => return Err(problem),
            (Err(one), Err(other)) => return Err(format!("{one} {other}")),
        };
        if from.name == to.name {
            return Err(format!(
                "The taxi would leave and arrive at {}; write two places.",
                from.name
            ));
        }
        for (end, found) in ends.iter().zip([&from, &to]) {
            values
                .slots
                .insert((*end).to_owned(), found.name.as_str().into());
        }
        let (kind, phone) = taxi_of(&self.city.database, &mut self.dice);
        let mut told = Slots::new();
        told.insert("type".to_owned(), kind.into());
        told.insert("phone".to_owned(), phone.as_str().into());
        let mut result = String::new();
        python::push_json_object(&mut result, &told);
        let times = [("leaveAt", " leaving at "), ("arriveBy", " arriving by ")];
        let times = times.map(|(key, words)| match values.get(key) {
            Some(time) => format!("{words}{time}"),
            None => String::new(),
        });
        let remark = guessed(&[("departure", &from), ("destination", &to)]);
        let message = format!(
            "Booked: a taxi from {} to {}{}.{remark}",
            from.name,
            to.name,
            times.concat()
        );
        let mut row = told;
        row.extend(
            values
                .pairs()
                .map(|(key, value)| (key.to_owned(), Value::from(value))),
        );
        let booking = Booking {
            reference: phone,
            row,
        };
        self.booked.push((Domain::Taxi, booking.clone()));
        Ok((answer(&result, &message), Outcome::Booked(booking)))
    }
}

/// What is told of names that are only like those asked for.
fn guessed(found: &[(&str, &Found)]) -> String {
    let guessed = found.iter().filter(|(_, found)| found.guessed);
    let told = guessed.map(|(key, found)| {
        format!(
            " No `{key}` is called so exactly; {} is the only one like it.",
            found.name
        )
    });
    told.collect()
}

/// A number of things in words.
fn several(count: &str, one: &str, many: &str) -> String {
    format!("{count} {}", if count == "1" { one } else { many })
}

/// When and where a train runs.
fn journey(table: &Table, row: usize) -> String {
    let text = |key: &str| field(table, row, key);
    format!(
        "on {} from {} at {} to {} at {}",
        text("day"),
        text("departure"),
        text("leaveAt"),
        text("destination"),
        text("arriveBy")
    )
}
