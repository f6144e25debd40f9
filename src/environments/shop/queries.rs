//! Queries of the search box: words, or with a sign before them a category (`<c>`), the query by which products were
//! found when the catalogue was made (`<q>`), or random products (`<r>`).

use super::ShopError;
use super::catalogue::{Catalogue, ProductId};
use super::search::Search;
use crate::domain::Seed;
use crate::text::mt19937::PythonRandom;
use crate::text::python::strip;

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
