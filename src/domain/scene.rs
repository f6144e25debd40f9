//! An episode as a world stages it for readers: what the user knew at the side, and what happened in short.

use std::collections::BTreeMap;

/// How readers are shown an episode. Texts are as they were written, not yet escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The heading of the panel at the side.
    pub title: String,
    /// What stands in the panel: names, each with its text.
    pub facts: Vec<(String, String)>,
    /// What is shown of events, by their numbers; the others are shown as they are.
    pub lines: BTreeMap<u32, SceneLine>,
}

/// What readers are shown of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneLine {
    /// Nothing: another event shows it.
    Hidden,
    /// This, in place of what it holds.
    Short(String),
    /// This, as words that are said.
    Said(String),
}
