//! The page of a run: how far it is, the table of all its episodes, the branches, and its report.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use maud::{Markup, html};

use super::address::of_run;
use super::branches;
use super::choice::{Choice, Part};
use super::page::Page;
use super::problem::Problem;
use super::rows::{self, Column, PAGE, ShownRow};
use super::shared::{Known, Shared};
use super::snapshot::Snapshot;
use rolecall_core::evaluation::Summary;
use rolecall_core::log::LogError;
use rolecall_core::reports::html::{Shown, sections};
use rolecall_core::reports::{NONE, Report, percent};
use rolecall_core::text::unique;

/// The page.
pub(super) async fn page(
    State(site): Known,
    Path(run): Path<String>,
    Query(choice): Query<Choice>,
    Query(part): Query<Part>,
) -> Result<Page, Problem> {
    let snapshot = site.runs.of(&run)?.fresh().await?;
    let family = branches::family(&site, &run).await?;
    let (name, known) = (snapshot.name.clone(), Arc::clone(&site));
    let made = tokio::task::spawn_blocking(move || {
        let view = snapshot.view(&choice)?;
        let part = Part { limit: Some(part.limit.unwrap_or(PAGE)), ..part };
        let shown = rows::shown(&snapshot, &view, part);
        let table = table(&snapshot, &choice, part, view.len(), &shown);
        let report = report(&known, &snapshot)?;
        Ok::<Markup, LogError>(html! {
            (progress(&snapshot))
            (table)
            (family)
            (report)
        })
    })
    .await
    .map_err(Problem::failed)?;
    Ok(Page::new(name, made.map_err(Problem::failed)?))
}

/// How far the run is, in one line.
fn progress(snapshot: &Snapshot) -> Markup {
    let planned = snapshot.log.record().episodes;
    let tally = snapshot.tally;
    let success = tally.success().map_or_else(|| NONE.to_owned(), percent);
    let address = format!("/api{}/events", of_run(&snapshot.name));
    html! {
        p #progress data-live=[snapshot.running.then_some(address)] {
            @if snapshot.running { span.live-dot aria-hidden="true" { "●" } " running: " }
            b #closed { (tally.closed) }
            @if let Some(planned) = planned { " of " (planned) }
            " episodes closed, "
            b #success { (success) }
            " % of those that count solved"
            @if snapshot.running { ", " b #open { (snapshot.open.len()) } " being played" }
            @else if planned.is_some_and(|planned| planned > tally.closed as u64) {
                "; interrupted: " code { "rolecall resume " (Shown(&snapshot.name)) } " goes on with it"
            }
        }
    }
}

/// The table of episodes with what chooses among them.
fn table(snapshot: &Snapshot, choice: &Choice, part: Part, total: usize, shown: &[ShownRow]) -> Markup {
    let columns = rows::columns(snapshot);
    let of = format!("/api{}/rows", of_run(&snapshot.name));
    html! {
        section #episodes {
            h2 { "Episodes" }
            (filters(snapshot, choice))
            p.note role="status" { span #total { (total) } " of " (snapshot.closed.len() + snapshot.open.len()) " episodes" }
            div #rows.rows role="region" tabindex="0" aria-label="Episodes" data-rows=(of)
                data-total=(total) data-version=(snapshot.version()) data-offset=(part.offset) {
                table {
                    thead { tr { @for (_, column) in &columns { (head(*column, choice)) } } }
                    tbody { @for own in shown { (row(own, &columns)) } }
                }
            }
            (pages(choice, part, total))
        }
    }
}

fn head(column: Column, choice: &Choice) -> Markup {
    let sorted = choice.sort == column.head;
    let down = !choice.down.is_empty();
    // A second click turns the order round; numbers begin with the largest.
    let next = if sorted != column.number || (sorted && down) { "" } else { "1" };
    let next = if sorted { if down { "" } else { "1" } } else { next };
    let order = match (sorted, down) {
        (false, _) => None,
        (true, true) => Some("descending"),
        (true, false) => Some("ascending"),
    };
    let address = choice.address(&[("sort", column.head), ("down", next)]);
    html! {
        th scope="col" aria-sort=[order] class=[column.class()] {
            a.sort href={ (address) "#episodes" } {
                (column.head)
                @match order { Some("descending") => " ▼", Some(_) => " ▲", None => "" }
            }
        }
    }
}

fn row(own: &ShownRow, columns: &[(usize, Column)]) -> Markup {
    html! {
        tr class=(own.mark) {
            @for (place, (text, (_, column))) in own.texts.iter().zip(columns).enumerate() {
                @if place == 0 { th scope="row" { a href=(own.href) { (text) } } }
                @else { td class=[column.class()] title=(text) { (text) } }
            }
        }
    }
}

fn filters(snapshot: &Snapshot, choice: &Choice) -> Markup {
    let closed = &snapshot.closed;
    let cells = snapshot.log.record().cells.iter();
    let cells: Vec<String> = cells.map(|cell| cell.as_str().to_owned()).collect();
    let kinds = unique(closed.iter().map(|result| result.kind.clone()));
    let users = unique(closed.iter().filter_map(|result| result.user.clone()));
    let mut endings = vec!["solved".to_owned(), "failed".to_owned()];
    endings.extend(unique(closed.iter().map(|result| result.ending_label())));
    let select = |name: &'static str, label: &str, chosen: &str, all: &[String]| {
        html! {
            @if all.len() > 1 {
                label {
                    (label) " "
                    select name=(name) {
                        option value="" { "all" }
                        @for one in all { option value=(one) selected[one == chosen] { (Shown(one)) } }
                    }
                }
            }
        }
    };
    html! {
        form #filters.filters method="get" action=(of_run(&snapshot.name)) {
            label { "find " input type="search" name="q" value=(choice.q) placeholder="episode or task"; }
            label { "in what was said " input type="search" name="said" value=(choice.said); }
            (select("ending", "ending", &choice.ending, &endings))
            (select("cell", "cell", &choice.cell, &cells))
            (select("kind", "type", &choice.kind, &kinds))
            (select("user", "user", &choice.user, &users))
            input type="hidden" name="sort" value=(choice.sort);
            input type="hidden" name="down" value=(choice.down);
            button { "Show" }
            a href={ (of_run(&snapshot.name)) "#episodes" } { "all" }
        }
    }
}

/// Ways to the other parts of the table, for who has no script.
fn pages(choice: &Choice, part: Part, total: usize) -> Markup {
    let limit = part.limit.unwrap_or(PAGE).max(1);
    let to = |offset: usize| {
        let offset = offset.to_string();
        choice.address(&[("offset", &offset)]) + "#episodes"
    };
    html! {
        @if total > limit {
            p.pages {
                @if part.offset > 0 { a href=(to(part.offset.saturating_sub(limit))) rel="prev" { "previous" } " " }
                span { (part.offset + 1) " to " (total.min(part.offset + limit)) }
                @if part.offset + limit < total { " " a href=(to(part.offset + limit)) rel="next" { "next" } }
            }
        }
    }
}

/// The parts of the report, of what is closed so far.
fn report(site: &Shared, snapshot: &Snapshot) -> Result<Markup, LogError> {
    // Copies, because reports are of results side by side; a run that goes on has a report when it is over.
    if snapshot.closed.is_empty() || snapshot.running {
        return Ok(html! {});
    }
    let results: Vec<_> = snapshot.closed.iter().map(|result| (**result).clone()).collect();
    let cells = &snapshot.log.record().cells;
    let registry = &site.registry;
    let summary =
        Summary::by(&results, cells, None)
            .in_order(&registry.kinds())
            .told_by(&results, cells, &|kind: &str| registry.measures(kind));
    let report = Report::of(&snapshot.log, &results, summary)?.staged(|episode| registry.scene(&episode.log()));
    Ok(html! { div.report { (sections(&report)) } })
}
