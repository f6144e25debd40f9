//! Texts that occur often, by numbers.

use rustc_hash::FxHashMap;

/// Texts in the order in which they first came, each with its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// All texts in their order.
    pub(super) texts: Vec<String>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// Names of these texts.
    pub(super) fn of(texts: &[String]) -> Self {
        let mut names = Self::default();
        for text in texts {
            names.add(text);
        }
        names
    }

    /// The number of a text, which is added if it is new.
    pub(super) fn add(&mut self, text: &str) -> u32 {
        if let Some(number) = self.number(text) {
            return number;
        }
        // There are never as many texts as that: each has several bytes.
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.to_owned());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The number of a text.
    pub(super) fn number(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// The text of a number; empty if there is none.
    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }
}
