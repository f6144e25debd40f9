//! The use that was made of the answers to questions, as far as the log alone can tell.

use super::exchanges::exchanges;
use super::mentioned_entities::MentionedEntities;
use crate::ports::EpisodeLog;

/// How the agent took what the user answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// Questions whose answer changed nothing.
    pub(super) idle: u32,
    /// Answers that bring a thing up, and that an action comes after before anything else is asked.
    pub(super) usable: u32,
    /// Those of them that the next action follows.
    pub(super) followed: u32,
}

impl Advice {
    /// That of an episode. Looking for things takes longest of all metrics: it is done once for all.
    pub(super) fn of(log: &EpisodeLog<'_>) -> Self {
        log.once(Self::found)
    }

    fn found(log: &EpisodeLog<'_>) -> Self {
        let exchanges = exchanges(&log.events);
        let mut found = Self::default();
        if exchanges.is_empty() {
            return found;
        }
        let entities = MentionedEntities::of(&log.events);
        for exchange in &exchanges {
            let Some(reply) = exchange.reply else {
                continue;
            };
            let advised = entities.advised(exchange);
            let actions = exchange.actions.iter();
            let mut takes_up =
                actions.map(|action| entities.takes_up(action, &advised, &reply.text));
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
