//! The page of an episode: its transcript with the eyes of a seat, the score, what models took, its branches, and
//! the form that takes a seat of it.

use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use maud::{Markup, html};
use serde::Deserialize;

use super::page::{Page, Problem, blocking, encoded, of_episode, of_run};
use super::shared::{Known, Shared, TakeSeat};
use super::snapshot::Snapshot;
use super::turns::{turns, viewers};
use rolecall_core::domain::{EpisodeId, Message, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{LogError, RecordedEpisode, RunLog, recorded_visibility};
use rolecall_core::ports::Measurement;
use rolecall_core::reports::html::{Shown, lines};
use rolecall_core::reports::{RunOverview, ending};

/// How the page is looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// The seat whose eyes are borrowed.
    seen: String,
    /// `columns`: a column for each seat.
    view: String,
}

/// The episode that an address names.
pub(super) fn named(snapshot: &Snapshot, episode: &str) -> Result<EpisodeId, Problem> {
    let id: Option<EpisodeId> = episode.parse().ok();
    id.filter(|id| snapshot.log.has(id))
        .ok_or_else(|| Problem::missing(format!("This run has no episode `{episode}` so far.")))
}

/// Reads an episode.
pub(super) async fn read(log: &RunLog, id: &EpisodeId) -> Result<RecordedEpisode, Problem> {
    let (log, id) = (log.clone(), id.clone());
    blocking(move || Ok(log.episode(&id)?)).await
}

/// The page.
pub(super) async fn page(
    State(site): Known,
    Path((run, episode)): Path<(String, String)>,
    Query(look): Query<Look>,
) -> Result<Page, Problem> {
    let snapshot = site.runs.of(&run)?.fresh().await?;
    let id = named(&snapshot, &episode)?;
    let episode = read(&snapshot.log, &id).await?;
    let branches = site.overviews.get().await?;
    let others: Vec<&RunOverview> = branches
        .iter()
        .filter(|line| {
            let parent = line.parent.as_ref();
            parent.is_some_and(|parent| parent.run == run && parent.episodes.contains_key(&id))
        })
        .collect();
    let body = body(&snapshot, &episode, &look)?;
    let main = html! {
        (body)
        @if !others.is_empty() {
            section {
                h2 { "Branches" }
                ul {
                    @for other in others {
                        li {
                            a href=(of_episode(&other.found.name, &id)) { (Shown(&other.found.name)) }
                            " "
                            a href={
                                "/compare?a=" (encoded(&format!("{run}/{id}")))
                                "&b=" (encoded(&format!("{}/{id}", other.found.name)))
                            } { "compare" }
                        }
                    }
                }
            }
        }
        (site.take_over(&run, &episode))
    };
    Ok(Page::new(id.to_string(), main).below(of_run(&run), &run))
}

fn body(snapshot: &Snapshot, episode: &RecordedEpisode, look: &Look) -> Result<Markup, LogError> {
    let (log, id) = (episode.log(), &episode.id);
    let opened = log.opened();
    let user = opened.and_then(|opened| opened.user.as_deref());
    let shown = turns(&snapshot.name, episode, &recorded_visibility(snapshot.log.folder(), &id.cell, user)?, 0);
    let outcome = log.outcome();
    let live = (outcome.is_none() && snapshot.running).then(|| {
        let after = episode.events.len().saturating_sub(1);
        let (run, id) = (of_run(&snapshot.name), encoded(&id.to_string()));
        format!("/api{run}/events?episode={id}&after={after}")
    });
    let columns = look.view == "columns";
    Ok(html! {
        @if let Some(opened) = opened {
            p.dim {
                "task " (Shown(&opened.task.id))
                " · strategy " (Shown(&opened.strategy))
                @if let Some(user) = &opened.user { " · user " (Shown(user)) }
                @if !opened.task.kind.is_empty() { " · type " (Shown(&opened.task.kind)) }
            }
            p.request { (lines(&opened.task.text, 5_000)) }
        }
        p #ending class=(if outcome.is_some_and(|outcome| outcome.success) { "good" } else { "" }) {
            @match outcome {
                Some(outcome) => (ending(outcome)),
                None if snapshot.running => "Being played.",
                None => "The log ends here: the run was interrupted.",
            }
        }
        (switch(episode, look))
        ol #turns.turns.columns[columns] data-live=[live] {
            @for turn in &shown { (turn.markup(&look.seen, true)) }
        }
        (figures(snapshot, id))
        (model_times(snapshot, id))
    })
}

/// The switches of the page: whose eyes, and which form. Without the script it is a form like any other.
fn switch(episode: &RecordedEpisode, look: &Look) -> Markup {
    let viewers = viewers(episode);
    html! {
        form #look.filters method="get" {
            label {
                "seen by "
                select name="seen" #seen {
                    option value="" { "everybody together" }
                    @for seat in viewers.iter().map(Seat::as_str) {
                        option value=(seat) selected[look.seen == seat] { (Shown(seat)) }
                    }
                }
            }
            label {
                "as "
                select name="view" #view {
                    option value="" { "one flow" }
                    option value="columns" selected[look.view == "columns"] { "a column for each seat" }
                }
            }
            button { "Show" }
            span.note.keys { "keys: j k next and previous, g G first and last, / find on the page" }
        }
    }
}

/// The figures of the metrics.
fn figures(snapshot: &Snapshot, id: &EpisodeId) -> Markup {
    let result: Option<&EpisodeResult> = snapshot.result(id);
    let text = |measurement: Measurement| match measurement {
        Measurement::Rate(yes) => Some(if yes { "yes" } else { "no" }.to_owned()),
        Measurement::Value(value) => Some(value.to_string()),
        Measurement::Share { hits, n } => Some(format!("{hits} of {n}")),
        Measurement::Sum { sum, n } => Some(format!("{sum} of {n}")),
        Measurement::Absent => None,
    };
    html! {
        @if let Some(result) = result {
            section #score {
                h2 { "Score" }
                dl.pairs {
                    @for name in result.measures.names() {
                        @if let Some(text) = text(result.measures.get(name)) {
                            div { dt { (Shown(name)) } dd { (text) } }
                        }
                    }
                }
            }
        }
    }
}

/// Times of calls of models, by the clock.
fn model_times(snapshot: &Snapshot, id: &EpisodeId) -> Markup {
    let timings = snapshot.log.timings();
    let models = timings.iter().find(|timing| timing.episode == *id).map(|timing| &timing.models);
    html! {
        @if let Some(models) = models.filter(|models| !models.is_empty()) {
            section #calls {
                h2 { "Calls of models" }
                div.scroll role="region" tabindex="0" aria-label="Calls of models" {
                    table {
                        thead { tr {
                            th scope="col" { "model" }
                            @for head in ["calls", "failed", "from the cache", "waited s", "asked s"] {
                                th.number scope="col" { (head) }
                            }
                        } }
                        tbody {
                            @for (model, tally) in models {
                                tr {
                                    th scope="row" { (Shown(model)) }
                                    td.number { (tally.calls) }
                                    td.number { (tally.failed) }
                                    td.number { (tally.cache_hits) }
                                    td.number { (format!("{:.2}", tally.waited_ms / 1e3)) }
                                    td.number { (format!("{:.2}", tally.latency_ms / 1e3)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Shared {
    /// The form, where the site lets people play.
    pub(super) fn take_over(&self, run: &str, episode: &RecordedEpisode) -> Markup {
        if !self.program.may_play() {
            return html! {};
        }
        // The last question to the user is where most is open; without one, the last turn of a role.
        let last = |wanted: fn(&Message) -> bool| {
            episode.events.iter().rfind(|event| wanted(&event.message)).map(|event| event.seq)
        };
        let last = last(|message| matches!(message, Message::Told(_)))
            .or_else(|| last(|message| matches!(message, Message::Brief(_))));
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
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "Nobody can play here: start the server with `rolecall serve web --play`.",
        ));
    }
    // Names of runs lead nowhere else.
    site.runs.of(&order.run)?;
    let taken = order.clone();
    let run =
        blocking(move || program.take_seat(&taken).map_err(|why| Problem::new(StatusCode::CONFLICT, why))).await?;
    site.overviews.forget().await;
    let (run, episode, seat) = (encoded(&run), encoded(&order.episode), encoded(&order.seat));
    Ok(Redirect::to(&format!("/seat/{run}/{episode}/{seat}")))
}
