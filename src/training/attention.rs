//! Attention, forwards and back, a block of queries of one head of one sequence at a time.

use super::gradient::{Batch, Kept, Learner, Normed};
use rolecall_core::transformer::matrix::{Area, dot, exp, multiply, softmax};
use rolecall_core::transformer::shape::{Part, Tensor};

/// Rows of a block of attention: later keys are not computed for whole blocks of queries.
const BLOCK: usize = 64;

/// A block of queries of one head of one sequence.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// Where the sequence begins.
    start: usize,
    /// The first query, from the sequence's beginning, and how many there are.
    first: usize,
    rows: usize,
    head: usize,
}

impl Block {
    fn keys(&self) -> usize {
        self.first + self.rows
    }

    /// Its scores, and later its shares, in a slice of their own.
    fn scores(&self) -> Area {
        Area::whole(self.rows, self.keys())
    }
}

impl Learner {
    pub(super) fn blocks(&self, batch: &Batch) -> Vec<Block> {
        let mut blocks = Vec::new();
        for ends in batch.starts.windows(2) {
            for head in 0..self.shape.heads {
                for first in (0..ends[1] - ends[0]).step_by(BLOCK) {
                    let rows = BLOCK.min(ends[1] - ends[0] - first);
                    blocks.push(Block { start: ends[0], first, rows, head });
                }
            }
        }
        blocks
    }

    fn turn(&self, batch: &Batch, qkv: &mut [f32], direction: f32) {
        let (width, head) = (self.shape.width, self.shape.head());
        for ends in batch.starts.windows(2) {
            for at in ends[0]..ends[1] {
                let row = &mut qkv[at * 3 * width..][..2 * width];
                for part in row.chunks_exact_mut(head) {
                    self.rotation.turn(part, at - ends[0], direction);
                }
            }
        }
    }

    /// The areas of a block: queries, keys, values, its rows of the result.
    fn areas(&self, block: &Block) -> [Area; 4] {
        let (width, head) = (self.shape.width, self.shape.head());
        let column = block.head * head;
        let query = (block.start + block.first) * 3 * width + column;
        let key = block.start * 3 * width + width + column;
        let result = (block.start + block.first) * width + column;
        [
            Area::part(query, block.rows, head, 3 * width),
            Area::part(key, block.keys(), head, 3 * width),
            Area::part(key + width, block.keys(), head, 3 * width),
            Area::part(result, block.rows, head, width),
        ]
    }

    pub(super) fn attention(
        &self,
        parameters: &[f32],
        layer: usize,
        batch: &Batch,
        blocks: &[Block],
        kept: &mut Kept,
        now: &mut [f32],
    ) {
        let width = self.shape.width;
        let (normed, factors) = self.weights(parameters).normed(Tensor::Layer(layer, Part::AttentionNorm), now);
        let mut qkv = vec![0.0; 3 * now.len()];
        self.weights(parameters).through(Tensor::Layer(layer, Part::Attend), &normed, 0.0, &mut qkv);
        self.turn(batch, &mut qkv, 1.0);
        let heads = self.shape.heads;
        let mut sums = vec![0.0; batch.tokens.len() * heads];
        let mut attended = vec![0.0; batch.tokens.len() * width];
        let mut shares = Vec::new();
        for block in blocks {
            let [_, _, value, result] = self.areas(block);
            self.scores(block, &qkv, &mut shares);
            for (row, row_scores) in shares.chunks_exact_mut(block.keys()).enumerate() {
                let (seen, later) = row_scores.split_at_mut(block.first + row + 1);
                let (most, sum) = softmax(seen);
                later.fill(0.0);
                sums[(block.start + block.first + row) * heads + block.head] = most + sum.ln();
            }
            multiply((&shares, block.scores()), (&qkv, value), 1.0, 0.0, (&mut attended, result));
        }
        self.weights(parameters).through(Tensor::Layer(layer, Part::AttentionOut), &attended, 1.0, now);
        (kept.factors, kept.qkv, kept.sums, kept.attended) = (factors, qkv, sums, attended);
    }

    /// How well the keys of a block go with its queries.
    fn scores(&self, block: &Block, qkv: &[f32], out: &mut Vec<f32>) {
        let [query, key, ..] = self.areas(block);
        out.resize(block.rows * block.keys(), 0.0);
        let scale = 1.0 / (self.shape.head() as f32).sqrt();
        multiply((qkv, query), (qkv, key.turned()), scale, 0.0, (out, block.scores()));
    }

    pub(super) fn attention_back(
        &self,
        parameters: &[f32],
        layer: usize,
        batch: &Batch,
        kept: &Kept,
        change: &mut [f32],
        gradient: &mut [f32],
    ) {
        let out = Tensor::Layer(layer, Part::AttentionOut);
        let of_attended = self.through_back(parameters, out, &kept.attended, change, gradient);
        let mut of_qkv = vec![0.0; kept.qkv.len()];
        let mut buffers = (Vec::new(), Vec::new());
        for block in &self.blocks(batch) {
            self.block_back(block, kept, &of_attended, &mut of_qkv, &mut buffers);
        }
        self.turn(batch, &mut of_qkv, -1.0);
        let (attend, norm) = (Tensor::Layer(layer, Part::Attend), Tensor::Layer(layer, Part::AttentionNorm));
        let (normed, _) = self.weights(parameters).normed(norm, &kept.entered);
        let of_normed = self.through_back(parameters, attend, &normed, &of_qkv, gradient);
        let normed = Normed { tensor: norm, rows: &kept.entered, factors: &kept.factors };
        self.norm_back(parameters, &normed, &of_normed, change, gradient);
    }

    /// The backward pass of a block; its shares of attention and their gradient go into buffers.
    fn block_back(
        &self,
        block: &Block,
        kept: &Kept,
        of_attended: &[f32],
        of_qkv: &mut [f32],
        buffers: &mut (Vec<f32>, Vec<f32>),
    ) {
        let (shares, of_shares) = buffers;
        let qkv = kept.qkv.as_slice();
        let scale = 1.0 / (self.shape.head() as f32).sqrt();
        let [query, key, value, result] = self.areas(block);
        let (scores, keys) = (block.scores(), block.keys());
        self.scores(block, qkv, shares);
        for (row, row_scores) in shares.chunks_exact_mut(keys).enumerate() {
            let at = block.start + block.first + row;
            let sum = kept.sums[at * self.shape.heads + block.head];
            let (seen, later) = row_scores.split_at_mut(block.first + row + 1);
            seen.iter_mut().for_each(|score| *score = exp(*score - sum));
            later.fill(0.0);
        }
        of_shares.resize(shares.len(), 0.0);
        let (given, values) = ((of_attended, result), (qkv, value.turned()));
        multiply(given, values, 1.0, 0.0, (of_shares, scores));
        multiply((shares, scores.turned()), given, 1.0, 1.0, (of_qkv, value));
        let rows = of_shares.chunks_exact_mut(keys).zip(shares.chunks_exact(keys));
        for (of, shares) in rows {
            let mean = dot(of, shares);
            for (of, share) in of.iter_mut().zip(shares) {
                *of = share * (*of - mean);
            }
        }
        multiply((of_shares, scores), (qkv, key), scale, 1.0, (of_qkv, query));
        let turned = (of_shares.as_slice(), scores.turned());
        multiply(turned, (qkv, query), scale, 1.0, (of_qkv, key));
    }
}
