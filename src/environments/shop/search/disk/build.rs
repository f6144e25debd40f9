//! Builds an index: products are written as they come, and the places of each term are gathered in memory, in few
//! bytes each.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::list;
use super::store::{self, Piece, Reader, Writer};
use super::{Found, TERMS_OF_A_PIECE, Tables};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{Product, ProductId};
use crate::environments::shop::search::document::document;
use crate::environments::shop::search::{B, K1};
use crate::ports::Progress;
use crate::text::lucene::{Analyzer, Bm25, length_code};

/// How many products or terms pass between two messages on the progress.
const STEP: u64 = 4096;

/// What is known of the products so far.
struct Builder<'a> {
    writer: Writer,
    progress: &'a dyn Progress,
    analyzer: Analyzer,
    vocabulary: FxHashMap<Box<str>, u32>,
    /// By number of the term.
    gathered: Vec<Gathered>,
    /// Pairs of a count and the code of a length, by number.
    pairs: FxHashMap<(u32, u8), u32>,
    asins: Vec<(Box<str>, ProductId)>,
    products: Vec<Piece>,
    categories: BTreeMap<String, Vec<ProductId>>,
    queries: BTreeMap<String, Vec<ProductId>>,
    /// Products with any term, and all terms of all products.
    texts: u64,
    terms: u64,
}

/// The products that have a term, each as the distance from the one before and the number of its pair.
#[derive(Default)]
struct Gathered {
    bytes: Vec<u8>,
    last: ProductId,
    entries: u32,
}

/// Builds the index of a catalogue in a folder that is not there yet.
pub(super) fn build(
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
        Reader::open::<Tables>(folder, catalogue)?;
        return products.try_for_each(|product| product.map(drop));
    }
    let mut builder = Builder::new(Writer::new(folder)?, progress);
    let built = products.try_for_each(|product| builder.add(&product?, expected));
    let built = built.and_then(|()| builder.finish(catalogue));
    built.inspect_err(|_| Writer::remove(folder))
}

impl<'a> Builder<'a> {
    fn new(writer: Writer, progress: &'a dyn Progress) -> Self {
        Self {
            writer,
            progress,
            analyzer: Analyzer::default(),
            vocabulary: FxHashMap::default(),
            gathered: Vec::new(),
            pairs: FxHashMap::default(),
            asins: Vec::new(),
            products: Vec::new(),
            categories: BTreeMap::new(),
            queries: BTreeMap::new(),
            texts: 0,
            terms: 0,
        }
    }

    fn add(&mut self, product: &Product, expected: u64) -> Result<(), ShopError> {
        let id = self.products.len() as ProductId;
        self.products.push(self.writer.add_value(product)?);
        self.asins.push((product.asin.as_str().into(), id));
        self.categories
            .entry(product.category.clone())
            .or_default()
            .push(id);
        self.queries
            .entry(product.query.clone())
            .or_default()
            .push(id);
        let mut own = Vec::new();
        let (vocabulary, gathered) = (&mut self.vocabulary, &mut self.gathered);
        self.analyzer.each(&document(product), |term| {
            let known = vocabulary.get(term).copied();
            own.push(known.unwrap_or_else(|| {
                let next = gathered.len() as u32;
                vocabulary.insert(term.into(), next);
                gathered.push(Gathered::default());
                next
            }));
        });
        self.texts += u64::from(!own.is_empty());
        self.terms += own.len() as u64;
        let length = length_code(own.len() as u32);
        own.sort_unstable();
        for same in own.chunk_by(|one, other| one == other) {
            let next = self.pairs.len() as u32;
            let pair = *self
                .pairs
                .entry((same.len() as u32, length))
                .or_insert(next);
            self.gathered[same[0] as usize].push(id, pair);
        }
        let ready = u64::from(id) + 1;
        if ready.is_multiple_of(STEP) || ready == expected {
            self.progress.loaded("products", ready, expected.max(ready));
        }
        Ok(())
    }

    fn finish(mut self, catalogue: &str) -> Result<(), ShopError> {
        self.asins.sort_unstable();
        let mut places = vec![0; self.asins.len()];
        for (place, (_, id)) in (0..).zip(&self.asins) {
            places[*id as usize] = place;
        }
        let (codes, presences) = self.codes();
        let mut vocabulary: Vec<(Box<str>, u32)> =
            std::mem::take(&mut self.vocabulary).into_iter().collect();
        vocabulary.sort_unstable();
        let mut terms = Vec::with_capacity(vocabulary.len().div_ceil(TERMS_OF_A_PIECE));
        let (mut ready, all) = (0, vocabulary.len() as u64);
        let mut entries = Vec::new();
        for some in vocabulary.chunks(TERMS_OF_A_PIECE) {
            let mut found = Vec::with_capacity(some.len());
            for (term, number) in some {
                let gathered = std::mem::take(&mut self.gathered[*number as usize]);
                entries.clear();
                entries.extend(
                    gathered
                        .entries()
                        .map(|(id, pair)| (places[id as usize], codes[pair as usize])),
                );
                entries.sort_unstable();
                let list = self.writer.add(&list::encode(&entries))?;
                found.push(Found {
                    term: term.clone(),
                    entries: gathered.entries,
                    list,
                });
            }
            terms.push((some[0].0.clone(), self.writer.add_value(&found)?));
            ready += some.len() as u64;
            if ready % STEP < TERMS_OF_A_PIECE as u64 || ready == all {
                self.progress.loaded("words", ready, all);
            }
        }
        let (asins, order) = self.asins.into_iter().unzip();
        let tables = Tables {
            texts: self.texts,
            presences,
            order,
            asins,
            products: self.products,
            terms,
            categories: self.categories,
            queries: self.queries,
        };
        self.writer.finish(catalogue, &tables)
    }

    /// The code of each pair, and the presence for which each code stands: codes order as presences do.
    fn codes(&self) -> (Vec<u32>, Vec<f32>) {
        let bm25 = Bm25::new(K1, B, self.texts, self.terms);
        let presence =
            |(&(count, length), &pair): (&(u32, u8), &u32)| (bm25.presence(count, length), pair);
        let mut pairs: Vec<(f32, u32)> = self.pairs.iter().map(presence).collect();
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut codes = vec![0; pairs.len()];
        for (code, (_, pair)) in (0..).zip(&pairs) {
            codes[*pair as usize] = code;
        }
        (
            codes,
            pairs.into_iter().map(|(presence, _)| presence).collect(),
        )
    }
}

impl Gathered {
    fn push(&mut self, id: ProductId, pair: u32) {
        for mut number in [id - self.last, pair] {
            // Seven bits a byte, the lowest first; all but the last byte have the eighth bit.
            while number > 0x7f {
                self.bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            self.bytes.push(number as u8);
        }
        self.last = id;
        self.entries += 1;
    }

    fn entries(&self) -> impl Iterator<Item = (ProductId, u32)> {
        let mut bytes = self.bytes.iter();
        let mut next = move || {
            let mut number = 0;
            for shift in (0..).step_by(7) {
                let byte = u32::from(*bytes.next()?);
                number |= (byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            Some(number)
        };
        let mut id = 0;
        std::iter::from_fn(move || {
            id += next()?;
            Some((id, next()?))
        })
    }
}
