//! A catalogue and its index on disk, for the million products of the official files: a folder that is built once,
//! knows its catalogue and its format, and is read by pieces.

mod store;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::gather::Gatherer;
use super::rank::List;
use super::{Hit, Search, Terms};
use crate::ShopError;
use crate::catalogue::{Catalogue, Product, ProductId};
use rolecall_core::ports::Progress;
use store::{Piece, Reader, Writer};

/// How many products or terms pass between two messages on the progress.
const STEP: u64 = 4096;
/// Memory for lists that were read, in bytes.
const ROOM: usize = 512 << 20;

/// Tables that are read when an index is opened.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tables {
    terms: Terms,
    /// The lists by number of the term.
    lists: Vec<Piece>,
    /// The products by number.
    products: Vec<Piece>,
    asins: Vec<Box<str>>,
    categories: BTreeMap<String, Vec<ProductId>>,
    queries: BTreeMap<String, Vec<ProductId>>,
}

/// Lists that were read lately, and their size.
#[derive(Debug, Default)]
struct Lately {
    lists: FxHashMap<u32, Arc<List>>,
    size: usize,
}

/// A catalogue on disk with its index: finds products, and reads them. Of a million products, 100 MB are in memory,
/// and up to 512 MB of what was read lately.
#[derive(Debug)]
pub struct DiskIndex {
    reader: Reader,
    tables: Tables,
    lately: Mutex<Lately>,
}

impl DiskIndex {
    /// Builds the index of a catalogue in a folder that is not there yet. `catalogue` is a hash of all that the
    /// products depend on; `expected` is about how many there are, for the progress. The folder appears when all is
    /// written: until then it has another name, under which it is no index, and which the next attempt removes.
    /// A process that comes while another one builds it waits, and takes the result.
    ///
    /// # Errors
    /// When a product cannot be read or the folder cannot be written.
    pub fn build(
        folder: &Path,
        catalogue: &str,
        products: impl IntoIterator<Item = Result<Product, ShopError>>,
        expected: u64,
        progress: &dyn Progress,
    ) -> Result<(), ShopError> {
        let _lock = store::lock(folder)?;
        let mut products = products.into_iter();
        if store::is_there(folder) {
            // Somebody else built it meanwhile. Who gives the products may count on being asked for all of them.
            Self::open(folder, catalogue)?;
            return products.try_for_each(|product| product.map(drop));
        }
        Writer::new(folder)
            .and_then(|writer| write(writer, catalogue, products, expected, progress))
            .inspect_err(|_| store::remove_part(folder))
    }

    /// Opens the index of a catalogue.
    ///
    /// # Errors
    /// When it is missing or damaged, or belongs to another catalogue or another version of the program.
    pub fn open(folder: &Path, catalogue: &str) -> Result<Self, ShopError> {
        let (reader, tables) = Reader::open(folder, catalogue)?;
        Ok(Self { reader, tables, lately: Mutex::default() })
    }

    /// The list of a term.
    fn list(&self, number: u32) -> Result<Arc<List>, ShopError> {
        let lately = || self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = lately().lists.get(&number) {
            return Ok(Arc::clone(list));
        }
        let piece = self.tables.lists[number as usize];
        let list: Arc<List> = Arc::new(self.reader.value(piece)?);
        let mut lately = lately();
        if lately.size + list.size() > ROOM {
            *lately = Lately::default();
        }
        lately.size += list.size();
        lately.lists.insert(number, Arc::clone(&list));
        Ok(list)
    }
}

/// Writes products as they come, and then the places of each term.
fn write(
    mut writer: Writer,
    catalogue: &str,
    products: impl Iterator<Item = Result<Product, ShopError>>,
    expected: u64,
    progress: &dyn Progress,
) -> Result<(), ShopError> {
    let progress = |what, ready: u64, all: u64| {
        if ready.is_multiple_of(STEP) || ready == all {
            progress.loaded(what, ready, all.max(ready));
        }
    };
    let mut gatherer = Gatherer::default();
    let mut tables = Tables::default();
    for (id, product) in (0..).zip(products) {
        let product = product?;
        gatherer.add(id, &product);
        tables.products.push(writer.add(&product)?);
        let category = tables.categories.entry(product.category);
        category.or_default().push(id);
        tables.queries.entry(product.query).or_default().push(id);
        progress("products", u64::from(id) + 1, expected);
    }
    let (terms, asins, lists) = gatherer.finish();
    (tables.terms, tables.asins) = (terms, asins);
    let all = lists.len() as u64;
    for (ready, list) in (1..).zip(lists) {
        tables.lists.push(writer.add(&list)?);
        progress("words", ready, all);
    }
    writer.finish(catalogue, &tables)
}

impl Search for DiskIndex {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        let list = |number| self.list(number);
        self.tables.terms.search(query, most, list)
    }

    fn is_slow(&self) -> bool {
        true
    }
}

impl Catalogue for DiskIndex {
    fn len(&self) -> usize {
        self.tables.products.len()
    }

    fn product(&self, id: ProductId) -> Result<Arc<Product>, ShopError> {
        let piece = self.tables.products.get(id as usize).ok_or_else(|| ShopError::no_product(id))?;
        self.reader.value(*piece).map(Arc::new)
    }

    fn find(&self, asin: &str) -> Result<Option<ProductId>, ShopError> {
        let found = self.tables.asins.binary_search_by(|other| (**other).cmp(asin));
        Ok(found.ok().map(|place| self.tables.terms.order[place]))
    }

    fn of_category(&self, category: &str) -> Result<Vec<ProductId>, ShopError> {
        let found = self.tables.categories.get(category);
        Ok(found.cloned().unwrap_or_default())
    }

    fn of_query(&self, query: &str) -> Result<Vec<ProductId>, ShopError> {
        let found = self.tables.queries.get(query);
        Ok(found.cloned().unwrap_or_default())
    }
}
