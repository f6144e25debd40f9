//! The turns of a seat: its calls of models, and what it answered.

use super::PlayedEpisode;
use rolecall_core::domain::{Choice, Event, Message, Move, MoveKind, Repair, Seat};
use rolecall_core::prompts::written;
use rolecall_run::runtime::RebuiltCall;

/// One attempt at a turn.
#[derive(Debug, Default)]
pub(super) struct SeatTurn<'a> {
    /// The seat's turn, from 0.
    pub(super) number: u32,
    /// The event of its first call or move.
    pub(super) first: u32,
    /// The request that it answers.
    cause: Option<u32>,
    /// Its calls of models.
    pub(super) calls: Vec<&'a RebuiltCall>,
    /// The moves; none if the attempt failed, or a user answered.
    pub(super) moves: Vec<&'a Move>,
    /// The words of a user.
    said: Option<&'a str>,
    /// The answer had to be mended.
    repaired: bool,
    /// The attempt failed.
    failed: bool,
}

impl<'a> SeatTurn<'a> {
    /// Whether it ended with an answer.
    pub(super) fn is_answered(&self) -> bool {
        !self.failed && (self.said.is_some() || !self.moves.is_empty())
    }

    /// Whether the answer is one that others may learn from.
    pub(super) fn is_clean(&self) -> bool {
        self.is_answered() && !self.repaired
    }

    /// The kind of its first move; what a user does is to speak.
    pub(super) fn kind(&self) -> Option<MoveKind> {
        self.moves.first().map(|made| made.kind()).or(self.said.map(|_| MoveKind::Speak))
    }

    /// The call and the choice that the answer was read from; none if several could be it.
    pub(super) fn answer(&self) -> Option<(&'a RebuiltCall, &'a Choice)> {
        // What could not be read was asked for again.
        let last = self.calls.iter().map(|call| call.call.again).max()?;
        let all: Vec<_> = self
            .calls
            .iter()
            .filter(|call| call.call.again == last)
            .flat_map(|call| call.call.reply.choices.iter().map(|choice| (*call, choice)))
            .collect();
        if let [only] = all[..] {
            return Some(only);
        }
        let words = match self.said {
            Some(said) => said.to_owned(),
            None => written(self.moves.first()?),
        };
        let fits = |choice: &Choice| {
            let mut arguments = choice.tool_calls.iter().map(|call| call.arguments.to_string());
            choice.text.contains(&words) || arguments.any(|text| text.contains(&words))
        };
        // A summary of what was before comes first, and is no answer.
        all.iter().rfind(|(_, choice)| fits(choice)).copied()
    }

    /// The only call, and the command, where the likeliest of several was taken and nothing written.
    pub(super) fn taken(&self) -> Option<(&'a RebuiltCall, &'a str)> {
        match (&self.calls[..], &self.moves[..]) {
            ([call], [Move::Act { action }]) if !call.call.reply.scores.is_empty() => Some((call, &action.text)),
            _ => None,
        }
    }
}

/// The attempts of a seat at its turns, in order.
pub(super) fn turns<'a>(episode: &'a PlayedEpisode, seat: &Seat) -> Vec<SeatTurn<'a>> {
    let mut all: Vec<SeatTurn<'a>> = Vec::new();
    let mut number = 0;
    for event in &episode.events {
        let is_turn = matches!(
            event.message,
            Message::ModelCalled(_)
                | Message::Moved(_)
                | Message::Replied(_)
                | Message::Repaired(_)
                | Message::Fault(_)
        );
        if event.from != *seat || !is_turn {
            continue;
        }
        let last = all.last();
        let called = matches!(event.message, Message::ModelCalled(_));
        if last.is_none_or(|last| last.cause != event.cause || last.failed || (called && last.is_answered())) {
            number += u32::from(last.is_some_and(|last| last.cause != event.cause));
            all.push(SeatTurn { number, first: event.seq, cause: event.cause, ..SeatTurn::default() });
        }
        if let Some(open) = all.last_mut() {
            open.take(episode, event);
        }
    }
    all
}

impl<'a> SeatTurn<'a> {
    fn take(&mut self, episode: &'a PlayedEpisode, event: &'a Event) {
        match &event.message {
            Message::ModelCalled(call) => {
                self.number = call.turn;
                let place = (episode.calls).binary_search_by_key(&event.seq, |call| call.seq);
                self.calls.extend(place.ok().and_then(|place| episode.calls.get(place)));
            }
            Message::Moved(made) => self.moves.push(made),
            Message::Replied(said) => self.said = Some(&said.text),
            // A prompt that was made to fit says nothing of its answer.
            Message::Repaired(repair) => self.repaired |= repair.code != Repair::LEFT_OUT,
            Message::Fault(_) => self.failed = true,
            _ => {}
        }
    }
}
