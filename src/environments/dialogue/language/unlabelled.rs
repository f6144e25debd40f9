//! Texts that are taken as they are, but for a label in front.

use serde::Serialize;

use super::clean::{cleaned, collapsed, trimmed};
use super::labels::{Label, after_label, labels, line_labels, segments};
use super::strategies::normal;
use super::{Dataset, FormatError, Warning, Warnings};

/// A thought: without its label, and without the plan or dialogue that a model wrote after it.
pub fn thought(text: &str) -> String {
    let text = cleaned(text);
    let text = after_labels(&text, &["Thought"]);
    let end = line_labels(text, &["Plan", "Dialogue"]).iter().map(|label| label.from).find(|end| *end > 0);
    trimmed(text.get(..end.unwrap_or(text.len())).unwrap_or_default()).to_owned()
}

/// Reasoning and the response that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonedResponse {
    /// The reasoning on one line; empty if there is none.
    pub thought: String,
    /// The response, never empty.
    pub response: String,
    /// The mends.
    pub warnings: Warnings,
}

/// Reads `Thought: ...` and `Response: ...`; the text may begin within the thought. A text without any label is
/// the response.
///
/// # Errors
/// When there is no response, or nothing behind its label: reasoning is not taken for one.
pub fn reasoned_response(text: &str) -> Result<ReasonedResponse, FormatError> {
    let text = cleaned(text);
    let found = labels(&text, &["Thought", "Response"]);
    let mut ends = found.iter().filter(|label| label.name == "Response");
    // A thought may speak of a response within its lines.
    let end = ends.clone().find(|label| label.starts_line);
    let mut warnings = Warnings::new();
    let (thought, words) = match end.or_else(|| ends.next()) {
        Some(end) => (reasoning(&text, &found, end), text.get(end.to..)),
        None if found.is_empty() => {
            warnings.insert(Warning::NoLabel);
            (String::new(), Some(text.as_str()))
        }
        None => (String::new(), None),
    };
    let response = response(words.unwrap_or_default());
    if response.is_empty() {
        return Err(FormatError::MissingResponse);
    }
    Ok(ReasonedResponse { thought, response, warnings })
}

/// The text before a label on one line, without the labels of thoughts.
fn reasoning(text: &str, labels: &[Label], end: &Label) -> String {
    let before = text.get(..end.from).unwrap_or_default();
    let thoughts: Vec<Label> =
        labels.iter().filter(|label| label.name == "Thought").filter(|label| label.to <= end.from).copied().collect();
    let front = thoughts.first().map_or(before.len(), |label| label.from);
    let parts = segments(before, &thoughts).map(|(_, thought)| thought);
    collapsed(&before.get(..front).into_iter().chain(parts).collect::<Vec<_>>().join(" "))
}

/// A response, verbatim after the label `SYSTEM:` or `Response:`.
pub fn response(text: &str) -> String {
    after_labels(text, &["System", "Response"]).to_owned()
}

/// The words that carry out a strategy, verbatim after the strategy's name or `Response:` as a label.
pub fn sub_response(text: &str, dataset: Dataset, strategy: &str) -> String {
    let text = after_labels(text, &["System", "Response"]);
    let rest = text.split_once([':', '：']).and_then(|(name, rest)| {
        let named =
            !name.contains('\n') && (dataset.strategy(name) == Some(strategy) || normal(name) == normal(strategy));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(text: &str) -> Result<(String, String), FormatError> {
        reasoned_response(text).map(|read| (read.thought, read.response))
    }

    #[test]
    fn reasoning_ends_where_the_response_begins() {
        let both = Ok(("They lack it.".to_owned(), "mare".to_owned()));
        for text in [
            "Thought: They lack it.\nResponse: mare",
            "They lack it.\n\nresponse : mare\n",
            "Thought: They lack it. Response: mare",
            "1. thought: They\nlack it.\n2. Response:\nmare",
            "```\n**Thought:** They lack it.\n**Response:** mare\n```",
        ] {
            assert_eq!(parts(text), both, "{text}");
        }
        // A label within a line counts only if no line begins with one.
        let (thought, response) = parts("One Response: is due.\nResponse: mare").unwrap();
        assert_eq!(thought, "One Response: is due.");
        assert_eq!(response, "mare");
    }

    #[test]
    fn reasoning_without_a_response_is_not_taken_for_one() {
        for text in [
            "Thought: They lack it.",
            "thought: They lack it.\nResponse:",
            "Thought: They lack it.\nRESPONSE: \n ",
            "Response:",
            "",
            " ",
        ] {
            assert_eq!(parts(text), Err(FormatError::MissingResponse), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_with_labels_is_read(thought in "[a-z]{1,8}( [a-z]{1,8}){0,4}", response in "[a-z]{1,8}( [a-z]{1,8}){0,4}") {
            let text = format!("Thought: {thought}.\nResponse: {response}.");
            let read = parts(&text).unwrap();
            prop_assert_eq!(read, (format!("{thought}."), format!("{response}.")));
        }
    }
}
