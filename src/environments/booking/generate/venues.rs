//! Hotels, restaurants and attractions, with the keys of the official records in their order.

use serde_json::{Value, json};

use super::tables::TABLES;
use crate::environments::booking::database::Record;
use crate::text::Dice;
use crate::text::fuzzy::partial_ratio;

/// From this likeness on, in percent, one name is taken for another one.
const LIKE: u8 = 80;

/// The areas with their weights: most is in the centre.
const AREAS: [(&str, usize); 5] = [
    ("centre", 38),
    ("north", 16),
    ("south", 15),
    ("east", 15),
    ("west", 16),
];
/// The price ranges with their weights.
const PRICES: [(&str, usize); 3] = [("cheap", 32), ("moderate", 38), ("expensive", 30)];

fn weighted(words: &[(&'static str, usize)], dice: &mut Dice) -> &'static str {
    let drawn = dice.weighted(words.iter().map(|(_, weight)| *weight));
    drawn
        .and_then(|index| words.get(index))
        .map_or("", |(word, _)| word)
}

/// Names that nobody takes for one another: a word of the first list and one of the second, each with that one. The
/// second words come in turn.
fn names(firsts: Vec<&str>, mut seconds: Vec<&'static str>) -> Vec<(String, &'static str)> {
    let mut names: Vec<(String, &str)> = Vec::with_capacity(firsts.len());
    for first in firsts {
        // Of an attraction the word before is its type.
        let name = |second: &str| {
            let last = second.split_once('=').map_or(second, |(_, last)| last);
            format!("{first} {last}")
        };
        let is_free = |second: &&str| {
            let name = name(second);
            names
                .iter()
                .all(|(other, _)| partial_ratio(other, &name) < LIKE)
        };
        if let Some(place) = seconds.iter().position(is_free) {
            let second = seconds.remove(place);
            names.push((name(second), second));
            seconds.push(second);
        }
    }
    names
}

/// Hotels: guesthouses for the most part.
pub(super) fn hotels(dice: &mut Dice) -> Vec<Record> {
    let first = TABLES.shuffled("hotel first", dice);
    let names = names(first, TABLES.shuffled("hotel second", dice));
    let hotel = |(index, (name, _)): (usize, (String, &str)), dice: &mut Dice| {
        let is_hotel = dice.percent(38);
        let price = weighted(&PRICES, dice);
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
        let stars = if is_hotel {
            dice.between(2, 5)
        } else {
            dice.between(0, 4)
        };
        json!({
            "address": address(dice),
            "area": weighted(&AREAS, dice),
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
            "type": if is_hotel { "hotel" } else { "guesthouse" },
        })
    };
    let names = names.into_iter().enumerate();
    records(names.map(|named| hotel(named, dice)))
}

/// Restaurants. A few have no phone, no introduction, or a dish that they are known for.
pub(super) fn restaurants(dice: &mut Dice) -> Vec<Record> {
    let first = TABLES.shuffled("restaurant first", dice);
    let names = names(first, TABLES.shuffled("restaurant second", dice));
    let restaurant = |(index, (name, _)): (usize, (String, &str)), dice: &mut Dice| {
        let food = TABLES.pick("foods", dice);
        let introduction = match dice.below(100) {
            0..5 => String::new(),
            _ => TABLES.pick("introductions", dice).replace("{food}", food),
        };
        let mut record = json!({
            "address": title(&address(dice)),
            "area": weighted(&AREAS, dice),
            "food": food,
            "id": (19_200 + 7 * index).to_string(),
            "introduction": introduction,
            "location": location(dice),
            "name": name,
            "phone": phone(dice),
            "postcode": postcode(dice),
            "pricerange": weighted(&PRICES, dice),
        });
        if let Some(record) = record.as_object_mut() {
            if dice.percent(12) {
                record.shift_remove("introduction");
            }
            if dice.percent(5) {
                record.shift_remove("phone");
            }
            if dice.percent(15) {
                record.insert("signature".to_owned(), json!(TABLES.pick("dishes", dice)));
            }
            record.insert("type".to_owned(), json!("restaurant"));
        }
        record
    };
    records(
        names
            .into_iter()
            .enumerate()
            .map(|named| restaurant(named, dice)),
    )
}

/// Attractions, of which not everything is known.
pub(super) fn attractions(dice: &mut Dice) -> Vec<Record> {
    let first = TABLES.shuffled("attraction first", dice);
    let names = names(first, TABLES.shuffled("attractions", dice));
    let attraction = |(index, (name, kind)): (usize, (String, &str)), dice: &mut Dice| {
        let kind = kind.split_once('=').map_or(kind, |(kind, _)| kind);
        let fee = match kind {
            "park" | "college" if dice.percent(60) => "free",
            _ => TABLES.pick("fees", dice),
        };
        json!({
            "address": address(dice),
            "area": weighted(&AREAS, dice),
            "entrance fee": fee,
            "id": (index + 1).to_string(),
            "location": location(dice),
            "name": name,
            "openhours": TABLES.pick("hours", dice),
            "phone": phone(dice),
            "postcode": postcode(dice),
            "pricerange": match fee {
                "free" => "free",
                "?" => "?",
                _ => weighted(&PRICES, dice),
            },
            "type": kind,
        })
    };
    let names = names.into_iter().enumerate();
    records(names.map(|named| attraction(named, dice)))
}

fn records(values: impl Iterator<Item = Value>) -> Vec<Record> {
    values
        .filter_map(|value| match value {
            Value::Object(record) => Some(record),
            _ => None,
        })
        .collect()
}

fn address(dice: &mut Dice) -> String {
    format!("{} {}", dice.between(1, 190), TABLES.pick("streets", dice))
}

/// A text whose words begin with capitals.
fn title(text: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    text.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// A number of the area code that no place has.
fn phone(dice: &mut Dice) -> String {
    format!("01632{:06}", dice.below(1_000_000))
}

fn postcode(dice: &mut Dice) -> String {
    let letters = b"abdefghjlnpqrstuwxyz";
    let mut letter = || dice.pick(letters).map_or('a', char::from);
    let (first, second) = (letter(), letter());
    format!(
        "hm{}{}{first}{second}",
        dice.between(1, 9),
        dice.between(1, 9)
    )
}

/// Degrees of latitude and longitude.
fn location(dice: &mut Dice) -> Value {
    let degrees = |from: usize, dice: &mut Dice| (from + dice.below(60_000)) as f64 / 1e6;
    json!([degrees(53_870_000, dice), degrees(310_000, dice)])
}
