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

mod dice;
mod line;
mod lists;
mod porter;
mod shell;
mod thinking;
mod visible;

pub use dice::{Dice, WordLists};
pub use line::{after_reasoning, answer_line, is_line_break, one_line, plain_lines};
pub use lists::{counted, has_word, joined, joined_and, joined_by, unique};
pub use python::{is_digits, python_float, python_int};
pub use shell::{shell_path, shell_word};
pub use thinking::thinking_apart;
pub use visible::{harmless, hides, is_picture, visible};
