//! The list of runs, looked at again when it may have changed.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use maud::{Markup, html};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::page::{Page, Problem, blocking, of_run};
use super::site::{Known, Shared};
use rolecall_core::evaluation::measure_run;
use rolecall_core::log::{RunLog, is_running};
use rolecall_core::ports::Metric;
use rolecall_core::reports::html::Shown;
use rolecall_core::reports::{FoundRun, NONE, RunOverview, RunState, newest, percent};

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

/// The time for which a look is good: at least, and as a multiple of what it takes.
const FRESH: Duration = Duration::from_secs(1);
const SHARE: u32 = 8;

/// The runs below a folder.
pub(super) struct Overviews {
    logs: PathBuf,
    metrics: Vec<&'static dyn Metric>,
    last: Mutex<Option<Look>>,
}

struct Look {
    lines: Arc<Vec<RunOverview>>,
    at: Instant,
    took: Duration,
}

impl Overviews {
    pub(super) fn new(logs: PathBuf, metrics: Vec<&'static dyn Metric>) -> Self {
        Self { logs, metrics, last: Mutex::default() }
    }

    /// Has the next reader look anew.
    pub(super) async fn forget(&self) {
        self.last.lock().await.take();
    }

    #[expect(clippy::disallowed_methods, reason = "for what is shown when, no result")]
    /// The runs, newest first, as they were a moment ago.
    pub(super) async fn get(&self) -> Result<Arc<Vec<RunOverview>>, Problem> {
        let mut last = self.last.lock().await;
        let known = last.as_ref();
        if let Some(look) = known.filter(|look| look.at.elapsed() < FRESH.max(look.took * SHARE)) {
            return Ok(Arc::clone(&look.lines));
        }
        let known = known.map(|look| Arc::clone(&look.lines)).unwrap_or_default();
        let (logs, metrics) = (self.logs.clone(), self.metrics.clone());
        let looked = blocking(move || {
            let began = Instant::now();
            let lines = newest(&logs).into_iter().map(|run| look(run, &known, &metrics)).collect();
            Ok(Look { lines: Arc::new(lines), at: Instant::now(), took: began.elapsed() })
        });
        Ok(Arc::clone(&last.insert(looked.await?).lines))
    }
}

/// Looks into a run, unless it is over and was looked into before.
fn look(run: FoundRun, known: &[RunOverview], metrics: &[&'static dyn Metric]) -> RunOverview {
    let over = |line: &&RunOverview| line.state == RunState::Finished && line.found.began == run.began;
    match known.iter().find(|line| line.found.name == run.name).filter(over) {
        Some(line) if !is_running(&run.folder) => line.clone(),
        _ => RunOverview::of(run, &|log: &RunLog| measure_run(log, metrics)),
    }
}
