//! What playing and learning have in common: rows of numbers on their way through the tensors of a model.

use super::matrix::{Area, add, multiply, normalise};
use super::shape::{Shape, Tensor};

/// A model's parameters by its shape.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) parameters: &'a [f32],
}

impl Weights<'_> {
    /// A tensor's parameters.
    pub(crate) fn of(&self, tensor: Tensor) -> &[f32] {
        &self.parameters[self.shape.range(tensor)]
    }

    /// Adds to each row what its token enters with, or the token so many before it.
    pub(crate) fn enter(&self, before: usize, tokens: impl Iterator<Item = usize>, rows: &mut [f32]) {
        let width = self.shape.width;
        let table = self.of(Tensor::Enter(before));
        for (token, row) in tokens.zip(rows.chunks_exact_mut(width)) {
            add(row, 1.0, &table[token * width..][..width]);
        }
    }

    /// The rows times a tensor into `out`, of which `keep` is kept.
    pub(crate) fn through(&self, tensor: Tensor, rows: &[f32], keep: f32, out: &mut [f32]) {
        let (inner, outer) = self.shape.size(tensor);
        let count = rows.len() / inner;
        let (from, weights) = (Area::whole(count, inner), Area::whole(inner, outer));
        let into = Area::whole(count, outer);
        multiply((rows, from), (self.of(tensor), weights), 1.0, keep, (out, into));
    }

    /// The rows after a norm, and the factor of each.
    pub(crate) fn normed(&self, tensor: Tensor, rows: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let mut normed = vec![0.0; rows.len()];
        let factors = normalise(rows, self.of(tensor), &mut normed);
        (normed, factors)
    }
}
