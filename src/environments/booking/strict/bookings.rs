//! Bookings: checked against the records, and kept.

use std::sync::Arc;

use super::places::{place, venue};
use super::queries::train_id;
use super::values::{Values, quoted};
use super::{Done, StrictDesk, answer};
use crate::account::{Booking, Outcome};
use crate::api::{Api, Domain};
use crate::database::Table;
use crate::desk::{booking, slots};
use crate::goal::Slots;
use crate::reference::{LETTERS, drawn, taxi_of};
use crate::score::clean_name;
use rolecall_core::text::{Dice, python};

/// Most journeys that are listed for a train that does not run as asked.
const JOURNEYS: usize = 3;

impl StrictDesk {
    /// Books a table or a room.
    pub(super) fn book(&mut self, api: Api, values: &mut Values) -> Result<Done, String> {
        let domain = api.domain();
        let (noun, booked) = domain.nouns();
        let found = venue(&self.city, domain, values.text("name"))?;
        let remark = found.settle("name", values);
        let name = found.name.as_str();
        let [people, day, time, stay] = ["people", "day", "time", "stay"].map(|key| values.text(key));
        let nights = format!("for {}", several(stay, "night", "nights"));
        let (last, value, during) = match domain {
            Domain::Hotel => ("stay", stay, nights),
            _ => ("time", time, format!("at {time}")),
        };
        if self.is_taken(&[name, day, value]) {
            return Err(format!(
                "The {noun} {name} has no {booked} left on {day} {during}; ask for another {last} or day, or another \
                 {noun}."
            ));
        }
        let guests = several(people, "person", "people");
        let said = format!("a {booked} at {name} for {guests} on {day} {during}");
        let mut row = slots([("name", &*clean_name(name)), ("people", people)]);
        row.extend(slots([("day", day), (last, value)]));
        Ok(self.keep(domain, row, &said, &remark))
    }

    /// Whether it is fully booked then: the same answer for every request of the episode.
    fn is_taken(&self, what: &[&str]) -> bool {
        let seed = self.seed.labelled("taken", &what.join("\n"), 0);
        Dice::new("rolecall booking 1", "taken", &[seed.0]).chance(self.vacancy.taken)
    }

    /// Buys tickets for a train.
    pub(super) fn buy(&mut self, values: &mut Values) -> Result<Done, String> {
        let city = Arc::clone(&self.city);
        let trains = city.database.table(Domain::Train);
        let asked = values.text("trainID");
        let found = trains.and_then(|table| Some((table, train_id(table, asked)?)));
        let Some((table, id)) = found else {
            let asked = quoted(asked);
            return Err(format!("There is no train {asked}; query_trains finds IDs."));
        };
        values.slots.insert("trainID".to_owned(), id.into());
        let (passing, _) = table.scan(values.pairs().filter(|(key, _)| *key != "people"));
        let Some(train) = passing.iter().next() else {
            let (all, _) = table.scan([("trainID", id)].into_iter());
            let journeys = all.iter().take(JOURNEYS).map(|row| journey(table, row)).collect::<Vec<_>>().join("; ");
            return Err(format!(
                "{id} does not run so. It runs {journeys}. Leave out what does not matter, or ask for another train."
            ));
        };
        let tickets = values.text("people");
        let number = several(tickets, "ticket", "tickets");
        let said = format!("{number} for {id}, {}", journey(table, train));
        Ok(self.keep(Domain::Train, slots([("trainID", id), ("tickets", tickets)]), &said, ""))
    }

    /// Keeps a booking, and gives its reference.
    fn keep(&mut self, domain: Domain, row: Slots, said: &str, remark: &str) -> Done {
        let is_same = |booking: &Booking| row.iter().all(|(key, value)| booking.row.get(key) == Some(value));
        let earlier = self.booked.iter().find(|(about, booking)| *about == domain && is_same(booking));
        let earlier = earlier.map_or_else(String::new, |(_, booking)| {
            let number = &booking.reference;
            format!(" The same is booked as {number} already; this is a second booking.")
        });
        let number = drawn(8, LETTERS, &mut self.dice);
        let mut full = slots([("refer_number", &*number)]);
        full.extend(row);
        let booking = booking("refer_number", full);
        self.booked.push((domain, booking.clone()));
        let message = format!("Booked: {said}.{remark}{earlier}");
        (answer(&format!("{{\"reference\": \"{number}\"}}"), &message), Outcome::Booked(booking))
    }

    /// Books a taxi.
    pub(super) fn taxi(&mut self, values: &mut Values) -> Result<Done, String> {
        let ends = ["departure", "destination"];
        let [from, to] = match ends.map(|end| place(&self.city, values.text(end))) {
            [Ok(from), Ok(to)] => [from, to],
            [Err(one), Err(other)] => return Err(format!("{one} {other}")),
            [Err(problem), _] | [_, Err(problem)] => return Err(problem),
        };
        if from.name == to.name {
            let name = from.name;
            return Err(format!("The taxi would leave and arrive at {name}; write two places."));
        }
        let remarks = from.settle("departure", values) + &to.settle("destination", values);
        let (kind, phone) = taxi_of(&self.city.database, &mut self.dice);
        let mut row = slots([("type", &*kind), ("phone", &*phone)]);
        let mut result = String::new();
        python::push_json_object(&mut result, &row);
        let times = [("leaveAt", " leaving at "), ("arriveBy", " arriving by ")];
        let times = times.map(|(key, words)| match values.get(key) {
            Some(time) => format!("{words}{time}"),
            None => String::new(),
        });
        let (from, to, times) = (from.name, to.name, times.concat());
        let message = format!("Booked: a taxi from {from} to {to}{times}.{remarks}");
        row.extend(slots(values.pairs()));
        Ok((answer(&result, &message), Outcome::Booked(booking("phone", row))))
    }
}

/// A number of things in words.
fn several(count: &str, one: &str, many: &str) -> String {
    format!("{count} {}", if count == "1" { one } else { many })
}

/// When and where a train runs.
fn journey(table: &Table, row: usize) -> String {
    let text = |key: &str| table.field(row, key);
    let (from, leave) = (text("departure"), text("leaveAt"));
    let (to, arrive) = (text("destination"), text("arriveBy"));
    format!("on {} from {from} at {leave} to {to} at {arrive}", text("day"))
}
