//! The page of a run: how far it is, the table of all its episodes, the branches, and its report.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use maud::{Markup, html};

use super::choice::{Choice, Part};
use super::page::{Page, Problem, blocking, encoded, of_run};
use super::rows::{self, Column, PAGE, ShownRow};
use super::shared::{Known, Shared};
use super::snapshot::Snapshot;
use rolecall_core::evaluation::Summary;
use rolecall_core::log::LogError;
use rolecall_core::reports::html::{Shown, sections};
use rolecall_core::reports::{NONE, Report, RunOverview, percent};
use rolecall_core::text::unique;

/// The page.
pub(super) async fn page(
    State(site): Known,
    Path(run): Path<String>,
    Query(choice): Query<Choice>,
    Query(part): Query<Part>,
) -> Result<Page, Problem> {
    let snapshot = site.runs.of(&run)?.fresh().await?;
    let family = family(&site, &run).await?;
    let (name, known) = (snapshot.name.clone(), Arc::clone(&site));
    let made = blocking(move || {
        let view = snapshot.view(&choice)?;
        let part = Part { limit: Some(part.limit.unwrap_or(PAGE)), ..part };
        let table = table(&snapshot, &choice, part, view.len(), &rows::shown(&snapshot, &view, part));
        let report = report(&known, &snapshot)?;
        Ok(html! {
            (progress(&snapshot))
            (table)
            (family)
            (report)
        })
    });
    Ok(Page::new(name, made.await?))
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
                    tbody { @for line in shown { (row(line, &columns)) } }
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

fn row(line: &ShownRow, columns: &[(usize, Column)]) -> Markup {
    html! {
        tr class=(line.mark) {
            @for (place, (text, (_, column))) in line.texts.iter().zip(columns).enumerate() {
                @if place == 0 { th scope="row" { a href=(line.href) { (text) } } }
                @else { td class=[column.class()] title=(text) { (text) } }
            }
        }
    }
}

fn filters(snapshot: &Snapshot, choice: &Choice) -> Markup {
    let closed = &snapshot.closed;
    let cells: Vec<String> = snapshot.log.record().cells.iter().map(|cell| cell.as_str().to_owned()).collect();
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
    let to = |offset: usize| choice.address(&[("offset", &offset.to_string())]) + "#episodes";
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

/// The tree in which a run stands; nothing if it stands alone.
pub(super) async fn family(site: &Arc<Shared>, run: &str) -> Result<Markup, Problem> {
    let lines = site.overviews.get().await?;
    let root = root(&lines, run);
    let alone = !lines.iter().any(|line| parent(line) == Some(root));
    Ok(html! {
        @if !alone {
            section #branches {
                h2 { "Branches" }
                p { "Runs that go on from a turn of another one, with how many of their episodes are solved." }
                ul.tree { (branch(&lines, root, run, 0)) }
            }
        }
    })
}

fn parent(line: &RunOverview) -> Option<&str> {
    line.parent.as_ref().map(|parent| parent.run.as_str())
}

/// The run from which all others of the family come, as far as it is there.
fn root<'a>(lines: &'a [RunOverview], run: &'a str) -> &'a str {
    let mut root = run;
    // A folder that was renamed may be its own parent.
    for _ in 0..lines.len() {
        match lines.iter().find(|line| line.found.name == root).and_then(parent) {
            Some(parent) if parent != run => root = parent,
            _ => break,
        }
    }
    root
}

fn branch(lines: &[RunOverview], name: &str, here: &str, depth: usize) -> Markup {
    let line = lines.iter().find(|line| line.found.name == name);
    let below: Vec<&RunOverview> = lines
        .iter()
        .filter(|line| parent(line) == Some(name) && line.found.name != name)
        .filter(|_| depth < lines.len())
        .collect();
    let success = line.and_then(|line| line.tally.success()).map_or_else(|| NONE.to_owned(), percent);
    let fork = line.and_then(|line| line.parent.as_ref());
    html! {
        li {
            @match line {
                Some(_) => a href=(of_run(name)) aria-current=[(name == here).then_some("page")] { (Shown(name)) },
                None => span { (Shown(name)) " (not here)" },
            }
            @if line.is_some() { " " span.dim { (success) " %" } }
            @if let Some(fork) = fork {
                " " span.dim {
                    "left " (Shown(&fork.run)) " at " (Shown(&fork.at)) " in " (fork.episodes.len()) " episodes"
                }
                @if let Some((id, _)) = fork.episodes.iter().next() {
                    " "
                    a href={
                        "/compare?a=" (encoded(&format!("{}/{id}", fork.run))) "&b=" (encoded(&format!("{name}/{id}")))
                    } { "compare " (id) }
                }
            }
            @if !below.is_empty() {
                ul { @for line in below { (branch(lines, &line.found.name, here, depth + 1)) } }
            }
        }
    }
}
