//! Errors of catalogues, goals and indices.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why a catalogue, its goals or its index cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShopError {
    /// A file or folder could not be read or written.
    #[error("`{path}` cannot be used: {source}; check the path, the permissions and the disk")]
    Io {
        /// The file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not what it has to be; the text says where, what is wrong, and what to do.
    #[error("`{path}`: {problem}")]
    Data {
        /// The file or folder.
        path: String,
        /// The problem with its remedy.
        problem: String,
    },
    /// There is no such product or goal.
    #[error("there is no {what} in the catalogue")]
    Missing {
        /// The product or goal that was wanted.
        what: String,
    },
}

impl ShopError {
    /// That a file or folder cannot be used, as the system said.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.display().to_string(), source }
    }

    /// That a file or folder is not what it has to be.
    pub(super) fn data(path: &Path, problem: impl Into<String>) -> Self {
        Self::Data { path: path.display().to_string(), problem: problem.into() }
    }
}
