//! An episode as OpenEnv has it: begun by a reset, moved on by steps, with a reward for each.

use serde::Serialize;
use serde_json::{Value, json};

use super::observation::{Seen, questions, sections};
use super::wire::{Frame, WireError};
use super::{Current, Server};
use crate::serve::{Order, Session};
use rolecall_core::domain::Seat;
use rolecall_core::roles::reader::{read_move, read_words};

/// An episode that a client plays.
pub(super) struct Play {
    session: Session,
    /// The event from which on the client has seen nothing before its last move.
    since: usize,
    /// The sections of the brief before that.
    sections: u64,
    /// The client's moves.
    steps: u32,
    /// The questions that they asked.
    questions: u32,
    /// The questions of the last move.
    asked: u32,
}

/// The answer to a reset or a step.
#[derive(Debug, Serialize)]
pub(super) struct Observed<'a> {
    observation: Seen<'a>,
    /// The reward of the step; none for a reset.
    reward: Option<f64>,
    done: bool,
}

/// How things stand.
#[derive(Debug, Serialize)]
pub(super) struct State {
    episode_id: String,
    step_count: u32,
    /// The episode in the log of the run.
    episode: String,
    done: bool,
}

impl Play {
    /// Begins an episode.
    pub(super) async fn begin(server: &Server, order: Order) -> Result<Self, WireError> {
        Ok(Self {
            session: server.sessions.begin(order).await?,
            since: 0,
            sections: 0,
            steps: 0,
            questions: 0,
            asked: 0,
        })
    }

    /// Takes a move. One that cannot be read costs an attempt at the turn, as a model's does.
    pub(super) async fn step(&mut self, server: &Server, data: Value) -> Result<(), WireError> {
        let turn = self.session.turn().ok_or_else(WireError::no_episode)?;
        let since = turn.view.starting_at(self.since).last().map_or(self.since, |event| event.seq as usize + 1);
        let before = turn.brief().map_or(0, sections);
        if turn.seat == Seat::User {
            self.session.reply(read_words(data).map_err(WireError::invalid)?).await?;
        } else {
            let brief = turn.brief().ok_or_else(WireError::no_episode)?;
            match read_move(data, brief, turn.task(), server.world_of(&self.session)) {
                Ok(answer) => self.session.answer(answer).await?,
                Err(why) => self.session.refuse(why).await?,
            }
        }
        self.steps += 1;
        (self.since, self.sections) = (since, before);
        let (view, seat) = (self.session.view(), server.sessions.seat());
        self.asked = view.map_or(0, |view| questions(view, since, seat));
        self.questions += self.asked;
        Ok(())
    }

    /// The answer to the client's last message.
    pub(super) fn observed<'a>(&'a self, server: &Server) -> Observed<'a> {
        let mut seen =
            Seen::of(&self.session, self.since, self.sections, server.sessions.seat(), server.world_of(&self.session));
        seen.tell("episode", json!(self.session.id()));
        seen.tell("questions", json!(self.questions));
        let outcome = self.session.outcome();
        let cost = f64::from(self.asked) * server.sessions.plan().serve.question_cost;
        let reward = outcome.map_or(0.0, |outcome| outcome.reward) - cost;
        Observed {
            observation: seen,
            reward: (self.steps > 0 || outcome.is_some()).then_some(reward),
            done: outcome.is_some(),
        }
    }

    /// Whether the episode is over.
    pub(super) fn is_over(&self) -> bool {
        self.session.outcome().is_some()
    }

    /// The answer as a message.
    pub(super) fn line(&self, server: &Server) -> String {
        Frame { r#type: "observation", data: self.observed(server) }.line()
    }

    /// How things stand.
    pub(super) fn state(&self) -> State {
        State {
            episode_id: self.session.name(),
            step_count: self.steps,
            episode: self.session.id().to_string(),
            done: self.is_over(),
        }
    }
}

/// How things stand, as a message.
pub(super) fn state_line(current: &Current) -> Result<String, WireError> {
    Ok(Frame { r#type: "state", data: current.as_ref().ok_or_else(WireError::no_episode)?.state() }.line())
}
