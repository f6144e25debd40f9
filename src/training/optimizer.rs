//! How parameters change by a gradient. Matrices between layers take steps by Muon: the direction of the momentum with
//! all its singular values made alike, which learns small models in about half the steps of AdamW. Everything else takes
//! steps by AdamW: against the gradient, divided by its usual size.

use serde::{Deserialize, Serialize};

use rolecall_core::transformer::matrix::{Area, multiply};
use rolecall_core::transformer::shape::{Part, Shape, Tensor};

/// How much of the means of the gradient and of its square AdamW keeps from one step to the next.
const KEPT: (f32, f32) = (0.9, 0.98);
/// How much of its momentum Muon keeps.
const MOMENTUM: f32 = 0.95;
/// The share of a matrix that a step at full rate takes away, times the rate.
const DECAY: f32 = 0.05;
/// The step of Muon for one of AdamW of size 1.
const MUON: f32 = 6.0;
/// The longest gradient; longer ones are cut to it.
const LONGEST: f32 = 1.0;
/// The polynomial whose repetition brings singular values near 1 (Jordan et al. 2024, "Muon").
const POLYNOMIAL: (f32, f32, f32) = (3.4445, -4.7750, 2.0315);
/// How often it is applied.
const REPEATED: usize = 5;

/// State of the optimizer between steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Optimizer {
    /// Steps that were taken.
    pub(super) steps: u32,
    /// Mean of the gradient, and of its square.
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
}

impl Optimizer {
    /// Nothing is known yet of the gradients of a model of that shape.
    pub(super) fn new(shape: Shape) -> Self {
        let zeros = vec![0.0; shape.parameters()];
        Self { steps: 0, means: zeros.clone(), squares: zeros }
    }

    /// Takes a step. The gradient is left as zeros.
    pub(super) fn step(&mut self, shape: Shape, parameters: &mut [f32], gradient: &mut [f32], rate: f32) {
        self.steps += 1;
        let length = gradient.iter().map(|x| x * x).sum::<f32>().sqrt();
        let cut = (LONGEST / length.max(1e-12)).min(1.0);
        gradient.iter_mut().for_each(|x| *x *= cut);
        for tensor in shape.tensors() {
            let place = shape.range(tensor);
            let (parameters, gradient) = (&mut parameters[place.clone()], &gradient[place.clone()]);
            match tensor {
                Tensor::Layer(_, Part::AttentionNorm | Part::NetworkNorm)
                | Tensor::Norm
                | Tensor::Enter(_)
                | Tensor::Leave => {
                    let (means, squares) = (&mut self.means[place.clone()], &mut self.squares[place]);
                    adam(parameters, gradient, means, squares, self.steps, rate);
                }
                Tensor::Layer(..) => {
                    let (rows, columns) = shape.size(tensor);
                    muon(parameters, gradient, &mut self.means[place], rows, columns, rate);
                }
            }
        }
        gradient.fill(0.0);
    }
}

fn adam(parameters: &mut [f32], gradient: &[f32], means: &mut [f32], squares: &mut [f32], steps: u32, rate: f32) {
    let steps = i32::try_from(steps).unwrap_or(i32::MAX);
    let (first, second) = (1.0 - KEPT.0.powi(steps), 1.0 - KEPT.1.powi(steps));
    let all = parameters.iter_mut().zip(gradient).zip(means.iter_mut().zip(squares));
    for ((parameter, change), (mean, square)) in all {
        *mean = KEPT.0 * *mean + (1.0 - KEPT.0) * change;
        *square = KEPT.1 * *square + (1.0 - KEPT.1) * change * change;
        *parameter -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
    }
}

fn muon(parameters: &mut [f32], gradient: &[f32], momentum: &mut [f32], rows: usize, columns: usize, rate: f32) {
    for (momentum, change) in momentum.iter_mut().zip(gradient) {
        *momentum = MOMENTUM * *momentum + change;
    }
    // Queries, keys and values stand beside each other and are matrices of their own.
    let parts = if columns == 3 * rows { 3 } else { 1 };
    let width = columns / parts;
    let step = rate * MUON * (width as f32 / rows as f32).max(1.0).sqrt();
    for part in 0..parts {
        let at = |row: usize| row * columns + part * width;
        let direction = (0..rows).flat_map(|row| {
            let range = at(row)..at(row) + width;
            momentum[range.clone()].iter().zip(&gradient[range]).map(|(momentum, change)| MOMENTUM * momentum + change)
        });
        let even = evened(direction.collect(), rows, width);
        for (row, even) in even.chunks_exact(width).enumerate() {
            for (parameter, even) in parameters[at(row)..][..width].iter_mut().zip(even) {
                *parameter -= step * even + DECAY * rate * *parameter;
            }
        }
    }
}

/// The matrix with all its singular values near 1.
fn evened(mut matrix: Vec<f32>, rows: usize, columns: usize) -> Vec<f32> {
    let length = matrix.iter().map(|x| x * x).sum::<f32>().sqrt() + 1e-12;
    matrix.iter_mut().for_each(|x| *x /= length);
    // The shorter side's products are the smaller matrix.
    let area = Area::whole(rows, columns);
    let (short, long) = if rows <= columns { (area, area) } else { (area.turned(), area.turned()) };
    let side = short.rows;
    let square = Area::whole(side, side);
    let (a, b, c) = POLYNOMIAL;
    let (mut products, mut second) = (vec![0.0; side * side], vec![0.0; side * side]);
    for _ in 0..REPEATED {
        multiply((&matrix, short), (&matrix, long.turned()), 1.0, 0.0, (&mut products, square));
        second.copy_from_slice(&products);
        multiply((&products, square), (&products, square), c, b, (&mut second, square));
        let before = matrix.clone();
        multiply((&second, square), (&before, short), 1.0, a, (&mut matrix, short));
    }
    matrix
}
