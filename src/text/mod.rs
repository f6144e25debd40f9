//! Pure helpers over text and numbers. Imports nothing else of the crate.

pub mod bm25;
pub mod fuzzy;
pub mod json;
pub mod json_repair;
pub mod lucene;
pub mod mention;
pub mod mt19937;
pub mod overlap;
pub mod python;
pub mod template;
pub mod wrap;

mod counted;
mod dice;
mod joined;
mod line;
mod listed;
mod python_float;
mod python_int;
mod reasoning;
mod shell;
mod unique;
mod visible;
mod word_lists;

pub use counted::counted;
pub use dice::Dice;
pub use joined::{joined, joined_and};
pub use line::{answer_line, is_line_break, one_line, plain_lines};
pub use listed::has_word;
pub use python_float::python_float;
pub use python_int::{is_digits, python_int};
pub use reasoning::after_reasoning;
pub use shell::{shell_path, shell_word};
pub use unique::unique;
pub use visible::{harmless, hides, visible};
pub use word_lists::WordLists;
