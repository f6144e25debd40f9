//! WebShop as retrieval (ChatShop, appendix A): the products that are found by the whole instruction, ranked by how well
//! they fit it; nobody looks at a page or chooses an option.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::ShopError;
use super::catalogue::{Catalogue, Product};
use super::goal::{Goal, GoalOptions};
use super::nouns::Tagger;
use super::score::Judge;
use super::search::Search;
use crate::text::lucene::terms;

/// Products that are ranked for an instruction.
pub const CANDIDATES: usize = 50;

/// What makes a product fit, each from 0 to 1, with its weight.
const WEIGHTS: Features = Features {
    bm25: 1.0,
    title: 2.0,
    texts: 1.0,
    attributes: 1.5,
    options: 1.0,
    price: 1.0,
};

/// How a product fits an instruction. Words of the instruction count by how few of the candidates have them.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    /// Its score over that of the first hit.
    bm25: f64,
    /// Share of the instruction's words that its title has.
    title: f64,
    /// Share that its descriptions and attributes have.
    texts: f64,
    /// Share that belong to attributes of it which the instruction has whole.
    attributes: f64,
    /// Share that belong to values of options which the instruction has whole.
    options: f64,
    /// Whether its price keeps the instruction's bound.
    price: f64,
}

impl Features {
    fn relevance(&self) -> f64 {
        self.bm25 * WEIGHTS.bm25
            + self.title * WEIGHTS.title
            + self.texts * WEIGHTS.texts
            + self.attributes * WEIGHTS.attributes
            + self.options * WEIGHTS.options
            + self.price * WEIGHTS.price
    }
}

/// A product with how well it fits the instruction.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The product.
    pub product: Arc<Product>,
    /// How well it fits; more is better.
    pub relevance: f64,
}

/// The first `most` products that are found by the instruction, the most relevant first. Nothing but the instruction
/// and what pages show of products is used.
///
/// # Errors
/// When the catalogue or its index cannot be read.
pub fn ranked(
    catalogue: &dyn Catalogue,
    search: &dyn Search,
    instruction: &str,
    most: usize,
) -> Result<Vec<Candidate>, ShopError> {
    let hits = search.search(&instruction.to_lowercase(), most)?;
    let best = hits.first().map_or(1.0, |hit| f64::from(hit.score));
    let products = hits.iter().map(|hit| catalogue.product(hit.product));
    let products: Vec<Arc<Product>> = products.collect::<Result<_, _>>()?;
    let (wish, bound) = without_bound(instruction);
    let words = Words::new(wish, products.iter().map(|product| WordsOf::new(product)));
    let scored = hits.iter().zip(&words.products).zip(products);
    let mut candidates: Vec<Candidate> = scored
        .map(|((hit, own), product)| {
            let features = Features {
                bm25: f64::from(hit.score) / best,
                price: f64::from(u8::from(
                    bound.is_none_or(|bound| lowest(&product) <= bound),
                )),
                ..words.features(own)
            };
            Candidate {
                relevance: features.relevance(),
                product,
            }
        })
        .collect();
    // Equally relevant ones stay in the order of the search.
    candidates.sort_by(|one, other| other.relevance.total_cmp(&one.relevance));
    Ok(candidates)
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
    texts: FxHashSet<String>,
    attributes: Vec<Vec<String>>,
    options: Vec<Vec<String>>,
}

impl WordsOf {
    fn new(product: &Product) -> Self {
        let texts = product.bullets.iter().chain(&product.attributes);
        let texts = texts.chain([&product.description]);
        let values = product.options.iter().flat_map(|group| &group.values);
        Self {
            title: terms(&product.title).into_iter().collect(),
            texts: texts.flat_map(|text| terms(text)).collect(),
            attributes: product.attributes.iter().map(|text| terms(text)).collect(),
            options: values.map(|text| terms(text)).collect(),
        }
    }

    fn has(&self, word: &str) -> bool {
        let options = || self.options.iter().flatten().any(|own| own == word);
        self.title.contains(word) || self.texts.contains(word) || options()
    }
}

/// The words of an instruction with their weights, and those of the candidates.
struct Words {
    words: Vec<(String, f64)>,
    products: Vec<WordsOf>,
}

impl Words {
    fn new(wish: &str, products: impl Iterator<Item = WordsOf>) -> Self {
        let products: Vec<WordsOf> = products.collect();
        let mut words = terms(wish);
        words.sort_unstable();
        words.dedup();
        let weighted = words.into_iter().map(|word| {
            let having = products.iter().filter(|own| own.has(&word)).count();
            let weight = (1.0 + products.len() as f64 / having.max(1) as f64).ln();
            (word, weight)
        });
        Self {
            words: weighted.collect(),
            products,
        }
    }

    fn features(&self, own: &WordsOf) -> Features {
        Features {
            title: self.share(|word| own.title.contains(word)),
            texts: self.share(|word| own.texts.contains(word)),
            attributes: self.share_of_whole(&own.attributes),
            options: self.share_of_whole(&own.options),
            ..Features::default()
        }
    }

    /// The share of the words, by their weights, that are counted.
    fn share(&self, counts: impl Fn(&str) -> bool) -> f64 {
        let all: f64 = self.words.iter().map(|(_, weight)| weight).sum();
        let counted = self.words.iter().filter(|(word, _)| counts(word));
        let counted: f64 = counted.map(|(_, weight)| weight).sum();
        if all > 0.0 { counted / all } else { 0.0 }
    }

    /// The share of the words that belong to phrases whose words all are among them.
    fn share_of_whole(&self, phrases: &[Vec<String>]) -> f64 {
        let among = |word: &String| {
            let found = self.words.binary_search_by(|(own, _)| own.cmp(word));
            found.is_ok()
        };
        let whole: Vec<&Vec<String>> = phrases
            .iter()
            .filter(|phrase| phrase.iter().all(among))
            .collect();
        self.share(|word| {
            whole
                .iter()
                .any(|phrase| phrase.iter().any(|own| own == word))
        })
    }
}

/// How retrieval fares with one goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retrieved {
    /// Whether one of the candidates has reward 1.
    pub found: bool,
    /// The reward of the most relevant one; 0 if nothing is found.
    pub reward: f64,
}

/// Ranks the candidates for a goal, and judges them by the goal without its options (footnote 5 of the paper).
///
/// # Errors
/// When the catalogue or its index cannot be read.
pub fn retrieve(
    catalogue: &dyn Catalogue,
    search: &dyn Search,
    tagger: &Arc<dyn Tagger>,
    goal: &Goal,
) -> Result<Retrieved, ShopError> {
    let goal = Goal {
        options: GoalOptions::Values(Vec::new()),
        ..goal.clone()
    };
    let judge = Judge::new(&goal, Arc::clone(tagger));
    let candidates = ranked(catalogue, search, &goal.instruction, CANDIDATES)?;
    let rewards = candidates
        .iter()
        .map(|it| judge.reward(&it.product, &[]).total);
    let rewards: Vec<f64> = rewards.collect();
    Ok(Retrieved {
        found: rewards.contains(&1.0),
        reward: rewards.first().copied().unwrap_or(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::shop::catalogue::{OptionGroup, Shelf};
    use crate::environments::shop::nouns::RuleTagger;
    use crate::environments::shop::search::MemoryIndex;

    fn lamp(asin: &str, title: &str, attribute: &str, price: f64) -> Product {
        Product {
            asin: asin.to_owned(),
            title: title.to_owned(),
            query: "lamps".to_owned(),
            product_category: "Home › Lamps".to_owned(),
            pricing: vec![price],
            price,
            attributes: vec![attribute.to_owned()],
            options: vec![OptionGroup {
                name: "color".to_owned(),
                values: vec!["red".to_owned(), "blue".to_owned()],
            }],
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
        let found = ranked(&shelf, &search, INSTRUCTION, 50).unwrap();
        let order: Vec<&str> = found.iter().map(|it| it.product.asin.as_str()).collect();
        assert_eq!(order, ["B2", "B1", "B3"]);
        assert!(ranked(&shelf, &search, "the", 50).unwrap().is_empty());
        assert_eq!(ranked(&shelf, &search, INSTRUCTION, 1).unwrap().len(), 1);
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
        let (found, reward) = (true, 1.0);
        let retrieved = retrieve(&shelf, &search, &tagger, &goal).unwrap();
        assert_eq!(retrieved, Retrieved { found, reward });
        let nothing = Goal {
            instruction: "the".to_owned(),
            ..goal
        };
        let (found, reward) = (false, 0.0);
        let retrieved = retrieve(&shelf, &search, &tagger, &nothing).unwrap();
        assert_eq!(retrieved, Retrieved { found, reward });
    }

    #[test]
    fn the_bound_is_read_where_instructions_end() {
        assert_eq!(without_bound(INSTRUCTION).1, Some(40.0));
        assert_eq!(without_bound("a lamp").1, None);
        let odd = "a lamp, and price lower than all dollars";
        assert_eq!(without_bound(odd), (odd, None));
    }
}
