//! The dialogue of a task as rule-based roles and users read it.

use super::cues::{Talk, TalkLine};
use super::words::DialogueWords;
use crate::domain::{PublicTask, View};
use crate::ports::{Turn, Words};
use crate::prompts::utterances;

/// The task of a turn, if it comes with a dialogue.
pub(super) fn dialogue_task(turn: &Turn) -> Option<&PublicTask> {
    turn.task()
        .filter(|task| task.data.get("dialogue").is_some())
}

/// The talk as a seat may see it.
pub(super) fn talk(view: &View, task: &PublicTask) -> Talk {
    let conversation = DialogueWords.conversation(task);
    // Nobody is the user of a dialogue without words.
    let user = conversation.said.last().map_or("", |_| &conversation.user);
    let lines = utterances(view, &DialogueWords)
        .into_iter()
        .map(|(speaker, text)| TalkLine {
            user: speaker == user,
            text,
        });
    let dataset = task.data.get("dataset").and_then(|name| name.as_str());
    Talk::new(dataset.unwrap_or_default(), lines.collect())
}
