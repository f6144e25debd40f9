//! The episodes that are worth a look: lists, and their transcripts.

use std::path::Path;

use maud::{Markup, html};

use super::super::Report;
use super::all::all;
use super::dialogue::{anchor, transcript};
use super::escape::Shown;
use super::table::linked;
use crate::log::RecordedEpisode;
use crate::text::shell_path;

/// All episodes in one table, and the lists of those that are worth a look, linked to their transcripts.
pub(super) fn episodes(report: &Report<'_>) -> Markup {
    let picked = deterministic(report);
    let known = |place| picked.binary_search(&place).ok().and_then(|_| link(report, place));
    html! {
        section #episodes {
            h2 { "Episodes" }
            (all(report, &known))
            h3 { "Worth a look" }
            dl.lists {
                @for list in &report.picks.lists {
                    div {
                        dt { (list.title) }
                        dd {
                            @for place in &list.places { (named(report, *place)) " " }
                            @if list.more > 0 { "and " (list.more) " more" }
                        }
                    }
                }
            }
            (left_out(report))
        }
    }
}

/// An episode's name, which leads to its transcript.
fn named(report: &Report<'_>, index: usize) -> Markup {
    let id = report.results.get(index).map(|result| &result.episode);
    html! {
        @if let Some(id) = id {
            @match link(report, index) {
                Some(link) => a href={ "#" (link) } { (id) },
                None => (id),
            }
        }
    }
}

fn left_out(report: &Report<'_>) -> Markup {
    let places = deterministic(report);
    let more = report.results.len().saturating_sub(places.len());
    html! {
        p {
            (places.len()) " of " (report.results.len()) " transcripts are on this page. "
            @if more > 0 { "Any other one is printed by " } @else { "They are also printed by " }
            code { "rolecall show " (Shown(&shell_path(Path::new(&report.name)))) " EPISODE" }
            " (or with the path of the run's folder, if it is not below " code { "logs" } ")."
        }
    }
}

/// The places of the picked episodes, each once, in order.
fn deterministic(report: &Report<'_>) -> Vec<usize> {
    let mut places: Vec<usize> = report.picks.places().collect();
    places.sort_unstable();
    places.dedup();
    places
}

fn recorded<'a>(report: &'a Report<'_>, position: usize) -> Option<&'a RecordedEpisode> {
    let wanted = &report.results.get(position)?.episode;
    report.transcripts.iter().find(|episode| episode.id == *wanted)
}

/// The link to the transcript of an episode.
fn link(report: &Report<'_>, index: usize) -> Option<String> {
    Some(anchor(&recorded(report, index)?.id))
}

/// The transcripts of the lists.
pub(super) fn transcripts(report: &Report<'_>) -> Markup {
    html! {
        section #transcripts {
            h2 { "Transcripts" }
            p {
                "What happened, without what was private (but what a world shows at the side): "
                code { "rolecall show " (Shown(&shell_path(Path::new(&report.name)))) " EPISODE --private" }
                " prints that as well."
            }
            @for place in deterministic(report) {
                @if let Some(episode) = recorded(report, place) { (transcript(episode, report.scenes.get(&episode.id))) }
            }
        }
    }
}

/// The slowest episodes, with those transcripts that are nowhere else. This section alone is not a
/// function of the events.
pub(super) fn slowest(report: &Report<'_>) -> Markup {
    let elsewhere = deterministic(report);
    let alone = report.slowest.iter().map(|timed| timed.place).filter(|place| !elsewhere.contains(place));
    let link = |row: usize| link(report, report.slowest.get(row)?.place);
    html! {
        @if !report.slowest.is_empty() {
            section #slowest {
                h2 { "Slowest episodes" }
                p {
                    strong { "Not deterministic: " }
                    "by the clock, from beginning to end with all waiting for others that played at \
                     the same time. Another run has other times; nothing else on this page depends \
                     on them."
                }
                (linked(&report.slowest("The slowest"), &link))
                @for place in alone {
                    @if let Some(episode) = recorded(report, place) { (transcript(episode, report.scenes.get(&episode.id))) }
                }
            }
        }
    }
}
