//! The list of runs.

use axum::extract::State;
use maud::{Markup, html};

use super::address::of_run;
use super::page::Page;
use super::problem::Problem;
use super::site::Known;
use crate::reports::html::Shown;
use crate::reports::{NONE, RunOverview, newest, percent};

/// The page of all runs.
pub(super) async fn page(State(site): Known) -> Result<Page, Problem> {
    let logs = site.logs.clone();
    let metrics = site.registry.measured();
    let looked = tokio::task::spawn_blocking(move || {
        let found = newest(&logs).into_iter();
        found
            .map(|run| RunOverview::of(run, &metrics))
            .collect::<Vec<_>>()
    });
    let lines = looked.await.map_err(Problem::failed)?;
    Ok(Page::new("Runs", list(&lines)))
}

fn list(lines: &[RunOverview]) -> Markup {
    html! {
        @if lines.is_empty() {
            p { "There are no runs here yet: " code { "rolecall run CONFIG" } " makes one." }
        } @else {
            div.scroll role="region" tabindex="0" aria-label="Runs" {
                table #runs {
                    thead {
                        tr {
                            th scope="col" { "run" }
                            th scope="col" { "began" }
                            th.number scope="col" { "episodes" }
                            th.number scope="col" { "success %" }
                            th scope="col" { "" }
                        }
                    }
                    tbody {
                        @for line in lines { (row(line)) }
                    }
                }
            }
        }
    }
}

fn row(line: &RunOverview) -> Markup {
    let success = line
        .tally
        .success()
        .map_or_else(|| NONE.to_owned(), percent);
    html! {
        tr {
            th scope="row" { a href=(of_run(&line.found.name)) { (Shown(&line.found.name)) } }
            td { (line.began()) }
            td.number { (line.episodes()) }
            td.number { (success) }
            td { (line.state.as_str()) }
        }
    }
}
