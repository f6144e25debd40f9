//! The table `queue`: how workers on other machines play a run.

use std::path::PathBuf;
use std::time::Duration;

use rolecall_core::ports::settings::settings;

settings! {
    /// How workers on other machines play a run. None of this changes a result.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct QueueSettings {
        address: Option<String> = text("address", None).optional(),
            "the queue by which workers play the run: `dir:FOLDER` or `nats://HOST:PORT`";
        key_file: Option<PathBuf> = text("key_file", None).optional(),
            "a file with the token or the nkey seed that the queue's server wants";
        per_job: Option<u32> = integer("per_job", None, 1..=100_000),
            "episodes that a worker gets at once; 1 with models and 100 by rules if nothing is written";
        lease: Duration = number("lease_seconds", 60.0, 0.2..=86_400.0),
            "after so long without a sign of life, a worker's jobs are given to others";
        in_flight: Option<u32> = integer("in_flight", None, 1..=1_000_000),
            "the most episodes that all workers together play at the same time";
    }
}
