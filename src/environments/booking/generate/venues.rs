//! Hotels, restaurants and attractions, with the keys of the official records in their order.

use serde_json::{Value, json};

use super::{TABLES, slots};
use crate::environments::booking::api::Domain;
use crate::environments::booking::database::Record;
use crate::environments::booking::language::capital;
use crate::text::Dice;
use crate::text::fuzzy::partial_ratio;

/// From this likeness on, in percent, one name is taken for another one.
const LIKE: u8 = 80;

/// The venues of a domain.
pub(super) fn venues(domain: Domain, dice: &mut Dice) -> Vec<Record> {
    let firsts = TABLES.shuffled(&format!("{domain} first"), dice);
    let seconds = TABLES.shuffled(&format!("{domain} second"), dice);
    let named = names(firsts, seconds).into_iter().enumerate();
    let venues = named.map(|(index, (name, kind))| match domain {
        Domain::Hotel => hotel(index, &name, dice),
        Domain::Restaurant => restaurant(index, &name, dice),
        _ => attraction(index, &name, kind, dice),
    });
    venues.collect()
}

/// Names that nobody takes for one another: a word of the first list and one of the second, and what stands before
/// that one, the type of an attraction. The second words come in turn.
fn names<'w>(firsts: Vec<&str>, mut seconds: Vec<&'w str>) -> Vec<(String, &'w str)> {
    let mut names: Vec<(String, &str)> = Vec::with_capacity(firsts.len());
    for first in firsts {
        let named = |second: &'w str| {
            let (kind, last) = second.split_once('=').unwrap_or(("", second));
            (format!("{first} {last}"), kind)
        };
        let is_free = |second: &&'w str| {
            let (name, _) = named(second);
            let mut others = names.iter();
            others.all(|(other, _)| partial_ratio(other, &name) < LIKE)
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
    let (kind, least, most) = match is_hotel {
        true => ("hotel", 2, 5),
        false => ("guesthouse", 0, 4),
    };
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
    let introduction = match dice.percent(5) {
        true => String::new(),
        false => TABLES.pick("introductions", dice).replace("{food}", food),
    };
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

/// An attraction, of which not everything is known.
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

/// A number of the area code that no place has.
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
