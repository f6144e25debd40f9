//! Calls of models by earlier processes of a run, and their cost.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::timings::records;
use super::{LogError, ModelTally, RunLog};
use crate::domain::{EpisodeId, Event, Message};
use crate::ports::model::{CacheMode, EarlierCalls, ModelSettings, Prices};

/// The line of `timings.jsonl` that one process left about an episode.
#[derive(Deserialize)]
struct Piece {
    episode: EpisodeId,
    #[serde(default)]
    models: BTreeMap<String, ModelTally>,
    /// The events that the process wrote: from the first of them up to before the last number. Releases
    /// up to 0.2 did not say.
    events: Option<(u32, u32)>,
    #[serde(default)]
    digest: Option<String>,
}

impl Piece {
    /// Whether the line says what this call cost.
    fn covers(&self, seq: u32, model: &str) -> bool {
        let is_within = |(first, end)| (first..end).contains(&seq);
        self.events.is_some_and(is_within) && self.models.get(model).is_none_or(knows_paid)
    }
}

/// Whether what was paid for the calls is known. Without prices it is not, unless nothing was to be paid.
fn knows_paid(tally: &ModelTally) -> bool {
    tally.paid.is_some() || !was_answered(tally)
}

/// Whether a server answered a call.
fn was_answered(tally: &ModelTally) -> bool {
    tally.calls > tally.failed + tally.cache_hits
}

/// Whether the lines tell of all events of an episode that is over.
fn cover_all(pieces: &[Piece]) -> bool {
    let mut events: Vec<_> = pieces.iter().filter_map(|piece| piece.events).collect();
    events.sort_unstable();
    let mut end = 0;
    let without_gap = events.iter().all(|(first, last)| {
        let follows = *first <= end;
        end = end.max(*last);
        follows
    });
    let known = pieces.iter().flat_map(|piece| piece.models.values());
    without_gap
        && events.len() == pieces.len()
        && pieces.iter().any(|piece| piece.digest.is_some())
        && known.into_iter().all(knows_paid)
}

impl RunLog {
    /// Calls of each of these models by earlier processes of the run, with the cost from `timings.jsonl`. A recorded
    /// call without a line there, because its process was killed, counts at its list price, so that nothing that was
    /// paid is missing.
    ///
    /// # Errors
    /// When the events of an episode cannot be read.
    pub fn earlier_calls(&self, models: &[ModelSettings]) -> Result<BTreeMap<String, EarlierCalls>, LogError> {
        let mut pieces: FxHashMap<EpisodeId, Vec<Piece>> = FxHashMap::default();
        for piece in records::<Piece>(self.folder()) {
            let id = piece.episode.clone();
            pieces.entry(id).or_default().push(piece);
        }
        let mut earlier = Earlier { models, calls: BTreeMap::new() };
        let covered = |id: &&EpisodeId| pieces.get(*id).is_some_and(|lines| cover_all(lines));
        let uncovered: Vec<&EpisodeId> = self.ids().filter(|id| !covered(id)).collect();
        for episode in self.episodes_of(uncovered)? {
            let episode = episode?;
            let lines = pieces.remove(&episode.id).unwrap_or_default();
            earlier.add(&lines, &episode.events);
        }
        for lines in pieces.values() {
            earlier.add(lines, &[]);
        }
        Ok(earlier.calls)
    }
}

struct Earlier<'a> {
    models: &'a [ModelSettings],
    calls: BTreeMap<String, EarlierCalls>,
}

impl Earlier<'_> {
    /// Adds an episode: its lines, and its events as far as the lines do not tell of them.
    fn add(&mut self, pieces: &[Piece], events: &[Event]) {
        // By model: what lines tell that do not say of which events, and what is recorded and not told.
        let mut vague: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for piece in pieces {
            for (model, tally) in &piece.models {
                let calls = self.of(model);
                calls.answered |= was_answered(tally);
                let paid = tally.paid.filter(|paid| *paid > 0.0).unwrap_or_default();
                match piece.events {
                    Some(_) => calls.paid += paid,
                    None => vague.entry(model).or_default().0 += paid,
                }
            }
        }
        for event in own_events(events) {
            let Message::ModelCalled(call) = &event.message else {
                continue;
            };
            if pieces.iter().any(|piece| piece.covers(event.seq, &call.model)) {
                continue;
            }
            let settings = self.models.iter().find(|model| model.profile.name == call.model);
            let cost = |prices: &Prices| prices.cost_of(&call.reply);
            let prices = settings.and_then(|model| model.profile.prices.as_ref());
            let cost = call.cost.or_else(|| prices.map(cost)).unwrap_or_default();
            vague.entry(&call.model).or_default().1 += cost;
            // The cache may have answered it.
            let asked = settings.is_some_and(|model| matches!(model.cache.mode, CacheMode::Off | CacheMode::Write));
            self.of(&call.model).answered |= asked;
        }
        for (model, (told, recorded)) in vague {
            self.of(model).paid += told.max(recorded);
        }
    }

    fn of(&mut self, model: &str) -> &mut EarlierCalls {
        self.calls.entry(model.to_owned()).or_default()
    }
}

/// The events that were not taken over from another run, which paid for its own.
fn own_events(events: &[Event]) -> &[Event] {
    let opened = events.first().map(|event| &event.message);
    let fork = match opened {
        Some(Message::Opened(opened)) => opened.fork.as_ref(),
        _ => None,
    };
    let taken = fork.map_or(0, |fork| fork.events as usize);
    events.get(taken..).unwrap_or_default()
}
