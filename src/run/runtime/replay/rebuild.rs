//! The requests of calls in a log: the log keeps a hash of each, and the request itself comes out when its
//! turn is played again.

use super::replayer::{ReplayRules, replay_watched};
use crate::config::Plan;
use crate::runtime::casting::cast_of;
use crate::runtime::over_log::block_on;
use crate::runtime::requests::{NotRebuilt, RebuiltCall};
use rolecall_core::domain::{EpisodeId, Event, Message, ModelCall};

/// Plays an episode of a log again and tells of each call of a model with its request, in the order of the
/// log. Answers of roles, users and the world are taken from the log, so that nobody is asked and nothing is
/// paid; only the turns that called models are taken once more, on the side, for their requests. Every call
/// of the log is told of, also of attempts that failed and of a turn that the log leaves open.
pub fn rebuild_requests(plan: &Plan, id: &EpisodeId, log: &[Event], each: &mut (dyn FnMut(RebuiltCall) + Send)) {
    let mut told = 0;
    let mut count = |call: RebuiltCall| {
        told = call.seq as usize + 1;
        each(call);
    };
    let Some(cast) = cast_of(plan, id, log) else {
        let why = NotRebuilt::NotPlayed(format!("the config plays no episode `{id}`"));
        return rest(log, 0, &why, each);
    };
    let rules = ReplayRules { taken: true, changed: true, ..ReplayRules::default() };
    let played = block_on(replay_watched(cast, log, rules, Some(&mut count)));
    let why = match played {
        Ok(Ok(_)) => NotRebuilt::Differs("it is over there".to_owned()),
        Ok(Err(difference)) => NotRebuilt::Differs(difference.to_string()),
        Err(error) => NotRebuilt::NotPlayed(format!("no timers for its turns: {error}")),
    };
    rest(log, told, &why, each);
}

/// Tells of the calls from a position on, none of which can be had again.
fn rest(log: &[Event], from: usize, why: &NotRebuilt, each: &mut (dyn FnMut(RebuiltCall) + Send)) {
    for event in log.iter().filter(|event| event.seq as usize >= from) {
        if let Message::ModelCalled(call) = &event.message {
            each(RebuiltCall {
                seq: event.seq,
                seat: event.from.clone(),
                call: ModelCall::clone(call),
                request: Err(why.clone()),
                follows: false,
            });
        }
    }
}
