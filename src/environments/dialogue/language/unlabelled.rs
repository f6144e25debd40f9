//! Texts that are taken as they are, but for a label in front.

use super::Dataset;
use super::clean::{cleaned, trimmed};
use super::labels::{after_label, line_labels};
use super::strategies::normal;

/// A thought: without its label, and without the plan or dialogue that a model wrote after it.
pub fn thought(text: &str) -> String {
    let text = cleaned(text);
    let text = after_labels(&text, &["Thought"]);
    let next = line_labels(text, &["Plan", "Dialogue"]);
    let end = next.iter().map(|label| label.from).find(|end| *end > 0);
    trimmed(text.get(..end.unwrap_or(text.len())).unwrap_or_default()).to_owned()
}

/// A response, verbatim after the label `SYSTEM:` or `Response:`.
pub fn response(text: &str) -> String {
    after_labels(text, &["System", "Response"]).to_owned()
}

/// The words that carry out a strategy, verbatim after the strategy's name or `Response:` as a label.
pub fn sub_response(text: &str, dataset: Dataset, strategy: &str) -> String {
    let text = after_labels(text, &["System", "Response"]);
    let rest = text.split_once([':', '：']).and_then(|(name, rest)| {
        let named = !name.contains('\n')
            && (dataset.strategy(name) == Some(strategy) || normal(name) == normal(strategy));
        named.then_some(rest)
    });
    trimmed(rest.unwrap_or(text)).to_owned()
}

/// The trimmed text after labels in front of it.
fn after_labels<'a>(text: &'a str, names: &[&'static str]) -> &'a str {
    let mut text = trimmed(text);
    while let Some(rest) = after_label(text, names) {
        text = trimmed(rest);
    }
    text
}
