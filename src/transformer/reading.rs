//! What a model keeps of a text that it has read.

use super::shape::Shape;

/// A text as the model has read it.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub(super) tokens: Vec<u32>,
    /// Keys and values by layer, token after token.
    pub(super) keys: Vec<Vec<f32>>,
    pub(super) values: Vec<Vec<f32>>,
    /// What came out of the last layer for the last token, after the norm.
    pub(super) last: Vec<f32>,
}

impl Reading {
    /// The tokens that were read.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        let parts = self.keys.iter().chain(&self.values);
        let numbers: usize = parts.map(Vec::capacity).sum();
        4 * (numbers + self.tokens.len() + self.last.len())
    }

    /// The first tokens of it. What follows them can be told only after one more is read.
    pub fn beginning(&self, length: usize, shape: &Shape) -> Self {
        let part = |all: &Vec<f32>| all[..length * shape.width].to_vec();
        Self {
            tokens: self.tokens[..length].to_vec(),
            keys: self.keys.iter().map(part).collect(),
            values: self.values.iter().map(part).collect(),
            last: Vec::new(),
        }
    }

    /// One that nobody read, for tests of what keeps readings.
    #[cfg(test)]
    pub(crate) fn sample(tokens: &[u32], shape: &Shape) -> Self {
        let part = vec![vec![0.0; tokens.len() * shape.width]; shape.layers];
        Self { tokens: tokens.to_vec(), keys: part.clone(), values: part, last: Vec::new() }
    }

    /// Forgets all but the first tokens.
    pub fn cut(&mut self, length: usize, shape: &Shape) {
        if length < self.tokens.len() {
            self.tokens.truncate(length);
            for part in self.keys.iter_mut().chain(&mut self.values) {
                part.truncate(length * shape.width);
            }
            self.last.clear();
        }
    }
}
