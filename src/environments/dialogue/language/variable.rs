//! Variables of plans, which stand for the texts that a step retrieved.

use super::clean::after_word;
use crate::text::overlap::is_word;

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
    pub(super) fn of(self, digits: &str) -> String {
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
                let name = self.of(digits);
                found.push(Reference { name, from, to });
            }
            before = Some(letter);
        }
        found
    }

    /// The rest after a variable that is a whole word in front of a text.
    fn after(self, text: &str) -> Option<&str> {
        let digits = after_word(text, self.prefix())?;
        let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let ends = !rest.chars().next().is_some_and(is_word);
        (rest.len() < digits.len() && ends).then_some(rest)
    }
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
}
