//! Metrics of questions to the user. All are left out where they are absent, but for the first question.

use super::Formula;
use crate::domain::Message;
use crate::evaluation::advice::Advice;
use crate::ports::{EpisodeLog, Measurement};

/// The step at which the user was first told something that was no response to a dialogue, from 1; absent if
/// it never was.
pub static FIRST_QUESTION: Formula = Formula::new("first_question", |log| {
    let place = log.events.iter().position(|event| event.message.is_question())?;
    let moves = log.events.iter().take(place).filter(|event| matches!(event.message, Message::Moved(_)));
    Some(Measurement::Value(moves.count() as f64))
});

/// Questions to the user that were asked before in the same trial: the same words and numbers in the same
/// order, whatever their case, marks and spaces. Absent where there is no user.
pub static REPEATED_QUESTIONS: Formula = Formula::optional("repeated_questions", |log| {
    has_user(log)?;
    Some(Measurement::Value(f64::from(Advice::of(log).repeated)))
});

/// Questions whose answer changed nothing, as far as the log alone can tell: no action from the answer to
/// the next question (or the end of the trial or round) names a thing that the answer brings up, and none stands in it
/// word by word. What is said without asking anything is no question, and does not end one.
///
/// A thing is a word that actions of the episode take as an argument or observations number (`drawer 1`).
/// An answer brings it up if the agent did not name it when it spoke, or if it chooses: it names fewer
/// numbers of a class than the agent did, or leaves out at least two of the things that the agent named. So
/// a `yes` to what the agent would do anyhow changes nothing, nor does an answer that knows nothing; that a
/// `no` kept the agent from something does not show. Questions without an answer do not count. Absent where
/// there is no user.
pub static IDLE_QUESTIONS: Formula = Formula::optional("idle_questions", |log| {
    has_user(log)?;
    Some(Measurement::Value(f64::from(Advice::of(log).idle)))
});

/// The share, 0 to 1, of answers with usable advice that the next action follows. Advice is usable if the
/// answer to a question brings up a thing (as for [`IDLE_QUESTIONS`]) and an action comes after it before
/// anything else is asked; the action follows it if it names such a thing, or stands in the answer word by
/// word. Absent if no answer of the episode has usable advice.
pub static ADVICE_FOLLOWED: Formula = Formula::optional("advice_followed", |log| {
    let advice = Advice::of(log);
    let share = || f64::from(advice.followed) / f64::from(advice.usable);
    (advice.usable > 0).then(|| Measurement::Value(share()))
});

/// Utterances to the user in an episode that was solved (ReSpAct Table 11). Absent if it was not, and
/// where there is no user.
pub static DIALOGUE_TURNS: Formula = Formula::optional("dialogue_turns", |log| {
    has_user(log)?;
    log.outcome().filter(|outcome| outcome.success)?;
    Some(Measurement::Value(f64::from(turns(log))))
});

/// The turns of a conversation with the user: all utterances to them, responses to a dialogue as well as questions.
pub(in crate::evaluation) fn turns(log: &EpisodeLog<'_>) -> u32 {
    let told = log.events.iter().filter(|event| matches!(event.message, Message::Told(_)));
    u32::try_from(told.count()).unwrap_or(u32::MAX)
}

/// None where there is no user.
fn has_user(log: &EpisodeLog<'_>) -> Option<()> {
    log.opened()?.user.as_ref().map(|_| ())
}
