//! Catalogues of products.

pub(super) mod elements;
mod entry;
mod faults;
pub(super) mod files;
mod load;
pub mod price;
mod product;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

pub use faults::Faults;
pub use files::Files;
pub use load::{LoadOptions, Official, Products};
pub use product::{OptionGroup, Product};

use super::ShopError;

/// Number of a product in its catalogue, from 0, in the order of the file.
pub type ProductId = u32;

/// The products of a catalogue.
pub trait Catalogue: Send + Sync {
    /// Number of products.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A product.
    ///
    /// # Errors
    /// When there is none of this number, or a catalogue on disk cannot be read.
    fn product(&self, id: ProductId) -> Result<Arc<Product>, ShopError>;

    /// The number of the product with this ASIN.
    ///
    /// # Errors
    /// When a catalogue on disk cannot be read.
    fn find(&self, asin: &str) -> Result<Option<ProductId>, ShopError>;

    /// The products of a category, in the order of the file.
    ///
    /// # Errors
    /// When a catalogue on disk cannot be read.
    fn of_category(&self, category: &str) -> Result<Vec<ProductId>, ShopError>;

    /// The products that were found by a query (in small letters) when the catalogue was made, in the order of
    /// the file.
    ///
    /// # Errors
    /// When a catalogue on disk cannot be read.
    fn of_query(&self, query: &str) -> Result<Vec<ProductId>, ShopError>;
}

/// A catalogue in memory.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    products: Vec<Arc<Product>>,
    by_asin: HashMap<String, ProductId>,
}

impl Shelf {
    /// The catalogue of these products, in their order.
    pub fn new(products: Vec<Product>) -> Self {
        let by_asin = products.iter().map(|product| product.asin.clone());
        Self { by_asin: by_asin.zip(0..).collect(), products: products.into_iter().map(Arc::new).collect() }
    }

    /// All products in order.
    pub fn products(&self) -> &[Arc<Product>] {
        &self.products
    }

    fn whose(&self, wanted: impl Fn(&Product) -> bool) -> Vec<ProductId> {
        let all = (0..).zip(&self.products);
        let found = all.filter(|(_, product)| wanted(product));
        found.map(|(id, _)| id).collect()
    }
}

impl Catalogue for Shelf {
    fn len(&self) -> usize {
        self.products.len()
    }

    fn product(&self, id: ProductId) -> Result<Arc<Product>, ShopError> {
        let product = self.products.get(id as usize).cloned();
        product.ok_or_else(|| ShopError::Missing { what: format!("product number {id}") })
    }

    fn find(&self, asin: &str) -> Result<Option<ProductId>, ShopError> {
        Ok(self.by_asin.get(asin).copied())
    }

    fn of_category(&self, category: &str) -> Result<Vec<ProductId>, ShopError> {
        Ok(self.whose(|product| product.category == category))
    }

    fn of_query(&self, query: &str) -> Result<Vec<ProductId>, ShopError> {
        Ok(self.whose(|product| product.query == query))
    }
}
