//! Wall times and what happened on the way to models, read back from `timings.jsonl`. No result may
//! depend on them; what was paid counts when a run is gone on with (`earlier`).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::Digest;
use super::folder::TIMINGS;
use super::lines::Lines;
use crate::domain::{EpisodeId, SCHEMA};
use crate::ports::model::{CacheUse, CallTrace, RetryReason};

/// The time that an episode took.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Timing {
    /// Which episode.
    pub episode: EpisodeId,
    /// Milliseconds in which it was alive, with all waiting for others.
    pub wall_ms: f64,
    /// The tallies of calls, by the names of the models in the config.
    #[serde(default)]
    pub models: BTreeMap<String, ModelTally>,
    /// The digest of the episode's event lines when it closed, as the one who played it says.
    #[serde(default, deserialize_with = "digest_if_one")]
    pub digest: Option<Digest>,
}

/// A tally of the calls of one model in one episode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelTally {
    /// Calls, those that failed included.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls that the cache answered.
    pub cache_hits: u64,
    /// HTTP requests that were sent.
    pub requests: u64,
    /// Retries by their reasons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub retries: BTreeMap<RetryReason, u64>,
    /// Milliseconds in which calls waited for a permit, a rate or a server that was away.
    pub waited_ms: f64,
    /// Milliseconds in which the server was asked.
    pub latency_ms: f64,
    /// Tokens of prompts that a server answered; absent in runs of versions up to 0.2.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prompt_tokens: u64,
    /// Tokens of prompts that the server had in its own cache.
    pub cached_tokens: u64,
    /// Tokens of the prompts of requests whose answer did not come whole, estimated: servers may ask to be paid for
    /// them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_tokens: u64,
    /// The cost of the calls that the cache did not answer, by the prices of the config; none
    /// without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid: Option<f64>,
}

impl ModelTally {
    /// Adds a call.
    pub fn add(&mut self, trace: &CallTrace, failed: bool) {
        self.merge(&Self {
            calls: 1,
            failed: u64::from(failed),
            cache_hits: u64::from(trace.cache == CacheUse::Hit),
            requests: u64::from(trace.requests),
            retries: trace.retries.clone(),
            waited_ms: trace.waited.as_secs_f64() * 1e3,
            latency_ms: trace.latency.as_secs_f64() * 1e3,
            prompt_tokens: trace.prompt_tokens,
            cached_tokens: trace.cached_tokens,
            lost_tokens: trace.lost_tokens,
            paid: trace.paid,
        });
    }

    /// Adds the calls of another tally, to sum over episodes.
    pub fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.cache_hits += other.cache_hits;
        self.requests += other.requests;
        for (reason, count) in &other.retries {
            *self.retries.entry(*reason).or_default() += count;
        }
        self.waited_ms += other.waited_ms;
        self.latency_ms += other.latency_ms;
        self.prompt_tokens += other.prompt_tokens;
        self.cached_tokens += other.cached_tokens;
        self.lost_tokens += other.lost_tokens;
        if let Some(paid) = other.paid {
            *self.paid.get_or_insert(0.0) += paid;
        }
    }

    /// Milliseconds in which the server was asked, for a call that the cache did not answer; none
    /// if the cache answered all.
    pub fn mean_latency_ms(&self) -> Option<f64> {
        let asked = self.calls.saturating_sub(self.cache_hits);
        (asked > 0).then(|| self.latency_ms / asked as f64)
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A time in which a model did not answer and calls waited for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelPause {
    /// The model, as the config names it.
    pub model: String,
    /// The error when it began.
    pub why: String,
    /// Milliseconds from the beginning of the run to the beginning of the pause.
    pub began_ms: f64,
    /// Milliseconds that it lasted.
    pub wall_ms: f64,
}

#[derive(Deserialize)]
struct Schema {
    schema: u32,
}

/// The timings in the folder, one for each episode, in the order in which they were last left; none
/// if there is no such file. An episode that was played in pieces took as long as all of them. What
/// is no timing is left out: they explain a run, and nothing is computed from them.
pub fn read_timings(folder: &Path) -> Vec<Timing> {
    let mut earlier: FxHashMap<EpisodeId, usize> = FxHashMap::default();
    let mut timings: Vec<Option<Timing>> = Vec::new();
    let pieces = records::<Timing>(folder);
    for mut timing in pieces.filter(|piece| piece.wall_ms >= 0.0) {
        let place = earlier.insert(timing.episode.clone(), timings.len());
        let piece = place.and_then(|place| timings.get_mut(place)?.take());
        if let Some(piece) = piece {
            timing.wall_ms += piece.wall_ms;
            timing.digest = timing.digest.or(piece.digest);
            for (model, tally) in piece.models {
                timing.models.entry(model).or_default().merge(&tally);
            }
        }
        timings.push(Some(timing));
    }
    timings.into_iter().flatten().collect()
}

/// A text that is no digest is none.
fn digest_if_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Digest>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// The digest that a line notes for an episode, if it does; or what is wrong with the line.
pub(super) fn timing_of(line: &[u8]) -> Result<Option<(EpisodeId, Digest)>, String> {
    #[derive(Deserialize)]
    struct Noted {
        schema: u32,
        episode: Option<EpisodeId>,
        digest: Option<String>,
    }
    let noted: Noted = serde_json::from_slice(line).map_err(|error| format!("not a timing: {error}"))?;
    if noted.schema != SCHEMA {
        let schema = noted.schema;
        return Err(format!("written in schema {schema}, but this version reads schema {SCHEMA}"));
    }
    let (Some(episode), Some(digest)) = (noted.episode, noted.digest) else {
        return Ok(None);
    };
    let digest: Digest = digest.parse().map_err(|error| format!("the digest of `{episode}` is none: {error}"))?;
    Ok(Some((episode, digest)))
}

/// Whether a line can be kept: it is a timing, or one of another schema.
pub(super) fn is_timing(line: &[u8]) -> bool {
    let schema: Result<Schema, _> = serde_json::from_slice(line);
    schema.is_ok_and(|written| written.schema != SCHEMA) || timing_of(line).is_ok()
}

/// Removes the digest of a line, so that it says nothing of the end of an episode.
pub(super) fn without_digests(line: &[u8]) -> Vec<u8> {
    let mut noted: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    if let Some(fields) = noted.as_object_mut() {
        fields.shift_remove("digest");
    }
    noted.to_string().into_bytes()
}

/// Adds to a line who played the episode, unless it says so already.
pub fn with_worker(line: &[u8], worker: &str) -> Vec<u8> {
    let named: Option<Worked> = serde_json::from_slice(line).ok();
    let open = line.trim_ascii_end().strip_suffix(b"}");
    let Some(open) = open.filter(|_| named.is_some_and(|worked| worked.worker.is_none())) else {
        return line.to_vec();
    };
    let worker = serde_json::Value::from(worker);
    [open, format!(",\"worker\":{worker}}}\n").as_bytes()].concat()
}

/// The worker that a line names.
#[derive(Deserialize)]
pub(super) struct Worked {
    pub(super) episode: EpisodeId,
    pub(super) worker: Option<String>,
}

/// The pauses of models in the folder, in the order of their ends.
pub(super) fn model_outages(folder: &Path) -> Vec<ModelPause> {
    records(folder).collect()
}

/// The lines that can be read as records of this kind, one after the other.
pub(super) fn records<T: DeserializeOwned>(folder: &Path) -> impl Iterator<Item = T> {
    let file = File::open(folder.join(TIMINGS)).ok();
    let mut lines = file.map(|file| Lines::new(BufReader::new(file)));
    std::iter::from_fn(move || {
        while let Ok(Some(line)) = lines.as_mut()?.next() {
            let schema: Option<Schema> = serde_json::from_slice(line.bytes).ok();
            let is_own = schema.is_some_and(|written| written.schema == SCHEMA);
            if let (true, Ok(record)) = (is_own, serde_json::from_slice(line.bytes)) {
                return Some(record);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_timing_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read_timings(folder.path()).is_empty());
        let lines = "{\"schema\":1,\"episode\":\"a:0:0\",\"wall_ms\":2.5}\nnonsense\n\
                     {\"schema\":9,\"episode\":\"a:1:0\",\"wall_ms\":1}\n\
                     {\"schema\":1,\"episode\":\"a:2:0\",\"wall_ms\":-1}\n\
                     {\"schema\":1,\"episode\":\"a:3:0\",\"wall_ms\":7}\n{\"sch";
        std::fs::write(folder.path().join(TIMINGS), lines).unwrap();
        let found = read_timings(folder.path());
        let found: Vec<_> = found.iter().map(|timing| (timing.episode.to_string(), timing.wall_ms)).collect();
        assert_eq!(found, [("a:0:0".to_owned(), 2.5), ("a:3:0".to_owned(), 7.0)]);
    }

    #[test]
    fn the_pieces_of_an_episode_are_added_up() {
        let folder = tempfile::tempdir().unwrap();
        let mut tally = ModelTally::default();
        tally.add(&CallTrace::default(), false);
        let models = serde_json::json!({ "m": tally });
        let line = |episode: &str, wall_ms: f64| {
            serde_json::json!({
                "schema": 1, "episode": episode, "wall_ms": wall_ms, "models": models,
            })
        };
        let lines = [line("a:0:0", 1.0), line("a:1:0", 2.0), line("a:0:0", 4.0)];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(folder.path().join(TIMINGS), text).unwrap();
        let found = read_timings(folder.path());
        let told = found.iter().map(|timing| {
            let calls = timing.models["m"].calls;
            (timing.episode.to_string(), timing.wall_ms, calls)
        });
        let told: Vec<_> = told.collect();
        let expected = [("a:1:0".to_owned(), 2.0, 1), ("a:0:0".to_owned(), 5.0, 2)];
        assert_eq!(told, expected);
    }

    #[test]
    fn calls_of_models_and_pauses_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let trace = CallTrace {
            cache: CacheUse::Hit,
            requests: 3,
            retries: BTreeMap::from([(RetryReason::RateLimit, 2)]),
            cached_tokens: 7,
            ..CallTrace::default()
        };
        let mut tally = ModelTally::default();
        tally.add(&trace, true);
        let models = serde_json::json!({ "m": tally });
        let line = serde_json::json!({
            "schema": 1, "episode": "a:0:0", "wall_ms": 2.5, "models": models,
        });
        let pause = "{\"schema\":1,\"kind\":\"pause\",\"model\":\"m\",\"why\":\"gone\",\
                     \"began_ms\":1,\"wall_ms\":9}";
        std::fs::write(folder.path().join(TIMINGS), format!("{line}\n{pause}\n")).unwrap();
        let found = read_timings(folder.path());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].models["m"], tally);
        let mut sum = tally.clone();
        sum.merge(&tally);
        assert_eq!((sum.requests, sum.retries[&RetryReason::RateLimit]), (6, 4));
        let pauses = model_outages(folder.path());
        assert_eq!(pauses.len(), 1);
        assert_eq!((&*pauses[0].why, pauses[0].wall_ms), ("gone", 9.0));
    }
}
