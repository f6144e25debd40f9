//! The card of a model: how it was trained, on what, and how well it foretells.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::examples::{Example, batch};
use crate::gradient::Learner;
use crate::settings::TrainSettings;
use rolecall_core::transformer::Shape;

/// Result of a training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The model's shape.
    pub shape: Shape,
    /// Sequences that were learned from.
    pub sequences: usize,
    /// Sequences that were held out.
    pub held_out: usize,
    /// Tokens that were learned from.
    pub tokens: u64,
    /// Steps that were taken.
    pub steps: u32,
    /// Seconds that it took.
    pub seconds: f64,
    /// Predictions on the held-out sequences, by kind of move.
    pub foretold: BTreeMap<String, Foretold>,
}

impl Trained {
    /// The share of outputs that were foretold exactly and the mean negative log-likelihood of an output, by kind.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u32, f64, f64)> {
        self.foretold.iter().map(|(kind, of)| {
            let count = f64::from(of.outputs.max(1));
            (kind.as_str(), of.outputs, f64::from(of.exact) / count, of.lost / count)
        })
    }
}

/// The card, in Markdown. Seconds are left out, so that the same training writes the same bytes.
pub(super) fn card(settings: &TrainSettings, trained: &Trained) -> String {
    let Shape { vocabulary, width, layers, heads, .. } = trained.shape;
    let parameters = trained.shape.parameters();
    let mut card = format!(
        "# {}\n\nA language model of {parameters} parameters ({layers} layers of width {width}, {heads} heads, \
         {vocabulary} tokens), trained by `rolecall train` on {} sequences ({} tokens, {} steps). It goes on as the \
         texts do that it was trained on, and knows nothing else.\n\n\
         | held out ({} sequences) | outputs | exact | mean negative log-likelihood |\n|---|---:|---:|---:|\n",
        settings.name, trained.sequences, trained.tokens, trained.steps, trained.held_out
    );
    for (kind, outputs, exact, lost) in trained.lines() {
        // Writing to a text cannot fail.
        let _ = writeln!(card, "| {kind} | {outputs} | {:.1} % | {lost:.3} |", 100.0 * exact);
    }
    let written = toml::to_string(settings).unwrap_or_default();
    let _ = write!(card, "\n`rolecall train` with these settings makes it again:\n\n```toml\n{written}```\n");
    card
}

/// Sequences that are evaluated together.
const TOGETHER: usize = 8;

/// Outputs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foretold {
    /// How many there are.
    pub outputs: u32,
    /// How many are the likeliest token by token, to the end of their line.
    pub exact: u32,
    /// The sum of the negative log-likelihoods of whole outputs.
    pub lost: f64,
}

/// Evaluates all outputs that are to be trained, by kind of move.
pub(super) fn evaluate(learner: &Learner, parameters: &[f32], examples: &[Example]) -> BTreeMap<String, Foretold> {
    let mut kinds: BTreeMap<String, Foretold> = BTreeMap::new();
    for examples in examples.chunks(TOGETHER) {
        let batch = batch(examples, |output| f32::from(u8::from(output.is_some_and(|(_, trained)| *trained))));
        let loss = learner.loss(parameters, &batch);
        for (example, start) in examples.iter().zip(&batch.starts) {
            let mut outputs = vec![(true, 0.0_f64); example.kinds.len()];
            for (output, of) in example.outputs.iter().zip(&loss.of[*start..]) {
                if let (Some(output), Some((lost, exact))) = (output, of) {
                    outputs[*output].0 &= exact;
                    outputs[*output].1 += f64::from(*lost);
                }
            }
            let trained = example.kinds.iter().zip(outputs).filter(|((_, trained), _)| *trained);
            for ((kind, _), (exact, lost)) in trained {
                let of = kinds.entry(kind.clone()).or_default();
                of.outputs += 1;
                of.exact += u32::from(exact);
                of.lost += lost;
            }
        }
    }
    kinds
}
