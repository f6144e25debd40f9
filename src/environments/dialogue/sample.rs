//! One sample: a dialogue up to the user's last words, and how it was answered.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::text::dialogue::{Dataset, Source};

/// A context with what a response can draw on and is compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// The name in its data set, such as `focus/valid/5JDF0PZ69LE1/3` or `cima/1016`.
    pub id: String,
    /// The data set.
    pub dataset: Dataset,
    /// Who said what, in order; the last one is to be answered.
    pub dialogue: Vec<(String, String)>,
    /// What each source holds.
    pub sources: BTreeMap<Source, Vec<String>>,
    /// Recorded responses.
    pub references: Vec<String>,
    /// Which texts of a source the reference uses, by index.
    pub gold: BTreeMap<Source, Vec<usize>>,
    /// The strategies of each reference.
    pub strategies: Vec<Vec<String>>,
}

impl Sample {
    /// The words of the dialogue, without who says them.
    pub fn utterances(&self) -> impl Iterator<Item = &str> {
        self.dialogue.iter().map(|(_, text)| text.as_str())
    }

    /// Who spoke last, and what.
    pub fn last(&self) -> (&str, &str) {
        let last = self.dialogue.last();
        last.map_or(("", ""), |(speaker, text)| (speaker, text))
    }

    /// What the source holds; nothing if there is no such source.
    pub fn texts(&self, source: Source) -> &[String] {
        self.sources.get(&source).map_or(&[], Vec::as_slice)
    }
}

/// Which of several recorded responses are references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// The first.
    #[default]
    First,
    /// All of them.
    All,
    /// Each makes a sample of its own.
    Each,
}
