//! The labels before moves, in all the ways in which models write them.

use crate::domain::MoveKind;

/// The meaning of a label for the text after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// A move of this kind.
    Own(MoveKind),
    /// Something that others say or show: the model has gone on with the story by itself.
    Foreign,
}

/// A label that was found at the beginning of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub(super) label: Label,
    /// The line from the label's word on.
    pub(super) words: &'a str,
    /// The rest of the line.
    pub(super) rest: &'a str,
    /// It is one of the usual words and a colon, perhaps after `>`.
    pub(super) usual: bool,
    /// It opened a bracket, which has to be closed.
    pub(super) bracket: bool,
}

/// Marks that may stand before a label.
const BEFORE: &[char] = &['>', '*', '_', '#', '`', '-', '\u{2022}', ' ', '\t', '"'];

/// The label at the beginning of a line.
pub(super) fn label(line: &str) -> Option<Found<'_>> {
    let start = line.trim_start();
    let unmarked = start.strip_prefix('>').map_or(start, str::trim_start);
    let after_mark = start.trim_start_matches(BEFORE);
    let after_name = after_bracket(after_mark).unwrap_or(after_mark);
    let unnumbered = after_number(after_name);
    let words = unnumbered.trim_start_matches(BEFORE);
    let (word, rest) = word(words)?;
    let (known, is_usual) = known(&word)?;
    let (rest, bracket) = after_word(rest)?;
    let usual = is_usual && !bracket && words.len() == unmarked.len() && {
        // Nothing but the colon stands between the word and the rest.
        let between = unmarked.len() - word.len() - rest.len();
        between == 1
    };
    Some(Found { label: known, words, rest, usual, bracket })
}

/// The label that a word in small letters is, and whether it is a usual word, which is not worth a repair.
pub(super) fn known(word: &str) -> Option<(Label, bool)> {
    let (kind, is_usual) = match word {
        "think" | "thought" => (MoveKind::Think, true),
        "act" | "action" => (MoveKind::Act, true),
        "speak" | "ask" => (MoveKind::Speak, true),
        "plan" => (MoveKind::Plan, true),
        "judge" => (MoveKind::Judge, true),
        "learn" | "lesson" => (MoveKind::Learn, true),
        "finish" => (MoveKind::Finish, true),
        "thoughts" | "thinking" | "reason" | "reasoning" | "my thought" => (MoveKind::Think, false),
        "command" | "next action" | "my action" => (MoveKind::Act, false),
        "say" | "speech" | "question" | "response" | "reply" => (MoveKind::Speak, false),
        "judgement" | "judgment" | "verdict" => (MoveKind::Judge, false),
        "lessons" | "lesson learned" | "reflection" => (MoveKind::Learn, false),
        "answer" | "final answer" => (MoveKind::Finish, false),
        "observation" | "obs" | "human" | "user" | "environment" | "status" | "result" => {
            return Some((Label::Foreign, false));
        }
        _ => return None,
    };
    Some((Label::Own(kind), is_usual))
}

/// The word or two words at the beginning, in small letters.
fn word(text: &str) -> Option<(String, &str)> {
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    let end = |text: &str| text.find(|letter| !is_letter(letter)).unwrap_or(text.len());
    let (first, rest) = text.split_at(end(text));
    let two = rest.strip_prefix(' ').and_then(|after| {
        let (second, rest) = after.split_at(end(after));
        let both = format!("{first} {second}").to_ascii_lowercase();
        let is_label = known(&both).is_some();
        is_label.then_some((both, rest))
    });
    let one = || (!first.is_empty()).then(|| (first.to_ascii_lowercase(), rest));
    two.or_else(one)
}

/// The text after a label's word: a number and marks may stand before the colon or the bracket.
fn after_word(rest: &str) -> Option<(&str, bool)> {
    if let Some(inner) = rest.strip_prefix('[') {
        return Some((inner, true));
    }
    let marks: &[char] = &['*', '_', '`', '"'];
    let rest = rest.trim_start_matches(marks);
    let number = rest.trim_start_matches(' ');
    let after = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = after.len() < number.len();
    let rest = if is_numbered { after } else { rest };
    let rest = rest.trim_start_matches(marks).trim_start_matches(' ');
    if let Some(inner) = rest.strip_prefix('[').filter(|_| is_numbered) {
        return Some((inner, true));
    }
    let rest = rest.strip_prefix([':', '\u{ff1a}'])?;
    Some((rest.trim_start_matches(['*', '_']), false))
}

/// The text after a role's name in brackets, such as `[executor] Act: look`.
fn after_bracket(text: &str) -> Option<&str> {
    let (name, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase());
    is_name.then(|| rest.trim_start())
}

/// The text after the number of a list's item, such as `1. ` and `(2) `.
fn after_number(text: &str) -> &str {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let rest = inner.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == inner.len() {
        return text;
    }
    rest.strip_prefix(['.', ')', ':']).map_or(text, str::trim_start)
}

/// Where on a line other labels begin after the ends of sentences: `... there. Act: look`.
pub(super) fn inner_labels(line: &str) -> Vec<usize> {
    const INNER: &[&str] = &["Act:", "Action:", "Speak:", "Ask:", "Finish:", "Think:", "Thought:"];
    let after_sentence = |position: &usize| {
        let before = line.get(..*position).unwrap_or_default();
        let trimmed = before.trim_end();
        let ends = trimmed.ends_with(['.', '!', '?', ')', '"', ';']);
        ends && trimmed.len() < before.len()
    };
    let mut places: Vec<usize> =
        INNER.iter().flat_map(|word| line.match_indices(word)).map(|(place, _)| place).filter(after_sentence).collect();
    places.sort_unstable();
    places
}

/// How much of a line its own label takes: one may stand after the number of a list's item.
pub(super) fn own_label(line: &str) -> usize {
    label(line).map_or(0, |found| line.len() - found.rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_in_many_ways_of_writing() {
        let of = |line| label(line).map(|found| (found.label, found.rest.trim(), found.usual));
        let think = |rest, usual| Some((Label::Own(MoveKind::Think), rest, usual));
        assert_eq!(of("Think: a"), think("a", true));
        assert_eq!(of("> think: a"), think("a", true));
        assert_eq!(of("think: "), think("", true));
        assert_eq!(of("**Thought:** a"), think("a", false));
        assert_eq!(of("**Thought**: a"), think("a", false));
        assert_eq!(of("Thought 3: a"), think("a", false));
        assert_eq!(of("- Thought: a"), think("a", false));
        assert_eq!(of("2. Think: a"), think("a", false));
        assert_eq!(of("### Reasoning: a"), think("a", false));
        assert_eq!(of("think[a]"), think("a]", false));
        assert_eq!(of("[executor] Think: a"), think("a", false));
        assert_eq!(of("Thinking about it: a"), None);
        assert_eq!(of("I think: a"), None);
        let act = |rest| Some((Label::Own(MoveKind::Act), rest, false));
        assert_eq!(of("Action 2: go to desk 1"), act("go to desk 1"));
        assert_eq!(of("Next action：look"), act("look"));
        assert_eq!(of("Observation 2: x").map(|found| found.0), Some(Label::Foreign));
        assert_eq!(of("Finish[42]").map(|found| found.1), Some("42]"));
        assert_eq!(of(""), None);
        assert_eq!(of("世界: a"), None);
    }

    #[test]
    fn inner_labels_stand_after_sentences() {
        assert_eq!(inner_labels("I see. Act: look"), [7]);
        assert_eq!(inner_labels("I see. Act: look. Think: b"), [7, 18]);
        assert!(inner_labels("I may Act: look").is_empty());
        assert_eq!(inner_labels("世界。 ok! Ask: x"), ["世界。 ok! ".len()]);
        assert_eq!(own_label("1. Act: look"), "1. Act:".len());
    }
}
