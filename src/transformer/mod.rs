//! A small language model that plays inside the program: its shape, tokens and weights, and how it goes on from a text.
//! Knows texts and numbers only.

mod checkpoint;
pub(crate) mod layers;
pub(crate) mod matrix;
mod player;
mod reading;
pub(crate) mod shape;
mod tokens;

pub use checkpoint::{Checkpoint, CheckpointError, TOKENIZER, WEIGHTS, encode};
pub use player::Player;
pub use reading::Reading;
pub use shape::Shape;
pub use tokens::{NOTHING, Vocabulary, VocabularyCounter};
