//! Generated cities: invented venues, trains and conversations in the official form, drawn from a seed.
//!
//! The databases depend on the seed alone, and conversation `k` on the seed and on `k`, so that fewer conversations
//! are a prefix of more. Every wish of a goal can be met, every first choice that is to fail does fail, and every
//! requested slot is known for each venue that may be meant.

mod goals;
mod records;
mod wording;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::api::Domain::{self, Attraction, Hotel, Restaurant};
use super::conversations::dialogue;
use super::database::Database;
use super::goal::{Dialogue, Slots};
use rolecall_core::text::{Dice, WordLists};

/// The number of conversations of the built-in city: a test set of a hundred, and a development set.
pub const CONVERSATIONS: usize = 120;
/// Its seed.
pub const SEED: u64 = 18;

/// The words from which cities are made.
static TABLES: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("words.txt")));

/// The databases of a seed.
pub fn database(seed: u64) -> Database {
    let dice = |purpose| Dice::new("rolecall booking 1", purpose, &[seed]);
    let words = |list| TABLES.words(list).iter().map(|word| (*word).to_owned());
    Database::new(
        [
            records::venues(Hotel, &mut dice("hotels")),
            records::venues(Restaurant, &mut dice("restaurants")),
            records::venues(Attraction, &mut dice("attractions")),
            records::trains(&mut dice("trains")),
        ],
        words("colours").collect(),
        words("makes").collect(),
    )
}

/// The first conversations of a seed, each with its name and its entry as `data.json` has it.
pub fn conversations(database: &Database, count: usize, seed: u64) -> impl Iterator<Item = (String, Value)> {
    (0..count).map(move |index| {
        let mut dice = Dice::new("rolecall booking 1", "conversation", &[seed, index as u64]);
        let wanted = goals::wanted(database, &mut dice);
        let mut goal = wanted.data();
        for domain in Domain::ALL {
            if wanted.of(domain).is_none() {
                goal[domain.as_str()] = json!({});
            }
        }
        goal["message"] = json!(wording::message(&wanted, &mut dice));
        let first = wording::first(&wanted, &mut dice);
        (format!("GEN{:05}", index + 1), json!({ "goal": goal, "log": [{ "text": first, "metadata": {} }] }))
    })
}

/// Number of the first of so many conversations that are the test set; the others are the development set.
pub fn tests_of(count: usize) -> usize {
    count - count / 6
}

/// A city: its databases, and its conversations.
pub fn city(count: usize, seed: u64) -> (Database, Vec<Dialogue>) {
    let database = database(seed);
    let read = |(id, entry): (String, Value)| dialogue(&id, &entry, entry.get("log")).ok();
    let dialogues = conversations(&database, count, seed).filter_map(read).collect();
    (database, dialogues)
}

/// An object as slots or a record.
fn slots(object: Value) -> Slots {
    serde_json::from_value(object).unwrap_or_default()
}

#[cfg(test)]
mod tests;
