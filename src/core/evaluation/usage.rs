//! Calls of models and their cost: by seat and model from the events of an episode,
//! and, beside the log, what it took to get the answers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::EpisodeResult;
use crate::domain::{CellName, Event, Message, ModelCall, Seat};
use crate::log::{ModelTally, Timing, position};

/// The calls of one model by one seat. A function of the events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatUsage {
    /// Who called.
    pub seat: Seat,
    /// The model, as the config names it.
    pub model: String,
    /// Number of calls.
    pub calls: u64,
    /// Tokens of the prompts.
    pub prompt: u64,
    /// Tokens that were generated.
    pub completion: u64,
    /// Calls whose tokens are estimates, because the server did not say.
    #[serde(default, skip_serializing_if = "none")]
    pub estimated: u64,
    /// The cost of the tokens by the prices of the config, also where the cache answered; none
    /// without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Names under which servers answered, as far as they say more than they were asked for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub served: BTreeSet<String>,
}

fn none(count: &u64) -> bool {
    *count == 0
}

impl SeatUsage {
    fn new(seat: &Seat, model: &str) -> Self {
        Self {
            seat: seat.clone(),
            model: model.to_owned(),
            calls: 0,
            prompt: 0,
            completion: 0,
            estimated: 0,
            cost: None,
            served: BTreeSet::new(),
        }
    }

    fn call(&mut self, call: &ModelCall) {
        let usage = &call.reply.usage;
        self.calls += 1;
        self.prompt = self.prompt.saturating_add(usage.prompt);
        self.completion = self.completion.saturating_add(usage.completion);
        self.estimated += u64::from(usage.estimated);
        self.pay(call.cost);
        if let Some(served) = &call.reply.served
            && !self.served.contains(served)
        {
            self.served.insert(served.clone());
        }
    }

    fn pay(&mut self, cost: Option<f64>) {
        if let Some(cost) = cost.filter(|cost| cost.is_finite()) {
            *self.cost.get_or_insert(0.0) += cost;
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
        self.estimated += other.estimated;
        self.pay(other.cost);
        self.served.extend(other.served.iter().cloned());
    }
}

/// The calls of an episode by seat and model, in their order.
pub(super) fn usage<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<SeatUsage> {
    let mut usage: BTreeMap<(&Seat, &str), SeatUsage> = BTreeMap::new();
    for event in events {
        if let Message::ModelCalled(call) = &event.message {
            let key = (&event.from, call.model.as_str());
            let new = || SeatUsage::new(&event.from, &call.model);
            usage.entry(key).or_insert_with(new).call(call);
        }
    }
    usage.into_values().collect()
}

/// The calls of models in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelUse {
    /// The calls by cell, seat and model; empty if no model was called.
    pub calls: Vec<CellUsage>,
    /// The requests behind the answers, by cell and model. Not deterministic; empty if nobody
    /// noted it.
    pub servers: Vec<ServerUse>,
    /// The currency of the prices, if there are any.
    pub currency: Option<String>,
}

/// The calls of one model by one seat in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellUsage {
    /// The cell.
    pub cell: CellName,
    /// Episodes with such a call.
    pub episodes: usize,
    /// The calls of all episodes, of whatever standing.
    pub usage: SeatUsage,
}

impl CellUsage {
    /// No call of that model by that seat yet.
    fn new(cell: &CellName, usage: &SeatUsage) -> Self {
        Self { cell: cell.clone(), episodes: 0, usage: SeatUsage::new(&usage.seat, &usage.model) }
    }

    /// Adds the calls of an episode.
    fn add(&mut self, usage: &SeatUsage) {
        self.episodes += 1;
        self.usage.add(usage);
    }
}

/// The requests behind the answers of one model in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerUse {
    /// The cell.
    pub cell: CellName,
    /// The model, as the config names it.
    pub model: String,
    /// Everything that was counted.
    pub tally: ModelTally,
}

impl ModelUse {
    /// Sums up results, which are in the order cell, task, repeat.
    pub(super) fn of(ordered: &[&EpisodeResult], cells: &[CellName]) -> Self {
        let mut calls: BTreeMap<_, CellUsage> = BTreeMap::new();
        for result in ordered {
            let cell = &result.episode.cell;
            for usage in &result.usage {
                let key = (position(cells, cell), cell, &usage.seat, &usage.model);
                let new = || CellUsage::new(cell, usage);
                calls.entry(key).or_insert_with(new).add(usage);
            }
        }
        Self { calls: calls.into_values().collect(), ..Self::default() }
    }

    /// Adds the calls of an episode of the only cell.
    pub(super) fn add(&mut self, cell: &CellName, calls: &[SeatUsage]) {
        for usage in calls {
            let key = (&usage.seat, &usage.model);
            let sought = |entry: &CellUsage| (&entry.usage.seat, &entry.usage.model).cmp(&key);
            let place = self.calls.binary_search_by(sought).unwrap_or_else(|place| {
                self.calls.insert(place, CellUsage::new(cell, usage));
                place
            });
            self.calls[place].add(usage);
        }
    }

    /// Adds what stands beside the log: the currency, and what it took to get the answers.
    pub fn explain(&mut self, currency: Option<String>, timings: &[Timing], cells: &[CellName]) {
        let mut servers: BTreeMap<_, ServerUse> = BTreeMap::new();
        for timing in timings {
            let cell = &timing.episode.cell;
            for (model, tally) in &timing.models {
                let key = (position(cells, cell), cell, model);
                let row = servers.entry(key).or_insert_with(|| ServerUse {
                    cell: cell.clone(),
                    model: model.clone(),
                    tally: ModelTally::default(),
                });
                row.tally.merge(tally);
            }
        }
        self.currency = currency;
        self.servers = servers.into_values().collect();
    }

    /// Whether some tokens are estimates.
    pub fn estimated(&self) -> bool {
        self.calls.iter().any(|row| row.usage.estimated > 0)
    }
}
