//! Seats of people: the page of a turn, and its answer. The owner comes by the address of a seat; holders of tickets
//! are given the next episode that waits, and see neither its run nor its cell.

mod answer;
pub(super) mod holders;
mod live;
mod page;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::{get, post};

use super::page::{Problem, encoded};
use super::shared::Shared;
use crate::serve::{Grant, Lobby, SeatKey};
use rolecall_core::domain::{RoleName, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::text::counted;

/// The parts of an address that name a seat; none in the address of who has a ticket.
type SeatPath = Option<Path<(String, String, String)>>;

pub(super) fn routes() -> Router<Arc<Shared>> {
    const OWN: &str = "/{run}/{episode}/{seat}";
    Router::new()
        .route("/seat", get(page::page).post(answer::form))
        .route(&format!("/seat{OWN}"), get(page::page).post(answer::form))
        .route("/api/seat/move", post(answer::json))
        .route("/api/seat/events", get(live::events))
        .route(&format!("/api/seat{OWN}/move"), post(answer::json))
        .route(&format!("/api/seat{OWN}/events"), get(live::events))
}

/// A seat, as somebody comes to it.
#[derive(Clone, Debug)]
struct Visit {
    /// The seat; none for the holder of a ticket while no episode waits.
    key: Option<SeatKey>,
    /// The page, and below `/api` its events.
    address: String,
    /// Nobody is to see which run and cell it is.
    blind: bool,
}

impl Shared {
    /// The lobby, if people play here.
    fn lobby(&self) -> Result<&Lobby, Problem> {
        let nobody = "Nobody can play here: `rolecall play CONFIG --seat SEAT --web`, or `rolecall serve web --play`.";
        self.lobby.as_ref().ok_or_else(|| Problem::missing(nobody))
    }

    /// The seat that an address names for whoever asks.
    fn visit(&self, path: &SeatPath, grant: Grant) -> Result<Visit, Problem> {
        let lobby = self.lobby()?;
        match (grant, path) {
            (Grant::Owner, Some(Path((run, episode, seat)))) => Ok(Visit {
                key: Some(key(run, episode, seat)?),
                address: format!("/seat/{}/{}/{}", encoded(run), encoded(episode), encoded(seat)),
                blind: false,
            }),
            (Grant::Ticket(number), None) if self.holders.may_play(number) => {
                Ok(Visit { key: self.holders.seat(number, lobby), address: "/seat".to_owned(), blind: true })
            }
            (Grant::Owner, None) => Ok(Visit { key: None, address: "/seat".to_owned(), blind: false }),
            _ => Err(Problem::new(StatusCode::FORBIDDEN, "Your ticket does not open this page.")),
        }
    }
}

/// The result of an episode, in a line.
fn ended(result: &EpisodeResult) -> String {
    let steps = counted(result.counts.steps.into(), "step", "steps");
    format!("{} after {steps}, reward {}", result.ending_label(), result.reward)
}

fn key(run: &str, episode: &str, seat: &str) -> Result<SeatKey, Problem> {
    let wrong = || Problem::missing(format!("`{run}/{episode}/{seat}` is no seat."));
    Ok(SeatKey {
        run: run.to_owned(),
        episode: episode.parse().map_err(|_| wrong())?,
        seat: match seat {
            "user" => Seat::User,
            role => Seat::Role(RoleName::new(role).map_err(|_| wrong())?),
        },
    })
}
