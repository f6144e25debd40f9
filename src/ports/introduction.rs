//! What participants in other processes say of themselves.

use serde::{Deserialize, Serialize};

/// What somebody in another process says of itself before it is asked anything. It becomes part of the run's
/// record: a run is not gone on with by somebody else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Its version; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Hash of its code; empty if it says none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The same view and seed give the same answer.
    pub deterministic: bool,
    /// Its answers come from outside, for instance from a model that it asks itself.
    pub external: bool,
}

impl Introduction {
    /// Whether its answers cannot be had again, so that they are on disk before they are used and whoever plays
    /// the episode again takes them from the log.
    pub fn is_taken(&self) -> bool {
        self.external || !self.deterministic
    }
}
