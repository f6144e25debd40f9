//! How long the conversations of solved episodes were.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Utterances to the user in an episode that was solved (ReSpAct Table 11). Absent if it was not, and
/// where there is no user.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialogueTurns;

impl Metric for DialogueTurns {
    fn name(&self) -> &'static str {
        "dialogue_turns"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let has_user = log.opened().is_some_and(|opened| opened.user.is_some());
        let solved = log.outcome().is_some_and(|outcome| outcome.success);
        if !(has_user && solved) {
            return Measurement::Absent;
        }
        count(log, |message| matches!(message, Message::Told(_)))
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
