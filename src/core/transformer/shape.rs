//! The shape of a model: how wide, how deep, and where each of its tensors stands.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::matrix::{Area, add, multiply, normalise};

/// How large a model is. A decoder with rotary positions, RMS norms, and layers of ReLU; what a token enters with
/// is the sum of rows for itself and for those before it, each from a table of its own, which helps copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Tokens that it knows.
    pub vocabulary: usize,
    /// Numbers that stand for a token between layers.
    pub width: usize,
    /// Layers, each of attention and of a network of four times the width.
    pub layers: usize,
    /// Heads of attention; they divide the width into even parts.
    pub heads: usize,
    /// Tokens before each that its first numbers know of.
    pub before: usize,
}

/// The tensors of one layer, by what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The gains before attention.
    AttentionNorm,
    /// From numbers to queries, keys and values.
    Attend,
    /// From what was attended to back to the numbers.
    AttentionOut,
    /// The gains before the network.
    NetworkNorm,
    /// From numbers to the network's inner ones.
    NetworkIn,
    /// From the network's inner numbers back.
    NetworkOut,
}

/// A tensor of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tensor {
    /// Embedding of a token, or of the one so many before it.
    Enter(usize),
    /// A part of a layer.
    Layer(usize, Part),
    /// The gains before the tokens' likelihoods.
    Norm,
    /// From numbers to likelihoods of tokens.
    Leave,
}

impl Part {
    const ALL: [(Self, &'static str); 6] = [
        (Self::AttentionNorm, "attention_norm"),
        (Self::Attend, "attend"),
        (Self::AttentionOut, "attention_out"),
        (Self::NetworkNorm, "network_norm"),
        (Self::NetworkIn, "network_in"),
        (Self::NetworkOut, "network_out"),
    ];
}

impl Shape {
    /// Whether such a model can be.
    ///
    /// # Errors
    /// When it cannot be; the text says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let sizes = [
            ("vocabulary", self.vocabulary, 1 << 20),
            ("width", self.width, 1 << 14),
            ("layers", self.layers, 1 << 10),
            ("heads", self.heads, 1 << 10),
        ];
        for (name, size, most) in sizes {
            if size == 0 || size > most {
                return Err(format!("`{name}` is {size}; it must be from 1 to {most}"));
            }
        }
        if self.before > 8 {
            return Err(format!("`before` is {}; it must be from 0 to 8", self.before));
        }
        if !self.width.is_multiple_of(2 * self.heads) {
            let (width, heads) = (self.width, self.heads);
            return Err(format!("a width of {width} has no {heads} heads of an even width each"));
        }
        Ok(())
    }

    /// The width of a head.
    pub fn head(&self) -> usize {
        self.width / self.heads
    }

    /// The width of the networks.
    pub fn network(&self) -> usize {
        4 * self.width
    }

    /// All tensors in the order in which they stand in a slice of parameters.
    pub fn tensors(&self) -> impl Iterator<Item = Tensor> + use<> {
        let layers = self.layers;
        let parts = move |layer| Part::ALL.map(|(part, _)| Tensor::Layer(layer, part));
        (0..=self.before).map(Tensor::Enter).chain((0..layers).flat_map(parts)).chain([Tensor::Norm, Tensor::Leave])
    }

    /// Rows and columns of a tensor; gains have one row.
    pub fn size(&self, tensor: Tensor) -> (usize, usize) {
        let (width, network) = (self.width, self.network());
        match tensor {
            Tensor::Enter(_) => (self.vocabulary, width),
            Tensor::Layer(_, Part::AttentionNorm | Part::NetworkNorm) | Tensor::Norm => (1, width),
            Tensor::Layer(_, Part::Attend) => (width, 3 * width),
            Tensor::Layer(_, Part::AttentionOut) => (width, width),
            Tensor::Layer(_, Part::NetworkIn) => (width, network),
            Tensor::Layer(_, Part::NetworkOut) => (network, width),
            Tensor::Leave => (width, self.vocabulary),
        }
    }

    /// Where a tensor stands.
    pub fn range(&self, tensor: Tensor) -> Range<usize> {
        let length = |tensor| {
            let (rows, columns) = self.size(tensor);
            rows * columns
        };
        let start = match tensor {
            Tensor::Enter(before) => before * length(Tensor::Enter(0)),
            Tensor::Layer(layer, part) => {
                let parts = Part::ALL.map(|(part, _)| part);
                let whole: usize = parts.iter().map(|part| length(Tensor::Layer(0, *part))).sum();
                let earlier: usize = parts
                    .iter()
                    .take_while(|earlier| **earlier != part)
                    .map(|part| length(Tensor::Layer(0, *part)))
                    .sum();
                self.range(Tensor::Enter(self.before)).end + layer * whole + earlier
            }
            Tensor::Norm => self.range(Tensor::Layer(self.layers - 1, Part::NetworkOut)).end,
            Tensor::Leave => self.range(Tensor::Norm).end,
        };
        start..start + length(tensor)
    }

    /// How many parameters the model has.
    pub fn parameters(&self) -> usize {
        self.range(Tensor::Leave).end
    }

    /// The name of a tensor in files.
    pub fn name(tensor: Tensor) -> String {
        match tensor {
            Tensor::Enter(before) => format!("enter.{before}"),
            Tensor::Layer(layer, part) => {
                let named = Part::ALL.into_iter().find(|(other, _)| *other == part);
                format!("layers.{layer}.{}", named.map_or("", |(_, name)| name))
            }
            Tensor::Norm => "norm".to_owned(),
            Tensor::Leave => "leave".to_owned(),
        }
    }
}

/// A model's parameters by its shape.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// Where each tensor stands.
    pub shape: &'a Shape,
    /// The numbers of all tensors.
    pub parameters: &'a [f32],
}

impl Weights<'_> {
    /// A tensor's parameters.
    pub(crate) fn of(&self, tensor: Tensor) -> &[f32] {
        &self.parameters[self.shape.range(tensor)]
    }

    /// Adds to each row what its token enters with, or the token so many before it.
    pub fn enter(&self, before: usize, tokens: impl Iterator<Item = usize>, rows: &mut [f32]) {
        let width = self.shape.width;
        let table = self.of(Tensor::Enter(before));
        for (token, row) in tokens.zip(rows.chunks_exact_mut(width)) {
            add(row, 1.0, &table[token * width..][..width]);
        }
    }

    /// The rows times a tensor into `out`, of which `keep` is kept.
    pub fn through(&self, tensor: Tensor, rows: &[f32], keep: f32, out: &mut [f32]) {
        let (inner, outer) = self.shape.size(tensor);
        let count = rows.len() / inner;
        let (from, weights) = (Area::whole(count, inner), Area::whole(inner, outer));
        let into = Area::whole(count, outer);
        multiply((rows, from), (self.of(tensor), weights), 1.0, keep, (out, into));
    }

    /// The rows after a norm, and the factor of each.
    pub fn normed(&self, tensor: Tensor, rows: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let mut normed = vec![0.0; rows.len()];
        let factors = normalise(rows, self.of(tensor), &mut normed);
        (normed, factors)
    }
}
