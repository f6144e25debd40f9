//! Going on from texts: the model reads what is new of each prompt, scores what could follow, or writes. Each figure is
//! a function of its own prompt alone, to the bit: neither what else is computed with it nor how much of the prompt was
//! read before changes the order of any sum.

use super::matrix::{Area, Rotation, add, dot, exponentials, largest, multiply, softmax};
use super::shape::{Part, Shape, Tensor, Weights};
use super::tokens::NOTHING;

/// Rows of new tokens whose attention is computed together.
const BLOCK: usize = 64;

/// A model that plays.
#[derive(Clone, Debug)]
pub struct Player {
    shape: Shape,
    parameters: Vec<f32>,
    rotation: Rotation,
}

/// A token of a text that could follow; texts share the tokens of their common beginning.
struct Node {
    token: u32,
    /// The node before it; none where it follows the prompt.
    parent: Option<usize>,
    /// Tokens between the prompt and it.
    depth: usize,
}

/// Texts that could follow a prompt.
struct Tree<'a> {
    prompt: &'a Reading,
    /// Tokens after which a text continues.
    nodes: Vec<Node>,
    /// For each text its tokens, each with the node before it.
    paths: Vec<Vec<(Option<usize>, u32)>>,
}

impl<'a> Tree<'a> {
    fn new(prompt: &'a Reading, texts: &[Vec<u32>]) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        let mut paths = Vec::with_capacity(texts.len());
        for text in texts {
            let (mut path, mut parent) = (Vec::with_capacity(text.len()), None);
            for (depth, token) in text.iter().enumerate() {
                path.push((parent, *token));
                if depth + 1 < text.len() {
                    let node = *known.entry((parent, *token)).or_insert_with(|| {
                        nodes.push(Node { token: *token, parent, depth });
                        nodes.len() - 1
                    });
                    parent = Some(node);
                }
            }
            paths.push(path);
        }
        Self { prompt, nodes, paths }
    }

    /// The token so many before a node.
    fn before(&self, node: usize, count: usize) -> u32 {
        let mut at = Some(node);
        for step in 0..count {
            match at.and_then(|node| self.nodes[node].parent) {
                Some(parent) => at = Some(parent),
                None => {
                    let tokens = &self.prompt.tokens;
                    let back = count - step;
                    return tokens.len().checked_sub(back).map_or(NOTHING, |index| tokens[index]);
                }
            }
        }
        at.map_or(NOTHING, |node| self.nodes[node].token)
    }
}

impl Player {
    /// A model of these parameters, for texts of at most so many tokens.
    pub fn new(shape: Shape, parameters: Vec<f32>, positions: usize) -> Self {
        let rotation = Rotation::new(shape.head(), positions);
        Self { shape, parameters, rotation }
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Tokens of the longest text.
    pub fn positions(&self) -> usize {
        self.rotation.positions()
    }

    fn weights(&self) -> Weights<'_> {
        Weights { shape: &self.shape, parameters: &self.parameters }
    }

    /// Takes rows through all layers. `attend` turns queries and keys, and sums values up.
    fn layers(&self, now: &mut [f32], mut attend: impl FnMut(usize, &mut [f32], &mut [f32])) -> Vec<f32> {
        let weights = self.weights();
        let mut attended = vec![0.0; now.len()];
        let (mut qkv, mut inner) = (vec![0.0; 3 * now.len()], vec![0.0; 4 * now.len()]);
        for layer in 0..self.shape.layers {
            let part = |part| Tensor::Layer(layer, part);
            let (normed, _) = weights.normed(part(Part::AttentionNorm), now);
            weights.through(part(Part::Attend), &normed, 0.0, &mut qkv);
            attended.fill(0.0);
            attend(layer, &mut qkv, &mut attended);
            weights.through(part(Part::AttentionOut), &attended, 1.0, now);
            let (normed, _) = weights.normed(part(Part::NetworkNorm), now);
            weights.through(part(Part::NetworkIn), &normed, 0.0, &mut inner);
            inner.iter_mut().for_each(|x| *x = x.max(0.0));
            weights.through(part(Part::NetworkOut), &inner, 1.0, now);
        }
        weights.normed(Tensor::Norm, now).0
    }

    /// Reads on: each text is followed by its new tokens.
    pub fn read(&self, texts: &mut [(&mut Reading, &[u32])]) {
        let (shape, width) = (&self.shape, self.shape.width);
        for (reading, new) in texts.iter_mut() {
            reading.tokens.extend_from_slice(new);
            reading.keys.resize(shape.layers, Vec::new());
            reading.values.resize(shape.layers, Vec::new());
        }
        let count: usize = texts.iter().map(|(_, new)| new.len()).sum();
        let mut now = vec![0.0; count * width];
        for before in 0..=shape.before {
            let tokens = texts.iter().flat_map(|(reading, new)| {
                let all = &reading.tokens;
                let from = all.len() - new.len();
                (from..all.len()).map(move |at| at.checked_sub(before).map_or(NOTHING, |at| all[at]) as usize)
            });
            self.weights().enter(before, tokens, &mut now);
        }
        let out = self.layers(&mut now, |layer, qkv, attended| {
            let mut row = 0;
            for (reading, new) in texts.iter_mut() {
                let rows = row..row + new.len();
                let qkv = &mut qkv[rows.start * 3 * width..rows.end * 3 * width];
                self.read_layer(layer, reading, qkv, &mut attended[rows.start * width..rows.end * width]);
                row = rows.end;
            }
        });
        let mut row = 0;
        for (reading, new) in texts.iter_mut() {
            row += new.len();
            if !new.is_empty() {
                reading.last = out[(row - 1) * width..row * width].to_vec();
            }
        }
    }

    fn read_layer(&self, layer: usize, reading: &mut Reading, qkv: &mut [f32], attended: &mut [f32]) {
        let (width, head) = (self.shape.width, self.shape.head());
        let new = attended.len() / width;
        let from = reading.tokens.len() - new;
        let (keys, values) = (&mut reading.keys[layer], &mut reading.values[layer]);
        for part in [&mut *keys, &mut *values] {
            // Less than twice as much: what is kept of many texts is most of the memory.
            if part.capacity() < part.len() + new * width {
                part.reserve_exact(new * width + part.len() / 8);
            }
        }
        for (at, row) in qkv.chunks_exact_mut(3 * width).enumerate() {
            let (turned, value) = row.split_at_mut(2 * width);
            for part in turned.chunks_exact_mut(head) {
                self.rotation.turn(part, from + at, 1.0);
            }
            keys.extend_from_slice(&turned[width..]);
            values.extend_from_slice(value);
        }
        let scale = 1.0 / (head as f32).sqrt();
        let mut shares = Vec::new();
        for first in (0..new).step_by(BLOCK) {
            let rows = BLOCK.min(new - first);
            let seen = from + first + rows;
            shares.resize(rows * seen, 0.0);
            for column in (0..width).step_by(head) {
                let query = Area::part(first * 3 * width + column, rows, head, 3 * width);
                let (past, block) = (Area::part(column, seen, head, width), Area::whole(rows, seen));
                multiply((qkv, query), (keys, past.turned()), scale, 0.0, (&mut shares, block));
                for (row, row_shares) in shares.chunks_exact_mut(seen).enumerate() {
                    let (known, later) = row_shares.split_at_mut(from + first + row + 1);
                    softmax(known);
                    later.fill(0.0);
                }
                let result = Area::part(first * width + column, rows, head, width);
                multiply((&shares, block), (values, past), 1.0, 0.0, (attended, result));
            }
        }
    }

    /// The logits of the token that follows each text, one row each.
    pub fn next(&self, texts: &[&Reading]) -> Vec<f32> {
        let rows: Vec<f32> = texts.iter().flat_map(|text| &text.last).copied().collect();
        let mut odds = vec![0.0; texts.len() * self.shape.vocabulary];
        self.weights().through(Tensor::Leave, &rows, 0.0, &mut odds);
        odds
    }

    /// The log-probability with which each of its texts follows each prompt (ABA equation 4). A prompt must have been
    /// read to its end.
    pub fn score(&self, asked: &[(&Reading, &[Vec<u32>])]) -> Vec<Vec<f64>> {
        let (shape, width) = (&self.shape, self.shape.width);
        let trees: Vec<Tree<'_>> = asked.iter().map(|(prompt, texts)| Tree::new(prompt, texts)).collect();
        let count: usize = trees.iter().map(|tree| tree.nodes.len()).sum();
        let mut now = vec![0.0; count * width];
        for before in 0..=shape.before {
            let tokens =
                trees.iter().flat_map(|tree| (0..tree.nodes.len()).map(move |node| tree.before(node, before) as usize));
            self.weights().enter(before, tokens, &mut now);
        }
        let out = self.layers(&mut now, |layer, qkv, attended| {
            let mut row = 0;
            for tree in &trees {
                let rows = row..row + tree.nodes.len();
                let qkv = &mut qkv[rows.start * 3 * width..rows.end * 3 * width];
                self.score_layer(layer, tree, qkv, &mut attended[rows.start * width..rows.end * width]);
                row = rows.end;
            }
        });
        let mut row = 0;
        trees
            .iter()
            .map(|tree| {
                let mut rows = tree.prompt.last.clone();
                rows.extend_from_slice(&out[row * width..(row + tree.nodes.len()) * width]);
                row += tree.nodes.len();
                self.sums(tree, &rows)
            })
            .collect()
    }

    /// For each text the sum of its tokens' log-probabilities; `rows` are those of the prompt and of all nodes.
    fn sums(&self, tree: &Tree<'_>, rows: &[f32]) -> Vec<f64> {
        let vocabulary = self.shape.vocabulary;
        let mut odds = vec![0.0; rows.len() / self.shape.width * vocabulary];
        self.weights().through(Tensor::Leave, rows, 0.0, &mut odds);
        let mut whole = Vec::with_capacity(tree.nodes.len() + 1);
        let mut room = vec![0.0; vocabulary];
        for row in odds.chunks_exact(vocabulary) {
            room.copy_from_slice(row);
            let most = largest(&room);
            let sum = exponentials(&mut room, most);
            whole.push(f64::from(most) + f64::from(sum).ln());
        }
        let sum = |path: &Vec<(Option<usize>, u32)>| {
            path.iter()
                .map(|(node, token)| {
                    let row = node.map_or(0, |node| node + 1);
                    f64::from(odds[row * vocabulary + *token as usize]) - whole[row]
                })
                .sum()
        };
        tree.paths.iter().map(sum).collect()
    }

    fn score_layer(&self, layer: usize, tree: &Tree<'_>, qkv: &mut [f32], attended: &mut [f32]) {
        let (width, head) = (self.shape.width, self.shape.head());
        let (past, count) = (tree.prompt.tokens.len(), tree.nodes.len());
        for (node, row) in tree.nodes.iter().zip(qkv.chunks_exact_mut(3 * width)) {
            for part in row[..2 * width].chunks_exact_mut(head) {
                self.rotation.turn(part, past + node.depth, 1.0);
            }
        }
        let scale = 1.0 / (head as f32).sqrt();
        let (keys, values) = (&tree.prompt.keys[layer], &tree.prompt.values[layer]);
        let mut shares = vec![0.0; count * past];
        let mut later = Vec::new();
        for column in (0..width).step_by(head) {
            let query = Area::part(column, count, head, 3 * width);
            let (seen, block) = (Area::part(column, past, head, width), Area::whole(count, past));
            multiply((qkv, query), (keys, seen.turned()), scale, 0.0, (&mut shares, block));
            // Shares of the tokens between the prompt and a node, itself included, node after node.
            later.clear();
            for (node, shares) in shares.chunks_exact_mut(past).enumerate() {
                let query = &qkv[node * 3 * width + column..][..head];
                let start = later.len();
                let mut at = Some(node);
                while let Some(earlier) = at {
                    let key = &qkv[earlier * 3 * width + width + column..][..head];
                    later.push(dot(query, key) * scale);
                    at = tree.nodes[earlier].parent;
                }
                let most = largest(shares).max(largest(&later[start..]));
                let sum = exponentials(shares, most) + exponentials(&mut later[start..], most);
                shares.iter_mut().chain(&mut later[start..]).for_each(|share| *share /= sum);
            }
            let result = Area::part(column, count, head, width);
            multiply((&shares, block), (values, seen), 1.0, 0.0, (attended, result));
            let mut later = later.iter();
            for node in 0..count {
                let mut at = Some(node);
                while let Some(earlier) = at {
                    let value = &qkv[earlier * 3 * width + 2 * width + column..][..head];
                    let share = later.next().copied().unwrap_or(0.0);
                    add(&mut attended[node * width + column..][..head], share, value);
                    at = tree.nodes[earlier].parent;
                }
            }
        }
    }
}

/// A text as the model has read it.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub(super) tokens: Vec<u32>,
    /// Keys and values by layer, token after token.
    pub(super) keys: Vec<Vec<f32>>,
    pub(super) values: Vec<Vec<f32>>,
    /// Output of the last layer for the last token, after the norm.
    pub(super) last: Vec<f32>,
}

impl Reading {
    /// The tokens that were read.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        let numbers: usize = self.keys.iter().chain(&self.values).map(Vec::capacity).sum();
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

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;
