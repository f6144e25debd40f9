//! Reading of official catalogues, one product at a time.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::elements::{Elements, key_and_value};
use super::entry::{self, Entry};
use super::{Faults, Files, Product};
use crate::environments::shop::ShopError;
use crate::ports::Progress;
use crate::text::json;
use crate::text::mt19937::PythonRandom;

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
        Self {
            products: None,
            price_seed: 4,
        }
    }
}

/// What is known when all products were read.
#[derive(Debug)]
pub struct Loaded {
    /// Number of products that were given.
    pub products: usize,
    /// How many prices were drawn.
    pub draws: usize,
    /// The entries that were left out.
    pub faults: Faults,
    /// The generator after all prices were drawn; the bounds of goals come next.
    pub random: PythonRandom,
}

/// An official catalogue: its files, and what belongs to the products by their ASIN.
#[derive(Debug)]
pub struct Official {
    files: Files,
    attributes: ByAsin,
}

impl Official {
    /// Reads the attributes. They stay in memory as they stand in the file: 150 MB for all 1.18 million products.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or is no whole JSON file.
    pub fn open(files: Files) -> Result<Self, ShopError> {
        let attributes = ByAsin::read(&files.attributes)?;
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
            elements: Elements::of_array(&self.files.products)?,
            most: options.products.unwrap_or(usize::MAX),
            seen: HashSet::new(),
            loaded: Loaded {
                products: 0,
                draws: 0,
                faults: Faults::default(),
                random: PythonRandom::new(options.price_seed),
            },
            progress,
            megabytes: 0,
        })
    }

    /// Does something with each of the [products](Self::products).
    ///
    /// # Errors
    /// When the file of products cannot be read or is no whole JSON file, and those of `each`.
    pub fn each_product(
        &self,
        options: &LoadOptions,
        progress: &dyn Progress,
        mut each: impl FnMut(Product) -> Result<(), ShopError>,
    ) -> Result<Loaded, ShopError> {
        let mut products = self.products(options, progress)?;
        for product in &mut products {
            each(product?)?;
        }
        Ok(products.finish())
    }

    /// The product of an element; none if the original leaves it out; else its ASIN and what is wrong with it.
    fn product(
        &self,
        element: &[u8],
        seen: &mut HashSet<String>,
        faults: &mut Faults,
    ) -> Result<Option<Product>, (String, String)> {
        let entry: Entry = serde_json::from_slice(element).map_err(|error| {
            (
                String::new(),
                format!("it is no product: {}", json::reason(&error)),
            )
        })?;
        let asin = entry
            .asin()
            .map_err(|reason| (String::new(), reason))?
            .to_owned();
        if asin == "nan" || asin.chars().count() > 10 {
            faults.unnumbered += 1;
            return Ok(None);
        }
        if seen.contains(&asin) {
            faults.duplicates += 1;
            return Ok(None);
        }
        let attributes = self.attributes(&asin);
        let product = attributes.and_then(|attributes| entry.product(attributes));
        match product {
            Ok(product) => {
                seen.insert(asin);
                Ok(Some(product))
            }
            Err(reason) => Err((asin, reason)),
        }
    }

    fn attributes(&self, asin: &str) -> Result<Vec<String>, String> {
        let fields = match self.attributes.of(asin)? {
            None => None,
            Some(Value::Object(fields)) => Some(fields),
            Some(_) => {
                return Err("what belongs to it in the file of attributes is no object".to_owned());
            }
        };
        match fields.and_then(|mut fields| fields.remove("attributes")) {
            None => Ok(vec![NO_ATTRIBUTE.to_owned()]),
            Some(list) => {
                entry::texts(list).ok_or_else(|| "its `attributes` are no list of texts".to_owned())
            }
        }
    }
}

/// The products of an official catalogue, one after the other; nothing follows an error.
pub struct Products<'a> {
    official: &'a Official,
    elements: Elements,
    most: usize,
    seen: HashSet<String>,
    loaded: Loaded,
    progress: &'a dyn Progress,
    megabytes: u64,
}

impl Products<'_> {
    /// What is known of those that were read.
    pub fn finish(self) -> Loaded {
        self.loaded
    }

    fn read(&mut self) -> Result<Option<Product>, ShopError> {
        while let Some((number, element)) = self.elements.next()? {
            if number >= self.most {
                break;
            }
            let loaded = &mut self.loaded;
            let product = self
                .official
                .product(element, &mut self.seen, &mut loaded.faults);
            let (read, all) = self.elements.progress();
            if read >> 20 > self.megabytes {
                self.megabytes = read >> 20;
                self.progress
                    .loaded("MB of products", read >> 20, all >> 20);
            }
            match product {
                Ok(None) => {}
                Ok(Some(mut product)) => {
                    if let [from, to] = product.pricing[..] {
                        product.price = loaded.random.uniform(from, to);
                        loaded.draws += 1;
                    }
                    loaded.products += 1;
                    return Ok(Some(product));
                }
                Err((asin, reason)) => {
                    let position = position(&self.official.files.products, number);
                    loaded.faults.add(position, &asin, reason);
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

/// The place of an entry: the file's name and its number.
fn position(file: &Path, entry: usize) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    format!("`{name}`, entry {entry} (from 0)")
}

/// The values of a JSON object whose keys are ASINs, which are looked into when they are asked for.
#[derive(Debug)]
pub(in crate::environments::shop) struct ByAsin {
    pub(in crate::environments::shop) path: PathBuf,
    texts: Vec<u8>,
    places: HashMap<String, Range<usize>>,
}

impl ByAsin {
    /// Reads a file.
    pub(in crate::environments::shop) fn read(path: &Path) -> Result<Self, ShopError> {
        let mut elements = Elements::of_object(path)?;
        let mut all = Self {
            path: path.to_owned(),
            texts: Vec::new(),
            places: HashMap::new(),
        };
        while let Some((_, element)) = elements.next()? {
            // What has no key belongs to no product.
            let Some((asin, value)) = key_and_value(element) else {
                continue;
            };
            let begin = all.texts.len();
            all.texts.extend_from_slice(value);
            all.places.insert(asin, begin..all.texts.len());
        }
        Ok(all)
    }

    /// The ASINs.
    pub(in crate::environments::shop) fn asins(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The value of a product, or what is wrong with it.
    pub(in crate::environments::shop) fn of(&self, asin: &str) -> Result<Option<Value>, String> {
        let Some(text) = self
            .places
            .get(asin)
            .and_then(|place| self.texts.get(place.clone()))
        else {
            return Ok(None);
        };
        serde_json::from_slice(text).map(Some).map_err(|error| {
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            format!(
                "what belongs to it in `{name}` is not JSON: {}",
                json::reason(&error)
            )
        })
    }
}
