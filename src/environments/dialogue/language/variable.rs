//! Variables of plans, which stand for the texts that a step retrieved, and the queries made of them.

use super::clean::{after_word, trimmed};
use rolecall_core::text::overlap::is_word;

/// The names of a plan's variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `So1`, `So2`: TPE's.
    So,
    /// `E1`, `E2`: ReWOO's.
    E,
}

/// A variable within a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// Its name without leading zeros, such as `So1`.
    pub(super) name: String,
    /// The byte at which it begins, with a `#`.
    pub(super) from: usize,
    /// The byte behind it.
    pub(super) to: usize,
}

impl Variable {
    /// The letters before the number.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::So => "So",
            Self::E => "E",
        }
    }

    /// The variable of a number.
    pub(crate) fn of(self, digits: &str) -> String {
        let digits = digits.trim_start_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        format!("{}{digits}", self.prefix())
    }

    /// The variables that a text names, in its order: `#So1` or the whole word `So1`, in any case.
    pub(super) fn references(self, text: &str) -> Vec<Reference> {
        let mut found = Vec::new();
        let mut before = None;
        for (at, letter) in text.char_indices() {
            let begins = letter.is_ascii_alphabetic() && !before.is_some_and(is_word);
            if begins && let Some(rest) = text.get(at..).and_then(|text| self.after(text)) {
                let to = text.len() - rest.len();
                let from = if before == Some('#') { at - 1 } else { at };
                let digits = text.get(at + self.prefix().len()..to).unwrap_or_default();
                found.push(Reference { name: self.of(digits), from, to });
            }
            before = Some(letter);
        }
        found
    }

    /// The rest after a variable that is a whole word in front of a text.
    fn after(self, text: &str) -> Option<&str> {
        let digits = after_word(text, self.prefix())?;
        let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
        (rest.len() < digits.len() && !rest.chars().next().is_some_and(is_word)).then_some(rest)
    }
}

/// Whether an input means the dialogue itself, which is part of every query anyway.
pub(super) fn is_context(input: &str) -> bool {
    let input = trimmed(input);
    ["", "context", "dialogue", "dialogue context"].iter().any(|name| input.eq_ignore_ascii_case(name))
}

/// The input of a step with each variable replaced by the text that it is bound to; one that is not bound
/// stays. An input that means the dialogue becomes nothing.
pub fn resolve_input<'a>(input: &str, variable: Variable, bound: impl Fn(&str) -> Option<&'a str>) -> String {
    if is_context(input) {
        return String::new();
    }
    let mut resolved = String::with_capacity(input.len());
    let mut done = 0;
    for reference in variable.references(input) {
        let Some(text) = bound(&reference.name) else {
            continue;
        };
        resolved.push_str(input.get(done..reference.from).unwrap_or_default());
        resolved.push_str(text);
        done = reference.to;
    }
    resolved.push_str(input.get(done..).unwrap_or_default());
    trimmed(&resolved).to_owned()
}

/// The query: the resolved input, the utterances of the dialogue without who says them, and the thought
/// (where a method has one), with blanks between; empty parts are left out.
pub fn compose_query<T: AsRef<str>>(resolved: &str, utterances: &[T], thought: &str) -> String {
    let parts: Vec<&str> = std::iter::once(resolved)
        .chain(utterances.iter().map(AsRef::as_ref))
        .chain([thought])
        .map(trimmed)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_variables() {
        let text = "#So1, so02 Sox So3x xSo4 (So5)世So6 So";
        let names: Vec<String> = Variable::So
            .references(text)
            .into_iter()
            .map(|found| format!("{} {}", found.name, &text[found.from..found.to]))
            .collect();
        assert_eq!(names, ["So1 #So1", "So2 so02", "So5 So5"]);
        assert_eq!(Variable::E.references("E0 é1 #E000012")[1].name, "E12");
    }

    #[test]
    fn variables_are_replaced_once_and_the_dialogue_is_nothing() {
        let bound = |name: &str| match name {
            "So1" => Some("the tower So2"),
            "So2" => Some("the bridge"),
            _ => None,
        };
        let resolve = |input| resolve_input(input, Variable::So, bound);
        assert_eq!(resolve("height of #So1, not So2"), "height of the tower So2, not the bridge");
        assert_eq!(resolve("#so01"), "the tower So2");
        assert_eq!(resolve("So3 and Sofa"), "So3 and Sofa");
        for input in ["", " Context ", "dialogue", "Dialogue context"] {
            assert_eq!(resolve(input), "");
        }
    }

    #[test]
    fn empty_parts_of_a_query_are_left_out() {
        assert_eq!(compose_query("", &["a?", "", "b."], ""), "a? b.");
        assert_eq!(compose_query("x", &["a"], " think "), "x a think");
        assert_eq!(compose_query("", &[""; 0], ""), "");
    }
}
