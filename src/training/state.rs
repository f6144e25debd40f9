//! Where a training stands, in a file: what was killed goes on from there.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::optimizer::Optimizer;
use rolecall_core::files;

/// The most bytes that are read of the file.
const LARGEST: u64 = 8 << 30;

/// Where a training stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// A hash of the settings and of all rows: another training has another.
    pub(super) digest: String,
    /// Tokens that were learned from.
    pub(super) tokens: u64,
    /// Passes over all rows, and batches of the pass that goes on.
    pub(super) pass: u64,
    pub(super) batch: u64,
    /// Seconds that it took.
    pub(super) seconds: f64,
    pub(super) parameters: Vec<f32>,
    pub(super) optimizer: Optimizer,
}

impl State {
    /// Reads the state of the training of that digest; none where there is none, or one of another training.
    pub(super) fn read(path: &Path, digest: &str) -> Option<Self> {
        let bytes = files::read(path, LARGEST).ok()?;
        let (hash, body) = bytes.split_at_checked(32)?;
        if blake3::hash(body).as_bytes() != hash {
            return None;
        }
        let state: Self = postcard::from_bytes(body).ok()?;
        (state.digest == digest).then_some(state)
    }

    /// Writes it in place of an older one, so that there is always a whole one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn write(&self, path: &Path) -> std::io::Result<()> {
        let body = postcard::to_stdvec(self).map_err(std::io::Error::other)?;
        let mut bytes = blake3::hash(&body).as_bytes().to_vec();
        bytes.extend(body);
        let beside = path.with_extension("new");
        fs::write(&beside, bytes)?;
        fs::rename(beside, path)
    }
}
