//! Generated cities: venues, trains and conversations of our own in the official form, drawn from a seed.
//!
//! The databases depend on the seed alone, and conversation `k` on the seed and on `k`, so that fewer conversations
//! are the first of more. Whatever a goal wants is there, whatever it asks for in vain is not, and whatever it wants
//! to know is known of each venue that it may mean.

mod goals;
mod trains;
mod venues;
mod wording;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::api::Domain::{self, Attraction, Hotel, Restaurant};
use super::conversations::dialogue;
use super::database::Database;
use super::goal::{Dialogue, Slots};
use crate::text::{Dice, WordLists};

/// The number of conversations of the built-in city: a test set of a hundred, and a development set.
pub const CONVERSATIONS: usize = 120;
/// Its seed.
pub const SEED: u64 = 18;

/// The words that cities are made of.
static TABLES: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("words.txt")));

/// The databases of a seed.
pub fn database(seed: u64) -> Database {
    let dice = |purpose| Dice::new("rolecall booking 1", purpose, &[seed]);
    let words = |list| TABLES.words(list).iter().map(|word| (*word).to_owned());
    Database::new(
        [
            venues::venues(Hotel, &mut dice("hotels")),
            venues::venues(Restaurant, &mut dice("restaurants")),
            venues::venues(Attraction, &mut dice("attractions")),
            trains::trains(&mut dice("trains")),
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
        let entry = json!({ "goal": goal, "log": [{ "text": first, "metadata": {} }] });
        (format!("GEN{:05}", index + 1), entry)
    })
}

/// How many of the first of so many conversations are the test set; the others are the development set.
pub fn tests_of(count: usize) -> usize {
    count - count / 6
}

/// A city: its databases, and its conversations.
pub fn city(count: usize, seed: u64) -> (Database, Vec<Dialogue>) {
    let database = database(seed);
    let read = |(id, entry): (String, Value)| dialogue(&id, &entry, entry.get("log")).ok();
    let dialogues = conversations(&database, count, seed).filter_map(read);
    let dialogues = dialogues.collect();
    (database, dialogues)
}

/// An object as slots or a record.
fn slots(object: Value) -> Slots {
    serde_json::from_value(object).unwrap_or_default()
}

/// The text of a slot; empty if there is none.
fn text<'s>(slots: &'s Slots, slot: &str) -> &'s str {
    slots.get(slot).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
