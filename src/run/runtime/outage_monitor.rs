//! Models that do not answer at the moment, from one look to the next.

use std::collections::BTreeMap;

use serde_json::json;

use super::clock::Moment;
use rolecall_core::domain::SCHEMA;
use rolecall_core::ports::Models;
use rolecall_core::ports::model::ModelHealth;

/// A model by its name, and what is wrong with it.
pub type ModelOutage = (String, String);

/// The state of the models of a run.
pub(crate) struct OutageMonitor {
    models: Models,
    began: Moment,
    going_on: BTreeMap<String, Pause>,
}

/// A pause that goes on.
struct Pause {
    since: Moment,
    began_ms: f64,
    why: String,
}

/// The result of a look at the models.
#[derive(Debug, Default)]
pub(crate) struct OutageLook {
    /// Models that do not answer at the moment.
    pub(crate) outages: Vec<ModelOutage>,
    /// Models that will not answer without somebody's help.
    pub(crate) lost: Vec<ModelOutage>,
    /// A line for `timings.jsonl` for each pause that is over.
    pub(crate) over: Vec<u8>,
}

impl OutageMonitor {
    pub(crate) fn new(models: &Models) -> Self {
        Self { models: models.clone(), began: Moment::now(), going_on: BTreeMap::new() }
    }

    /// Asks every model how it stands.
    pub(crate) fn look(&mut self) -> OutageLook {
        let mut look = OutageLook::default();
        for model in self.models.iter() {
            let name = model.name().to_owned();
            match model.health() {
                ModelHealth::Working => {}
                ModelHealth::Paused(why) => look.outages.push((name, why)),
                ModelHealth::Lost(why) => look.lost.push((name, why)),
            }
        }
        let began = self.began;
        for (model, why) in &look.outages {
            let pause = || Pause { since: Moment::now(), began_ms: milliseconds(began), why: why.clone() };
            self.going_on.entry(model.clone()).or_insert_with(pause);
        }
        let goes_on = |name: &String| look.outages.iter().any(|(model, _)| model == name);
        let ended = self.going_on.extract_if(.., |name, _| !goes_on(name));
        look.over = ended.flat_map(|(model, pause)| pause.line(&model)).collect();
        look
    }

    /// Ends every pause, at the end of the run.
    pub(crate) fn end(self) -> Vec<u8> {
        self.going_on.iter().flat_map(|(model, pause)| pause.line(model)).collect()
    }
}

impl Pause {
    fn line(&self, model: &str) -> Vec<u8> {
        let line = json!({
            "schema": SCHEMA,
            "kind": "pause",
            "model": model,
            "why": self.why,
            "began_ms": self.began_ms,
            "wall_ms": milliseconds(self.since),
        });
        format!("{line}\n").into_bytes()
    }
}

fn milliseconds(since: Moment) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
