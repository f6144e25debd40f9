//! Where a turn loop stands, as a fold over the events.

use super::Turns;
use crate::domain::{Action, Ending, Event, Message, Move, Observation, RoleName, Utterance};
use crate::ports::{Directive, Strategy, StrategyError};

/// The turn loop of one episode.
pub(super) struct TurnLoop<T> {
    executor: RoleName,
    turns: T,
    /// How many rounds are played at most.
    rounds: u32,
    /// The round that is played.
    round: u32,
    /// The world has not shown itself in this round.
    unseen: bool,
    /// The world had nothing to be done from the beginning of this round.
    nothing_to_do: bool,
    now: Now,
}

/// The step that the events so far call for.
enum Now {
    Round(u32),
    Executor { after_thought: bool },
    Environment(Action),
    User(Utterance),
    Over(Ending),
    Closing,
}

impl Now {
    const EXECUTOR: Self = Self::Executor { after_thought: false };
}

impl<T: Turns> TurnLoop<T> {
    pub(super) fn new(executor: RoleName, turns: T, rounds: u32) -> Self {
        Self { executor, turns, rounds, round: 0, unseen: false, nothing_to_do: false, now: Now::Round(0) }
    }

    fn begun(&mut self, round: u32) {
        self.round = round;
        (self.unseen, self.nothing_to_do) = (true, false);
    }

    fn observed(&mut self, seen: &Observation) -> Now {
        self.nothing_to_do |= self.unseen && seen.done;
        self.unseen = false;
        match &seen.asks {
            _ if seen.done => Now::Over(Ending::Failed),
            Some(question) if self.turns.speaks() => Now::User(Utterance::text(&**question)),
            _ => Now::EXECUTOR,
        }
    }

    fn after_round(&self, solved: bool) -> Now {
        let next = self.round.saturating_add(1);
        if solved && !self.nothing_to_do && next < self.rounds { Now::Round(next) } else { Now::Closing }
    }
}

fn after_move(made: &Move) -> Now {
    match made {
        Move::Act { action } => Now::Environment(action.clone()),
        Move::Speak { text, act } => {
            Now::User(Utterance { text: text.clone(), act: act.clone(), ..Utterance::default() })
        }
        Move::Finish { .. } => Now::Over(Ending::GaveUp),
        Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } | Move::Learn { .. } => {
            Now::Executor { after_thought: true }
        }
    }
}

impl<T: Turns> Strategy for TurnLoop<T> {
    fn apply(&mut self, event: &Event) {
        self.turns.apply(&event.message);
        self.now = match &event.message {
            Message::Begun(begun) => return self.begun(begun.round),
            Message::Moved(made) => {
                let instead = self.turns.instead(made);
                after_move(instead.as_ref().unwrap_or(made))
            }
            // Nobody goes on because the world heard the last words of a user who left.
            Message::Observed(_) if matches!(self.now, Now::Over(_)) => return,
            Message::Observed(seen) => self.observed(seen),
            Message::Replied(reply) if reply.leaving => Now::Over(Ending::UserLeft),
            Message::Replied(_) => self.turns.over().map_or(Now::EXECUTOR, Now::Over),
            Message::Scored(scored) => self.after_round(scored.score.success),
            Message::Closed(_) => Now::Closing,
            Message::Opened(_) | Message::Entrusted(_) => return,
            Message::Brief(_) | Message::Repaired(_) | Message::Perform(_) => return,
            Message::Told(_) | Message::ModelCalled(_) | Message::Assess => return,
            Message::Fault(_) => return,
        };
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        Ok(match &self.now {
            Now::Round(round) => Directive::Begin { trial: 0, round: *round, keep_world: *round > 0 },
            Now::Executor { after_thought } => {
                Directive::Brief(self.executor.clone(), self.turns.brief(*after_thought))
            }
            Now::Environment(action) => Directive::Perform(action.clone()),
            Now::User(utterance) => Directive::Tell(utterance.clone()),
            Now::Over(unsolved) => Directive::Assess { unsolved: unsolved.clone() },
            Now::Closing => Directive::Close,
        })
    }
}
