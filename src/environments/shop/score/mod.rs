//! The reward of a purchase and its parts (WebShop).

#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde_json::{Value, json};

use super::catalogue::Product;
use super::goal::{Goal, GoalOptions};
use super::nouns::Tagger;
use rolecall_core::text::fuzzy::TokenSet;
use rolecall_core::text::python::{push_repr, strip};
use rolecall_core::text::unique;

/// Texts that are more alike than this (`token_set_ratio`) count as the same.
const ALIKE: u8 = 85;

/// The title score of a goal without nouns.
const WITHOUT_NOUNS: f64 = 0.2;

/// The reward of a purchase: `type * (attributes + options + price) / (number of attributes + options + 1)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reward {
    /// The whole, from 0 to 1.
    #[serde(skip)]
    pub total: f64,
    /// Factor for the kind of product: 1, 0.5, 0.1 or 0.
    pub r_type: f64,
    /// Share of the wanted attributes that it has; 0 where none is wanted.
    pub r_att: f64,
    /// Weight of the attributes.
    pub w_att: f64,
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
    /// Share of the wanted options that were chosen; none where no option is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r_option: Option<f64>,
    /// Weight of the options; none where no option is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w_option: Option<f64>,
    /// Wanted attributes that it has.
    #[serde(skip)]
    pub attributes_matched: usize,
    /// Wanted options that were chosen.
    #[serde(skip)]
    pub options_matched: usize,
}

impl Reward {
    /// The parts of a reward by the names of the original.
    pub fn parts(&self) -> Value {
        json!(self)
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
        Self { wanted: Wanted::new(goal, nouns), tagger }
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
        self.wanted.reward(product, values, &nouns)
    }
}

/// A goal, ready for comparisons.
#[derive(Clone)]
pub(super) struct Wanted {
    query: String,
    categories: Vec<String>,
    /// The nouns of its title: how many, and each once.
    nouns: (usize, Vec<String>),
    attributes: Vec<(String, TokenSet)>,
    options: Vec<TokenSet>,
    price_upper: f64,
}

impl Wanted {
    pub(super) fn new(goal: &Goal, nouns: Vec<String>) -> Self {
        let attributes = goal.attributes.iter().map(|it| (it.clone(), TokenSet::new(it)));
        let value = |value: &String| TokenSet::new(normalize_color(value));
        Self {
            query: goal.query.clone(),
            categories: categories(&goal.product_category),
            nouns: (nouns.len(), unique(nouns)),
            attributes: attributes.collect(),
            options: match &goal.options {
                GoalOptions::Values(values) => values.iter().map(value).collect(),
                GoalOptions::Named(pairs) => pairs.iter().map(named_option).collect(),
            },
            price_upper: goal.price_upper,
        }
    }

    pub(super) fn reward<'a>(
        &self,
        product: &Product,
        chosen: impl IntoIterator<Item = &'a String>,
        nouns: &[String],
    ) -> Reward {
        let (attributes, options) = (self.attributes.len(), self.options.len());
        let parts = (attributes + options + 1) as f64;
        let attributes_matched = self.attributes_matched(product);
        let options_matched = self.options_matched(chosen);
        let r_price = product.price <= self.price_upper;
        let matched = attributes_matched + options_matched + usize::from(r_price);
        let kind = self.kind(product, nouns);
        let wants_options = options > 0;
        Reward {
            total: matched as f64 / parts * kind.r_type,
            r_att: attributes_matched as f64 / attributes.max(1) as f64,
            w_att: attributes as f64 / parts,
            r_option: wants_options.then(|| options_matched as f64 / options as f64),
            w_option: wants_options.then(|| options as f64 / parts),
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
        let category_match =
            categories(&product.product_category).into_iter().filter(|it| self.categories.contains(it)).count() >= 2;
        let title_score = self.title_score(nouns);
        Reward {
            r_type: match title_score {
                0.0 => 0.0,
                ..0.1 => 0.1,
                _ if query_match || category_match || title_score > 0.2 => 1.0,
                _ => 0.5,
            },
            query_match,
            category_match,
            title_score,
            ..Reward::default()
        }
    }

    /// How many different nouns the product shares, over all nouns of the goal, each as often as it stands there.
    fn title_score(&self, nouns: &[String]) -> f64 {
        let (all, wanted) = &self.nouns;
        if *all == 0 {
            return WITHOUT_NOUNS;
        }
        let shared = wanted.iter().filter(|noun| nouns.contains(noun)).count();
        shared as f64 / *all as f64
    }

    /// How many wanted attributes are like one of the product's, or stand in its texts.
    fn attributes_matched(&self, product: &Product) -> usize {
        let offered: Vec<TokenSet> = product.attributes.iter().map(|attribute| TokenSet::new(attribute)).collect();
        let texts = OnceCell::new();
        self.attributes
            .iter()
            .filter(|(text, words)| {
                let texts = || texts.get_or_init(|| small_texts(product)).iter();
                offered.iter().any(|attribute| attribute.exceeds(words, ALIKE)) || texts().any(|it| it.contains(text))
            })
            .count()
    }

    /// How many wanted options are like one that was chosen.
    fn options_matched<'a>(&self, chosen: impl IntoIterator<Item = &'a String>) -> usize {
        let mut missing: Vec<&TokenSet> = self.options.iter().collect();
        for value in chosen {
            if missing.is_empty() {
                break;
            }
            let words = TokenSet::new(normalize_color(value));
            missing.retain(|option| !words.exceeds(option, ALIKE));
        }
        self.options.len() - missing.len()
    }
}

/// A wanted option with its name, as the original compares it: a colour that is exactly its name or value, else the
/// pair as Python writes it.
fn named_option(option: &(String, String)) -> TokenSet {
    let (name, value) = option;
    let colors = [name, value].into_iter().filter(|it| is_color(it));
    if let Some(color) = colors.min() {
        return TokenSet::new(color);
    }
    let mut pair = String::from("(");
    push_repr(&mut pair, name);
    pair.push_str(", ");
    push_repr(&mut pair, value);
    pair.push(')');
    TokenSet::new(&pair)
}

/// The parts of a category's path, each once.
fn categories(path: &str) -> Vec<String> {
    let parts = path.split('›').map(strip);
    unique(parts.map(str::to_owned))
}

/// The texts of a product in which attributes are looked for, in small letters.
fn small_texts(product: &Product) -> [String; 3] {
    let bullets = product.bullets.join(" ");
    [&product.title, &bullets, &product.description].map(|text| text.to_lowercase())
}

/// The colours, a line each, in alphabetical order.
static COLORS: &str = include_str!("colors.txt");

/// The colours by the [number] of their first two letters.
static BY_LETTERS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let mut colors = vec![Vec::new(); 1 << 10];
    for color in COLORS.lines() {
        if let [one, two, ..] = *color.as_bytes() {
            colors[number(one, two)].push(color);
        }
    }
    colors
});

/// A small number of two letters, which is that of other signs too.
fn number(one: u8, two: u8) -> usize {
    usize::from(one & 31) << 5 | usize::from(two & 31)
}

/// The alphabetically first colour that stands anywhere in the text (`standard` holds `tan`), or the text itself.
pub fn normalize_color(text: &str) -> &str {
    let (text_bytes, by_letters) = (text.as_bytes(), &*BY_LETTERS);
    text_bytes
        .windows(2)
        .enumerate()
        .filter_map(|(at, pair)| {
            let mut colors = by_letters[number(pair[0], pair[1])].iter();
            colors.find(|color| text_bytes[at..].starts_with(color.as_bytes()))
        })
        .min()
        .copied()
        .unwrap_or(text)
}

/// Whether the text is the name of a colour.
pub(super) fn is_color(text: &str) -> bool {
    COLORS.lines().any(|color| color == text)
}
