//! Offers of generated cities: accommodations, restaurants and attractions. No name is a part of another one, so that
//! whoever looks for a name finds one row.

use super::WORDS;
use super::cities::City;
use crate::country::{Accommodation, Attraction, Restaurant};
use rolecall_core::text::{Dice, joined};

/// Different pairs of the words of two lists, so many that none comes twice.
fn pairs(first: &str, second: &str, counts: [usize; 2], dice: &mut Dice) -> Vec<[&'static str; 2]> {
    let seconds = WORDS.words(second);
    let pairs = WORDS.words(first).iter().flat_map(|first| seconds.iter().map(|second| [*first, *second]));
    let mut pairs: Vec<[&str; 2]> = pairs.collect();
    dice.shuffle(&mut pairs);
    pairs.truncate(dice.between(counts[0], counts[1]));
    pairs
}

/// The accommodations of all cities, mixed.
pub(super) fn accommodations(cities: &[City], dice: &mut Dice) -> Vec<Accommodation> {
    let mut rows = Vec::new();
    for city in cities {
        for [kind, by] in pairs("home kind", "home where", [11, 17], dice) {
            let room_type = WORDS.weighted("room types", dice);
            let what = WORDS.pick(&format!("home what {room_type}"), dice);
            let guests = match room_type {
                "Entire home/apt" => dice.between(2, 8),
                _ => dice.between(1, 3),
            };
            let mut rules = WORDS.shuffled("house rules", dice);
            // An empty text would be a missing one, and the row left out.
            rules.truncate(dice.between(1, 3));
            let nights = [1, 1, 1, 2, 2, 2, 3, 7, 30];
            rows.push(Accommodation {
                name: format!("{kind} {what} {by} in {}", city.name),
                price: dice.around(4, 60) as f64 * 20.0,
                room_type: room_type.to_owned(),
                house_rules: rules.join(" & "),
                minimum_nights: f64::from(dice.pick(&nights).unwrap_or(1)),
                maximum_occupancy: guests as i64,
                review_rate: dice.between(1, 5) as f64,
                city: city.name.clone(),
            });
        }
    }
    dice.shuffle(&mut rows);
    rows
}

/// The restaurants of all cities, mixed. A few cities have nothing of some cuisines.
pub(super) fn restaurants(cities: &[City], dice: &mut Dice) -> Vec<Restaurant> {
    let mut rows = Vec::new();
    for city in cities {
        let mut offered = WORDS.shuffled("cuisines", dice);
        offered.truncate(dice.between(5, 7));
        for [first, second] in pairs("table first", "table second", [24, 30], dice) {
            let mut cuisines = WORDS.shuffled("foods", dice);
            cuisines.truncate(dice.between(1, 3));
            dice.shuffle(&mut offered);
            cuisines.extend(offered.iter().take(dice.below(4)));
            dice.shuffle(&mut cuisines);
            rows.push(Restaurant {
                name: format!("{first} {second} of {}", city.name),
                average_cost: dice.between(10, 100) as i64,
                cuisines: joined(cuisines),
                rating: dice.between(20, 49) as f64 / 10.0,
                city: city.name.clone(),
            });
        }
    }
    dice.shuffle(&mut rows);
    rows
}

/// The attractions, city by city.
pub(super) fn attractions(cities: &[City], dice: &mut Dice) -> Vec<Attraction> {
    let mut rows = Vec::new();
    for city in cities {
        for [first, end] in pairs("attraction first", "attraction end", [7, 12], dice) {
            let degrees = |least: usize, dice: &mut Dice| (least * 1_000_000 + dice.below(9_000_000)) as f64 / 1e6;
            let street = format!("{} {}", dice.between(1, 190), WORDS.pick("streets", dice));
            rows.push(Attraction {
                name: format!("{first} {end}"),
                latitude: degrees(31, dice),
                longitude: -degrees(92, dice),
                address: format!("{street}, {}, {}", city.name, city.state),
                // Numbers that are kept for stories.
                phone: format!("(555) 555-01{:02}", dice.below(100)),
                website: format!("https://{}.example/", first.to_lowercase()),
                city: city.name.clone(),
            });
        }
    }
    rows
}
