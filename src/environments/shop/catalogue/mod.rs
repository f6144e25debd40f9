//! Catalogues of products.

pub(super) mod elements;
mod entry;
pub(super) mod files;
mod load;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

pub use entry::{price_of, price_tag};
pub use files::Files;
pub use load::{Faults, LoadOptions, Official, Products};

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
        all.filter(|(_, product)| wanted(product)).map(|(id, _)| id).collect()
    }
}

impl Catalogue for Shelf {
    fn len(&self) -> usize {
        self.products.len()
    }

    fn product(&self, id: ProductId) -> Result<Arc<Product>, ShopError> {
        self.products.get(id as usize).cloned().ok_or_else(|| ShopError::no_product(id))
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

/// Why a catalogue, its goals or its index cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShopError {
    /// A file or folder could not be read or written.
    #[error("`{path}` cannot be used: {source}; check the path, the permissions and the disk")]
    Io {
        /// The file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not what it has to be; the text says where, what is wrong, and what to do.
    #[error("`{path}`: {problem}")]
    Data {
        /// The file or folder.
        path: String,
        /// The problem with its remedy.
        problem: String,
    },
    /// There is no such product or goal.
    #[error("there is no {what} in the catalogue")]
    Missing {
        /// The product or goal that was wanted.
        what: String,
    },
}

impl ShopError {
    /// Error for a file or folder that cannot be used, as the system said.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.display().to_string(), source }
    }

    /// Error for a number that no product has.
    pub(super) fn no_product(id: ProductId) -> Self {
        Self::Missing { what: format!("product number {id}") }
    }

    /// Error for a file or folder that is not what it has to be.
    pub(super) fn data(path: &Path, problem: impl Into<String>) -> Self {
        Self::Data { path: path.display().to_string(), problem: problem.into() }
    }
}

/// A product as it is shown, searched and judged.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Product {
    /// Its number in the shop, at most ten letters and digits.
    pub asin: String,
    /// Its title.
    pub title: String,
    /// The long description; may be empty.
    pub description: String,
    /// The short descriptions, as they are listed.
    pub bullets: Vec<String>,
    /// `beauty`, `fashion`, `garden`, `grocery` or `electronics`.
    pub category: String,
    /// The query by which it was found when the catalogue was made, in small letters.
    pub query: String,
    /// The path of its category, with ` › ` between the parts.
    pub product_category: String,
    /// The price or the two ends of its range, in dollars.
    pub pricing: Vec<f64>,
    /// The price as it is shown: `$10.99`, `$10.0 to $12.5`.
    pub price_tag: String,
    /// The price that purchases are judged by, in dollars: drawn from the range where there is one.
    pub price: f64,
    /// The options to be chosen, in the order of the page.
    pub options: Vec<OptionGroup>,
    /// The attributes that people mined from its descriptions.
    pub attributes: Vec<String>,
}

/// An option of a product, such as its colour, with the values that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct OptionGroup {
    /// Its name, in small letters.
    pub name: String,
    /// Its values, in small letters.
    pub values: Vec<String>,
}
