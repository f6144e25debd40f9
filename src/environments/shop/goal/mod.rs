//! Goals: what a shopper wants, and what a purchase is judged by.

mod drafts;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value, json};

use super::ShopError;
use super::catalogue::Product;
use super::catalogue::elements::Elements;
use rolecall_core::domain::{PrivateInfo, Seat};
use rolecall_core::text::mt19937::PythonRandom;

pub use drafts::{Drafts, Instructions};

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
    serde_json::from_value(goal).map_err(|error| rolecall_core::text::json::reason(&error))
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
        let goal: Goal =
            serde_json::from_slice(entry).map_err(|error| wrong(rolecall_core::text::json::reason(&error)))?;
        if goal.disclosures.is_none() {
            return Err(wrong("`instructions` with four texts are missing".to_owned()));
        }
        goals.push(goal);
    }
    Ok(goals)
}

impl Goal {
    /// A goal for a product, whose bound is still to be drawn.
    pub(super) fn of(product: &Product, instruction: String, attributes: Vec<String>, options: GoalOptions) -> Self {
        Self {
            asin: product.asin.clone(),
            category: product.category.clone(),
            query: product.query.clone(),
            name: product.title.clone(),
            product_category: product.product_category.clone(),
            instruction,
            attributes,
            price_upper: NO_BOUND,
            options,
            weight: 1.0,
            disclosures: None,
        }
    }

    /// The instruction without the bound on the price.
    pub fn wish(&self) -> &str {
        let clause = price_clause(self.price_upper);
        self.instruction.strip_suffix(&*clause).unwrap_or(&self.instruction)
    }

    /// Knowledge of WebShop's user: all but the product.
    pub fn user_part(&self) -> PrivateInfo {
        self.part(Seat::User, GOAL, "instruction attributes options price_upper")
    }

    /// Knowledge of ChatShop's shopper about the product that it wants.
    pub fn shopper_part(&self) -> PrivateInfo {
        self.part(Seat::User, TARGET, "name attributes options budget instruction")
    }

    /// The goal and its product, for metrics and judges.
    pub fn judged_part(&self) -> PrivateInfo {
        let fields = "asin name category attributes options price_upper instruction";
        self.part(Seat::Conductor, GOAL_PRODUCT, fields)
    }

    /// A private part with these fields of the goal, in this order.
    fn part(&self, audience: Seat, label: &str, fields: &str) -> PrivateInfo {
        let all = json!({
            "asin": self.asin,
            "name": self.name,
            "category": self.category,
            "attributes": self.attributes,
            "options": self.options.values(),
            "price_upper": self.price_upper,
            "budget": self.price_upper,
            "instruction": self.instruction,
        });
        let fields = fields.split(' ').map(|field| (field.to_owned(), all[field].clone()));
        PrivateInfo { audience, label: label.to_owned(), value: Arc::new(fields.collect()) }
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
    /// The values, with or without names.
    pub fn values(&self) -> Vec<&str> {
        match self {
            Self::Values(values) => values.iter().map(String::as_str).collect(),
            Self::Named(pairs) => pairs.iter().map(|(_, value)| value.as_str()).collect(),
        }
    }
}

/// Names and texts of an object, in its order.
fn pairs<'de, D: Deserializer<'de>>(object: D) -> Result<Vec<(String, String)>, D::Error> {
    let pairs = Map::<String, Value>::deserialize(object)?
        .into_iter()
        .map(|(name, value)| Ok((name, String::deserialize(value)?)));
    pairs.collect::<Result<_, serde_json::Error>>().map_err(D::Error::custom)
}

/// The bound of a goal whose product is too expensive for one.
pub const NO_BOUND: f64 = 1_000_000.0;

/// The bound for a product of this price: the larger of two that are drawn from the next four multiples of ten
/// below a thousand dollars; [`NO_BOUND`], and nothing is drawn, where there are no two.
pub fn draw_bound(price: f64, random: &mut PythonRandom) -> f64 {
    let above = (1..100).map(|tens| f64::from(tens) * 10.0);
    let next: Vec<f64> = above.filter(|bound| *bound > price).take(4).collect();
    if next.len() < 2 {
        return NO_BOUND;
    }
    random.sample(&next, 2).into_iter().fold(0.0, f64::max)
}

/// The end of an instruction that says it: `, and price lower than 40.00 dollars`; empty for [`NO_BOUND`].
pub fn price_clause(bound: f64) -> String {
    if bound >= NO_BOUND {
        return String::new();
    }
    format!(", and price lower than {bound:.2} dollars")
}

/// Seed of the order of WebShop's goals.
const SEED: u64 = 233;

/// Brings goals, which are in the order of their products, into the official order.
pub fn shuffle<T>(goals: &mut [T]) {
    PythonRandom::new(SEED).shuffle(goals);
}

/// A part of the goals, as the code of WebShop's baselines splits them. The paper tells of 500 test, 1,000
/// development and the rest as training instructions too, without saying which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// The first 500.
    #[default]
    Test,
    /// The next 1,000.
    Dev,
    /// The others.
    Train,
}

rolecall_core::names!(Split, name: Test => "test", Dev => "dev", Train => "train");

impl Split {
    /// The numbers of its goals, where there are so many in all.
    pub fn range(self, goals: usize) -> Range<usize> {
        let (from, to) = match self {
            Self::Test => (0, 500),
            Self::Dev => (500, 1500),
            Self::Train => (1500, goals),
        };
        from.min(goals)..to.min(goals)
    }
}

/// Draws goals by their weights, as the original does: one beside the place that was drawn. Goal 0 is never drawn
/// (if there is another), each other one with the weight of the one before it, the last with its own too.
#[derive(Clone, Debug)]
pub struct WeightedDraw {
    /// Sums of the weights of the first goals: of none, of one, ...
    sums: Vec<f64>,
}

impl WeightedDraw {
    /// For these goals.
    pub fn new(goals: &[Goal]) -> Self {
        let mut sum = 0.0;
        let sums = goals.iter().map(|goal| {
            sum += goal.weight;
            sum
        });
        Self { sums: std::iter::once(0.0).chain(sums).collect() }
    }

    /// The number of a goal; none if there are no goals.
    pub fn draw(&self, random: &mut PythonRandom) -> Option<usize> {
        let last = self.sums.len().checked_sub(2)?;
        let place = random.uniform(0.0, *self.sums.last()?);
        Some(self.sums.partition_point(|sum| *sum <= place).min(last))
    }
}

/// The label of what ChatShop's shopper knows.
pub const TARGET: &str = "target";

/// The label of what only metrics and judges see.
pub const GOAL_PRODUCT: &str = "goal_product";

/// The label of what WebShop's user knows.
pub const GOAL: &str = "goal";
