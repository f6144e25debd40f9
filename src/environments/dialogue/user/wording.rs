//! What the users have in common: the talk as they see it, and ways of saying something.

use crate::domain::{Seed, Utterance};
use crate::environments::dialogue::cues::Talk;
use crate::environments::dialogue::talk;
use crate::ports::{Turn, UserError};

/// What was just said to the user, and the talk up to there.
pub(super) fn said_and_talk(turn: &Turn) -> Result<(&str, Talk), UserError> {
    let told = turn.question();
    let told = told.ok_or_else(|| UserError::Failed("nothing was said".to_owned()))?;
    let task = turn
        .task()
        .filter(|task| task.data.get("dialogue").is_some());
    let task = task.ok_or_else(|| {
        let why = "the task has no dialogue to go on with: this user is for dialogue tasks";
        UserError::Failed(why.to_owned())
    })?;
    Ok((&told.text, talk(&turn.view, task)))
}

/// One of several ways of saying the same.
pub(super) fn one_of<'a>(seed: Seed, ways: &[&'a str]) -> &'a str {
    let index = seed.0 % ways.len().max(1) as u64;
    let index = usize::try_from(index).unwrap_or_default();
    ways.get(index).copied().unwrap_or_default()
}

/// Last words.
pub(super) fn leave(text: &str) -> Utterance {
    Utterance {
        leaving: true,
        ..Utterance::text(text)
    }
}
