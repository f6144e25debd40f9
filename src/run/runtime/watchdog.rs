//! The watchdog: who keeps an arbiter's thread to itself, and for how long.
//!
//! The launcher has it look at the slots of all arbiters now and then. A turn that is still the same
//! at two looks has lasted since the first of them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::clock::Moment;
use super::slot::{Activity, EpisodeKey, Slot};
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, SCHEMA, Seat};

/// Somebody keeps a thread to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The episode.
    pub episode: EpisodeId,
    /// The one who blocks it: a seat, or `strategy` or `metrics`.
    pub who: String,
    /// The time so far.
    pub time: Duration,
    /// Other episodes that wait for the thread.
    pub others: usize,
    /// Its state.
    pub state: BlockedState,
}

/// The state of a blocked thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockedState {
    /// It goes on.
    GoesOn,
    /// The thread goes on with other things.
    Over,
    /// The thread was given up with all its episodes, which stay open.
    GivenUp,
}

impl fmt::Display for Blocked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { episode, who, .. } = self;
        let seconds = self.time.as_secs_f64().round();
        let all = match self.others {
            0 => "no other episode waits for it".to_owned(),
            1 => "1 other episode waits for it".to_owned(),
            more => format!("{more} other episodes wait for it"),
        };
        match self.state {
            BlockedState::GoesOn => {
                write!(formatter, "`{episode}` {who} has blocked its thread for {seconds} s; {all}")
            }
            BlockedState::Over => write!(formatter, "`{episode}` {who} no longer blocks its thread, after {seconds} s"),
            BlockedState::GivenUp => write!(
                formatter,
                "`{episode}` {who} has blocked its thread for {seconds} s: the thread is given up, \
                 and what plays there stays open ({all})"
            ),
        }
    }
}

/// Looks at the slots of a run.
pub(crate) struct Watchdog {
    plan: Arc<Plan>,
    began: Moment,
    /// The turn that each slot was in at the last look.
    seen: Vec<Option<Seen>>,
}

/// A turn that was seen to run.
#[derive(Clone, Copy, Debug)]
struct Seen {
    turn: u64,
    key: EpisodeKey,
    activity: Activity,
    since: Moment,
    others: usize,
    /// The time at which it is reported next.
    next: Duration,
    is_reported: bool,
}

/// The result of a look at the slots.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// The news that somebody should have.
    pub(crate) blocked: Vec<Blocked>,
    /// Slots whose threads are to be given up.
    pub(crate) hopeless: Vec<usize>,
    /// A line for `timings.jsonl` for each that is over.
    pub(crate) lines: Vec<u8>,
}

impl Watchdog {
    pub(crate) fn new(plan: Arc<Plan>) -> Self {
        Self { plan, began: Moment::now(), seen: Vec::new() }
    }

    /// Looks at every slot. A run that is to end has less patience: nobody waits for what is open.
    pub(crate) fn look(&mut self, slots: &[&Slot], ending: bool) -> Look {
        let mut look = Look::default();
        self.seen.resize(slots.len(), None);
        for (place, slot) in slots.iter().enumerate() {
            let running = slot.running();
            let before = self.seen[place].take();
            let is_same = |seen: &Seen| running.is_some_and(|(turn, ..)| turn == seen.turn);
            self.seen[place] = match (before, running) {
                (Some(seen), _) if is_same(&seen) => self.go_on(seen, slot, &mut look),
                (before, running) => {
                    if let Some(seen) = before.filter(|seen| seen.is_reported) {
                        self.tell(&seen, BlockedState::Over, &mut look);
                    }
                    running.map(|(turn, key, activity)| self.first(turn, key, activity))
                }
            };
            let hopeless = self.seen[place].is_some_and(|seen| self.is_hopeless(&seen, ending));
            if hopeless && let Some(seen) = self.seen[place].take() {
                self.tell(&seen, BlockedState::GivenUp, &mut look);
                look.hopeless.push(place);
            }
        }
        look
    }

    fn first(&self, turn: u64, key: EpisodeKey, activity: Activity) -> Seen {
        Seen {
            turn,
            key,
            activity,
            since: Moment::now(),
            others: 0,
            next: self.plan.run.watching.notice,
            is_reported: false,
        }
    }

    fn go_on(&self, mut seen: Seen, slot: &Slot, look: &mut Look) -> Option<Seen> {
        seen.others = slot.episodes().saturating_sub(1);
        if seen.since.elapsed() >= seen.next {
            seen.next *= 2;
            seen.is_reported = true;
            self.tell(&seen, BlockedState::GoesOn, look);
        }
        Some(seen)
    }

    /// Whether a turn has run for so long that nothing more is expected of its thread.
    fn is_hopeless(&self, seen: &Seen, ending: bool) -> bool {
        let watching = &self.plan.run.watching;
        let cell = self.plan.cells.get(seen.key.cell as usize);
        let deadline = cell.map_or(Duration::ZERO, |cell| cell.limits.turn);
        let patience = match ending {
            true => watching.notice,
            false => deadline + watching.grace,
        };
        seen.since.elapsed() >= patience
    }

    fn tell(&self, seen: &Seen, state: BlockedState, look: &mut Look) {
        let cell = self.plan.cells.get(seen.key.cell as usize);
        let (Some(cell), Some(episode)) = (cell, seen.key.id(&self.plan)) else {
            return;
        };
        let who = match seen.activity {
            Activity::Strategy => "strategy".to_owned(),
            Activity::Metrics => "metrics".to_owned(),
            Activity::Environment => Seat::Environment.to_string(),
            Activity::User => Seat::User.to_string(),
            Activity::Role(place) => match cell.roles.get(usize::from(place)) {
                Some(role) => role.role.to_string(),
                None => "role".to_owned(),
            },
        };
        let blocked = Blocked { episode, who, time: seen.since.elapsed(), others: seen.others, state };
        tracing::warn!("{blocked}");
        if state != BlockedState::GoesOn {
            let began = self.began.elapsed().saturating_sub(blocked.time);
            look.lines.extend(blocked.line(began));
        }
        look.blocked.push(blocked);
    }
}

impl Blocked {
    /// The line for `timings.jsonl`.
    fn line(&self, began: Duration) -> Vec<u8> {
        let line = json!({
            "schema": SCHEMA,
            "kind": "block",
            "episode": self.episode,
            "by": self.who,
            "others": self.others,
            "given_up": self.state == BlockedState::GivenUp,
            "began_ms": began.as_secs_f64() * 1e3,
            "blocked_ms": self.time.as_secs_f64() * 1e3,
        });
        format!("{line}\n").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_who_blocks_what() {
        let told = |others, state| {
            let blocked = Blocked {
                episode: "main:12:0".parse().unwrap(),
                who: "executor".to_owned(),
                time: Duration::from_millis(7_100),
                others,
                state,
            };
            blocked.to_string()
        };
        assert_eq!(
            told(63, BlockedState::GoesOn),
            "`main:12:0` executor has blocked its thread for 7 s; 63 other episodes wait for it"
        );
        assert_eq!(told(1, BlockedState::Over), "`main:12:0` executor no longer blocks its thread, after 7 s");
        assert_eq!(
            told(1, BlockedState::GivenUp),
            "`main:12:0` executor has blocked its thread for 7 s: the thread is given up, and what \
             plays there stays open (1 other episode waits for it)"
        );
    }
}
