//! Finding products for a query: BM25 over title, description, first bullet and options.

mod disk;
mod gather;
mod rank;

use std::sync::Arc;

use gather::Gatherer;
use rank::{List, Term, rank};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::ShopError;
use crate::catalogue::{Catalogue, Product, ProductId};
use rolecall_core::domain::Seed;
use rolecall_core::text::lucene::Analyzer;
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::python::strip;

pub use disk::DiskIndex;

/// A product that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Which product.
    pub product: ProductId,
    /// Its BM25 score, without the factor `k1 + 1`, as Lucene gives it.
    pub score: f32,
}

/// Ranks the products of a catalogue by a query.
pub trait Search: Send + Sync {
    /// The best products for the query, the best first; of equally good ones that with the smaller ASIN. None if the
    /// query has nothing but stop words.
    ///
    /// # Errors
    /// When an index on disk cannot be read.
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError>;

    /// Whether a search may take longer than a millisecond, and belongs off the threads of episodes.
    fn is_slow(&self) -> bool {
        false
    }
}

/// The terms of an index, and its products.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Terms {
    numbers: FxHashMap<Box<str>, u32>,
    /// The products in the order of their ASINs; lists name places in it.
    order: Vec<ProductId>,
}

impl Terms {
    /// The best products for a query; `list` gives the list of a term by its number.
    fn search(
        &self,
        query: &str,
        most: usize,
        list: impl Fn(u32) -> Result<Arc<List>, ShopError>,
    ) -> Result<Vec<Hit>, ShopError> {
        let mut wanted: Vec<u32> = Vec::new();
        Analyzer::default().each(query, |term| wanted.extend(self.numbers.get(term)));
        wanted.sort_unstable();
        let terms = wanted
            .chunk_by(|one, other| one == other)
            .map(|same| Ok(Term::new(list(same[0])?, same.len())))
            .collect::<Result<_, ShopError>>()?;
        let best = rank(terms, self.order.len(), most);
        let hit = |(place, score)| Hit { product: self.order[place as usize], score };
        Ok(best.map(hit).collect())
    }
}

/// The most products that are searched within a millisecond.
const FEW: usize = 20_000;

/// Finds products by an index in memory. It holds about a kilobyte a product.
#[derive(Debug)]
pub struct MemoryIndex {
    terms: Terms,
    /// By number of the term.
    lists: Vec<Arc<List>>,
}

impl MemoryIndex {
    /// The index of these products, which are numbered from 0 on.
    pub fn new<'a>(products: impl IntoIterator<Item = (ProductId, &'a Product)>) -> Self {
        let mut gatherer = Gatherer::default();
        for (id, product) in products {
            gatherer.add(id, product);
        }
        let (terms, _, lists) = gatherer.finish();
        let lists = lists.map(Arc::new).collect();
        Self { terms, lists }
    }
}

impl Search for MemoryIndex {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        let list = |number: u32| Ok(Arc::clone(&self.lists[number as usize]));
        self.terms.search(query, most, list)
    }

    fn is_slow(&self) -> bool {
        self.terms.order.len() > FEW
    }
}

/// The most products that words find, and that are drawn.
const MOST_FOUND: usize = 50;

/// The products for a query; none if the original fails at it. Random ones are drawn from the seed.
pub(super) fn find(
    catalogue: &dyn Catalogue,
    search: &dyn Search,
    query: &str,
    seed: Seed,
) -> Result<Option<Vec<ProductId>>, ShopError> {
    let (first, rest) = query.split_once(' ').unwrap_or((query, ""));
    Ok(Some(match first {
        "<r>" => {
            let all: Vec<ProductId> = (0..).take(catalogue.len()).collect();
            PythonRandom::new(seed.0).sample(&all, MOST_FOUND)
        }
        "<a>" => return Ok(None),
        "<c>" if !query.contains(' ') => return Ok(None),
        "<c>" => catalogue.of_category(strip(rest.split(' ').next().unwrap_or_default()))?,
        "<q>" => catalogue.of_query(strip(rest))?,
        _ => {
            let hits = search.search(query, MOST_FOUND)?;
            hits.into_iter().map(|hit| hit.product).collect()
        }
    }))
}

/// Whether a query asks for random products.
pub(super) fn is_random(query: &str) -> bool {
    query.split(' ').next() == Some("<r>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::gather::document;

    fn product(asin: &str, title: &str) -> Product {
        Product { asin: asin.to_owned(), title: title.to_owned(), ..Product::default() }
    }

    fn found(products: &[Product], query: &str, most: usize) -> Vec<String> {
        let index = MemoryIndex::new((0..).zip(products));
        let hits = index.search(query, most).unwrap();
        hits.iter().map(|hit| products[hit.product as usize].asin.clone()).collect()
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
            crate::catalogue::OptionGroup {
                name: "colour".to_owned(),
                values: vec!["dark red".to_owned(), "teal".to_owned()],
            };
            2
        ];
        assert_eq!(document(&full), "lamp bright wooden colour: dark red, teal, and colour: dark red, teal");
        let products = [full];
        for query in ["lamps", "bright", "wooden", "colour", "teal"] {
            assert_eq!(found(&products, query, 50), ["B1"], "{query}");
        }
        assert_eq!(found(&products, "foldable", 50), [""; 0]);
    }

    #[test]
    fn stop_words_unknown_words_and_long_queries_are_answered() {
        let products = [product("B1", "lamp lamp"), product("B2", "lamp shade of a long table top"), product("B3", "")];
        assert_eq!(found(&products, "", 50), [""; 0]);
        assert_eq!(found(&products, "to the with of", 50), [""; 0]);
        assert_eq!(found(&products, "sofa", 50), [""; 0]);
        assert_eq!(found(&products, &"shade lamp x ".repeat(10_000), 50), ["B2", "B1"]);
        assert_eq!(found(&[], "lamp", 50), [""; 0]);
    }

    #[test]
    fn a_repeated_word_counts_as_often_as_it_stands_there() {
        let products = [product("B1", "lamp"), product("B2", "sofa"), product("B3", "x")];
        assert_eq!(found(&products, "lamp sofa", 1), ["B1"]);
        assert_eq!(found(&products, "lamp sofa sofa", 1), ["B2"]);
        let index = MemoryIndex::new((0..).zip(&products));
        let score = |query: &str| index.search(query, 1).unwrap()[0].score;
        assert!((score("sofa sofa sofa") - 3.0 * score("sofa")).abs() < 1e-6);
    }
}
