//! How often an answer changed nothing.

use super::super::advice::Advice;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Questions whose answer changed nothing, as far as the log alone can tell: no action from the answer to
/// the next question (or the end of the go) names a thing that the answer brings up, and none stands in it
/// word by word. What is said without asking anything is no question, and does not end one.
///
/// A thing is a word that actions of the episode take as an argument or observations number (`drawer 1`).
/// An answer brings it up if the agent did not name it when it spoke, or if it chooses: it names fewer
/// numbers of a class than the agent did, or leaves out at least two of the things that the agent named. So
/// a `yes` to what the agent would do anyhow changes nothing, nor does an answer that knows nothing; that a
/// `no` kept the agent from something does not show. Questions without an answer do not count. Absent where there is no user.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdleQuestions;

impl Metric for IdleQuestions {
    fn name(&self) -> &'static str {
        "idle_questions"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        if log.opened().is_none_or(|opened| opened.user.is_none()) {
            return Measurement::Absent;
        }
        Measurement::Value(f64::from(Advice::of(log).idle))
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
