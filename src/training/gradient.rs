//! The loss of a batch and its gradient, by the chain rule written out (attention has a file of its own); checked against
//! differences in the tests.

use rolecall_core::transformer::matrix::{Area, Rotation, add, dot, multiply, softmax};
use rolecall_core::transformer::shape::{Part, Shape, Tensor, Weights};

/// Sequences of tokens that are learned from together.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The tokens of all sequences, one after the other.
    pub(super) tokens: Vec<u32>,
    /// The weight of predicting each token from those before it; 0 for the first of a sequence.
    pub(super) weights: Vec<f32>,
    /// Where each sequence begins; the last number is the length of all.
    pub(super) starts: Vec<usize>,
}

/// The loss of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Loss {
    /// Weighted mean of the negative log-likelihoods of the tokens.
    pub(super) mean: f32,
    /// For each token: its negative log-likelihood, and whether it was the likeliest; none where its weight is 0.
    pub(super) of: Vec<Option<(f32, bool)>>,
}

/// Values of a layer's forward pass that its backward pass needs.
#[derive(Default)]
pub(super) struct Kept {
    /// Input of the layer, and of its network.
    pub(super) entered: Vec<f32>,
    pub(super) between: Vec<f32>,
    pub(super) factors: Vec<f32>,
    pub(super) between_factors: Vec<f32>,
    /// Queries, keys and values, turned.
    pub(super) qkv: Vec<f32>,
    /// For each token and head the logarithm of the sum that its shares of attention were divided by: from it they
    /// are computed anew, which is cheaper than to keep them.
    pub(super) sums: Vec<f32>,
    pub(super) attended: Vec<f32>,
    /// The network's inner numbers after the ReLU.
    pub(super) inner: Vec<f32>,
}

/// Forward pass of a norm: its gains, the rows, and the factor of each.
#[derive(Clone, Copy)]
pub(super) struct Normed<'a> {
    pub(super) tensor: Tensor,
    pub(super) rows: &'a [f32],
    pub(super) factors: &'a [f32],
}

/// Computes losses and gradients of one shape.
pub(super) struct Learner {
    pub(super) shape: Shape,
    pub(super) rotation: Rotation,
}

impl Learner {
    /// For sequences of at most so many tokens.
    pub(super) fn new(shape: Shape, longest: usize) -> Self {
        let rotation = Rotation::new(shape.head(), longest);
        Self { shape, rotation }
    }

    /// The loss alone.
    pub(super) fn loss(&self, parameters: &[f32], batch: &Batch) -> Loss {
        let (last, _) = self.forward(parameters, batch, false);
        self.leave(parameters, batch, &last, None).0
    }

    /// The loss; adds its gradient to `gradient`.
    pub(super) fn learn(&self, parameters: &[f32], batch: &Batch, gradient: &mut [f32]) -> Loss {
        let (last, kept) = self.forward(parameters, batch, true);
        let (loss, mut change) = self.leave(parameters, batch, &last, Some(gradient));
        for (layer, kept) in kept.iter().enumerate().rev() {
            self.network_back(parameters, layer, kept, &mut change, gradient);
            self.attention_back(parameters, layer, batch, kept, &mut change, gradient);
        }
        let width = self.shape.width;
        for before in 0..=self.shape.before {
            let table = &mut gradient[self.shape.range(Tensor::Enter(before))];
            for (token, change) in self.entering(batch, before).zip(change.chunks_exact(width)) {
                add(&mut table[token * width..(token + 1) * width], 1.0, change);
            }
        }
        loss
    }

    /// The tokens, or those so many before each; 0 where a sequence has none.
    fn entering<'a>(&self, batch: &'a Batch, before: usize) -> impl Iterator<Item = usize> + use<'a> {
        batch.starts.windows(2).flat_map(move |ends| {
            (ends[0]..ends[1]).map(move |at| match at.checked_sub(before) {
                Some(earlier) if earlier >= ends[0] => batch.tokens[earlier] as usize,
                _ => 0,
            })
        })
    }

    fn forward(&self, parameters: &[f32], batch: &Batch, keep: bool) -> (Vec<f32>, Vec<Kept>) {
        let (shape, width) = (&self.shape, self.shape.width);
        let count = batch.tokens.len();
        let mut now = vec![0.0; count * width];
        for before in 0..=shape.before {
            self.weights(parameters).enter(before, self.entering(batch, before), &mut now);
        }
        let blocks = self.blocks(batch);
        let mut all = Vec::new();
        for layer in 0..shape.layers {
            let mut kept = Kept { entered: now.clone(), ..Kept::default() };
            self.attention(parameters, layer, batch, &blocks, &mut kept, &mut now);
            kept.between.clone_from(&now);
            self.network(parameters, layer, &mut kept, &mut now);
            if keep {
                all.push(kept);
            }
        }
        (now, all)
    }

    /// The backward pass of [`Weights::through`]: adds to the gradient of the weights, and returns that of
    /// the rows.
    pub(super) fn through_back(
        &self,
        parameters: &[f32],
        tensor: Tensor,
        rows: &[f32],
        change: &[f32],
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let (inner, outer) = self.shape.size(tensor);
        let count = rows.len() / inner;
        let place = self.shape.range(tensor);
        multiply(
            (rows, Area::whole(count, inner).turned()),
            (change, Area::whole(count, outer)),
            1.0,
            1.0,
            (&mut gradient[place.clone()], Area::whole(inner, outer)),
        );
        let mut back = vec![0.0; rows.len()];
        multiply(
            (change, Area::whole(count, outer)),
            (&parameters[place], Area::whole(inner, outer).turned()),
            1.0,
            0.0,
            (&mut back, Area::whole(count, inner)),
        );
        back
    }

    /// The backward pass of a norm: adds to the gradient of its gains and to `change`.
    pub(super) fn norm_back(
        &self,
        parameters: &[f32],
        norm: &Normed<'_>,
        of_normed: &[f32],
        change: &mut [f32],
        gradient: &mut [f32],
    ) {
        let Normed { tensor, rows, factors } = *norm;
        let width = self.shape.width;
        let place = self.shape.range(tensor);
        let gains = &parameters[place.clone()];
        let of_gains = &mut gradient[place];
        let mut scaled = vec![0.0; width];
        let all = rows.chunks_exact(width).zip(of_normed.chunks_exact(width));
        for (((row, of), factor), change) in all.zip(factors).zip(change.chunks_exact_mut(width)) {
            for (((scaled, of), gain), (of_gain, x)) in
                scaled.iter_mut().zip(of).zip(gains).zip(of_gains.iter_mut().zip(row))
            {
                *scaled = of * gain;
                *of_gain += of * x * factor;
            }
            let along = dot(&scaled, row) * factor * factor * factor / width as f32;
            for ((change, scaled), x) in change.iter_mut().zip(&scaled).zip(row) {
                *change += factor * scaled - along * x;
            }
        }
    }

    pub(super) fn weights<'a>(&'a self, parameters: &'a [f32]) -> Weights<'a> {
        Weights { shape: &self.shape, parameters }
    }

    fn network(&self, parameters: &[f32], layer: usize, kept: &mut Kept, now: &mut [f32]) {
        let (normed, factors) = self.weights(parameters).normed(Tensor::Layer(layer, Part::NetworkNorm), now);
        let mut inner = vec![0.0; 4 * now.len()];
        self.weights(parameters).through(Tensor::Layer(layer, Part::NetworkIn), &normed, 0.0, &mut inner);
        inner.iter_mut().for_each(|x| *x = x.max(0.0));
        self.weights(parameters).through(Tensor::Layer(layer, Part::NetworkOut), &inner, 1.0, now);
        (kept.between_factors, kept.inner) = (factors, inner);
    }

    fn network_back(&self, parameters: &[f32], layer: usize, kept: &Kept, change: &mut [f32], gradient: &mut [f32]) {
        let out = Tensor::Layer(layer, Part::NetworkOut);
        let mut of_inner = self.through_back(parameters, out, &kept.inner, change, gradient);
        for (of, x) in of_inner.iter_mut().zip(&kept.inner) {
            *of = if *x > 0.0 { *of } else { 0.0 };
        }
        let (norm, into) = (Tensor::Layer(layer, Part::NetworkNorm), Tensor::Layer(layer, Part::NetworkIn));
        let (normed, _) = self.weights(parameters).normed(norm, &kept.between);
        let of_normed = self.through_back(parameters, into, &normed, &of_inner, gradient);
        let normed = Normed { tensor: norm, rows: &kept.between, factors: &kept.between_factors };
        self.norm_back(parameters, &normed, &of_normed, change, gradient);
    }

    /// The loss of the tokens with a weight; with a gradient, also the gradient of what came out of the last layer.
    fn leave(&self, parameters: &[f32], batch: &Batch, last: &[f32], gradient: Option<&mut [f32]>) -> (Loss, Vec<f32>) {
        let (shape, width) = (&self.shape, self.shape.width);
        let (normed, factors) = self.weights(parameters).normed(Tensor::Norm, last);
        // The place before a token predicts it.
        let at: Vec<usize> = (1..batch.tokens.len()).filter(|at| batch.weights[*at] > 0.0).collect();
        let rows: Vec<f32> = at.iter().flat_map(|at| &normed[(at - 1) * width..at * width]).copied().collect();
        let mut odds = vec![0.0; at.len() * shape.vocabulary];
        self.weights(parameters).through(Tensor::Leave, &rows, 0.0, &mut odds);
        let total: f32 = at.iter().map(|at| batch.weights[*at]).sum();
        let mut loss = Loss { mean: 0.0, of: vec![None; batch.tokens.len()] };
        for (at, odds) in at.iter().zip(odds.chunks_exact_mut(shape.vocabulary)) {
            let token = batch.tokens[*at] as usize;
            let score = odds[token];
            let (most, sum) = softmax(odds);
            let lost = most + sum.ln() - score;
            let weight = batch.weights[*at] / total;
            loss.mean += lost * weight;
            loss.of[*at] = Some((lost, score >= most));
            odds[token] -= 1.0;
            odds.iter_mut().for_each(|x| *x *= weight);
        }
        let mut change = vec![0.0; last.len()];
        if let Some(gradient) = gradient {
            let back = self.through_back(parameters, Tensor::Leave, &rows, &odds, gradient);
            let mut of_normed = vec![0.0; last.len()];
            for (at, back) in at.iter().zip(back.chunks_exact(width)) {
                add(&mut of_normed[(at - 1) * width..at * width], 1.0, back);
            }
            let normed = Normed { tensor: Tensor::Norm, rows: last, factors: &factors };
            self.norm_back(parameters, &normed, &of_normed, &mut change, gradient);
        }
        (loss, change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::text::Dice;

    /// The change of the loss along the gradient of one tensor after the other is as long as that gradient.
    #[test]
    fn gradients_are_differences_of_losses() {
        let shape = Shape { vocabulary: 40, width: 16, layers: 2, heads: 2, before: 1 };
        let mut dice = Dice::new("test", "gradient", &[1]);
        let parameters: Vec<f32> = (0..shape.parameters()).map(|_| dice.fraction() as f32 - 0.4).collect();
        let lengths = [70, 3, 20];
        let total: usize = lengths.iter().sum();
        let mut batch = Batch {
            tokens: (0..total).map(|_| dice.below(40) as u32).collect(),
            weights: (0..total).map(|at| [0.0, 0.3, 1.0][at % 3]).collect(),
            starts: vec![0, 70, 73, 93],
        };
        for start in [0, 70, 73] {
            batch.weights[start] = 0.0;
        }
        let learner = Learner::new(shape, 80);
        let mut gradient = vec![0.0; parameters.len()];
        learner.learn(&parameters, &batch, &mut gradient);
        for tensor in shape.tensors() {
            let place = shape.range(tensor);
            let length = gradient[place.clone()].iter().map(|x| x * x).sum::<f32>().sqrt();
            let moved = |by: f32| {
                let mut moved = parameters.clone();
                for (parameter, slope) in moved[place.clone()].iter_mut().zip(&gradient[place.clone()]) {
                    *parameter += by * slope / length;
                }
                f64::from(learner.loss(&moved, &batch).mean)
            };
            let slope = (moved(0.01) - moved(-0.01)) / 0.02;
            let off = (slope / f64::from(length) - 1.0).abs();
            assert!(off < 0.02, "{}: {slope} is not {length}", Shape::name(tensor));
        }
    }
}
