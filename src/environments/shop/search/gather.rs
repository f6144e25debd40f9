//! Gathers the terms of products for an index.

use rustc_hash::FxHashMap;

use super::Terms;
use super::rank::List;
use crate::catalogue::{Product, ProductId};
use rolecall_core::text::lucene::{Analyzer, Bm25, idf, length_code};

/// How soon more occurrences of a term in a product stop counting.
pub(super) const K1: f32 = 0.9;
/// How much the length of a product's text counts.
pub(super) const B: f32 = 0.4;

/// The terms of the products so far.
#[derive(Default)]
pub(super) struct Gatherer {
    analyzer: Analyzer,
    numbers: FxHashMap<Box<str>, u32>,
    /// By number of the term.
    gathered: Vec<Gathered>,
    asins: Vec<(Box<str>, ProductId)>,
    /// By product.
    lengths: Vec<u8>,
    /// Products with any term, and all terms of all products.
    texts: u64,
    terms: u64,
}

/// The products that have a term, each as the distance from the one before and how often it has the term, in few bytes.
#[derive(Default)]
struct Gathered {
    bytes: Vec<u8>,
    last: ProductId,
    products: u64,
}

impl Gatherer {
    /// Adds a product; they are numbered from 0 on.
    pub(super) fn add(&mut self, id: ProductId, product: &Product) {
        let mut terms = Vec::new();
        self.analyzer.each(&document(product), |term| {
            let known = self.numbers.get(term).copied();
            terms.push(known.unwrap_or_else(|| {
                let next = self.numbers.len() as u32;
                self.numbers.insert(term.into(), next);
                self.gathered.push(Gathered::default());
                next
            }));
        });
        self.asins.push((product.asin.as_str().into(), id));
        self.lengths.push(length_code(terms.len() as u32));
        self.texts += u64::from(!terms.is_empty());
        self.terms += terms.len() as u64;
        terms.sort_unstable();
        for same in terms.chunk_by(|one, other| one == other) {
            self.gathered[same[0] as usize].push(id, same.len() as u32);
        }
    }

    /// Ends: the terms, the ASINs in their order, and the terms' lists by number.
    pub(super) fn finish(mut self) -> (Terms, Vec<Box<str>>, impl ExactSizeIterator<Item = List>) {
        self.asins.sort_unstable();
        let (asins, order): (_, Vec<ProductId>) = self.asins.into_iter().unzip();
        let mut places = vec![0; order.len()];
        for (place, id) in (0..).zip(&order) {
            places[*id as usize] = place;
        }
        let bm25 = Bm25::new(K1, B, self.texts, self.terms);
        let lists = self.gathered.into_iter().map(move |gathered| {
            let entry = |(id, count): (ProductId, u32)| {
                let presence = bm25.presence(count, self.lengths[id as usize]);
                (places[id as usize], presence)
            };
            let mut entries: Vec<(u32, f32)> = gathered.entries().map(entry).collect();
            entries.sort_unstable_by_key(|(place, _)| *place);
            List::new(idf(self.texts, gathered.products), &entries)
        });
        let numbers = self.numbers;
        (Terms { numbers, order }, asins, lists)
    }
}

impl Gathered {
    fn push(&mut self, id: ProductId, count: u32) {
        // Writing to memory cannot fail.
        let _ = postcard::to_io(&(id - self.last, count), &mut self.bytes);
        self.last = id;
        self.products += 1;
    }

    fn entries(&self) -> impl Iterator<Item = (ProductId, u32)> {
        let (mut bytes, mut id) = (&*self.bytes, 0);
        std::iter::from_fn(move || {
            let ((distance, count), rest) = postcard::take_from_bytes::<(u32, u32)>(bytes).ok()?;
            (bytes, id) = (rest, id + distance);
            Some((id, count))
        })
    }
}

/// The text that is searched: title, description, first bullet and options, in small letters.
pub(super) fn document(product: &Product) -> String {
    let bullet = product.bullets.first().map_or("", String::as_str);
    let mut text = [&product.title, &product.description, bullet, ""].join(" ");
    for (place, option) in product.options.iter().enumerate() {
        text.push_str(if place == 0 { "" } else { ", and " });
        text.push_str(&option.name);
        text.push_str(": ");
        text.push_str(&option.values.join(", "));
    }
    text.to_lowercase()
}
