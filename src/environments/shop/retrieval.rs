//! WebShop as retrieval (ChatShop, appendix A): the products that are found by the whole instruction, ranked by how well
//! they fit it; nobody looks at a page or chooses an option.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::ShopError;
use super::catalogue::{Catalogue, Product};
use super::goal::{Goal, GoalOptions};
use super::nouns::Tagger;
use super::score::Judge;
use super::search::Search;
use rolecall_core::text::joined_by;
use rolecall_core::text::lucene::terms;

/// Products that are ranked for an instruction.
pub const CANDIDATES: usize = 50;
/// The most letters of a product that a cross-encoder is shown; most read no more tokens than that.
const MOST_LETTERS: usize = 2_000;

/// A product that the search has found, with its score.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The product.
    pub product: Arc<Product>,
    /// The score of the search.
    pub score: f64,
}

impl Candidate {
    /// Text that a cross-encoder reads beside the instruction.
    pub fn text(&self) -> String {
        let product = &*self.product;
        let parts = [&product.title, &product.price_tag].into_iter();
        let parts = parts
            .chain(&product.attributes)
            .chain(&product.bullets)
            .chain([&product.description])
            .map(|part| part.trim());
        joined_by(". ", parts.filter(|part| !part.is_empty())).chars().take(MOST_LETTERS).collect()
    }
}

/// The first `most` products that are found by the instruction.
///
/// # Errors
/// When the catalogue or its index cannot be read.
pub fn candidates(
    catalogue: &dyn Catalogue,
    search: &dyn Search,
    instruction: &str,
    most: usize,
) -> Result<Vec<Candidate>, ShopError> {
    let found = search
        .search(&instruction.to_lowercase(), most)?
        .into_iter()
        .map(|hit| Ok(Candidate { product: catalogue.product(hit.product)?, score: f64::from(hit.score) }));
    found.collect()
}

/// How well each candidate fits the instruction: by the search, the words that it shares, its attributes, options and
/// price. Words count by how few of the candidates have them. Nothing but the instruction and what pages show of
/// products is used.
pub fn relevance(instruction: &str, candidates: &[Candidate]) -> Vec<f64> {
    let (wish, bound) = without_bound(instruction);
    let best = candidates.first().map_or(1.0, |first| first.score);
    let products: Vec<WordsOf> = candidates.iter().map(|found| WordsOf::new(&found.product)).collect();
    let words: BTreeSet<String> = terms(wish).into_iter().collect();
    let words: BTreeMap<String, f64> = words
        .into_iter()
        .map(|word| {
            let having = products.iter().filter(|product| product.has(&word)).count();
            let weight = (1.0 + products.len() as f64 / having.max(1) as f64).ln();
            (word, weight)
        })
        .collect();
    let all: f64 = words.values().sum();
    // The share of the words, by their weights, that are counted.
    let share = |counts: &dyn Fn(&String) -> bool| -> f64 {
        let counted: f64 = words.iter().filter(|(word, _)| counts(word)).map(|(_, weight)| weight).sum();
        if all > 0.0 { counted / all } else { 0.0 }
    };
    // The share of the words that belong to phrases which the instruction has whole.
    let share_of_whole = |phrases: &[Vec<String>]| {
        let is_whole = |phrase: &&Vec<String>| phrase.iter().all(|word| words.contains_key(word));
        let whole: FxHashSet<&String> = phrases.iter().filter(is_whole).flatten().collect();
        share(&|word| whole.contains(word))
    };
    candidates
        .iter()
        .zip(&products)
        .map(|(found, product)| {
            let is_cheap = bound.is_none_or(|bound| lowest(&found.product) <= bound);
            let weighted = [
                1.0 * found.score / best,
                2.0 * share(&|word| product.title.contains(word)),
                1.0 * share(&|word| product.texts.contains(word)),
                1.5 * share_of_whole(&product.attributes),
                1.0 * share_of_whole(&product.options),
                1.0 * f64::from(u8::from(is_cheap)),
            ];
            weighted.into_iter().sum()
        })
        .collect()
}

/// The instruction without the bound on the price, and the bound in dollars.
fn without_bound(instruction: &str) -> (&str, Option<f64>) {
    let parts = instruction.rsplit_once(", and price lower than ");
    let bound = parts.and_then(|(_, bound)| bound.strip_suffix(" dollars")?.parse().ok());
    match (parts, bound) {
        (Some((wish, _)), Some(bound)) => (wish, Some(bound)),
        _ => (instruction, None),
    }
}

/// The price that a product is shown with, or the lower end of its range.
fn lowest(product: &Product) -> f64 {
    product.pricing.first().copied().unwrap_or(product.price)
}

/// The words of a product, by where they stand.
struct WordsOf {
    title: FxHashSet<String>,
    /// Words of its descriptions and attributes.
    texts: FxHashSet<String>,
    attributes: Vec<Vec<String>>,
    options: Vec<Vec<String>>,
}

impl WordsOf {
    fn new(product: &Product) -> Self {
        let texts = product.bullets.iter().chain(&product.attributes).chain([&product.description]);
        let values = product.options.iter().flat_map(|group| &group.values);
        Self {
            title: terms(&product.title).into_iter().collect(),
            texts: texts.flat_map(|text| terms(text)).collect(),
            attributes: product.attributes.iter().map(|text| terms(text)).collect(),
            options: values.map(|text| terms(text)).collect(),
        }
    }

    fn has(&self, word: &String) -> bool {
        let mut options = self.options.iter();
        self.title.contains(word) || self.texts.contains(word) || options.any(|value| value.contains(word))
    }
}

/// How retrieval fares with one goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Retrieved {
    /// Whether one of the candidates has reward 1.
    pub found: bool,
    /// The reward of the most relevant one, the first of equally relevant ones; 0 if nothing is found.
    pub reward: f64,
}

impl Retrieved {
    /// Judges candidates by the goal without its options (footnote 5 of the paper).
    pub fn of(goal: &Goal, tagger: &Arc<dyn Tagger>, candidates: &[Candidate], relevance: &[f64]) -> Self {
        let goal = Goal { options: GoalOptions::Values(Vec::new()), ..goal.clone() };
        let judge = Judge::new(&goal, Arc::clone(tagger));
        let mut retrieved = Self::default();
        let mut most = f64::NEG_INFINITY;
        for (found, relevance) in candidates.iter().zip(relevance) {
            let reward = judge.reward(&found.product, &[]).total;
            retrieved.found |= reward == 1.0;
            if *relevance > most {
                (most, retrieved.reward) = (*relevance, reward);
            }
        }
        retrieved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{OptionGroup, Shelf};
    use crate::nouns::RuleTagger;
    use crate::search::MemoryIndex;

    fn lamp(asin: &str, title: &str, attribute: &str, price: f64) -> Product {
        Product {
            asin: asin.to_owned(),
            title: title.to_owned(),
            query: "lamps".to_owned(),
            product_category: "Home › Lamps".to_owned(),
            pricing: vec![price],
            price,
            attributes: vec![attribute.to_owned()],
            options: vec![OptionGroup { name: "color".to_owned(), values: vec!["red".to_owned(), "blue".to_owned()] }],
            ..Product::default()
        }
    }

    fn shop() -> (Shelf, MemoryIndex) {
        let shelf = Shelf::new(vec![
            lamp("B1", "desk lamp desk lamp", "easy clean", 80.0),
            lamp("B2", "desk lamp of oak", "easy clean", 20.0),
            lamp("B3", "desk lamp of oak", "solid wood", 20.0),
            lamp("B4", "rug", "soft", 20.0),
        ]);
        let all = (0..).zip(shelf.products());
        let search = MemoryIndex::new(all.map(|(id, product)| (id, &**product)));
        (shelf, search)
    }

    const INSTRUCTION: &str = "A desk lamp that is easy clean, and price lower than 40.00 dollars";

    #[test]
    fn attributes_and_price_outdo_the_search() {
        let (shelf, search) = shop();
        let found = |instruction, most| candidates(&shelf, &search, instruction, most).unwrap();
        let lamps = found(INSTRUCTION, 50);
        let relevance = relevance(INSTRUCTION, &lamps);
        let mut ranked: Vec<_> = lamps.iter().zip(relevance).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        let order: Vec<&str> = ranked.iter().map(|it| &*it.0.product.asin).collect();
        assert_eq!(order, ["B2", "B1", "B3"]);
        assert_eq!(ranked[0].0.text(), "desk lamp of oak. easy clean");
        assert!(found("the", 50).is_empty());
        assert_eq!(found(INSTRUCTION, 1).len(), 1);
    }

    #[test]
    fn goals_are_judged_without_their_options() {
        let (shelf, search) = shop();
        let tagger: Arc<dyn Tagger> = Arc::new(RuleTagger);
        let goal = Goal {
            asin: "B2".to_owned(),
            category: "garden".to_owned(),
            query: "lamps".to_owned(),
            name: "desk lamp of oak".to_owned(),
            product_category: "Home › Lamps".to_owned(),
            instruction: INSTRUCTION.to_owned(),
            attributes: vec!["easy clean".to_owned()],
            price_upper: 40.0,
            options: GoalOptions::Values(vec!["green".to_owned()]),
            weight: 1.0,
            disclosures: None,
        };
        let found = candidates(&shelf, &search, INSTRUCTION, 50).unwrap();
        let retrieved = |relevance: &[f64]| {
            let Retrieved { found, reward } = Retrieved::of(&goal, &tagger, &found, relevance);
            (found, reward)
        };
        assert_eq!(retrieved(&relevance(INSTRUCTION, &found)), (true, 1.0));
        // Of equally relevant ones the first counts, which is too expensive.
        let (is_found, reward) = retrieved(&[0.5, 0.5, 0.0]);
        assert!(is_found && reward < 1.0);
        let nothing = Retrieved::of(&goal, &tagger, &[], &[]);
        assert_eq!(nothing, Retrieved::default());
    }

    #[test]
    fn the_bound_is_read_where_instructions_end() {
        assert_eq!(without_bound(INSTRUCTION).1, Some(40.0));
        assert_eq!(without_bound("a lamp").1, None);
        let odd = "a lamp, and price lower than all dollars";
        assert_eq!(without_bound(odd), (odd, None));
    }
}
