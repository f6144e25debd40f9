//! What every index has in memory: the numbers of terms, and the order of products.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Hit;
use super::rank::{List, Term, rank};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::ProductId;
use crate::text::lucene::Analyzer;

/// The terms of an index, and its products.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Terms {
    pub(super) numbers: FxHashMap<Box<str>, u32>,
    /// The products in the order of their ASINs; lists name places in it.
    pub(super) order: Vec<ProductId>,
}

impl Terms {
    /// The best products for a query; `list` gives the list of a term by its number.
    pub(super) fn search(
        &self,
        query: &str,
        most: usize,
        list: impl Fn(u32) -> Result<Arc<List>, ShopError>,
    ) -> Result<Vec<Hit>, ShopError> {
        let mut wanted: Vec<u32> = Vec::new();
        Analyzer::default().each(query, |term| wanted.extend(self.numbers.get(term)));
        wanted.sort_unstable();
        let terms = wanted.chunk_by(|one, other| one == other);
        let terms = terms.map(|same| Ok(Term::new(list(same[0])?, same.len())));
        let terms = terms.collect::<Result<_, ShopError>>()?;
        let best = rank(terms, self.order.len(), most);
        let hit = |(place, score)| Hit { product: self.order[place as usize], score };
        Ok(best.map(hit).collect())
    }
}
