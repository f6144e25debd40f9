//! Finding products for a query: BM25 over title, description, first bullet and options.

mod disk;
mod gather;
mod memory;
mod rank;
mod terms;

pub use disk::DiskIndex;
pub use memory::MemoryIndex;

use super::ShopError;
use super::catalogue::ProductId;

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
