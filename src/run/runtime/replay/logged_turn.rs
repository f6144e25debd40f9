//! Facts of an episode's log about the turn that is played again.

use crate::runtime::protocol::Reply;
use rolecall_core::domain::{Answer, Ending, EpisodeId, Event, Limit, Message, ModelCall, Seat};
use rolecall_core::log::{Digest, EventEncoder};

/// The reason why the episode of the log was over as soon as it was opened, if it was.
pub(super) fn broken_at_once(log: &[Event]) -> Option<String> {
    let after = |event: &&Event| !matches!(event.message, Message::Opened(_) | Message::Entrusted(_));
    match log.iter().find(after)? {
        Event { cause: None, from: Seat::Environment, message: Message::Fault(fault), .. } => {
            Some(fault.message.clone())
        }
        _ => None,
    }
}

/// The digest of the log's lines.
pub(super) fn digest_of(id: &EpisodeId, log: &[Event]) -> Digest {
    let encoder = EventEncoder::new(id);
    let mut digest = Digest::default();
    let mut line = Vec::new();
    for event in log {
        line.clear();
        // It was read from a line.
        if encoder.encode(event, &mut line).is_ok() {
            digest.add(&line);
        }
    }
    digest
}

/// The calls of models that the log has next.
pub(super) fn calls_at(log: &[Event], at: usize, seat: &Seat) -> Vec<ModelCall> {
    let call = |event: &Event| match &event.message {
        Message::ModelCalled(call) if event.from == *seat => Some(ModelCall::clone(call)),
        _ => None,
    };
    log[at..].iter().map_while(call).collect()
}

/// The ending that a clock, or a role that gives up, gave the episode while the request was open.
pub(super) fn struck(log: &[Event], cause: u32, seat: &Seat) -> Option<Ending> {
    let last = log.last()?;
    let Message::Closed(outcome) = &last.message else {
        return None;
    };
    let by_clock = matches!(outcome.ending, Ending::Cancelled | Ending::OutOf { limit: Limit::Time });
    let of_this_turn = |event: &Event| event.from == *seat && event.cause == Some(cause);
    let before = last.cause.and_then(|seq| log.get(seq as usize));
    let open = last.cause == Some(cause);
    let now = open || before.is_some_and(of_this_turn);
    (by_clock && now || open && outcome.ending == Ending::GaveUp).then(|| outcome.ending.clone())
}

/// A seat's answer, from the beginning of the rest of a log.
pub(super) fn taken(log: &[Event], seat: &Seat, cause: u32) -> Option<Reply> {
    let mut answer = Answer::default();
    for event in log {
        if event.from != *seat || event.cause != Some(cause) {
            break;
        }
        match &event.message {
            Message::Replied(utterance) => return Some(Reply::Utterance(utterance.clone())),
            Message::Observed(seen) => return Some(Reply::Observation(seen.clone())),
            Message::Scored(scored) => return Some(Reply::Score(scored.score.clone())),
            Message::Moved(made) => answer.moves.push(made.clone()),
            Message::Repaired(repair) => answer.repaired.push(repair.clone()),
            _ => break,
        }
    }
    (!answer.moves.is_empty()).then_some(Reply::Answer(answer))
}
