//! Common parts of the users: the talk as they see it, and ways of saying something.

use crate::domain::Seed;
use crate::environments::dialogue::cues::Talk;
use crate::environments::dialogue::words::{dialogue_task, talk};
use crate::ports::{Turn, UserError};

/// The last words to the user, and the talk up to there.
pub(super) fn said_and_talk(turn: &Turn) -> Result<(&str, Talk), UserError> {
    let failed = |why: &str| UserError::Failed(why.to_owned());
    let said = turn.question().ok_or_else(|| failed("nothing was said"))?;
    let task = dialogue_task(turn)
        .ok_or_else(|| failed("the task has no dialogue to go on with: this user is for dialogue tasks"))?;
    Ok((&said.text, talk(&turn.view, task)))
}

/// One of several ways of saying the same.
pub(super) fn one_of<'a>(seed: Seed, ways: &[&'a str]) -> &'a str {
    let index = seed.0 % ways.len().max(1) as u64;
    let index = usize::try_from(index).unwrap_or_default();
    ways.get(index).copied().unwrap_or_default()
}
