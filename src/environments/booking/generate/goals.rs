//! Generated goals, as varied as the official ones, all of which can be reached.

use serde_json::{Value, json};

use super::records::clock;
use super::{TABLES, slots};
use crate::api::Domain::{self, Attraction, Hotel, Restaurant, Taxi, Train};
use crate::database::{Column, Database, Record, Rows, Table, text};
use crate::goal::{DomainGoal, Goal, Slots};
use crate::normalise::minutes;
use rolecall_core::text::Dice;

/// Chances in percent: the first wish is not there; the booking is not free.
const IN_VAIN: usize = 32;
const NOT_FREE: usize = 20;

/// A goal that can be reached.
pub(super) fn wanted(database: &Database, dice: &mut Dice) -> Goal {
    let mut domains: Vec<Domain> = TABLES.weighted("mixes", dice).split(' ').filter_map(Domain::named).collect();
    // A taxi comes last.
    let has_taxi = domains.last() == Some(&Taxi);
    let others = domains.len() - usize::from(has_taxi);
    dice.shuffle(&mut domains[..others]);
    let mut draft = Draft {
        database,
        has_taxi,
        people: dice.between(1, 8).to_string(),
        day: TABLES.pick("days", dice),
        goal: Goal::default(),
    };
    for domain in domains {
        let wanted = match domain {
            Taxi => draft.taxi(dice),
            Train => draft.train(dice),
            Hotel | Restaurant | Attraction => draft.venue(domain, dice),
        };
        draft.goal.domains.push((domain, wanted));
    }
    draft.goal
}

struct Draft<'d> {
    database: &'d Database,
    has_taxi: bool,
    /// The party and the times: mostly shared by all parts.
    people: String,
    day: &'static str,
    goal: Goal,
}

impl Draft<'_> {
    fn records(&self, domain: Domain) -> &[Record] {
        self.database.table(domain).map_or(&[][..], Table::records)
    }

    fn venue(&self, domain: Domain, dice: &mut Dice) -> DomainGoal {
        // In percent: one is wanted by name; it is to be booked, else a slot is requested. Then the least and the most
        // number of constraints.
        let (named, booked, least, most) = match domain {
            Hotel => (28, 60, 3, 4),
            Restaurant => (21, 62, 2, 3),
            _ => (22, 0, 1, 2),
        };
        let mut records: Vec<&Record> = self.records(domain).iter().collect();
        let area = self.goal.domains.iter().find_map(|(_, wanted)| wanted.info.get("area"));
        if let Some(area) = area.filter(|_| dice.percent(40)) {
            records.retain(|record| record.get("area") == Some(area));
        }
        let target = dice.pick(&records).or_else(|| self.records(domain).first());
        let (Some(target), Some(table)) = (target, self.database.table(domain)) else {
            return DomainGoal::default();
        };
        let is_named = dice.percent(named);
        let mut wishes = TABLES.shuffled(&format!("{domain} wishes"), dice);
        wishes.truncate(dice.between(least, most));
        let info = picked(target, if is_named { &["name"] } else { &wishes });
        let booking = dice.percent(booked).then(|| self.booking(domain, dice));
        let fail_info =
            if !is_named && dice.percent(IN_VAIN) { in_vain(table, domain, &info, dice) } else { Slots::new() };
        let reqt = booking.is_none().then(|| questions(table, domain, &info, dice));
        let (book, fail_book) = booking.unzip();
        DomainGoal { info, fail_info: Some(fail_info), reqt, book, fail_book }
    }

    /// Booking to be made, and the slots that are wanted otherwise at first.
    fn booking(&self, domain: Domain, dice: &mut Dice) -> (Slots, Slots) {
        let (slot, value, other) = match domain {
            Hotel => {
                let stay = dice.between(1, 4);
                ("stay", stay.to_string(), (stay + 1).to_string())
            }
            _ => {
                let time = 15 * (44 + dice.below(40));
                ("time", clock(time), clock(time + 60))
            }
        };
        let mut book = json!({ "people": self.people, "day": self.day, "invalid": false, slot: value });
        if !dice.percent(NOT_FREE) {
            return (slots(book), Slots::new());
        }
        book["pre_invalid"] = json!(true);
        // A taxi is to arrive at the time of the table, which therefore stays.
        let first = if dice.percent(15) || self.has_taxi {
            json!({ "day": TABLES.words("days").iter().find(|day| **day != self.day) })
        } else {
            json!({ slot: other })
        };
        (slots(book), slots(first))
    }

    fn train(&self, dice: &mut Dice) -> DomainGoal {
        let time = |train: &Record, slot: &str| minutes(text(train, slot)).unwrap_or_default() as usize;
        let mut possible: Vec<&Record> = self.records(Train).iter().collect();
        possible.retain(|train| time(train, "arriveBy") <= 23 * 60 + 45 && text(train, "day") == self.day);
        let Some(train) = dice.pick(&possible) else {
            return DomainGoal::default();
        };
        let mut info = picked(train, &["departure", "destination", "day"]);
        let (slot, other, limit) = if dice.percent(60) {
            ("arriveBy", "leaveAt", time(train, "arriveBy").div_ceil(15))
        } else {
            ("leaveAt", "arriveBy", time(train, "leaveAt") / 15)
        };
        info.insert(slot.to_owned(), json!(clock(15 * limit)));
        let books = dice.percent(53);
        let asked = drawn([TABLES.words("train questions"), &[other]].concat(), dice);
        DomainGoal {
            info,
            fail_info: Some(Slots::new()),
            reqt: (!books).then_some(asked),
            book: books.then(|| slots(json!({ "invalid": false, "people": self.people }))),
            fail_book: books.then(Slots::new),
        }
    }

    /// A taxi between the two venues of the goal, to the table if one is booked; or between any two.
    fn taxi(&self, dice: &mut Dice) -> DomainGoal {
        let mut info = Slots::new();
        if self.goal.domains.is_empty() {
            let mut names: Vec<&Value> = [Hotel, Restaurant, Attraction]
                .map(|domain| self.records(domain))
                .into_iter()
                .flatten()
                .filter_map(|record| record.get("name"))
                .collect();
            for place in ["departure", "destination"] {
                if !names.is_empty() {
                    let name = names.swap_remove(dice.below(names.len()));
                    info.insert(place.to_owned(), name.clone());
                }
            }
        }
        let table = self.goal.of(Restaurant).and_then(DomainGoal::booking).and_then(|book| book.get("time"));
        let slot = if table.is_some() || dice.percent(40) { "arriveBy" } else { "leaveAt" };
        let time = json!(clock(15 * (24 + dice.below(70))));
        info.insert(slot.to_owned(), table.cloned().unwrap_or(time));
        DomainGoal {
            info,
            fail_info: Some(Slots::new()),
            reqt: Some(vec!["car type".to_owned(), "phone".to_owned()]),
            ..DomainGoal::default()
        }
    }
}

/// Some values of a record.
fn picked(record: &Record, keys: &[&str]) -> Slots {
    keys.iter().filter_map(|key| record.get_key_value(*key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// One to three of the slots.
fn drawn(mut slots: Vec<&str>, dice: &mut Dice) -> Vec<String> {
    dice.shuffle(&mut slots);
    slots.truncate(dice.between(1, 3));
    slots.into_iter().map(str::to_owned).collect()
}

fn found(table: &Table, wishes: &Slots) -> Rows {
    let pairs = wishes.iter().filter_map(|(slot, value)| Some((slot.as_str(), value.as_str()?)));
    table.scan(pairs).0
}

/// Wishes with one changed so that nothing meets them; none if something always does.
fn in_vain(table: &Table, domain: Domain, info: &Slots, dice: &mut Dice) -> Slots {
    let mut others = Vec::new();
    for slot in info.keys() {
        let mut values = match domain.values(slot) {
            Some(values) => values.to_vec(),
            None if slot == "food" => TABLES.words("foods").to_vec(),
            None => table.column(slot).map(Column::values).unwrap_or_default(),
        };
        // No venue is called so, and a user who wants it means another type.
        values.retain(|value| *value != "bed and breakfast");
        values.sort_unstable();
        others.extend(values.into_iter().map(|value| (slot, value)));
    }
    dice.shuffle(&mut others);
    let in_vain = others
        .into_iter()
        .map(|(slot, value)| {
            let mut wishes = info.clone();
            wishes.insert(slot.clone(), json!(value));
            wishes
        })
        .find(|wishes| found(table, wishes).is_empty());
    in_vain.unwrap_or_default()
}

/// Requested slots of a venue: only slots that every matching venue has a value for.
fn questions(table: &Table, domain: Domain, info: &Slots, dice: &mut Dice) -> Vec<String> {
    let meant = found(table, info);
    let is_known = |slot: &str| {
        meant.iter().filter_map(|row| table.records().get(row)).all(|record| !matches!(text(record, slot), "" | "?"))
    };
    let mut open = TABLES.words(&format!("{domain} questions")).to_vec();
    open.retain(|slot| !info.contains_key(*slot) && is_known(slot));
    drawn(open, dice)
}
