//! Whether actions follow what the user replied, as far as the log alone can tell.

use std::collections::BTreeSet;

use super::exchanges::{Exchange, exchanges};
use super::mentioned_entities::MentionedEntities;
use super::normalise::normalise;
use crate::ports::EpisodeLog;

/// How the agent took what the user answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// Questions that were asked before in the same trial, in the same words.
    pub(super) repeated: u32,
    /// Questions whose answer changed nothing.
    pub(super) idle: u32,
    /// Answers that bring a thing up, and that an action comes after before anything else is asked.
    pub(super) usable: u32,
    /// Usable answers that the next action follows.
    pub(super) followed: u32,
}

impl Advice {
    /// Counts an episode's answers. Looking for entities takes longest of all metrics: it is done once for all.
    pub(super) fn of(log: &EpisodeLog<'_>) -> Self {
        log.once(Self::found)
    }

    fn found(log: &EpisodeLog<'_>) -> Self {
        let exchanges = exchanges(&log.events);
        let mut found = Self { repeated: repeated(&exchanges), ..Self::default() };
        if exchanges.iter().all(|exchange| exchange.reply.is_none()) {
            return found;
        }
        let entities = MentionedEntities::of(&log.events);
        for exchange in &exchanges {
            let Some(reply) = exchange.reply else {
                continue;
            };
            let advised = entities.advised(exchange);
            let reply = normalise(&reply.text);
            let mut takes_up = exchange.actions.iter().map(|action| entities.takes_up(action, &advised, &reply));
            let first = takes_up.next();
            if let Some(first) = first.filter(|_| !advised.is_empty()) {
                found.usable += 1;
                found.followed += u32::from(first);
            }
            let any = first == Some(true) || takes_up.any(|takes_up| takes_up);
            found.idle += u32::from(!any);
        }
        found
    }
}

fn repeated(exchanges: &[Exchange<'_>]) -> u32 {
    let mut made = BTreeSet::new();
    let new = |one: &Exchange<'_>| made.insert((one.trial, normalise(&one.said.text)));
    exchanges.iter().map(new).map(|new| u32::from(!new)).sum()
}
