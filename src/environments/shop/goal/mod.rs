//! Goals: what a shopper wants, and what a purchase is judged by.

pub mod bound;
mod chatshop;
mod drafts;
mod order;

#[cfg(test)]
mod tests;

pub use chatshop::{from_json, read_chatshop};
pub use drafts::{Drafts, Instructions, synthetic_goals};
pub use order::{CHATSHOP_EVALUATED, Split, WeightedDraw, shuffle};

/// One goal of a catalogue.
#[derive(Clone, Debug, PartialEq)]
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
    pub instruction: String,
    /// The attributes that are wanted.
    pub attributes: Vec<String>,
    /// The most that it may cost, in dollars.
    pub price_upper: f64,
    /// The options that are wanted.
    pub options: GoalOptions,
    /// The weight with which it is drawn.
    pub weight: f64,
    /// ChatShop's four texts: the whole instruction, the same without attributes, the kind of product alone,
    /// and the bound on the price. None in WebShop's goals.
    pub disclosures: Option<[String; 4]>,
}

impl Goal {
    /// The instruction without the bound on the price.
    pub fn wish(&self) -> &str {
        let clause = bound::clause(self.price_upper);
        self.instruction
            .strip_suffix(&*clause)
            .unwrap_or(&self.instruction)
    }
}

/// The options that a goal wants.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalOptions {
    /// Their values (human goals).
    Values(Vec<String>),
    /// Their names and values (synthetic goals).
    Named(Vec<(String, String)>),
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
