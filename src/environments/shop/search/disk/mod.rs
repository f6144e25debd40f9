//! A catalogue and its index on disk, for the million products of the official files: a folder that is built once,
//! knows its catalogue and its format, and is read by pieces.

mod build;
mod cache;
mod list;
mod rank;
mod store;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Hit, Search};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{Catalogue, Product, ProductId};
use crate::ports::Progress;
use crate::text::lucene::{Analyzer, idf};
use cache::Cache;
use list::List;
use rank::Ranking;
use store::{Piece, Reader};

/// Terms that are read together.
const TERMS_OF_A_PIECE: usize = 64;
/// Memory for lists that were read, in bytes.
const LISTS: usize = 512 << 20;
/// Products that are kept in memory.
const PRODUCTS: usize = 4096;

/// What is read when an index is opened.
#[derive(Debug, Serialize, Deserialize)]
struct Tables {
    /// Products that have any term.
    texts: u64,
    /// [`Bm25::presence`](crate::text::lucene::Bm25::presence) of each code.
    presences: Vec<f32>,
    /// The products in the order of their ASINs; lists name places in it.
    order: Vec<ProductId>,
    /// Their ASINs.
    asins: Vec<Box<str>>,
    /// By product.
    products: Vec<Piece>,
    /// The first term of each piece of [`Found`]s.
    terms: Vec<(Box<str>, Piece)>,
    categories: BTreeMap<String, Vec<ProductId>>,
    queries: BTreeMap<String, Vec<ProductId>>,
}

/// A term with its list.
#[derive(Serialize, Deserialize)]
struct Found {
    term: Box<str>,
    entries: u32,
    list: Piece,
}

/// A catalogue on disk with its index: finds products, and reads them. Of a million products, 100 MB are in memory,
/// and up to 512 MB of what was read lately.
#[derive(Debug)]
pub struct DiskIndex {
    reader: Reader,
    tables: Tables,
    lists: Cache<Box<str>, Option<Arc<List>>>,
    products: Cache<ProductId, Arc<Product>>,
}

/// What a search needs besides the index; each thread has its own.
#[derive(Default)]
struct Scratch {
    analyzer: Analyzer,
    wanted: FxHashMap<Box<str>, u32>,
    ranking: Ranking,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl DiskIndex {
    /// Builds the index of a catalogue in a folder that is not there yet. `catalogue` is a hash of all that the
    /// products depend on; `expected` is about how many there are, for the progress. The folder appears when all is
    /// written: until then it has another name, under which it is no index, and which the next attempt removes.
    /// Who comes while another one builds it waits, and takes that one's.
    ///
    /// # Errors
    /// When a product cannot be had or the folder cannot be written.
    pub fn build(
        folder: &Path,
        catalogue: &str,
        products: impl IntoIterator<Item = Result<Product, ShopError>>,
        expected: u64,
        progress: &dyn Progress,
    ) -> Result<(), ShopError> {
        build::build(folder, catalogue, products, expected, progress)
    }

    /// Opens the index of a catalogue.
    ///
    /// # Errors
    /// When it is not there or damaged, or is that of another catalogue or of another version of the program.
    pub fn open(folder: &Path, catalogue: &str) -> Result<Self, ShopError> {
        let (reader, tables) = Reader::open::<Tables>(folder, catalogue)?;
        let all = tables.products.len();
        let numbers = tables
            .order
            .iter()
            .chain(tables.categories.values().flatten());
        let mut numbers = numbers.chain(tables.queries.values().flatten());
        let fits = tables.order.len() == all && tables.asins.len() == all;
        if !fits || numbers.any(|id| *id as usize >= all) {
            return Err(reader.damaged());
        }
        Ok(Self {
            reader,
            tables,
            lists: Cache::new(LISTS),
            products: Cache::new(PRODUCTS),
        })
    }

    /// The list of a term; none if no product has it.
    fn list(&self, term: &str) -> Result<Option<Arc<List>>, ShopError> {
        if let Some(list) = self.lists.get(term) {
            return Ok(list);
        }
        let list = self.read_list(term)?.map(Arc::new);
        let size = list.as_ref().map_or(0, |list| list.size()) + 2 * term.len() + 64;
        self.lists.put(term.into(), list.clone(), size);
        Ok(list)
    }

    fn read_list(&self, term: &str) -> Result<Option<List>, ShopError> {
        let terms = &self.tables.terms;
        let after = terms.partition_point(|(first, _)| **first <= *term);
        let Some((_, piece)) = after.checked_sub(1).and_then(|at| terms.get(at)) else {
            return Ok(None);
        };
        let some: Vec<Found> = self.reader.value(*piece)?;
        let Some(found) = some.iter().find(|found| *found.term == *term) else {
            return Ok(None);
        };
        let bytes = self.reader.bytes(found.list)?;
        let list = List::read(bytes, found.entries, self.tables.order.len() as u32);
        list.map(Some).ok_or_else(|| self.reader.damaged())
    }
}

impl Search for DiskIndex {
    fn search(&self, query: &str, most: usize) -> Result<Vec<Hit>, ShopError> {
        SCRATCH.with_borrow_mut(
            |Scratch {
                 analyzer,
                 wanted,
                 ranking,
             }| {
                wanted.clear();
                analyzer.each(query, |term| match wanted.get_mut(term) {
                    Some(count) => *count += 1,
                    None => {
                        wanted.insert(term.into(), 1);
                    }
                });
                ranking.start(most);
                for (term, count) in &*wanted {
                    if let Some(list) = self.list(term)? {
                        let weight = idf(self.tables.texts, list.entries.into()) * *count as f32;
                        ranking.add(list, weight, &self.tables.presences);
                    }
                }
                ranking.rank(self.tables.order.len() as u32);
                let best = ranking.best.take();
                let hit = |(score, place)| Hit {
                    product: self.tables.order[place as usize],
                    score,
                };
                Ok(best.map(hit).collect())
            },
        )
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
        if let Some(product) = self.products.get(&id) {
            return Ok(product);
        }
        let piece = self.tables.products.get(id as usize);
        let piece = piece.ok_or_else(|| ShopError::Missing {
            what: format!("product number {id}"),
        })?;
        let product: Arc<Product> = Arc::new(self.reader.value(*piece)?);
        self.products.put(id, product.clone(), 1);
        Ok(product)
    }

    fn find(&self, asin: &str) -> Result<Option<ProductId>, ShopError> {
        let place = self.tables.asins.partition_point(|other| **other < *asin);
        let found = self
            .tables
            .asins
            .get(place)
            .is_some_and(|other| **other == *asin);
        Ok(found.then(|| self.tables.order[place]))
    }

    fn of_category(&self, category: &str) -> Result<Vec<ProductId>, ShopError> {
        Ok(self
            .tables
            .categories
            .get(category)
            .cloned()
            .unwrap_or_default())
    }

    fn of_query(&self, query: &str) -> Result<Vec<ProductId>, ShopError> {
        Ok(self.tables.queries.get(query).cloned().unwrap_or_default())
    }
}
