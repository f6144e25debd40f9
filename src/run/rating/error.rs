//! What can be wrong with labels.

use std::io;
use std::path::PathBuf;

use rolecall_core::log::LogError;

/// Why items cannot be had, or labels not be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum RatingError {
    /// The run cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file or folder of labels cannot be used.
    #[error("the labels `{}` cannot be {done}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The participle of what was to be done with it, such as `read`.
        done: &'static str,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A line of a file of labels is none.
    #[error("`{}` line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nothing to label, or not in this way: what is wrong, and the remedy.
    #[error("{0}")]
    Unusable(String),
}
