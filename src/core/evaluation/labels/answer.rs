//! Finding the label in what a judge model answers.

use serde_json::Value;

use super::What;
use crate::evaluation::normalise::{holds, normalise};
use crate::text::json_repair::repair;
use crate::text::{after_reasoning, json};

/// Marks around a label.
const AROUND: &[char] = &['"', '\'', '`', '*', '_', '<', '>', '[', ']', '(', ')', '.', ',', '!', ':', ' '];

/// Places of an answer at which its JSON object may begin.
const MOST_STARTS: usize = 16;

/// The place of the label that an answer gives: the `label` of a JSON object, the whole answer or a line of
/// it, or the only label that it names. None if there is none, or several.
pub fn in_answer(what: &What, text: &str) -> Option<usize> {
    let text = after_reasoning(text);
    let bare = |text: &str| what.read(text.trim().trim_matches(AROUND));
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let labelled = |line: &str| {
        let (word, rest) = line.split_once(':')?;
        let is_label = holds(&normalise(word), "label") || holds(&normalise(word), "answer");
        is_label.then(|| bare(rest)).flatten()
    };
    in_json(what, text)
        .or_else(|| bare(text))
        .or_else(|| lines().find_map(labelled))
        .or_else(|| lines().next_back().and_then(bare))
        .or_else(|| only_one(what, text))
}

/// The names of the labels that an answer gives in a JSON object: of each of these, in the field of that name, as far
/// as it is there and can be read; of several objects those of the one that gives most. What was thought or written
/// before the object is no part of the answer, and small mistakes of JSON are mended.
pub fn names_in_object(wanted: &[What], text: &str) -> Vec<Option<String>> {
    let given = |parts: &[Option<String>]| parts.iter().flatten().count();
    objects(wanted, text).fold(vec![None; wanted.len()], |best, parts| match given(&parts) > given(&best) {
        true => parts,
        false => best,
    })
}

/// The names of the labels in each object of an answer.
fn objects(wanted: &[What], text: &str) -> impl Iterator<Item = Vec<Option<String>>> {
    let text = after_reasoning(text);
    text.match_indices('{').take(MOST_STARTS).filter_map(|(at, _)| {
        let object = repair(text.get(at..)?).ok()?.value;
        let label = |what: &What| match object.get(what.key())? {
            Value::String(label) => what.label(label),
            label @ (Value::Number(_) | Value::Bool(_)) => what.label(&label.to_string()),
            _ => None,
        };
        Some(wanted.iter().map(label).collect())
    })
}

fn in_json(what: &What, text: &str) -> Option<usize> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let object: Value = json::read(text.get(start..=end)?).ok()?;
    match object.get("label")? {
        Value::String(label) => what.read(label),
        Value::Number(label) => what.read(&label.to_string()),
        _ => None,
    }
}

/// The label that stands in the text, if no other does.
fn only_one(what: &What, text: &str) -> Option<usize> {
    let words = normalise(text);
    let labels = what.labels();
    let mut named = labels.iter().enumerate().filter(|(_, label)| holds(&words, &normalise(&label.name)));
    match (named.next(), named.next()) {
        (Some((place, _)), None) => Some(place),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn labels_are_found_in_answers_of_many_kinds() {
        let table = [
            ("categories", "status update", Some(2)),
            ("categories", "**Status Update**.", Some(2)),
            ("categories", "{\"label\": \"follow-up\"}", Some(5)),
            ("categories", "```json\n{\"label\":\"follow-up\"}\n```", Some(5)),
            ("categories", "<think>a status update?</think>\nLabel: probing question", Some(1)),
            ("categories", "I would say that this is a probing question, as it asks.", Some(1)),
            ("categories", "A probing question or a status update.", None),
            ("categories", "It is hard to say.\nfollow-up", Some(5)),
            ("categories", "", None),
            ("acts", "<Deny>", Some(7)),
            ("acts", "The act is Affirm.", Some(6)),
            ("scale:1-5", "4", Some(3)),
            ("scale:1-5", "{\"label\": 2}", Some(1)),
            ("scale:1-5", "I give it a 5.", Some(4)),
            ("scale:1-5", "4 or 5", None),
            ("scale:1-5", "9", None),
        ];
        for (what, text, expected) in table {
            assert_eq!(in_answer(&what.parse().unwrap(), text), expected, "{what}: {text}");
        }
    }

    proptest! {
        #[test]
        fn any_answer_is_read_without_panic(text in any::<String>()) {
            for what in ["categories", "acts", "scale:1-5"] {
                let what: What = what.parse().unwrap();
                let found = in_answer(&what, &text);
                prop_assert!(found.is_none_or(|place| place < what.labels().len()));
            }
        }
    }
}
