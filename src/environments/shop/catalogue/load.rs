//! Reading of official catalogues, one product at a time.

use std::collections::HashSet;
use std::fmt;
use std::io::{BufReader, Read};

use serde::{Deserialize, Serialize};

use super::elements::{Elements, NO_LIST, NO_TEXT, Object};
use super::files::name;
use super::{Files, Product, entry};
use crate::ShopError;
use rolecall_core::ports::Progress;
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::{counted, harmless};

/// The attribute of a product without any.
const NO_ATTRIBUTE: &str = "DUMMY_ATTR";

/// How a catalogue is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Read only so many entries of the file of products, counted before any is left out.
    pub products: Option<usize>,
    /// Seed of Python's generator from which prices are drawn where products have a range, and after them the
    /// bounds of goals. The original's text environment and ChatShop's server have seed 4.
    pub price_seed: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { products: None, price_seed: 4 }
    }
}

/// An official catalogue: its files, and what belongs to the products by their ASIN.
#[derive(Debug)]
pub struct Official {
    files: Files,
    attributes: Object,
}

impl Official {
    /// Reads the attributes. They stay in memory as they stand in the file: 150 MB for all 1.18 million products.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or is no whole JSON file.
    pub fn open(files: Files) -> Result<Self, ShopError> {
        let attributes = Object::read(&files.attributes)?;
        Ok(Self { files, attributes })
    }

    /// Its files.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// About how many products there are: so many have attributes.
    pub fn expected(&self) -> usize {
        self.attributes.places.len()
    }

    /// The products in the order of the file, one at a time. Those that the original leaves out are left out;
    /// those by which it would crash too, and they are reported.
    ///
    /// # Errors
    /// When the file of products cannot be read or is no array.
    pub fn products<'a>(
        &'a self,
        options: &LoadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Products<'a>, ShopError> {
        Ok(Products {
            official: self,
            elements: Elements::open(&self.files.products, b'[')?,
            most: options.products.unwrap_or(usize::MAX),
            seen: HashSet::new(),
            progress,
            megabytes: 0,
            draws: 0,
            faults: Faults::default(),
            random: PythonRandom::new(options.price_seed),
        })
    }

    /// Does something with each of the [products](Self::products).
    ///
    /// # Errors
    /// When the file of products cannot be read or is no whole JSON file, and those of `each`.
    pub fn each_product<'a>(
        &'a self,
        options: &LoadOptions,
        progress: &'a dyn Progress,
        mut each: impl FnMut(Product) -> Result<(), ShopError>,
    ) -> Result<Products<'a>, ShopError> {
        let mut products = self.products(options, progress)?;
        for product in &mut products {
            each(product?)?;
        }
        Ok(products)
    }

    fn attributes(&self, asin: &str) -> Result<Vec<String>, String> {
        let entry = self.attributes.get(asin).unwrap_or(b"{}");
        let attributes = Object::parse(entry).and_then(|it| it.optional("attributes", NO_LIST));
        let wrong = |reason| format!("in `{}`: {reason}", name(&self.files.attributes));
        let attributes = attributes.map_err(wrong)?;
        Ok(attributes.unwrap_or_else(|| vec![NO_ATTRIBUTE.to_owned()]))
    }
}

/// The products of an official catalogue, one after the other; nothing follows an error.
pub struct Products<'a> {
    official: &'a Official,
    elements: Elements<BufReader<Box<dyn Read>>>,
    most: usize,
    seen: HashSet<String>,
    progress: &'a dyn Progress,
    megabytes: u64,
    /// How many prices were drawn.
    pub draws: usize,
    /// The entries that were left out.
    pub faults: Faults,
    /// The generator after these prices were drawn; the bounds of goals come next.
    pub random: PythonRandom,
}

impl Products<'_> {
    fn read(&mut self) -> Result<Option<Product>, ShopError> {
        while let Some((number, element)) = self.elements.next()? {
            if number >= self.most {
                break;
            }
            let mut asin = String::new();
            let product = Object::parse(element).and_then(|entry| {
                asin = entry.field("asin", NO_TEXT)?;
                if asin == "nan" || asin.chars().count() > 10 || self.seen.contains(&asin) {
                    return Ok(None);
                }
                entry::product(&entry, self.official.attributes(&asin)?).map(Some)
            });
            let (read, all) = self.elements.progress();
            if read >> 20 > self.megabytes {
                self.megabytes = read >> 20;
                self.progress.loaded("MB of products", read >> 20, all >> 20);
            }
            match product {
                Ok(None) => {}
                Ok(Some(mut product)) => {
                    if let [from, to] = product.pricing[..] {
                        product.price = self.random.uniform(from, to);
                        self.draws += 1;
                    }
                    self.seen.insert(asin);
                    return Ok(Some(product));
                }
                Err(reason) => {
                    let file = name(&self.official.files.products);
                    let place = format!("`{file}`, entry {number} (from 0)");
                    self.faults.add(&place, &asin, &reason);
                }
            }
        }
        Ok(None)
    }
}

impl Iterator for Products<'_> {
    type Item = Result<Product, ShopError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.read().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.most = 0;
        }
        next
    }
}

/// The most faults that are kept and told.
const SHOWN: usize = 5;

/// The entries of a data set that were left out, with the reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The first of them: where each stands, its product, and what is wrong with it.
    pub first: Vec<String>,
    /// How many there are.
    pub total: usize,
}

impl Faults {
    /// Notes an entry that is left out: its position, which is the file's name and the entry's number (from 0) or key;
    /// the ASIN of its product, empty if it has none; and what is wrong with it.
    pub fn add(&mut self, position: &str, asin: &str, reason: &str) {
        self.total += 1;
        if self.first.len() < SHOWN {
            let product = match asin {
                "" => String::new(),
                _ => format!(" (`{asin}`)"),
            };
            let told = format!("{position}{product}: {reason}");
            self.first.push(harmless(&told));
        }
    }

    /// Adds those of another file.
    pub fn extend(&mut self, others: Self) {
        self.total += others.total;
        self.first.extend(others.first);
        self.first.truncate(SHOWN);
    }

    /// Whether every entry could be used.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = counted(self.total as u64, "entry", "entries");
        write!(formatter, "{total} left out")?;
        if self.total == 0 {
            return Ok(());
        }
        let more = if self.total > SHOWN { "; and more" } else { "" };
        let first = self.first.join("; ");
        write!(formatter, ": {first}{more}; repair or remove them")
    }
}
