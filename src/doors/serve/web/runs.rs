//! The list of runs, looked at again when it may have changed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::page::{Page, Problem, of_run};
use super::shared::{Known, Shared};
use rolecall_core::reports::html::Shown;
use rolecall_core::reports::{NONE, RunOverview, RunState, percent};

/// The time between two messages about the list.
const PAUSE: Duration = Duration::from_secs(2);

/// The page of all runs.
pub(super) async fn page(State(site): Known) -> Result<Page, Problem> {
    Ok(Page::new("Runs", list(&site.overviews.get().await?)))
}

fn list(lines: &[RunOverview]) -> Markup {
    let costs = lines.iter().any(|line| line.cost.is_some());
    html! {
        @if lines.is_empty() {
            p { "There are no runs here yet: " code { "rolecall run CONFIG" } " makes one." }
        }
        p { a href="/compare" { "Compare two episodes" } }
        div.scroll role="region" tabindex="0" aria-label="Runs" {
            table #runs data-live="/api/runs/events" {
                thead {
                    tr {
                        th scope="col" { "run" }
                        th scope="col" { "began" }
                        th.number scope="col" { "cells" }
                        th.number scope="col" { "episodes" }
                        th.number scope="col" { "success %" }
                        @if costs { th.number scope="col" { "cost" } }
                        th scope="col" { "state" }
                        th scope="col" { "goes on from" }
                    }
                }
                tbody { @for line in lines { (row(line, costs)) } }
            }
        }
    }
}

fn row(line: &RunOverview, costs: bool) -> Markup {
    let parent = line.parent.as_ref().map_or("", |parent| &parent.run);
    html! {
        tr data-run=(line.found.name) {
            th scope="row" { a href=(of_run(&line.found.name)) { (Shown(&line.found.name)) } }
            td { (line.began()) }
            td.number { (line.cells) }
            td.number.episodes { (line.episodes()) }
            td.number.success { (success(line)) }
            @if costs { td.number.cost { (line.price().unwrap_or_else(|| NONE.to_owned())) } }
            td.state {
                @if line.state == RunState::Running { span.live-dot aria-hidden="true" { "● " } }
                (line.state.as_str())
            }
            td { @if !parent.is_empty() { a href=(of_run(parent)) { (Shown(parent)) } } }
        }
    }
}

fn success(line: &RunOverview) -> String {
    line.tally.success().map_or_else(|| NONE.to_owned(), percent)
}

/// Changes of the list, as server-sent events.
pub(super) async fn events(State(site): Known) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = unfold((site, Value::Null), |(site, last)| async move {
        let (event, now) = change(&site, last).await?;
        Some((Ok(event), (site, now)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new())
}

/// Waits for a change; none once the server stops.
async fn change(site: &Arc<Shared>, last: Value) -> Option<(Event, Value)> {
    let _open = site.closing.open.token();
    loop {
        let now: Value = site
            .overviews
            .get()
            .await
            .ok()?
            .iter()
            .map(|line| {
                json!({
                    "run": line.found.name, "episodes": line.episodes(), "success": success(line),
                    "state": line.state.as_str(),
                })
            })
            .collect();
        if now != last {
            return Some((Event::default().event("runs").data(now.to_string()), now));
        }
        tokio::select! {
            () = site.closing.token.cancelled() => return None,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}
