//! The difference between a second play of an episode and its log.

use rolecall_core::domain::{Event, Message};

/// The first difference between a second play and the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} differs\n  in the log: {logged}\n  played now: {replayed}")]
pub struct Difference {
    /// Position of the event.
    pub seq: usize,
    /// The event in the log, or `nothing`.
    pub logged: String,
    /// The event of the second play, or `nothing`.
    pub replayed: String,
}

impl Difference {
    pub(super) fn new(seq: usize, log: &[Event], replayed: String) -> Self {
        Self { seq, logged: shown_or_nothing(log.get(seq)), replayed }
    }

    /// The difference between an event of the log and the one that takes its place.
    pub(super) fn between(logged: &Event, replayed: &Event) -> Self {
        Self { seq: logged.seq as usize, logged: shown(logged), replayed: shown(replayed) }
    }
}

pub(super) fn shown_or_nothing(event: Option<&Event>) -> String {
    event.map_or_else(|| "nothing".to_owned(), shown)
}

/// An event as differences show it.
pub(super) fn shown(event: &Event) -> String {
    let cause = event.cause.map(|cause| format!(" because of {cause}")).unwrap_or_default();
    match serde_json::to_string(&event.message) {
        Ok(message) => format!("{} to {}{cause}: {message}", event.from, event.to),
        Err(_) => format!("{event:?}"),
    }
}

/// Whether two events are the same as far as another cast can bring them about: it is named when
/// the episode opens, and its limits and habits show in briefs.
pub(super) fn alike(logged: &Event, own: &Event) -> bool {
    let same_place = (logged.seq, logged.cause, &logged.from, &logged.to) == (own.seq, own.cause, &own.from, &own.to);
    same_place
        && match (&logged.message, &own.message) {
            (Message::Opened(logged), Message::Opened(own)) => logged.task == own.task,
            (Message::Brief(_), Message::Brief(_)) => true,
            (logged, own) => logged == own,
        }
}
