//! In place of the tables where the crate is built without them.

use super::Listing;
use crate::environments::booking::database::Database;

/// There are no tables.
#[derive(Debug)]
pub struct Tables;

/// What to do about it.
const REMEDY: &str =
    "this build has no SQL: build with the feature `sql` (it is a default one), or take another profile";

impl Tables {
    /// No tables.
    ///
    /// # Errors
    /// Always; the text names the remedy.
    pub fn new(_: &Database) -> Result<Self, String> {
        Err(REMEDY.to_owned())
    }

    pub(super) fn listing(&self, _: &str) -> Result<Listing, String> {
        Err(REMEDY.to_owned())
    }
}
