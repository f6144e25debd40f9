//! Taking a seat of an episode that was played, from a turn on: a branch, in which a person sits there.

use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use maud::{Markup, html};

use super::address::encoded;
use super::problem::Problem;
use super::shared::{Known, Shared, TakeSeat};
use super::turns::viewers;
use rolecall_core::domain::{Message, Seat};
use rolecall_core::log::RecordedEpisode;
use rolecall_core::reports::html::Shown;

impl Shared {
    /// The form, where the site lets people play.
    pub(super) fn take_over(&self, run: &str, episode: &RecordedEpisode) -> Markup {
        if !self.program.may_play() {
            return html! {};
        }
        // The last question to the user is where most is open; without one, the last turn of a role.
        let last = |wanted: fn(&Message) -> bool| {
            let found = episode.events.iter().rfind(|event| wanted(&event.message));
            found.map(|event| event.seq)
        };
        let told = last(|message| matches!(message, Message::Told(_)));
        let last = told.or_else(|| last(|message| matches!(message, Message::Brief(_))));
        html! {
            section #take {
                h2 { "Take a seat" }
                p {
                    "From a request on you answer instead of whoever sat there; everybody else plays as before. \
                     What comes of it is a run of its own, a branch of this one."
                }
                form.filters method="post" action="/take" {
                    input type="hidden" name="run" value=(run);
                    input type="hidden" name="episode" value=(episode.id);
                    label {
                        "seat "
                        select name="seat" {
                            @for seat in viewers(episode).iter().map(Seat::as_str) {
                                option value=(seat) { (Shown(seat)) }
                            }
                        }
                    }
                    label { "at or before event " input name="at" type="number" min="0" max=(episode.events.len().saturating_sub(1)) value=(last.unwrap_or_default()); }
                    button { "Take this seat from here" }
                }
            }
        }
    }
}

/// Begins the branch and leads to the seat.
pub(super) async fn take(State(site): Known, Form(order): Form<TakeSeat>) -> Result<Redirect, Problem> {
    let program = site.program.clone();
    if !program.may_play() {
        let text = "Nobody can play here: start the server with `rolecall serve web --play`.";
        return Err(Problem::new(StatusCode::FORBIDDEN, text));
    }
    // Names of runs lead nowhere else.
    site.runs.of(&order.run)?;
    let taken = order.clone();
    let begun = tokio::task::spawn_blocking(move || program.take_seat(&taken)).await;
    let run = begun.map_err(Problem::failed)?.map_err(|why| Problem::new(StatusCode::CONFLICT, why))?;
    site.overviews.forget().await;
    let (run, episode, seat) = (encoded(&run), encoded(&order.episode), encoded(&order.seat));
    Ok(Redirect::to(&format!("/seat/{run}/{episode}/{seat}")))
}
