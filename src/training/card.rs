//! The card of a model: how it was trained, on what, and how well it foretells.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::evaluation::Foretold;
use super::settings::TrainSettings;
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
