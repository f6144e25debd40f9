//! Trains from the city to each station and back.

use std::collections::HashSet;

use serde_json::json;

use super::{TABLES, slots};
use crate::environments::booking::database::Record;
use crate::text::Dice;

/// The station of the city.
const CITY: &str = "harrowmere";

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
        // Every hour or two, at a minute of its own each way.
        let every = 60 * dice.between(1, 2);
        for (departure, destination) in [(CITY, *station), (*station, CITY)] {
            let first = 5 * 60 + dice.below(60);
            for day in TABLES.words("days") {
                let is_weekend = day.starts_with('s');
                let cost = if is_weekend { pence * 4 / 5 } else { pence };
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
