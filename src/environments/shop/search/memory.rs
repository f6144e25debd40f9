//! An index in memory, for catalogues of some thousands of products.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::best::Best;
use super::document::document;
use super::{B, Hit, K1, Search};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{Product, ProductId};
use crate::text::lucene::{Analyzer, Bm25, idf, length_code};

/// The most products that are searched within a millisecond.
const FEW: usize = 20_000;

/// Finds products by an index in memory. It holds about a kilobyte a product, and looks at every product that has a
/// word of the query.
#[derive(Debug)]
pub struct MemoryIndex {
    terms: FxHashMap<Box<str>, u32>,
    /// By term.
    weights: Vec<f32>,
    /// By term, where its entries begin; at last, where the last one's end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// The products in the order of their ASINs; entries name places in it.
    order: Vec<ProductId>,
}

/// A term in a product.
#[derive(Clone, Copy, Debug)]
struct Entry {
    place: u32,
    /// [`Bm25::presence`].
    presence: f32,
}

/// What a search needs besides the index; each thread has its own.
#[derive(Default)]
struct Scratch {
    analyzer: Analyzer,
    wanted: Vec<u32>,
    scores: Vec<f64>,
    best: Best,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl MemoryIndex {
    /// The index of these products.
    pub fn new<'a>(products: impl IntoIterator<Item = (ProductId, &'a Product)>) -> Self {
        let mut products: Vec<(ProductId, &Product)> = products.into_iter().collect();
        products.sort_by(|(_, one), (_, other)| one.asin.cmp(&other.asin));
        let mut terms = FxHashMap::<Box<str>, u32>::default();
        let mut analyzer = Analyzer::default();
        // Each term of each product, with its count, and the length of each product.
        let mut counts: Vec<(u32, u32, u32)> = Vec::new();
        let mut lengths = Vec::with_capacity(products.len());
        let mut own = Vec::new();
        for (place, (_, product)) in (0..).zip(&products) {
            own.clear();
            analyzer.each(&document(product), |term| {
                let known = terms.get(term).copied();
                own.push(known.unwrap_or_else(|| {
                    let next = terms.len() as u32;
                    terms.insert(term.into(), next);
                    next
                }));
            });
            lengths.push(own.len() as u32);
            own.sort_unstable();
            let same = own.chunk_by(|one, other| one == other);
            counts.extend(same.map(|same| (same[0], place, same.len() as u32)));
        }
        counts.sort_unstable();
        let all = lengths.iter().map(|length| u64::from(*length)).sum();
        let texts = lengths.iter().filter(|length| **length > 0).count() as u64;
        let bm25 = Bm25::new(K1, B, texts, all);
        let mut index = Self {
            terms,
            weights: Vec::new(),
            starts: vec![0],
            entries: Vec::with_capacity(counts.len()),
            order: products.iter().map(|(id, _)| *id).collect(),
        };
        for of_term in counts.chunk_by(|one, other| one.0 == other.0) {
            index.weights.push(idf(texts, of_term.len() as u64));
            index
                .entries
                .extend(of_term.iter().map(|&(_, place, count)| Entry {
                    place,
                    presence: bm25.presence(count, length_code(lengths[place as usize])),
                }));
            index.starts.push(index.entries.len() as u32);
        }
        index
    }

    /// Adds up the scores of all products, by place.
    fn score(&self, query: &str, scratch: &mut Scratch) {
        let Scratch {
            analyzer,
            wanted,
            scores,
            ..
        } = scratch;
        wanted.clear();
        analyzer.each(query, |term| wanted.extend(self.terms.get(term)));
        wanted.sort_unstable();
        scores.clear();
        scores.resize(self.order.len(), 0.0);
        for same in wanted.chunk_by(|one, other| one == other) {
            let term = same[0] as usize;
            let weight = self.weights[term] * same.len() as f32;
            let entries = self.starts[term] as usize..self.starts[term + 1] as usize;
            for entry in &self.entries[entries] {
                scores[entry.place as usize] += f64::from(Bm25::score(weight, entry.presence));
            }
        }
    }
}

impl Search for MemoryIndex {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        SCRATCH.with_borrow_mut(|scratch| {
            self.score(query, scratch);
            scratch.best.start(most);
            for (place, score) in (0..).zip(&scratch.scores) {
                if *score > 0.0 {
                    scratch.best.offer(*score as f32, place);
                }
            }
            let best = scratch.best.take();
            Ok(best
                .map(|(score, place)| Hit {
                    product: self.order[place as usize],
                    score,
                })
                .collect())
        })
    }

    fn is_slow(&self) -> bool {
        self.order.len() > FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(asin: &str, title: &str) -> Product {
        Product {
            asin: asin.to_owned(),
            title: title.to_owned(),
            ..Product::default()
        }
    }

    fn found(products: &[Product], query: &str, most: usize) -> Vec<String> {
        let index = MemoryIndex::new((0..).zip(products));
        let hits = index.search(query, most).unwrap();
        hits.iter()
            .map(|hit| products[hit.product as usize].asin.clone())
            .collect()
    }

    #[test]
    fn equally_good_products_come_in_the_order_of_their_numbers() {
        let products = ["B3", "B1", "B2", "A9"].map(|asin| product(asin, "red lamp"));
        assert_eq!(found(&products, "Lamps", 50), ["A9", "B1", "B2", "B3"]);
        assert_eq!(found(&products, "lamp", 2), ["A9", "B1"]);
        assert_eq!(found(&products, "lamp", 0), [""; 0]);
    }

    #[test]
    fn every_part_of_a_product_is_searched_but_for_later_bullets() {
        let mut full = product("B1", "Lamp");
        full.description = "bright".to_owned();
        full.bullets = vec!["wooden".to_owned(), "foldable".to_owned()];
        full.options = vec![
            crate::environments::shop::catalogue::OptionGroup {
                name: "colour".to_owned(),
                values: vec!["dark red".to_owned(), "teal".to_owned()],
            };
            2
        ];
        assert_eq!(
            document(&full),
            "lamp bright wooden colour: dark red, teal, and colour: dark red, teal"
        );
        let products = [full];
        for query in ["lamps", "bright", "wooden", "colour", "teal"] {
            assert_eq!(found(&products, query, 50), ["B1"], "{query}");
        }
        assert_eq!(found(&products, "foldable", 50), [""; 0]);
    }

    #[test]
    fn stop_words_unknown_words_and_long_queries_are_answered() {
        let products = [
            product("B1", "lamp lamp"),
            product("B2", "lamp shade of a long table top"),
            product("B3", ""),
        ];
        assert_eq!(found(&products, "", 50), [""; 0]);
        assert_eq!(found(&products, "to the with of", 50), [""; 0]);
        assert_eq!(found(&products, "sofa", 50), [""; 0]);
        assert_eq!(
            found(&products, &"shade lamp x ".repeat(10_000), 50),
            ["B2", "B1"]
        );
        assert_eq!(found(&[], "lamp", 50), [""; 0]);
    }

    #[test]
    fn a_repeated_word_counts_as_often_as_it_stands_there() {
        let products = [
            product("B1", "lamp"),
            product("B2", "sofa"),
            product("B3", "x"),
        ];
        assert_eq!(found(&products, "lamp sofa", 1), ["B1"]);
        assert_eq!(found(&products, "lamp sofa sofa", 1), ["B2"]);
        let index = MemoryIndex::new((0..).zip(&products));
        let score = |query: &str| index.search(query, 1).unwrap()[0].score;
        assert!((score("sofa sofa sofa") - 3.0 * score("sofa")).abs() < 1e-6);
    }
}
