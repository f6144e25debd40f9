//! Two episodes side by side, up to where they part and from there on.

use axum::extract::{Query, State};
use maud::{Markup, html};
use serde::Deserialize;

use super::episode::{named, read};
use super::page::{Page, Problem, of_episode};
use super::shared::{Known, Shared};
use super::turns::{Turn, turns};
use rolecall_core::domain::Visibility;
use rolecall_core::log::RecordedEpisode;
use rolecall_core::reports::ending;
use rolecall_core::reports::html::Shown;

/// Entries before the first difference that are shown.
const BEFORE: usize = 8;

/// The two, each as RUN/EPISODE.
#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(super) struct Two {
    a: String,
    b: String,
    /// Shows all that both have in common.
    all: String,
}

/// The page.
pub(super) async fn page(State(site): Known, Query(two): Query<Two>) -> Result<Page, Problem> {
    if two.a.is_empty() || two.b.is_empty() {
        return Ok(Page::new("Compare two episodes", form(&two)));
    }
    let (one, other) = (side(&site, &two.a).await?, side(&site, &two.b).await?);
    Ok(Page::new("Compare two episodes", both(&two, &one, &other)))
}

struct Side {
    run: String,
    episode: RecordedEpisode,
    turns: Vec<Turn>,
}

async fn side(site: &Shared, name: &str) -> Result<Side, Problem> {
    let (run, episode) = name
        .rsplit_once('/')
        .ok_or_else(|| Problem::missing(format!("`{name}` is no RUN/EPISODE, such as quickstart/main:0:0.")))?;
    let snapshot = site.runs.of(run)?.fresh().await?;
    let episode = read(&snapshot.log, &named(&snapshot, episode)?).await?;
    Ok(Side { turns: turns(run, &episode, &Visibility::default(), 0), run: run.to_owned(), episode })
}

fn form(two: &Two) -> Markup {
    html! {
        form.filters method="get" action="/compare" {
            label { "one " input name="a" value=(two.a) placeholder="RUN/EPISODE" required; }
            label { "other " input name="b" value=(two.b) placeholder="RUN/EPISODE" required; }
            button { "Compare" }
        }
    }
}

/// Entries that both begin with.
fn common(one: &[Turn], other: &[Turn]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other): &(&Turn, &Turn)| {
            (&one.seat, one.kind, &one.text) == (&other.seat, other.kind, &other.text)
        })
        .count()
}

fn both(two: &Two, one: &Side, other: &Side) -> Markup {
    let common = common(&one.turns, &other.turns);
    let from = if two.all.is_empty() { common.saturating_sub(BEFORE) } else { 0 };
    let whole_way = common == one.turns.len() && common == other.turns.len();
    let over = whole_way && one.episode.log().outcome() == other.episode.log().outcome();
    html! {
        (form(two))
        p role="status" {
            @if over { "They are the same to the end: " (common) " entries." }
            @else if whole_way { "All " (common) " entries are the same, but not how they end." }
            @else { "The first " (common) " entries are the same; then they part." }
            @if from > 0 {
                " "
                a href={ "?a=" (two.a) "&b=" (two.b) "&all=1" } { "Show all that is the same" }
            }
        }
        div.sides {
            (column(one, from, common, over))
            (column(other, from, common, over))
        }
    }
}

fn column(side: &Side, from: usize, common: usize, over: bool) -> Markup {
    let shown = side.turns.iter().enumerate().skip(from);
    let log = side.episode.log();
    html! {
        section {
            h2 {
                a href=(of_episode(&side.run, &side.episode.id)) { (Shown(&side.run)) " " (side.episode.id) }
            }
            ol.turns {
                @for (place, turn) in shown {
                    @if place == common && !over { li.parting { "here they part" } }
                    (turn.markup("", false))
                }
                @if side.turns.len() == common && !over { li.parting { "here it ends" } }
            }
            @if let Some(outcome) = log.outcome() { p.end { (ending(outcome)) } }
        }
    }
}
