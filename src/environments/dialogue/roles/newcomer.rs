//! Answers in a subject of which nothing is known but the strategies that the data name: the one whose purpose or
//! example has most words in common with the last request, in the words of its example.

use super::scene::Scene;
use crate::environments::dialogue::cues::fits;
use crate::environments::dialogue::language::Tool;

/// Whoever answers in a subject that is new to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer<'a> {
    tools: &'static [Tool],
    request: &'a str,
}

impl<'a> Newcomer<'a> {
    pub(super) fn new(scene: &'a Scene<'_>) -> Self {
        Self { tools: scene.dataset.tools(), request: scene.talk.request() }
    }

    /// The strategy that fits best; the first of equal ones.
    pub(super) fn strategies(&self) -> Vec<&'static str> {
        let score = |tool: &Tool| {
            let about = format!("{} {} {}", tool.name, tool.description, tool.example);
            fits(self.request, &about)
        };
        // `max_by_key` takes the last of equal ones.
        let best = self.tools.iter().rev().max_by_key(|tool| score(tool));
        best.map(|tool| tool.name).into_iter().collect()
    }

    /// The example of a strategy; where the task shows none, its purpose, and else its name.
    pub(super) fn says(&self, strategy: &str) -> String {
        let tool = self.tools.iter().find(|tool| tool.name == strategy);
        let texts = tool.map(|tool| [tool.example, tool.description]);
        let mut texts = texts.into_iter().flatten();
        let said = texts.find(|text| !text.trim().is_empty());
        said.unwrap_or(strategy).to_owned()
    }

    pub(super) fn thought(&self) -> String {
        let strategy = self.strategies().join(", ");
        format!("The last words are: {} What fits them best is {strategy}.", self.request)
    }
}
