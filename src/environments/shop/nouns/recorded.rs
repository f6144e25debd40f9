//! Nouns that were recorded.

use std::collections::HashMap;
use std::path::Path;

use super::Tagger;
use crate::environments::shop::ShopError;
use crate::files;
use crate::text::json;

/// The largest file of nouns that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The nouns of each title as a tagger found them, by ASIN. A product that is not among them has none.
#[derive(Clone, Debug, Default)]
pub struct RecordedNouns(HashMap<String, Vec<String>>);

impl RecordedNouns {
    /// The nouns of a JSON file: an object with a list of nouns for each ASIN.
    ///
    /// # Errors
    /// When it cannot be read or is not such an object.
    pub fn read(file: &Path) -> Result<Self, ShopError> {
        let bytes = files::read(file, LARGEST).map_err(ShopError::io(file))?;
        let nouns = serde_json::from_slice(&bytes).map_err(|error| {
            let (line, reason) = (error.line(), json::reason(&error));
            let remedy = "it must be an object with a list of nouns for each ASIN";
            ShopError::data(file, format!("line {line}: {reason}; {remedy}"))
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
