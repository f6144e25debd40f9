//! Nouns of titles, by which the reward compares the kinds of two products.

mod recorded;
mod rules;

use super::catalogue::Product;

pub use recorded::RecordedNouns;
pub use rules::RuleTagger;

/// Finds the nouns of a product's title.
pub trait Tagger: Send + Sync {
    /// The name under which a run records it.
    fn name(&self) -> &'static str;

    /// The nouns and names in a title, in small letters, in order, each as often as it stands there. `asin` is
    /// that of the product, for lists that were recorded.
    fn nouns(&self, asin: &str, title: &str) -> Vec<String>;

    /// Those of a product.
    fn nouns_of(&self, product: &Product) -> Vec<String> {
        self.nouns(&product.asin, &product.title)
    }
}
