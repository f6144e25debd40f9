//! Arithmetic on matrices that lie row after row in slices. Each element of a product is computed in the same order
//! whatever else is computed with it, so that results do not depend on what runs in a batch.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};

/// A part of a slice as a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Where its first element stands.
    pub start: usize,
    /// Its rows.
    pub rows: usize,
    /// Its columns.
    pub columns: usize,
    /// From one row to the next.
    pub row_step: usize,
    /// From one column to the next.
    pub column_step: usize,
}

impl Area {
    /// A whole matrix.
    pub fn whole(rows: usize, columns: usize) -> Self {
        Self::part(0, rows, columns, columns)
    }

    /// Some columns of a matrix whose rows are `row_step` long.
    pub fn part(start: usize, rows: usize, columns: usize, row_step: usize) -> Self {
        Self { start, rows, columns, row_step, column_step: 1 }
    }

    /// Transposes the area.
    pub fn turned(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row_step: self.column_step, column_step: self.row_step, ..self }
    }
}

/// `c = scale * a * b + keep * c`. Does nothing where an area is empty, or where an area is no part of its slice, which no caller asks for.
pub fn multiply(a: (&[f32], Area), b: (&[f32], Area), scale: f32, keep: f32, c: (&mut [f32], Area)) {
    let ((a, of_a), (b, of_b), (c, of_c)) = (a, b, c);
    if [of_c.rows, of_c.columns, of_a.columns].contains(&0) {
        return;
    }
    let view = |slice, area: Area| {
        let shape = (area.rows, area.columns).strides((area.row_step, area.column_step));
        ArrayView2::from_shape(shape, slice)
    };
    let shape = (of_c.rows, of_c.columns).strides((of_c.row_step, of_c.column_step));
    let views = (
        view(&a[of_a.start..], of_a),
        view(&b[of_b.start..], of_b),
        ArrayViewMut2::from_shape(shape, &mut c[of_c.start..]),
    );
    let (Ok(a), Ok(b), Ok(mut c)) = views else {
        debug_assert!(false, "an area is no part of its slice: {of_a:?} {of_b:?} {of_c:?}");
        return;
    };
    general_mat_mul(scale, &a, &b, keep, &mut c);
}

/// e to the power of `x`, to within a hundred-thousandth of it; `x` is taken as from -87 to 87. In plain operations, which
/// compilers turn into vectors.
#[inline]
pub fn exp(x: f32) -> f32 {
    // Adding this rounds to a whole number, which then stands in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let power = x * std::f32::consts::LOG2_E;
    let rounded = power + ROUND;
    let rest = power - (rounded - ROUND);
    let series = 1.0
        + rest
            * (std::f32::consts::LN_2
                + rest * (0.240_226_5 + rest * (0.055_504_1 + rest * (0.009_618_1 + rest * 0.001_333_4))));
    let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    f32::from_bits(series.to_bits().wrapping_add(whole << 23))
}

/// Makes the elements probabilities in proportion to their exponentials. Returns the largest element and the
/// sum of exponentials above it.
pub fn softmax(row: &mut [f32]) -> (f32, f32) {
    let most = largest(row);
    let sum = exponentials(row, most);
    let share = 1.0 / sum;
    row.iter_mut().for_each(|x| *x *= share);
    (most, sum)
}

/// The largest element.
pub fn largest(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; 8];
    let mut parts = row.chunks_exact(8);
    for part in &mut parts {
        for (lane, x) in lanes.iter_mut().zip(part) {
            *lane = if *x > *lane { *x } else { *lane };
        }
    }
    let rest = parts.remainder().iter().copied();
    lanes.into_iter().chain(rest).fold(f32::NEG_INFINITY, f32::max)
}

/// Replaces the elements by the exponentials of their distances from `most`; returns their sum.
pub fn exponentials(row: &mut [f32], most: f32) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let mut parts = row.chunks_exact_mut(8);
    for part in &mut parts {
        for (lane, x) in lanes.iter_mut().zip(part) {
            *x = exp(*x - most);
            *lane += *x;
        }
    }
    let mut sum = lanes.into_iter().sum::<f32>();
    for x in parts.into_remainder() {
        *x = exp(*x - most);
        sum += *x;
    }
    sum
}

/// The sum of products of two slices.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (mut left, mut right) = (a.chunks_exact(8), b.chunks_exact(8));
    for (x, y) in (&mut left).zip(&mut right) {
        for ((lane, x), y) in lanes.iter_mut().zip(x).zip(y) {
            *lane += x * y;
        }
    }
    let rest = left.remainder().iter().zip(right.remainder());
    lanes.into_iter().sum::<f32>() + rest.map(|(x, y)| x * y).sum::<f32>()
}

/// Adds a multiple of a slice to another.
pub fn add(to: &mut [f32], times: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += times * from;
    }
}

/// Divides each row by the root of its mean square and multiplies it by the gains. Returns the factor of each row.
pub fn normalise(rows: &[f32], gains: &[f32], out: &mut [f32]) -> Vec<f32> {
    // Keeps a row of zeros from a division by zero.
    const LEAST: f32 = 1e-6;
    let width = gains.len();
    let mut factors = Vec::with_capacity(rows.len() / width.max(1));
    for (row, out) in rows.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
        let factor = 1.0 / (dot(row, row) / width as f32 + LEAST).sqrt();
        for ((out, x), gain) in out.iter_mut().zip(row).zip(gains) {
            *out = x * factor * gain;
        }
        factors.push(factor);
    }
    factors
}

/// Turns pairs of elements of queries and keys by angles that grow with the position, so that what they have in
/// common tells how far they are apart (rotary positions).
#[derive(Clone, Debug, Default)]
pub struct Rotation {
    half: usize,
    /// Cosine and sine by position and pair.
    angles: Vec<(f32, f32)>,
}

impl Rotation {
    /// For heads of that width, up to a number of positions.
    pub fn new(width: usize, positions: usize) -> Self {
        let half = width / 2;
        let angle = |position: usize, pair: usize| {
            let speed = 10_000_f64.powf(-(pair as f64) / half as f64);
            let angle = position as f64 * speed;
            (angle.cos() as f32, angle.sin() as f32)
        };
        let all = (0..positions).flat_map(|position| (0..half).map(move |pair| angle(position, pair)));
        Self { half, angles: all.collect() }
    }

    /// Turns a head at a position; backwards with a `direction` of -1.
    pub fn turn(&self, head: &mut [f32], position: usize, direction: f32) {
        let angles = &self.angles[position * self.half..(position + 1) * self.half];
        let (left, right) = head.split_at_mut(self.half);
        for ((a, b), (cosine, sine)) in left.iter_mut().zip(right).zip(angles) {
            let sine = sine * direction;
            (*a, *b) = (*a * cosine - *b * sine, *b * cosine + *a * sine);
        }
    }

    /// Positions that it knows.
    pub fn positions(&self) -> usize {
        self.angles.len() / self.half.max(1)
    }
}
