//! The lines that an episode writes: its events as they happen, its result and timing when it is over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use super::episode::EpisodeActor;
use super::participant::panic_text;
use super::slot::Activity;
use rolecall_core::domain::SCHEMA;
use rolecall_core::evaluation::{EpisodeResult, measure};
use rolecall_core::log::Batch;
use rolecall_core::ports::EpisodeLog;

/// Bytes to set aside for the line of an event; most need less.
const LINE_BYTES: usize = 256;

impl EpisodeActor {
    /// The events that are not logged yet.
    pub(super) fn unlogged(&mut self) -> Batch {
        let record = &self.conductor.record;
        let new = record.len() - self.logged;
        let mut batch = Batch::events(Vec::with_capacity(new * LINE_BYTES));
        for event in record.since(self.logged) {
            // What cannot be written is refused before it becomes an event (`check`).
            let start = batch.events.len();
            if let Err(error) = self.encoder.encode(event, &mut batch.events) {
                tracing::error!(episode = %self.conductor.setup.id, %error, "event not written");
            } else {
                self.digest.add(&batch.events[start..]);
            }
        }
        self.shared.directory.count(new);
        self.logged = record.len();
        self.conductor.record.logged();
        batch
    }

    /// Adds what is written when the episode is over, and tells the launcher. One that stays open
    /// has no result in the log.
    pub(super) fn end(&self, batch: &mut Batch, closed: bool) {
        let mut timing = serde_json::json!({
            "schema": SCHEMA,
            "episode": self.conductor.setup.id,
            "wall_ms": self.began.elapsed().as_secs_f64() * 1e3,
        });
        if closed {
            timing["digest"] = self.digest.to_string().into();
        }
        let models = self.tallies.snapshot();
        if !models.is_empty() {
            timing["models"] = serde_json::json!(models);
            timing["events"] = serde_json::json!([self.logged_before, self.logged]);
        }
        let restarts = self.tallies.restarts.load(Ordering::Relaxed);
        if restarts > 0 {
            timing["restarts"] = restarts.into();
        }
        batch.timing = format!("{timing}\n").into_bytes();
        let result = self.result();
        if closed {
            result.encode_sealed(self.digest, &mut batch.result);
        }
        if !self.lease.finish(result) {
            // The launcher has said already that it stays open.
            *batch = Batch::default();
        }
    }

    fn result(&self) -> EpisodeResult {
        let id = &self.conductor.setup.id;
        let _running = self.lease.on_slot().enter(Activity::Metrics);
        self.conductor.record.measured(|events| {
            let log = EpisodeLog::new(id, events);
            // Metrics are foreign code: one that panics costs its figures, not the episode.
            catch_unwind(AssertUnwindSafe(|| measure(&log, &self.shared.metrics))).unwrap_or_else(|panic| {
                let message = panic_text(&*panic);
                tracing::error!(episode = %log.id, %message, "a metric failed; none is reported");
                measure(&log, &[])
            })
        })
    }
}
