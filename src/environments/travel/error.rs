//! Why the data of travel cannot be used.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why data cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TravelError {
    /// A file or folder could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not what it has to be.
    #[error("`{path}`: {problem}")]
    Data {
        /// The file or folder.
        path: String,
        /// The problem with its line, column or key, and the remedy.
        problem: String,
    },
}

impl TravelError {
    /// A file that could not be read.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.display().to_string(),
            source,
        }
    }

    /// A file that is not what it has to be.
    pub fn data(path: &Path, problem: impl Into<String>) -> Self {
        Self::Data {
            path: path.display().to_string(),
            problem: problem.into(),
        }
    }
}
