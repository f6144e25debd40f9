//! An episode as a readable dialogue.

use maud::{Markup, html};

use super::super::transcript::ending;
use super::super::{Paint, TranscriptEntry, entries, staged};
use super::escape::{Shown, lines};
use super::rows::TONES;
use crate::domain::{EpisodeId, Opened, RoleName, Scene};
use crate::log::RecordedEpisode;
use crate::text::counted;

/// Letters of one text that are shown.
const LONGEST: usize = 2_000;
/// Bytes of one transcript that are shown, counting some for what surrounds each text.
const BUDGET: usize = 60_000;
const AROUND: usize = 120;

/// The anchor of an episode.
pub(super) fn anchor(id: &EpisodeId) -> String {
    format!("e-{}-{}-{}", id.cell, id.task, id.repeat)
}

/// The episode, closed until somebody opens it or follows a link to it; where its world stages it, with what
/// the user knew at the side.
pub(super) fn transcript(episode: &RecordedEpisode, scene: Option<&Scene>) -> Markup {
    let log = episode.log();
    let opened = log.opened();
    let outcome = log.outcome();
    let task = opened.map_or("", |opened| &opened.task.id);
    html! {
        details.episode {
            summary {
                code { (episode.id) }
                " "
                @match outcome {
                    Some(outcome) if outcome.success => span.badge.good { (outcome.ending.label()) },
                    Some(outcome) => span.badge.bad { (outcome.ending.label()) },
                    None => span.badge.bad { "unfinished" },
                }
                " "
                span.dim { (Shown(task)) }
            }
            div.talk id=(anchor(&episode.id)) {
                @if let Some(opened) = opened { (header(opened)) }
                @match scene {
                    Some(scene) => div.stage {
                        (side(scene))
                        div { (body(episode, opened, Some(scene))) }
                    },
                    None => (body(episode, opened, None)),
                }
                p.end {
                    @match outcome {
                        Some(outcome) => (ending(outcome)),
                        None => "The log ends here: the run was interrupted.",
                    }
                }
            }
        }
    }
}

fn header(opened: &Opened) -> Markup {
    let request = lines(&opened.task.text, LONGEST);
    html! {
        p.dim {
            "strategy " (Shown(&opened.strategy))
            @if let Some(user) = &opened.user { " · user " (Shown(user)) }
            @if !opened.task.kind.is_empty() { " · type " (Shown(&opened.task.kind)) }
        }
        @if !request.is_empty() { p.request { (request) } }
    }
}

/// The panel of what the user knew.
fn side(scene: &Scene) -> Markup {
    html! {
        div.side {
            h3 { (Shown(&scene.title)) }
            dl {
                @for (name, value) in &scene.facts {
                    dt { (Shown(name)) }
                    dd { (lines(value, LONGEST)) }
                }
            }
        }
    }
}

fn body(episode: &RecordedEpisode, opened: Option<&Opened>, scene: Option<&Scene>) -> Markup {
    let roles = opened.map_or(&[][..], |opened| &opened.roles);
    let mut left = BUDGET;
    let mut missing = 0_usize;
    let mut shown = Vec::new();
    let (private, mut open): (Vec<_>, Vec<_>) = entries(episode).into_iter().partition(|entry| entry.private);
    let hidden = private.len();
    if let Some(scene) = scene {
        open = staged(open, scene);
    }
    for entry in open {
        let text = lines(&entry.text, LONGEST);
        // Once something is left out, so is all that follows: nothing is left of the budget.
        left = left.saturating_sub(text.len() + AROUND);
        match left {
            0 => missing += 1,
            _ => shown.push(turn(&entry, &text, seat_class(&entry.seat, roles))),
        }
    }
    html! {
        ol.turns { @for turn in shown { (turn) } }
        @if missing > 0 { p.note { (missing) " more entries are left out." } }
        @if hidden > 0 { p.note { "Not shown: " (counted(hidden as u64, "private entry", "private entries")) "." } }
    }
}

/// One entry: who, which move it is, what sort of thing, and the text.
fn turn(entry: &TranscriptEntry, text: &str, tone: &str) -> Markup {
    let said = kind_class(entry.paint);
    html! {
        li class={ "turn " (tone) " " (said) } {
            div.who {
                span.step { @if let Some(step) = entry.step { (step) } }
                span.seat { (Shown(&entry.seat)) }
                " "
                span.kind { (entry.kind) }
            }
            div.text { (text) }
        }
    }
}

/// The class of an entry by what it is.
pub fn kind_class(paint: Paint) -> &'static str {
    match paint {
        Paint::Speech => "said",
        Paint::Thought => "thought",
        Paint::Action => "done",
        Paint::Good => "seen good",
        Paint::Bad => "seen bad",
        Paint::Dim => "aside",
        Paint::Text | Paint::Heading => "seen",
    }
}

/// The class of an entry by who it comes from: a colour per role in the order of the cast; users and
/// environments have their own.
pub fn seat_class(seat: &str, roles: &[RoleName]) -> &'static str {
    match seat {
        "environment" => "world",
        "user" => "user",
        "conductor" => "conductor",
        role => {
            let place = roles.iter().position(|known| known.as_str() == role);
            ROLE_TONES[place.unwrap_or(0) % ROLE_TONES.len()]
        }
    }
}

/// The colours of roles: those of rows without the one of the user.
const ROLE_TONES: [&str; 6] = [TONES[0], TONES[2], TONES[3], TONES[4], TONES[5], TONES[6]];
