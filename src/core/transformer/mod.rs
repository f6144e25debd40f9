//! A small language model that plays inside the program: its shape, tokens and weights, and how it goes on from a text.
//! Knows texts and numbers only.

mod checkpoint;
pub mod matrix;
mod player;
pub mod shape;
mod tokens;

pub use checkpoint::{Checkpoint, CheckpointError, TOKENIZER, WEIGHTS, encode};
pub use player::{Player, Reading};
pub use shape::Shape;
pub use tokens::{NOTHING, Vocabulary, VocabularyCounter};
