//! The reward of a purchase and its parts (WebShop).

mod colors;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::sync::Arc;

use serde_json::{Value, json};

use super::catalogue::Product;
use super::goal::{Goal, GoalOptions};
use super::nouns::Tagger;
use crate::text::fuzzy::TokenSet;
use crate::text::python::{push_repr, strip};
use crate::text::unique;

pub use colors::normalize_color;

/// Texts that are more alike than this (`token_set_ratio`) count as the same.
const ALIKE: u8 = 85;

/// The title score of a goal without nouns.
const WITHOUT_NOUNS: f64 = 0.2;

/// The reward of a purchase: `type * (attributes + options + price) / (number of attributes + options + 1)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reward {
    /// The whole, from 0 to 1.
    pub total: f64,
    /// Factor for the kind of product: 1, 0.5, 0.1 or 0.
    pub r_type: f64,
    /// Share of the wanted attributes that it has; 0 where none is wanted.
    pub r_att: f64,
    /// Weight of the attributes.
    pub w_att: f64,
    /// Share of the wanted options that were chosen; none where no option is wanted.
    pub r_option: Option<f64>,
    /// Weight of the options; none where no option is wanted.
    pub w_option: Option<f64>,
    /// It costs no more than it may.
    pub r_price: bool,
    /// Weight of the price.
    pub w_price: f64,
    /// Both were found by the same query when the catalogue was made.
    pub query_match: bool,
    /// Their categories have two parts in common.
    pub category_match: bool,
    /// Share of the nouns of the goal's title that its title has.
    pub title_score: f64,
    /// Wanted attributes that it has.
    pub attributes_matched: usize,
    /// Wanted options that were chosen.
    pub options_matched: usize,
}

impl Reward {
    /// The parts of a reward by the names of the original.
    pub fn parts(&self) -> Value {
        let mut parts = json!({
            "r_type": self.r_type,
            "r_att": self.r_att,
            "w_att": self.w_att,
            "r_price": self.r_price,
            "w_price": self.w_price,
            "query_match": self.query_match,
            "category_match": self.category_match,
            "title_score": self.title_score,
        });
        if let (Some(share), Some(weight)) = (self.r_option, self.w_option) {
            parts["r_option"] = share.into();
            parts["w_option"] = weight.into();
        }
        parts
    }
}

/// The reward of buying the product with these values chosen among its options, whatever their options are called.
pub fn reward(goal: &Goal, product: &Product, chosen: &[String], tagger: &dyn Tagger) -> Reward {
    let nouns = tagger.nouns(&goal.asin, &goal.name);
    Wanted::new(goal, nouns).reward(product, chosen, &tagger.nouns_of(product))
}

/// Judges purchases by one goal, which is prepared once.
#[derive(Clone)]
pub struct Judge {
    wanted: Wanted,
    tagger: Arc<dyn Tagger>,
}

impl Judge {
    /// One who judges by this goal.
    pub fn new(goal: &Goal, tagger: Arc<dyn Tagger>) -> Self {
        let nouns = tagger.nouns(&goal.asin, &goal.name);
        Self {
            wanted: Wanted::new(goal, nouns),
            tagger,
        }
    }

    /// The reward of buying the product with these values chosen.
    pub fn reward(&self, product: &Product, chosen: &[String]) -> Reward {
        let nouns = self.tagger.nouns_of(product);
        self.wanted.reward(product, chosen, &nouns)
    }

    /// The reward of the product with all values of all its options chosen (ChatShop).
    pub fn reward_of_any(&self, product: &Product) -> Reward {
        let nouns = self.tagger.nouns_of(product);
        let values = product.options.iter().flat_map(|group| &group.values);
        self.wanted.judged(product, values, &nouns)
    }
}

/// A goal, ready for comparisons.
#[derive(Clone)]
pub(super) struct Wanted {
    query: String,
    categories: Vec<String>,
    /// The nouns of its title: how many, and each once, in order.
    nouns: (usize, Vec<String>),
    attributes: Vec<(String, TokenSet)>,
    options: Vec<TokenSet>,
    price_upper: f64,
}

impl Wanted {
    pub(super) fn new(goal: &Goal, mut nouns: Vec<String>) -> Self {
        let all = nouns.len();
        nouns.sort_unstable();
        nouns.dedup();
        let attributes = goal.attributes.iter();
        let options = match &goal.options {
            GoalOptions::Values(values) => values
                .iter()
                .map(|value| TokenSet::new(normalize_color(value)))
                .collect(),
            GoalOptions::Named(pairs) => pairs.iter().map(named_option).collect(),
        };
        Self {
            query: goal.query.clone(),
            categories: categories(&goal.product_category),
            nouns: (all, nouns),
            attributes: attributes
                .map(|attribute| (attribute.clone(), TokenSet::new(attribute)))
                .collect(),
            options,
            price_upper: goal.price_upper,
        }
    }

    pub(super) fn reward(&self, product: &Product, chosen: &[String], nouns: &[String]) -> Reward {
        self.judged(product, chosen.iter(), nouns)
    }

    fn judged<'a>(
        &self,
        product: &Product,
        chosen: impl Iterator<Item = &'a String>,
        nouns: &[String],
    ) -> Reward {
        let (attributes, options) = (self.attributes.len(), self.options.len());
        let parts = (attributes + options + 1) as f64;
        let share = |count: usize, of: usize| count as f64 / of as f64;
        let attributes_matched = self.attributes_matched(product);
        let options_matched = self.options_matched(chosen);
        let r_price = product.price <= self.price_upper;
        let matched = attributes_matched + options_matched + usize::from(r_price);
        let kind = self.kind(product, nouns);
        Reward {
            total: matched as f64 / parts * kind.r_type,
            r_att: match attributes {
                0 => 0.0,
                _ => share(attributes_matched, attributes),
            },
            w_att: attributes as f64 / parts,
            r_option: (options > 0).then(|| share(options_matched, options)),
            w_option: (options > 0).then(|| options as f64 / parts),
            r_price,
            w_price: 1.0 / parts,
            attributes_matched,
            options_matched,
            ..kind
        }
    }

    /// The part of the reward that says whether it is the kind of product that is wanted.
    fn kind(&self, product: &Product, nouns: &[String]) -> Reward {
        let query_match = product.query == self.query;
        let wanted = |part: &String| self.categories.contains(part);
        let common = categories(&product.product_category);
        let category_match = common.iter().filter(|part| wanted(part)).count() >= 2;
        let title_score = self.title_score(nouns);
        let r_type = match title_score {
            0.0 => 0.0,
            ..0.1 => 0.1,
            _ if query_match || category_match || title_score > 0.2 => 1.0,
            _ => 0.5,
        };
        Reward {
            r_type,
            query_match,
            category_match,
            title_score,
            ..Reward::default()
        }
    }

    /// How many different nouns the product shares, over all nouns of the goal, each as often as it stands there.
    fn title_score(&self, nouns: &[String]) -> f64 {
        let (all, own) = &self.nouns;
        if *all == 0 {
            return WITHOUT_NOUNS;
        }
        let mut shared = vec![false; own.len()];
        for noun in nouns {
            if let Ok(at) = own.binary_search(noun) {
                shared[at] = true;
            }
        }
        let shared = shared.into_iter().filter(|it| *it).count();
        shared as f64 / *all as f64
    }

    /// How many wanted attributes are like one of the product's, or stand in its texts.
    fn attributes_matched(&self, product: &Product) -> usize {
        let own = product.attributes.iter();
        let own: Vec<TokenSet> = own.map(|attribute| TokenSet::new(attribute)).collect();
        let texts = OnceCell::new();
        let matched = self.attributes.iter().filter(|(text, words)| {
            let texts = || texts.get_or_init(|| small_texts(product));
            own.iter().any(|own| own.exceeds(words, ALIKE))
                || texts().iter().any(|small| small.contains(text.as_str()))
        });
        matched.count()
    }

    /// How many wanted options are like one that was chosen.
    fn options_matched<'a>(&self, chosen: impl Iterator<Item = &'a String>) -> usize {
        let mut matched = vec![false; self.options.len()];
        let mut left = matched.len();
        for value in chosen {
            if left == 0 {
                break;
            }
            let words = TokenSet::new(normalize_color(value));
            for (matched, option) in matched.iter_mut().zip(&self.options) {
                if !*matched && words.exceeds(option, ALIKE) {
                    *matched = true;
                    left -= 1;
                }
            }
        }
        self.options.len() - left
    }
}

/// A wanted option with its name, as the original compares it: a colour that is exactly its name or value, else the
/// pair as Python writes it.
fn named_option(option: &(String, String)) -> TokenSet {
    let (name, value) = option;
    let colors = [name, value].into_iter().filter(|it| colors::is_color(it));
    match colors.min() {
        Some(color) => TokenSet::new(color),
        None => {
            let mut pair = String::from("(");
            push_repr(&mut pair, name);
            pair.push_str(", ");
            push_repr(&mut pair, value);
            pair.push(')');
            TokenSet::new(&pair)
        }
    }
}

/// The parts of a category's path, each once.
fn categories(path: &str) -> Vec<String> {
    let parts = path.split('›').map(strip);
    unique(parts.map(str::to_owned))
}

/// The texts of a product in which attributes are looked for, in small letters.
fn small_texts(product: &Product) -> [String; 3] {
    [
        product.title.to_lowercase(),
        product.bullets.join(" ").to_lowercase(),
        product.description.to_lowercase(),
    ]
}
