//! The dialogue of a task as rule-based roles and users read it.

use super::dialogue::utterances;
use crate::domain::{PublicTask, View};
use crate::text::cues::{Line, Talk};

/// The talk as a seat may see it.
pub fn talk(view: &View, task: &PublicTask) -> Talk {
    let said = utterances(view);
    // Whoever spoke last in the task's dialogue is the user.
    let given = task.data.get("dialogue").and_then(|list| list.as_array());
    let last = given.and_then(|list| list.last());
    let user = last
        .and_then(|line| line.get("speaker")?.as_str())
        .unwrap_or_default();
    let lines = said.into_iter().map(|(speaker, text)| Line {
        user: speaker == user,
        text,
    });
    let dataset = task.data.get("dataset").and_then(|name| name.as_str());
    Talk::new(dataset.unwrap_or_default(), lines.collect())
}
