//! An index in memory, for catalogues of some thousands of products.

use std::sync::Arc;

use super::gather::Gatherer;
use super::rank::List;
use super::terms::Terms;
use super::{Hit, Search};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{Product, ProductId};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::shop::search::gather::document;

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
            crate::environments::shop::catalogue::OptionGroup {
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
