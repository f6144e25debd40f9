//! The entries of an episode, as pages and the script show them.

use maud::{Markup, html};
use serde::Serialize;

use super::page::of_episode;
use rolecall_core::domain::{EpisodeId, Event, Message, RoleName, Seat, Visibility};
use rolecall_core::log::RecordedEpisode;
use rolecall_core::reports::html::{kind_class, lines, seat_class};
use rolecall_core::reports::{TranscriptEntry, entries};
use rolecall_core::text::visible;

/// Letters of one text that are shown; the page of the event has all.
const LONGEST: usize = 10_000;

/// One entry.
#[derive(Debug, Serialize)]
pub(super) struct Turn {
    pub(super) seq: u32,
    /// The number of the move, from 1, if it is one.
    pub(super) step: Option<u32>,
    pub(super) seat: String,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) class: String,
    /// The seats that saw it.
    pub(super) seen: Vec<String>,
    /// The page of the event.
    pub(super) href: String,
}

/// The seats whose eyes a reader can borrow: the cast, and the user if there is one.
pub(super) fn viewers(episode: &RecordedEpisode) -> Vec<Seat> {
    let opened = episode.log().opened();
    opened
        .map_or(&[][..], |opened| &opened.roles)
        .iter()
        .cloned()
        .map(Seat::Role)
        .chain(opened.and_then(|opened| opened.user.as_ref()).map(|_| Seat::User))
        .collect()
}

/// Whether a seat saw the event, at the time when it happened.
pub(super) fn saw(visibility: &Visibility, event: &Event, viewer: &Seat) -> bool {
    // Every utterance was once the one that the user was answering.
    visibility.allows(event, viewer, matches!(event.message, Message::Told(_)).then_some(event.seq))
}

/// The entries of an episode from an event on.
pub(super) fn turns(run: &str, episode: &RecordedEpisode, visibility: &Visibility, from: u32) -> Vec<Turn> {
    let viewers = viewers(episode);
    let has_user = viewers.contains(&Seat::User);
    let roles: Vec<RoleName> = episode.log().opened().map_or(Vec::new(), |opened| opened.roles.clone());
    entries(episode)
        .into_iter()
        .filter(|entry| entry.seq >= from)
        .filter_map(|entry| {
            let event = episode.events.get(entry.seq as usize)?;
            let seen = viewers
                .iter()
                .filter(|viewer| saw(visibility, event, viewer))
                .map(|seat| seat.as_str().to_owned())
                .collect();
            Some(turn(run, &episode.id, entry, &roles, has_user, seen))
        })
        .collect()
}

fn turn(
    run: &str,
    id: &EpisodeId,
    entry: TranscriptEntry,
    roles: &[RoleName],
    has_user: bool,
    seen: Vec<String>,
) -> Turn {
    let private = if entry.private { " private" } else { "" };
    // A column for each role, one for the user, and one for everybody else.
    let column = match (roles.iter().position(|role| role.as_str() == entry.seat), &*entry.seat) {
        (Some(place), _) => place.min(5),
        (None, "user") => roles.len().min(6),
        (None, _) => (roles.len() + usize::from(has_user)).min(7),
    };
    Turn {
        seq: entry.seq,
        step: entry.step,
        class: format!("turn {} {} at-{column}{private}", seat_class(&entry.seat, roles), kind_class(entry.paint)),
        seat: visible(&entry.seat).into_owned(),
        kind: entry.kind,
        text: lines(&entry.text, LONGEST),
        seen,
        href: format!("{}/event/{}", of_episode(run, id), entry.seq),
    }
}

impl Turn {
    /// The entry, pale if it is looked at with the eyes of a seat that did not see it. Links lead to an `anchored` one.
    pub(super) fn markup(&self, eyes: &str, anchored: bool) -> Markup {
        let anchor = anchored.then(|| format!("e{}", self.seq));
        let pale = !eyes.is_empty() && !self.seen.iter().any(|seat| seat == eyes);
        html! {
            li id=[anchor] class={ (self.class) @if pale { " unseen" } } data-seen=(self.seen.join(" ")) {
                div.who {
                    span.step { @if let Some(step) = self.step { (step) } }
                    span.seat { (self.seat) }
                    " "
                    a.kind href=(self.href) { (self.kind) }
                    @if pale { " " span.hidden-mark { "not seen" } }
                }
                div.text { (self.text) }
            }
        }
    }
}
