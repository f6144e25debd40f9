//! A generated country: cities of our own in the official form, drawn from a seed, with what they offer and the ways
//! between them.
//!
//! Some cities lie on islands and some have no airport, many flights do not fly every day, and not every cuisine and
//! kind of room is everywhere, so that there is much that a traveller may want in vain.

mod cities;
mod details;
mod draft;
mod feasible;
mod rooms;
mod wording;

use std::sync::{Arc, LazyLock};

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::country::{Country, Flight, Rows};
use super::request::{Attribute, Conversation, Operation, Request};
use super::rows;
use cities::City;
use details::Indefinite;
use rolecall_core::text::python::repr;
use rolecall_core::text::{Dice, WordLists};

/// The seed of the built-in country.
pub const SEED: u64 = 19;
/// How many conversations it has for training, and how many for tests.
pub const CONVERSATIONS: usize = 120;

/// The words that countries are made of.
static WORDS: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("words.txt")));

/// The stream of draws for a purpose.
fn dice(purpose: &str, seed: u64) -> Dice {
    Dice::new("rolecall travel 1", purpose, &[seed])
}

/// The tables of a generated country.
pub struct Tables {
    seed: u64,
    cities: Vec<City>,
    /// All but the flights.
    pub rows: Rows,
}

impl Tables {
    /// The tables of a seed.
    pub fn new(seed: u64) -> Self {
        let cities = cities::cities(&mut dice("cities", seed));
        let rows = Rows {
            cities: cities.iter().map(|city| city.name.clone()).collect(),
            accommodations: rooms::accommodations(&cities, &mut dice("accommodations", seed)),
            restaurants: rooms::restaurants(&cities, &mut dice("restaurants", seed)),
            attractions: rooms::attractions(&cities, &mut dice("attractions", seed)),
            roads: cities::roads(&cities, &mut dice("roads", seed)),
            flights: Vec::new(),
        };
        Self { seed, cities, rows }
    }

    /// Each city with its state.
    pub fn cities(&self) -> impl Iterator<Item = (&str, &str)> {
        self.cities.iter().map(|city| (&*city.name, city.state))
    }

    /// The country of these tables, with the flights of a month.
    pub fn country(&self) -> Country {
        Country::of_rows(Rows { flights: self.flights(0).collect(), ..self.rows.clone() })
    }

    /// The flights of a month, and if these are fewer than wanted, more of the months behind it.
    pub fn flights(&self, wanted: usize) -> impl Iterator<Item = Flight> {
        cities::flights(&self.cities, self.seed, wanted)
    }
}

/// The built-in country, which is made once.
pub fn builtin() -> Arc<Country> {
    static BUILTIN: LazyLock<Arc<Country>> = LazyLock::new(|| Arc::new(Tables::new(SEED).country()));
    Arc::clone(&BUILTIN)
}

/// The conversations of a split about trips in it.
pub fn conversations(split: &str) -> Vec<Conversation> {
    let (tables, country) = (Tables::new(SEED), builtin());
    Builder::new(&country, tables.cities(), SEED)
        .drafts(split, CONVERSATIONS)
        .flatten()
        .filter_map(|draft| draft.conversation())
        .collect()
}

/// How many details are not as they should be in ten conversations (Ask-before-Plan section 3.2).
const SHARES: [usize; 10] = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3];
/// How often a conversation is drawn anew before it is given up.
const ATTEMPTS: usize = 20_000;

/// Makes conversations about trips in a country. Conversation `k` of a split depends on the seed and on `k` alone, so
/// that fewer conversations are the first of more.
pub struct Builder<'c> {
    country: &'c Country,
    /// The cities of each state.
    states: Vec<Vec<String>>,
    seed: u64,
}

impl<'c> Builder<'c> {
    /// Of cities with their states, those that tools do not take are left out.
    pub fn new<'s>(country: &'c Country, cities: impl Iterator<Item = (&'s str, &'s str)>, seed: u64) -> Self {
        let mut states: Vec<(&str, Vec<String>)> = Vec::new();
        for (city, state) in cities.filter(|(city, _)| country.is_city(city)) {
            match states.iter_mut().find(|(name, _)| *name == state) {
                Some((_, cities)) => cities.push(city.to_owned()),
                None => states.push((state, vec![city.to_owned()])),
            }
        }
        Self { country, states: states.into_iter().map(|(_, cities)| cities).collect(), seed }
    }

    /// The first conversations of a split.
    ///
    /// # Errors
    /// Each is one if the country does not have what it takes.
    pub fn drafts(&self, split: &str, count: usize) -> impl Iterator<Item = anyhow::Result<Draft>> {
        (0..count).map(move |index| {
            self.draft(split, index).context(
                "no trip is found in this country that can be met and changed; its cities need 9 restaurants, 3 \
                 attractions and accommodations for 2 nights, and flights in March 2022 or roads between them",
            )
        })
    }

    fn draft(&self, split: &str, index: usize) -> Option<Draft> {
        let dice = |purpose: &str, number: usize| {
            let purpose = format!("{purpose} {split}");
            Dice::new("rolecall travel 1", &purpose, &[self.seed, number as u64])
        };
        let mut shares = SHARES;
        dice("shares", index / SHARES.len()).shuffle(&mut shares);
        let count = shares[index % SHARES.len()];
        let mut dice = dice("conversation", index);
        let level = draft::LEVELS[dice.below(draft::LEVELS.len())];
        let stops = dice.between(1, 3);
        let (country, states) = (self.country, &*self.states);
        (0..ATTEMPTS).find_map(|_| {
            let wanted = draft::request(country, states, level, stops, &mut dice)?;
            let (made, details) = details::indefinite(country, states, &wanted, count, &mut dice)?;
            let mut draft = Draft {
                id: format!("{split}_{index}"),
                level,
                tone: WORDS.pick("tones", &mut dice),
                query: wording::query(&made, &mut dice),
                made,
                wanted,
                details,
            };
            draft.word(&mut dice);
            draft.is_right(country).then_some(draft)
        })
    }
}

/// A conversation as it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The name of its task.
    pub id: String,
    /// `easy`, `medium` or `hard`.
    pub level: &'static str,
    /// How the user answers: `succinct` or `passionate`.
    pub tone: &'static str,
    /// The first request in the user's words.
    pub query: String,
    /// The first request.
    pub made: Request,
    /// The request when all is clarified.
    pub wanted: Request,
    /// The details to be clarified, in the order of rows.
    pub details: Vec<Indefinite>,
}

impl Draft {
    /// Questions and answers by templates.
    fn word(&mut self, dice: &mut Dice) {
        let (made, wanted) = (&self.made, &self.wanted);
        for detail in &mut self.details {
            detail.question = wording::question(detail, made, wanted, dice);
            detail.answer = wording::answer(detail, made, wanted, self.tone, dice);
        }
    }

    /// Whether each replaced detail cannot be met in the request that can be, and nothing else of this fails.
    fn is_right(&self, country: &Country) -> bool {
        let fails = |request: &Request, attribute| feasible::fails(country, request, attribute);
        let replaced = |detail: &Indefinite| {
            let mut request = self.wanted.clone();
            request.set(detail.attribute, &self.made.get(detail.attribute)).is_ok() && fails(&request, detail.attribute)
        };
        self.details.iter().all(|detail| detail.operation == Operation::Add || replaced(detail))
            && !Attribute::ALL.into_iter().any(|attribute| fails(&self.wanted, attribute))
    }

    /// The value that settles a detail, in words; empty if anything will do.
    pub fn value(&self, detail: &Indefinite) -> String {
        wording::value(detail, &self.made, &self.wanted)
    }

    /// The conversation that a program reads from its row.
    pub fn conversation(&self) -> Option<Conversation> {
        let row = self.row();
        rows::read_row(&row).ok()
    }

    /// The row of the official form, with lists as Python writes them.
    pub fn row(&self) -> Map<String, Value> {
        let listed = |value: Value| match value {
            Value::Array(_) => repr(&value).into(),
            other => other,
        };
        let details = self.details.iter().map(|detail| {
            json!({
                "attribute": detail.attribute,
                "operation": detail.operation,
                "value": details::value(&self.wanted, detail.attribute),
                "priority": details::priority(detail),
                "question": detail.question,
                "answer": detail.answer,
            })
        });
        let details = repr(&details.collect());
        let request = Attribute::ALL.map(|attribute| {
            let value = details::value(&self.made, attribute);
            (attribute.key().to_owned(), listed(value))
        });
        let text = |key: &str, value: &str| (key.to_owned(), Value::from(value));
        let begin = [text("task_id", &self.id)].into_iter().chain(request);
        let end = [text("query", &self.query), text("level", self.level), text("details", &details)];
        begin.chain(end).collect()
    }
}

#[cfg(test)]
mod tests;
