//! How well a model foretells what was held out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::examples::{Example, batch};
use super::gradient::Learner;

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
