//! Hotels, restaurants, attractions and trains, with the keys of the official records in their order.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{TABLES, slots};
use crate::api::Domain;
use crate::database::Record;
use crate::language::capital;
use rolecall_core::text::Dice;
use rolecall_core::text::fuzzy::partial_ratio;

/// Likeness in percent from which on two names are confused.
const LIKE: u8 = 80;

/// The station of the city.
const CITY: &str = "harrowmere";

/// The venues of a domain.
pub(super) fn venues(domain: Domain, dice: &mut Dice) -> Vec<Record> {
    let firsts = TABLES.shuffled(&format!("{domain} first"), dice);
    let seconds = TABLES.shuffled(&format!("{domain} second"), dice);
    let venues = names(firsts, seconds).into_iter().enumerate().map(|(index, (name, kind))| match domain {
        Domain::Hotel => hotel(index, &name, dice),
        Domain::Restaurant => restaurant(index, &name, dice),
        _ => attraction(index, &name, kind, dice),
    });
    venues.collect()
}

/// Names that are not confused: a word of the first list and one of the second, with the type of an attraction before
/// it. The second words come in turn.
fn names<'w>(firsts: Vec<&str>, mut seconds: Vec<&'w str>) -> Vec<(String, &'w str)> {
    let mut names: Vec<(String, &str)> = Vec::with_capacity(firsts.len());
    for first in firsts {
        let named = |second: &'w str| {
            let (kind, last) = second.split_once('=').unwrap_or(("", second));
            (format!("{first} {last}"), kind)
        };
        let is_free = |second: &&'w str| {
            let (name, _) = named(second);
            names.iter().all(|(other, _)| partial_ratio(other, &name) < LIKE)
        };
        if let Some(place) = seconds.iter().position(is_free) {
            let second = seconds.remove(place);
            names.push(named(second));
            seconds.push(second);
        }
    }
    names
}

/// A hotel, mostly a guesthouse.
fn hotel(index: usize, name: &str, dice: &mut Dice) -> Record {
    let is_hotel = dice.percent(38);
    let price = TABLES.weighted("prices", dice);
    let single = match price {
        "cheap" => dice.between(24, 45),
        "moderate" => dice.between(48, 75),
        _ => dice.between(85, 140),
    };
    let mut prices = json!({ "double": (single * 3 / 2).to_string() });
    if dice.percent(70) {
        prices["family"] = json!((single * 2).to_string());
    }
    prices["single"] = json!(single.to_string());
    let yes_no = |yes| if yes { "yes" } else { "no" };
    let (internet, parking) = (dice.percent(85), dice.percent(75));
    let (kind, least, most) = if is_hotel { ("hotel", 2, 5) } else { ("guesthouse", 0, 4) };
    let stars = dice.between(least, most);
    slots(json!({
        "address": address(dice),
        "area": TABLES.weighted("areas", dice),
        "internet": yes_no(internet),
        "parking": yes_no(parking),
        "id": index.to_string(),
        "location": location(dice),
        "name": name,
        "phone": phone(dice),
        "postcode": postcode(dice),
        "price": prices,
        "pricerange": price,
        "stars": stars.to_string(),
        "takesbookings": "yes",
        "type": kind,
    }))
}

/// A restaurant. A few have no phone, no introduction, or a dish that they are known for.
fn restaurant(index: usize, name: &str, dice: &mut Dice) -> Record {
    let food = TABLES.pick("foods", dice);
    let introduction =
        if dice.percent(5) { String::new() } else { TABLES.pick("introductions", dice).replace("{food}", food) };
    let address = address(dice);
    let address = address.split(' ').map(capital);
    let mut record = slots(json!({
        "address": address.collect::<Vec<_>>().join(" "),
        "area": TABLES.weighted("areas", dice),
        "food": food,
        "id": (19_200 + 7 * index).to_string(),
        "introduction": introduction,
        "location": location(dice),
        "name": name,
        "phone": phone(dice),
        "postcode": postcode(dice),
        "pricerange": TABLES.weighted("prices", dice),
    }));
    for (key, missing) in [("introduction", 12), ("phone", 5)] {
        if dice.percent(missing) {
            record.shift_remove(key);
        }
    }
    if dice.percent(15) {
        record.insert("signature".to_owned(), json!(TABLES.pick("dishes", dice)));
    }
    record.insert("type".to_owned(), json!("restaurant"));
    record
}

/// An attraction with some fields unknown.
fn attraction(index: usize, name: &str, kind: &str, dice: &mut Dice) -> Record {
    let fee = match kind {
        "park" | "college" if dice.percent(60) => "free",
        _ => TABLES.pick("fees", dice),
    };
    slots(json!({
        "address": address(dice),
        "area": TABLES.weighted("areas", dice),
        "entrance fee": fee,
        "id": (index + 1).to_string(),
        "location": location(dice),
        "name": name,
        "openhours": TABLES.pick("hours", dice),
        "phone": phone(dice),
        "postcode": postcode(dice),
        "pricerange": match fee {
            "free" | "?" => fee,
            _ => TABLES.weighted("prices", dice),
        },
        "type": kind,
    }))
}

fn address(dice: &mut Dice) -> String {
    format!("{} {}", dice.between(1, 190), TABLES.pick("streets", dice))
}

/// A number in an area code that no place has.
fn phone(dice: &mut Dice) -> String {
    format!("01632{:06}", dice.below(1_000_000))
}

fn postcode(dice: &mut Dice) -> String {
    let letters = b"abdefghjlnpqrstuwxyz";
    let [first, second] = [(); 2].map(|()| dice.pick(letters).map_or('a', char::from));
    let [area, part] = [(); 2].map(|()| dice.between(1, 9));
    format!("hm{area}{part}{first}{second}")
}

/// Degrees of latitude and longitude.
fn location(dice: &mut Dice) -> Value {
    json!([53_870_000, 310_000].map(|from| (from + dice.below(60_000)) as f64 / 1e6))
}

/// A clock time, past 24:00 too.
pub(super) fn clock(minutes: usize) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// All trains of a week. A few share a number with another one, as in the official table.
pub(super) fn trains(dice: &mut Dice) -> Vec<Record> {
    let mut trains = Vec::new();
    let mut numbers = HashSet::new();
    for station in TABLES.words("stations") {
        let minutes = dice.between(16, 130);
        let pence = minutes * dice.between(22, 48);
        // Every hour or two, at a different minute each way.
        let every = 60 * dice.between(1, 2);
        for (departure, destination) in [(CITY, *station), (*station, CITY)] {
            let first = 5 * 60 + dice.below(60);
            for day in TABLES.words("days") {
                let cost = if day.starts_with('s') { pence * 4 / 5 } else { pence };
                for leave in (first..24 * 60).step_by(every) {
                    let mut number = dice.below(10_000);
                    while !numbers.insert(number) && !dice.percent(20) {
                        number = dice.below(10_000);
                    }
                    trains.push(slots(json!({
                        "arriveBy": clock(leave + minutes),
                        "day": day,
                        "departure": departure,
                        "destination": destination,
                        "duration": format!("{minutes} minutes"),
                        "leaveAt": clock(leave),
                        "price": format!("{}.{:02} pounds", cost / 100, cost % 100),
                        "trainID": format!("TR{number:04}"),
                    })));
                }
            }
        }
    }
    trains
}
