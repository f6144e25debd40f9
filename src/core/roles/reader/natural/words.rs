//! Words that somebody says, without marks and labels around them.

/// Labels of what a model says itself.
const OWN: &[&str] = &[
    "response",
    "final response",
    "assistant",
    "agent",
    "bot",
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

/// Labels of what others say or show in every world.
const OTHERS: &[&str] = &["user", "human", "observation", "explanation", "note"];

/// Words of a line that announces what follows.
const HEADINGS: &[&str] =
    &["here is", "here's", "here are", "would say", "response", "question", "answer", "thought", "reply"];

/// The label of a line in small letters, without marks, and what stands behind its colon.
pub fn labelled(line: &str) -> Option<(String, &str)> {
    const MOST_WORDS: usize = 3;
    let marks = ['*', '_', '#', '`', ' ', '\t', '-', '>'];
    let is_mark = |letter: char| marks.contains(&letter) || !letter.is_ascii() && !letter.is_alphanumeric();
    let (label, rest) = line.trim_start_matches(is_mark).split_once([':', '\u{ff1a}'])?;
    let label = label
        .trim_end_matches(marks)
        .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ')
        .to_lowercase();
    let is_label =
        label.split(' ').count() <= MOST_WORDS && label.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    (is_label && !label.is_empty()).then(|| (label, rest.trim_start_matches(['*', '_', '`', ' '])))
}

/// The words that a model says in the place of all of this text: without a heading, a label and quotation marks, up to
/// where it goes on for somebody else (`users` are the world's labels of its user) or adds a note. None if nothing is
/// left but a form.
pub fn own_words(text: &str, users: &[&str]) -> Option<String> {
    words_of(text, OWN, &[OTHERS, users, &["thought", "think"]].concat())
}

/// The thought that a text states, as [`own_words`].
pub fn own_thought(text: &str) -> Option<String> {
    words_of(
        text,
        &["thought", "think", "reasoning", "my thought", "analysis"],
        &[OTHERS, &["plan", "dialogue"]].concat(),
    )
}

fn words_of(text: &str, own: &[&str], others: &[&str]) -> Option<String> {
    let mut said: Vec<&str> = Vec::new();
    let mut is_own = false;
    for line in text.trim().lines() {
        let label = labelled(line);
        let named = |labels: &[&str]| label.as_ref().is_some_and(|(label, _)| labels.contains(&&**label));
        if named(own) && !is_own {
            // What stands before the label is a greeting.
            said = vec![label.map_or("", |(_, rest)| rest)];
            is_own = true;
        } else if named(others) || line.trim() == "---" || !said.is_empty() && (named(own) || named(OWN)) {
            break;
        } else {
            said.push(line);
        }
    }
    let is_heading = |line: &&str| {
        let lower = line.to_lowercase();
        lower.trim_end().ends_with(':') && HEADINGS.iter().any(|words| lower.contains(words))
    };
    let skipped = usize::from(!is_own && said.len() > 1 && said.first().is_some_and(is_heading));
    let joined = said[skipped..].join("\n");
    let text = joined.trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|inner| !inner.contains('"'));
    let text = inner.unwrap_or(text).trim_matches(['*', ' ']);
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let is_form = inner.is_some_and(|inner| !inner.contains(['[', ']']));
    (!text.is_empty() && !is_form).then(|| text.to_owned())
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
            ("Fine.\nGuest: now.", Some("Fine.")),
        ] {
            assert_eq!(own_words(text, &["guest"]).as_deref(), words, "{text}");
        }
    }
}
