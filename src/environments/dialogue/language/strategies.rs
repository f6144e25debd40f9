//! Finding the strategies that a text names.

use super::clean::{after_word, trimmed};
use super::{Dataset, FormatError};
use rolecall_core::text::overlap::is_space;

/// Signs that may surround a name.
const AROUND: &str = "[](){}<>【】（）「」\"'“”‘’.。*";

/// The text without white space, brackets, quotes and dots around it.
pub(super) fn bare(text: &str) -> &str {
    text.trim_matches(|letter| is_space(letter) || AROUND.contains(letter))
}

/// A name in the form in which names are compared: small letters, single blanks, no hyphens, `and` for `&`.
pub(super) fn normal(text: &str) -> String {
    let mut text = bare(text);
    while let Some(shorter) = without_filler(text) {
        text = shorter;
    }
    let text = text.replace('&', " and ").to_lowercase();
    let words: Vec<&str> = text
        .split(|letter| is_space(letter) || letter == '-' || letter == '_')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// The text without `the` before it or `strategy` after it, if one of them is there.
fn without_filler(text: &str) -> Option<&str> {
    const LAST: &str = "strategy";
    let after = after_word(text, "the").filter(|rest| rest.starts_with(is_space));
    let before = || {
        let (rest, last) = text.split_at_checked(text.len().checked_sub(LAST.len())?)?;
        (last.eq_ignore_ascii_case(LAST) && rest.ends_with(is_space)).then_some(rest)
    };
    after.or_else(before).map(bare)
}

impl Dataset {
    /// The strategy of a name: in any case, with brackets, quotes or dots around it, or by another name.
    pub fn strategy(self, name: &str) -> Option<&'static str> {
        let name = normal(name);
        let mut known = self.strategies().iter().map(|tool| tool.name);
        let alias = self.aliases().iter().find(|(alias, _)| *alias == name);
        known.find(|known| normal(known) == name).or(alias.map(|(_, known)| *known))
    }

    /// The strategies that a step names.
    ///
    /// # Errors
    /// When a part of it is the name of none.
    pub(super) fn strategies_of(self, step: usize, text: &str) -> Result<Vec<&'static str>, FormatError> {
        let dataset = self;
        self.strategies_in(text).map_err(|name| FormatError::UnknownStrategy { step, name, dataset })
    }

    /// The strategies that a text names: one, or several with commas, arrows, `and` or the like between.
    ///
    /// # Errors
    /// The first part that is the name of none.
    fn strategies_in(self, text: &str) -> Result<Vec<&'static str>, String> {
        if let Some(strategy) = self.strategy(text) {
            return Ok(vec![strategy]);
        }
        let mut found = Vec::new();
        for part in text.replace("->", ",").split([',', '+', '/', '→', '、', ';']) {
            if let Some(strategy) = self.strategy(part) {
                found.push(strategy);
                continue;
            }
            for name in parted(part) {
                found.push(self.strategy(&name).ok_or_else(|| bare(&name).to_owned())?);
            }
        }
        if found.is_empty() {
            return Err(trimmed(text).to_owned());
        }
        Ok(found)
    }
}

/// The parts between ` and ` or `&`.
fn parted(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in text.replace('&', " & ").split(is_space) {
        if word == "&" || word.eq_ignore_ascii_case("and") {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(if part.is_empty() { "" } else { " " });
            part.push_str(word);
        }
    }
    parts.retain(|part| !bare(part).is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_in_many_forms() {
        for name in ["Hint", "hints.", "[HINT]", "the 'Hint' strategy", "“Hint”。", "The Hint"] {
            assert_eq!(Dataset::Cima.strategy(name), Some("Hint"), "{name}");
        }
        for name in ["Self disclosure", "self-Disclosure", "the self_disclosure strategy"] {
            assert_eq!(Dataset::Psyqa.strategy(name), Some("Self-disclosure"), "{name}");
        }
        assert_eq!(Dataset::Cima.strategy("Open-Ended Question"), Some("Question"));
        assert_eq!(Dataset::Psyqa.strategy("Approval & Reassurance"), Some("Approval and Reassurance"));
        for name in ["", "Praise", "Information", "strategy", "the"] {
            assert_eq!(Dataset::Cima.strategy(name), None, "{name}");
        }
        assert_eq!(Dataset::Focus.strategy("PERSONA"), None);
    }

    #[test]
    fn several_names_are_parted() {
        let found =
            Dataset::Psyqa.strategies_in("Others, Approval and Reassurance -> Information & Restatement;").unwrap();
        let expected = ["Others", "Approval and Reassurance", "Information", "Restatement"];
        assert_eq!(found, expected);
        let cima = Dataset::Cima;
        assert_eq!(cima.strategies_in("Hint and Praise"), Err("Praise".into()));
        assert_eq!(cima.strategies_in(" "), Err(String::new()));
        assert_eq!(cima.strategies_in("Hint/Question、Others→Hint").unwrap().len(), 4);
    }
}
