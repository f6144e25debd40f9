//! Labels as people and models give them: which items of a run are asked about, in which words, and where what is
//! given is kept. The command line and the pages share it.

mod error;
mod names;
mod pairs;
mod question;
mod raters;
mod source;
pub mod store;

pub use error::RatingError;
pub use names::{RULES, label_names, one_field, rater, what};
pub use question::{noun, question};
pub use raters::{Answers, Given, RaterList, Rating};
pub use source::{Asked, ItemChoice, TurnId, Wanted, item_name, places};
