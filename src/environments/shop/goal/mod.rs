//! Goals: what a shopper wants, and what a purchase is judged by.

pub mod bound;
mod drafts;
mod order;

#[cfg(test)]
mod tests;

use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use super::ShopError;
use super::catalogue::elements::Elements;
use crate::text::json;

pub use drafts::{Drafts, Instructions};
pub use order::{Split, WeightedDraw, shuffle};

/// One goal of a catalogue, as ChatShop's files have it.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(expecting = "a goal")]
pub struct Goal {
    /// ASIN of the target product.
    pub asin: String,
    /// Its category: `beauty`, `fashion`, `garden`, `grocery` or `electronics`.
    pub category: String,
    /// The query by which it was found when the catalogue was made, in small letters.
    pub query: String,
    /// Its title.
    pub name: String,
    /// The path of its category, with ` › ` between the parts.
    pub product_category: String,
    /// The instruction, with the bound on the price in words.
    #[serde(rename = "instruction_text")]
    pub instruction: String,
    /// The attributes that are wanted.
    pub attributes: Vec<String>,
    /// The most that it may cost, in dollars.
    pub price_upper: f64,
    /// The options that are wanted.
    #[serde(rename = "goal_options")]
    pub options: GoalOptions,
    /// The weight with which it is drawn.
    #[serde(default = "one")]
    pub weight: f64,
    /// ChatShop's four texts: the whole instruction, the same without attributes, the kind of product alone,
    /// and the bound on the price. None in WebShop's goals.
    #[serde(rename = "instructions")]
    pub disclosures: Option<[String; 4]>,
}

fn one() -> f64 {
    1.0
}

/// A goal as WebShop and ChatShop write it.
///
/// # Errors
/// When a field is missing or of another type; the text says which.
pub fn from_json(goal: Value) -> Result<Goal, String> {
    serde_json::from_value(goal).map_err(|error| json::reason(&error))
}

/// The goals of a file of ChatShop (`chatshop_goals.json`), in its order; each has its four texts.
///
/// # Errors
/// When the file cannot be read, or an entry is no such goal. None is left out: their numbers are what episodes
/// are known by.
pub fn read_chatshop(path: &Path) -> Result<Vec<Goal>, ShopError> {
    let mut entries = Elements::open(path, b'[')?;
    let mut goals = Vec::new();
    while let Some((number, entry)) = entries.next()? {
        let wrong = |reason: String| {
            let remedy = "repair it, or take the official file of ChatShop";
            let goal = format!("goal {number} (from 0) cannot be used: {reason}; {remedy}");
            ShopError::data(path, goal)
        };
        let goal = serde_json::from_slice(entry);
        let goal: Goal = goal.map_err(|error| wrong(json::reason(&error)))?;
        if goal.disclosures.is_none() {
            return Err(wrong("`instructions` with four texts are missing".to_owned()));
        }
        goals.push(goal);
    }
    Ok(goals)
}

impl Goal {
    /// The instruction without the bound on the price.
    pub fn wish(&self) -> &str {
        let clause = bound::clause(self.price_upper);
        self.instruction.strip_suffix(&*clause).unwrap_or(&self.instruction)
    }
}

/// The options that a goal wants.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(untagged, expecting = "`goal_options` is neither a list nor an object of texts")]
pub enum GoalOptions {
    /// Their values (human goals).
    Values(Vec<String>),
    /// Their names and values (synthetic goals).
    Named(#[serde(deserialize_with = "pairs")] Vec<(String, String)>),
}

impl GoalOptions {
    /// The number of options.
    pub fn len(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Named(pairs) => pairs.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Names and texts of an object, in its order.
fn pairs<'de, D: Deserializer<'de>>(object: D) -> Result<Vec<(String, String)>, D::Error> {
    let pairs = Map::<String, Value>::deserialize(object)?.into_iter();
    let pairs = pairs.map(|(name, value)| Ok((name, String::deserialize(value)?)));
    pairs.collect::<Result<_, serde_json::Error>>().map_err(D::Error::custom)
}
