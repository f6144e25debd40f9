//! The places of each episode's events: computed from the lines, and kept in a file, from which it
//! is read as far as that fits the lines.

mod build;
mod location;
mod spans;
mod stored;

use std::io;
use std::path::Path;

pub(crate) use location::{Index, Indexed};
pub(crate) use stored::is_left_over;

use super::segments::Pieces;
use super::{LogError, RunRecord};

impl Index {
    /// The index of what is there. What the index file says is not read again; the file does not
    /// matter if it does not fit.
    pub(crate) fn open(folder: &Path, pieces: &Pieces, record: &RunRecord) -> Result<Self, LogError> {
        let stored = stored::load(folder, pieces);
        build::extend(stored.unwrap_or_default(), pieces, record)
    }

    /// Extends the index as far as the lines go now. `pieces` hold at least what they held.
    pub(crate) fn extended(&self, pieces: &Pieces, record: &RunRecord) -> Result<Self, LogError> {
        let known = Self { torn: None, is_cut_off: false, ..self.clone() };
        match pieces.end() < self.covered.bytes {
            // Somebody has mended the log.
            true => Self::build(pieces, record),
            false => build::extend(known, pieces, record),
        }
    }

    /// The index of what is there, without the index file.
    pub(crate) fn build(pieces: &Pieces, record: &RunRecord) -> Result<Self, LogError> {
        build::extend(Self::default(), pieces, record)
    }

    /// The index of the file; none if it is not there or does not fit the lines.
    pub(crate) fn load(folder: &Path, pieces: &Pieces) -> Option<Self> {
        stored::load(folder, pieces)
    }

    /// Writes the index file, if the lines end with a whole one.
    pub(crate) fn store(&self, folder: &Path, pieces: &Pieces) -> io::Result<()> {
        match self.is_cut_off {
            true => Ok(()),
            false => stored::store(self, folder, pieces),
        }
    }
}
