//! The settings of a training, from a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use rolecall_core::transformer::Shape;

/// Settings of a training: model, data, learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainSettings {
    /// The name of the model; its folder has it.
    pub name: String,
    /// Seed of all draws.
    #[serde(default = "one")]
    pub seed: u64,
    /// The rows to learn from.
    pub data: Vec<DataSettings>,
    /// The model's size.
    #[serde(default)]
    pub model: ModelSize,
    /// How it learns.
    #[serde(default)]
    pub learning: Learning,
    /// Names of things that no row may hold and a game may, so that each is a token.
    #[serde(default)]
    pub names: Vec<String>,
}

/// Where rows come from: a file, or a tool of `rolecall data`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// A file of rows, as `rolecall data trajectories` or `rolecall export --format rows` writes them; from the
    /// folder of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The rest of a command line after `rolecall data`, without `--out`: the rows are made afresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub make: Option<String>,
    /// Written before every text of these rows, as the prompt of the card that plays so writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
}

/// The size of a model; its tokens follow from the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelSize {
    /// Numbers that stand for a token between layers.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Tokens before each that its first numbers know of.
    pub before: usize,
}

/// How a model learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learning {
    /// Tokens that are learned from in all; rows come back when all were there.
    pub tokens: u64,
    /// Tokens of a step.
    pub batch: usize,
    /// The largest size of a step.
    pub rate: f32,
    /// Outputs that are not to be trained (noise) have no weight (ABA equation 5); otherwise they count as others.
    pub mask: bool,
    /// The weight of predicting what the agent reads; 0 is equation 5 to the letter.
    pub context: f32,
    /// The share of sequences in which some names of things are others: what is done with a thing is learned of any
    /// name, also of those that no row has.
    pub renamed: f64,
    /// Tokens of the longest sequence; longer ones are left out.
    pub longest: usize,
    /// Sequences that are held out, of tasks of their own.
    pub held_out: usize,
}

impl Default for ModelSize {
    fn default() -> Self {
        Self { width: 128, layers: 4, heads: 4, before: 2 }
    }
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            tokens: 3_000_000,
            batch: 2500,
            rate: 3e-3,
            mask: true,
            context: 0.3,
            renamed: 0.25,
            longest: 1000,
            held_out: 100,
        }
    }
}

fn one() -> u64 {
    1
}

impl TrainSettings {
    /// Refuses what cannot be trained, naming the field.
    ///
    /// # Errors
    /// The field and its problem.
    pub fn check(&self) -> Result<(), String> {
        if self.data.is_empty() {
            return Err("`data` has no entry; write a table [[data]] with `file` or `make`".to_owned());
        }
        for (number, data) in self.data.iter().enumerate() {
            if data.file.is_some() == data.make.is_some() {
                return Err(format!("`data` {}: write either `file` or `make`", number + 1));
            }
        }
        let Learning { tokens, batch, rate, context, renamed, longest, .. } = self.learning;
        let wrong = [
            (tokens == 0, "tokens", "must be at least 1"),
            (!(64..=1 << 20).contains(&batch), "batch", "must be from 64 to 1048576"),
            (!(16..=1 << 16).contains(&longest), "longest", "must be from 16 to 65536"),
            (!(rate > 0.0 && rate <= 1.0), "rate", "must be above 0 and at most 1"),
            (!(0.0..=1.0).contains(&context), "context", "must be from 0 to 1"),
            (!(0.0..=1.0).contains(&renamed), "renamed", "must be from 0 to 1"),
        ];
        if let Some((_, field, problem)) = wrong.into_iter().find(|(wrong, ..)| *wrong) {
            return Err(format!("`learning.{field}` {problem}"));
        }
        self.shape(1).check().map_err(|problem| format!("`model`: {problem}"))
    }

    /// The shape with so many tokens.
    pub(super) fn shape(&self, vocabulary: usize) -> Shape {
        let ModelSize { width, layers, heads, before } = self.model;
        Shape { vocabulary, width, layers, heads, before }
    }
}
