//! What somebody says, without what stands around it.

/// Labels of what a model says itself.
const OWN: &[&str] = &[
    "response",
    "final response",
    "assistant",
    "agent",
    "system",
    "reply",
    "answer",
    "final answer",
    "question",
    "clarifying question",
    "speak",
    "ask",
    "say",
];

/// Labels of what others say or show.
const OTHERS: &[&str] = &["user", "human", "customer", "guest", "traveller", "traveler", "tourist", "observation"];

/// The label of a line in small letters, without marks, and what stands behind its colon.
pub fn labelled(line: &str) -> Option<(String, &str)> {
    const MOST_WORDS: usize = 3;
    let marks = ['*', '_', '#', '`', ' ', '\t', '-', '>'];
    let (label, rest) = line.trim_start_matches(marks).split_once([':', '\u{ff1a}'])?;
    let label = label.trim_end_matches(marks).to_lowercase();
    let is_label = label.split(' ').count() <= MOST_WORDS && label.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    (is_label && !label.is_empty()).then(|| (label, rest.trim_start_matches(['*', '_', '`', ' '])))
}

/// The words that a model says in the place of all of this text: without a heading, a label and quotation marks, up to
/// where it goes on for somebody else. None if nothing is left.
pub fn own_words(text: &str) -> Option<String> {
    let mut said: Vec<&str> = Vec::new();
    for line in text.trim().lines() {
        match labelled(line) {
            Some((label, _)) if OTHERS.contains(&&*label) => break,
            Some((label, rest)) if OWN.contains(&&*label) && said.iter().all(|line| line.trim().is_empty()) => said.push(rest),
            Some((label, _)) if OWN.contains(&&*label) => break,
            _ => said.push(line),
        }
    }
    // `Here is the question:`
    let is_heading = said.first().is_some_and(|line| line.trim_end().ends_with(':')) && said.len() > 1;
    let text = said[usize::from(is_heading)..].join("\n");
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|inner| !inner.contains('"'));
    let text = inner.unwrap_or(text).trim_matches(['*', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_behind_headings_and_labels() {
        for (text, words) in [
            ("**Response:** \"When?\"", Some("When?")),
            ("Here is the question:\n\nWhen?", Some("When?")),
            ("When?\nUser: now.\nQuestion: Why?", Some("When?")),
            ("At 10:30. Fine?", Some("At 10:30. Fine?")),
            ("Question:", None),
            ("User: hello", None),
        ] {
            assert_eq!(own_words(text).as_deref(), words, "{text}");
        }
    }
}
