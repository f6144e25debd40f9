//! Labels as people and models give them: which items of a run are asked about, in which words, and where what is
//! given is kept. The command line and the pages share it.

mod names;
mod pairs;
mod raters;
mod source;
pub mod store;

pub use names::{RULES, label_names, noun, one_field, question, rater, what};
pub use raters::{Answers, Given, RaterList, Rating};
pub use source::{Asked, ItemChoice, TurnId, Wanted, item_name, places};

use std::io;
use std::path::PathBuf;

use rolecall_core::log::LogError;

/// Error when items cannot be had, or labels not be read or kept.
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
        /// The problem.
        problem: String,
    },
    /// There is nothing to label, or not in this way: what is wrong, and the remedy.
    #[error("{0}")]
    Unusable(String),
}
