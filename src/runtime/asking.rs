//! How the conductor asks: it opens the one request, with what the seat is handed for its turn.

use std::sync::Arc;

use super::conductor::{Conductor, Next};
use super::pending::{Asked, Pending};
use super::protocol::{Ask, Request, WorldStep};
use crate::domain::{Ending, Seat, Seed, SeedParts};
use crate::ports::Turn;
use crate::ports::model::Calls;

impl Conductor {
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
                replay: if attempt == 0 {
                    Vec::new()
                } else {
                    self.record.world_so_far()
                },
                step: step.clone(),
            },
        };
        let request = Request {
            seat: seat.clone(),
            number,
            ask,
        };
        self.pending = Some(Pending {
            number,
            seat,
            attempt,
            cause,
            asked,
        });
        Next::Ask(request)
    }

    fn turn(&self, seat: &Seat, attempt: u32, number: u32) -> Turn {
        let so_far = self.seats.get(seat).copied().unwrap_or_default();
        let view =
            self.record
                .transcript()
                .visible_to(seat.clone(), so_far.seen, self.record.len());
        Turn {
            episode: self.setup.id.clone(),
            seat: seat.clone(),
            number: so_far.turns,
            attempt,
            view,
            seed: self.seed(seat, self.record.go(), so_far.turns, attempt),
            cancel: self.cancel.clone(),
            calls: Calls::new(Arc::clone(&self.book), number),
        }
    }

    pub(super) fn seed(
        &self,
        seat: &Seat,
        (trial, round): (u32, u32),
        turn: u32,
        attempt: u32,
    ) -> Seed {
        self.setup.seed.derive(&SeedParts {
            task: &self.setup.task.id,
            repeat: self.setup.id.repeat,
            trial,
            round,
            seat,
            turn,
            attempt,
            call: 0,
        })
    }
}
