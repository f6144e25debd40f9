//! The conductor's questions: it opens the one request, with what the seat is handed for its turn.

use std::sync::Arc;

use super::conductor::{Conductor, Next};
use super::protocol::{Ask, Asked, Exchange, Pending, Request, WorldStep};
use rolecall_core::domain::{
    Action, Begun, Brief, Ending, Fork, Given, Limit, Message, MoveKind, Seat, Seed, SeedParts, Utterance,
};
use rolecall_core::ports::Turn;
use rolecall_core::ports::model::Calls;

impl Conductor {
    pub(super) fn begin(&mut self, cause: u32, begun: Begun) -> Next {
        self.record.begin(&begun);
        let seq = self.record_event(Some(cause), Seat::Conductor, Seat::Environment, Message::Begun(begun.clone()));
        self.ask_world(seq, WorldStep::Begin(begun), Ending::Failed)
    }

    pub(super) fn brief(&mut self, cause: u32, seat: Seat, mut brief: Brief) -> Next {
        brief.steps_left = self.record.steps_left(self.setup.limits.steps);
        if brief.steps_left == Some(0) {
            return self.out_of(cause, Limit::Steps);
        }
        if self.record.repeats(self.setup.limits.repeats) {
            return self.out_of(cause, Limit::Repeats);
        }
        if let Some(limit) = self.model_limit() {
            return self.out_of(cause, limit);
        }
        let asked = self.record.counts().questions;
        // What is spoken in a notation becomes part of a response; nobody is asked anything.
        let questions = self.most_questions().filter(|_| brief.notation.is_none());
        brief.questions_left = questions.map(|most| most.saturating_sub(asked));
        if brief.questions_left == Some(0) {
            brief.open = brief.open.without(MoveKind::Speak);
            brief.acts.clear();
        }
        let seq = self.record_event(Some(cause), Seat::Conductor, seat.clone(), Message::Brief(brief.clone()));
        self.ask(seat, 0, seq, Asked::Role(brief))
    }

    pub(super) fn perform(&mut self, cause: u32, action: Action) -> Next {
        let message = Message::Perform(action.clone());
        let seq = self.record_event(Some(cause), Seat::Conductor, Seat::Environment, message);
        self.ask_world(seq, WorldStep::Perform(action), Ending::Failed)
    }

    pub(super) fn tell(&mut self, cause: u32, utterance: Utterance) -> Next {
        if let Some(limit) = self.model_limit() {
            return self.out_of(cause, limit);
        }
        let asked = self.record.counts().questions;
        if !utterance.response && self.most_questions().is_some_and(|most| asked >= most) {
            return self.out_of(cause, Limit::Questions);
        }
        let seq = self.record_event(Some(cause), Seat::Conductor, Seat::User, Message::Told(utterance));
        self.ask(Seat::User, 0, seq, Asked::User)
    }

    /// The questions that may be asked in all; from where a study forbids them, no more than were asked.
    fn most_questions(&self) -> Option<u32> {
        let silent = |fork: &Fork| fork.silent && self.record.len() >= fork.events as usize;
        match self.fork.as_deref().is_some_and(silent) {
            true => Some(self.record.counts().questions),
            false => self.setup.limits.questions,
        }
    }

    /// Fact that a study gives before the next move.
    pub(super) fn due(&self) -> Option<Given> {
        let now = self.record.len();
        self.fork.as_deref()?.given.iter().find(|given| given.at as usize == now).cloned()
    }

    /// Hands over a fact. Nobody moves for it, and everybody hears it as any answer of the user.
    pub(super) fn give(&mut self, cause: u32, given: Given) -> Next {
        let (said, reply) = (Utterance::given(given.question), Utterance::given(given.answer));
        let asked = self.record_event(Some(cause), Seat::Conductor, Seat::User, Message::Told(said.clone()));
        let answer = self.record_event(Some(asked), Seat::User, Seat::Conductor, Message::Replied(reply.clone()));
        if self.record.transcript().visibility().environment_hears {
            return self.ask_world(answer, WorldStep::Hear(Box::new(Exchange { said, reply })), Ending::Failed);
        }
        self.advance(answer)
    }

    /// A limit is used up: the round ends.
    pub(super) fn out_of(&mut self, cause: u32, limit: Limit) -> Next {
        self.cut_short(cause, Ending::OutOf { limit })
    }

    /// The round ends so, unless the environment says that it is solved. Where it is over already
    /// (somebody was to learn from it), the episode does, since no round is scored twice.
    pub(super) fn cut_short(&mut self, cause: u32, ending: Ending) -> Next {
        if self.record.is_scored() {
            return self.close(Some(cause), ending);
        }
        self.assess(cause, ending)
    }

    pub(super) fn assess(&mut self, cause: u32, unsolved: Ending) -> Next {
        let seq = self.record_event(Some(cause), Seat::Conductor, Seat::Environment, Message::Assess);
        self.ask_world(seq, WorldStep::Assess, unsolved)
    }

    /// The exchange that the world is to hear after the user's reply, which this event holds, if it hears and the
    /// episode goes on.
    pub(super) fn world_hears(&self, pending: &Pending, reply: u32) -> Option<WorldStep> {
        let transcript = self.record.transcript();
        let hears = transcript.visibility().environment_hears && !self.is_stopped();
        let said = |seq: u32| match &transcript.get(seq as usize)?.message {
            Message::Told(said) | Message::Replied(said) => Some(said.clone()),
            _ => None,
        };
        if !hears || !matches!(pending.asked, Asked::User) {
            return None;
        }
        let (said, reply) = (said(pending.cause)?, said(reply)?);
        Some(WorldStep::Hear(Box::new(Exchange { said, reply })))
    }

    pub(super) fn ask_world(&mut self, cause: u32, step: WorldStep, unsolved: Ending) -> Next {
        self.ask(Seat::Environment, 0, cause, Asked::World { step, unsolved })
    }

    /// Opens a request.
    pub(super) fn ask(&mut self, seat: Seat, attempt: u32, cause: u32, asked: Asked) -> Next {
        let number = self.requests;
        self.requests += 1;
        let ask = match &asked {
            Asked::Role(_) | Asked::User => Ask::Turn(self.turn(&seat, attempt, number)),
            Asked::World { step, .. } => Ask::World {
                replay: match attempt {
                    0 => Vec::new(),
                    _ => self.record.world_so_far(),
                },
                step: step.clone(),
                calls: Calls::new(Arc::clone(&self.book), number),
            },
        };
        self.pending = Some(Pending { number, seat: seat.clone(), attempt, ending: None, cause, asked });
        Next::Ask(Request { seat, number, ask })
    }

    fn turn(&self, seat: &Seat, attempt: u32, number: u32) -> Turn {
        let so_far = self.seats.get(seat).copied().unwrap_or_default();
        let (trial, round) = self.record.trial_and_round();
        let view = self.record.transcript().visible_to(seat.clone(), so_far.seen, self.record.len());
        Turn {
            episode: self.setup.id.clone(),
            seat: seat.clone(),
            number: so_far.turns,
            attempt,
            view,
            seed: self.seed(seat, trial, round, so_far.turns, attempt),
            deadline: self.setup.limits.turn,
            cancel: self.cancel.clone(),
            calls: Calls::new(Arc::clone(&self.book), number),
        }
    }

    pub(super) fn seed(&self, seat: &Seat, trial: u32, round: u32, turn: u32, attempt: u32) -> Seed {
        self.turn_base().derive(&SeedParts {
            task: &self.setup.task.id,
            repeat: self.setup.repeat,
            trial,
            round,
            seat,
            turn,
            attempt,
            call: 0,
        })
    }

    /// Base seed of a turn that begins now: the run's, or that of the fork behind which it is.
    fn turn_base(&self) -> Seed {
        let fork = self.record.transcript().get(0).and_then(|event| match &event.message {
            Message::Opened(opened) => opened.fork.as_ref(),
            _ => None,
        });
        // What is taken over ends with a request: its answer is the first turn behind the fork.
        let now = self.record.len() as u32;
        fork.and_then(|fork| fork.seed_at(now)).unwrap_or(self.setup.seed)
    }
}
