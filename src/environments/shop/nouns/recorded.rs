//! Nouns that were recorded.

use std::collections::HashMap;
use std::path::Path;

use super::Tagger;
use crate::environments::shop::ShopError;
use crate::text::json;

/// The nouns of each title as a tagger found them, by ASIN. A product that is not among them has none.
#[derive(Clone, Debug, Default)]
pub struct RecordedNouns(HashMap<String, Vec<String>>);

impl RecordedNouns {
    /// These nouns.
    pub fn new(nouns: HashMap<String, Vec<String>>) -> Self {
        Self(nouns)
    }

    /// The nouns of a JSON file: an object with a list of nouns for each ASIN.
    ///
    /// # Errors
    /// When it cannot be read or is not such an object.
    pub fn read(file: &Path) -> Result<Self, ShopError> {
        let path = || file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|source| ShopError::Io {
            path: path(),
            source,
        })?;
        let nouns = json::read(&text).map_err(|error| ShopError::Data {
            path: path(),
            problem: format!("{error}; it must be an object with a list of nouns for each ASIN"),
        })?;
        Ok(Self(nouns))
    }
}

impl Tagger for RecordedNouns {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn nouns(&self, asin: &str, _title: &str) -> Vec<String> {
        self.0.get(asin).cloned().unwrap_or_default()
    }
}
