//! What a user wants: goals as varied as the official ones, all of which can be reached.

use serde_json::{Value, json};

use super::tables::TABLES;
use super::trains::clock;
use crate::environments::booking::api::Domain::{self, Attraction, Hotel, Restaurant, Taxi, Train};
use crate::environments::booking::database::{Database, Record, Table};
use crate::environments::booking::goal::{DomainGoal, Goal, Slots};
use crate::environments::booking::normalise::minutes;
use crate::text::Dice;

/// What is wanted together, with how often it is in the official test and development sets.
const MIXES: [(&[Domain], usize); 14] = [
    (&[Restaurant, Train], 312),
    (&[Attraction, Train], 311),
    (&[Hotel, Train], 293),
    (&[Attraction, Restaurant], 148),
    (&[Hotel], 123),
    (&[Attraction, Restaurant, Taxi], 112),
    (&[Restaurant], 112),
    (&[Taxi], 109),
    (&[Hotel, Restaurant], 108),
    (&[Attraction, Hotel], 105),
    (&[Attraction, Hotel, Taxi], 97),
    (&[Hotel, Restaurant, Taxi], 83),
    (&[Train], 63),
    (&[Attraction], 23),
];

/// How a domain is asked about.
struct Ways {
    /// In percent: something of a name is wanted.
    named: usize,
    /// In percent: it is to be booked, else something is to be known of it.
    booked: usize,
    /// What it may have to be, and how much of that at least and at most.
    wishes: &'static [&'static str],
    count: (usize, usize),
    /// What may be asked of it.
    questions: &'static [&'static str],
}

const HOTELS: Ways = Ways {
    named: 28,
    booked: 60,
    wishes: &["area", "internet", "parking", "pricerange", "stars", "type"],
    count: (3, 4),
    questions: &[
        "phone",
        "address",
        "postcode",
        "area",
        "internet",
        "parking",
        "pricerange",
        "stars",
        "type",
    ],
};
const RESTAURANTS: Ways = Ways {
    named: 21,
    booked: 62,
    wishes: &["food", "pricerange", "area"],
    count: (2, 3),
    questions: &["phone", "address", "postcode", "food", "pricerange", "area"],
};
const ATTRACTIONS: Ways = Ways {
    named: 22,
    booked: 0,
    wishes: &["type", "area"],
    count: (1, 2),
    questions: &[
        "phone",
        "address",
        "postcode",
        "entrance fee",
        "area",
        "type",
    ],
};
/// In percent: what is wanted first is not there; it is not free.
const IN_VAIN: usize = 32;
const NOT_FREE: usize = 20;

/// A goal that can be reached.
pub(super) fn wanted(database: &Database, dice: &mut Dice) -> Goal {
    let mix = dice.weighted(MIXES.iter().map(|(_, weight)| *weight));
    let (mix, _) = mix.and_then(|index| MIXES.get(index)).unwrap_or(&MIXES[0]);
    let (has_taxi, mut domains) = (mix.contains(&Taxi), mix.to_vec());
    domains.retain(|domain| *domain != Taxi);
    dice.shuffle(&mut domains);
    domains.extend(has_taxi.then_some(Taxi));
    let mut draft = Draft {
        database,
        has_taxi,
        people: dice.between(1, 8).to_string(),
        day: dice
            .pick(Domain::Train.values("day").unwrap_or_default())
            .unwrap_or_default()
            .to_owned(),
        goal: Goal::default(),
    };
    for domain in domains {
        let wanted = match domain {
            Taxi => draft.taxi(dice),
            Train => draft.train(dice),
            Hotel => draft.venue(domain, &HOTELS, dice),
            Restaurant => draft.venue(domain, &RESTAURANTS, dice),
            Attraction => draft.venue(domain, &ATTRACTIONS, dice),
        };
        draft.goal.domains.push((domain, wanted));
    }
    draft.goal
}

struct Draft<'d> {
    database: &'d Database,
    has_taxi: bool,
    /// Who comes along, and when: mostly the same in all parts.
    people: String,
    day: String,
    goal: Goal,
}

impl Draft<'_> {
    fn venue(&self, domain: Domain, ways: &Ways, dice: &mut Dice) -> DomainGoal {
        let Some(table) = self.database.table(domain) else {
            return DomainGoal::default();
        };
        let mut records: Vec<&Record> = table.records().iter().collect();
        let before = self
            .goal
            .domains
            .iter()
            .find_map(|(_, wanted)| wanted.info.get("area"));
        if let Some(area) = before.filter(|_| dice.percent(40)) {
            records.retain(|record| record.get("area") == Some(area));
        }
        let Some(target) = dice.pick(&records).or_else(|| table.records().first()) else {
            return DomainGoal::default();
        };
        let is_named = dice.percent(ways.named);
        let mut wishes = ways.wishes.to_vec();
        dice.shuffle(&mut wishes);
        wishes.truncate(dice.between(ways.count.0, ways.count.1));
        let info = picked(target, if is_named { &["name"] } else { &wishes });
        let books = dice.percent(ways.booked);
        let (book, fail_book) = if books {
            self.booking(domain, dice)
        } else {
            Default::default()
        };
        let fail_info = match !is_named && dice.percent(IN_VAIN) {
            true => in_vain(table, domain, &info, dice),
            false => Slots::new(),
        };
        DomainGoal {
            reqt: (!books).then(|| questions(table, &info, ways.questions, dice)),
            info,
            fail_info: Some(fail_info),
            book: books.then_some(book),
            fail_book: books.then_some(fail_book),
        }
    }

    /// What is to be booked, and what of it is wanted otherwise at first.
    fn booking(&self, domain: Domain, dice: &mut Dice) -> (Slots, Slots) {
        let days = Domain::Train.values("day").unwrap_or_default();
        let slot = if domain == Hotel { "stay" } else { "time" };
        let (number, other) = match domain {
            Hotel => {
                let stay = dice.between(1, 4);
                (stay.to_string(), (stay + 1).to_string())
            }
            _ => {
                let quarter = 44 + dice.below(40);
                (clock(15 * quarter), clock(15 * quarter + 60))
            }
        };
        let is_fallback = dice.percent(NOT_FREE);
        let mut book = slots(
            json!({ "people": self.people, "day": self.day, "invalid": false, slot: number }),
        );
        if !is_fallback {
            return (book, Slots::new());
        }
        book.insert("pre_invalid".to_owned(), json!(true));
        // A taxi is to arrive at the time of the table: this one stays.
        let another_day = days
            .iter()
            .find(|day| **day != self.day)
            .copied()
            .unwrap_or_default();
        let first = match dice.percent(15) || self.has_taxi {
            true => json!({ "day": another_day }),
            false => json!({ slot: other }),
        };
        (book, slots(first))
    }

    fn train(&mut self, dice: &mut Dice) -> DomainGoal {
        let trains = self.database.table(Train).map_or(&[][..], Table::records);
        let text = |train: &Record, slot: &str| {
            train
                .get(slot)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let time =
            |train: &Record, slot: &str| minutes(&text(train, slot)).unwrap_or_default() as usize;
        let mut possible: Vec<&Record> = trains.iter().collect();
        possible.retain(|train| {
            time(train, "arriveBy") <= 23 * 60 + 45 && text(train, "day") == self.day
        });
        let Some(train) = dice.pick(&possible) else {
            return DomainGoal::default();
        };
        let mut info = picked(train, &["departure", "destination", "day"]);
        let (slot, other, limit) = match dice.percent(60) {
            true => ("arriveBy", "leaveAt", time(train, "arriveBy").div_ceil(15)),
            false => ("leaveAt", "arriveBy", time(train, "leaveAt") / 15),
        };
        info.insert(slot.to_owned(), json!(clock(15 * limit)));
        let books = dice.percent(53);
        let mut reqt = vec!["duration", "price", "trainID", other];
        dice.shuffle(&mut reqt);
        reqt.truncate(dice.between(1, 3));
        DomainGoal {
            info,
            fail_info: Some(Slots::new()),
            reqt: (!books).then(|| reqt.into_iter().map(str::to_owned).collect()),
            book: books.then(|| slots(json!({ "invalid": false, "people": self.people }))),
            fail_book: books.then(Slots::new),
        }
    }

    /// A taxi between the two venues of the goal, to the table that is booked if there is one; or between any two.
    fn taxi(&self, dice: &mut Dice) -> DomainGoal {
        let mut info = Slots::new();
        if self.goal.domains.is_empty() {
            let mut names = Vec::new();
            for domain in [Hotel, Restaurant, Attraction] {
                let records = self.database.table(domain).map_or(&[][..], Table::records);
                names.extend(records.iter().filter_map(|record| record.get("name")));
            }
            for place in ["departure", "destination"] {
                if !names.is_empty() {
                    let name = names.swap_remove(dice.below(names.len()));
                    info.insert(place.to_owned(), name.clone());
                }
            }
        }
        let table = self
            .goal
            .of(Restaurant)
            .and_then(|wanted| wanted.book.as_ref()?.get("time"));
        let slot = match table.is_some() || dice.percent(40) {
            true => "arriveBy",
            false => "leaveAt",
        };
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

fn slots(value: Value) -> Slots {
    match value {
        Value::Object(slots) => slots,
        _ => Slots::new(),
    }
}

/// Some values of a record.
fn picked(record: &Record, keys: &[&str]) -> Slots {
    let pairs = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), record.get(*key)?.clone())));
    pairs.collect()
}

fn found(table: &Table, wishes: &Slots) -> Vec<usize> {
    let pairs = wishes
        .iter()
        .filter_map(|(slot, value)| Some((slot.as_str(), value.as_str()?)));
    table.scan(pairs).0.iter().collect()
}

/// The same wishes but for one, so that nothing is like that; none if there is always something.
fn in_vain(table: &Table, domain: Domain, info: &Slots, dice: &mut Dice) -> Slots {
    let mut others = Vec::new();
    for slot in info.keys() {
        let mut values: Vec<&str> = match domain.values(slot) {
            Some(values) => values.to_vec(),
            None if slot == "food" => TABLES.words("foods").to_vec(),
            None => table
                .records()
                .iter()
                .filter_map(|record| record.get(slot)?.as_str())
                .collect(),
        };
        // No venue calls itself so, and a user who wants it means another type.
        values.retain(|value| *value != "bed and breakfast");
        values.sort_unstable();
        values.dedup();
        others.extend(values.into_iter().map(|value| (slot, value)));
    }
    dice.shuffle(&mut others);
    let mut changed = others.into_iter().map(|(slot, value)| {
        let mut wishes = info.clone();
        wishes.insert(slot.clone(), json!(value));
        wishes
    });
    changed
        .find(|wishes| found(table, wishes).is_empty())
        .unwrap_or_default()
}

/// What is asked of a venue: only what all that are meant have an answer to.
fn questions(table: &Table, info: &Slots, all: &[&str], dice: &mut Dice) -> Vec<String> {
    let meant = found(table, info);
    let is_known = |slot: &str| {
        meant.iter().all(|row| {
            let value = table
                .records()
                .get(*row)
                .and_then(|record| record.get(slot)?.as_str());
            value.is_some_and(|value| !matches!(value, "" | "?"))
        })
    };
    let open = all
        .iter()
        .filter(|slot| !info.contains_key(**slot) && is_known(slot));
    let mut open: Vec<&str> = open.copied().collect();
    dice.shuffle(&mut open);
    open.truncate(dice.between(1, 3));
    open.into_iter().map(str::to_owned).collect()
}
