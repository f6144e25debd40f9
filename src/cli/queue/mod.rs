//! Runs that workers on several machines play: who plans and follows them, and who works.

mod files;
mod follow;
mod worker;

use files::Unpacked;
pub(crate) use files::bundle;
pub(crate) use follow::{Followed, Queued, announce, follow, record, refuse_taken};
pub(crate) use worker::{WorkerArguments, execute as work};

use clap::Args;

use super::run::flag;
use crate::config::Flag;

/// The options by which a run is planned for workers.
#[derive(Args, Debug)]
pub(crate) struct QueueArguments {
    /// Plan the run for workers on any machines, follow it and take in what they play: dir:FOLDER or
    /// nats://HOST:PORT (`rolecall worker`)
    #[arg(long, value_name = "QUEUE", conflicts_with = "shard")]
    queue: Option<String>,
    /// A file with the token or the nkey seed that the queue's server wants
    #[arg(long, value_name = "FILE", requires = "queue")]
    key_file: Option<String>,
    /// Episodes that a worker gets at once; 1 with models and 100 by rules if nothing is said
    #[arg(long, value_name = "N", requires = "queue")]
    per_job: Option<i64>,
    /// The most episodes that all workers together play at the same time
    #[arg(long, value_name = "N", requires = "queue")]
    in_flight: Option<i64>,
    /// Only plan: `rolecall resume` follows, now or later
    #[arg(long, requires = "queue")]
    pub(crate) detach: bool,
}

impl QueueArguments {
    /// The keys that they stand for.
    pub(crate) fn flags(&self) -> [Option<Flag>; 4] {
        [
            flag("--queue", "queue.address", self.queue.as_deref()),
            flag("--key-file", "queue.key_file", self.key_file.as_deref()),
            flag("--per-job", "queue.per_job", self.per_job),
            flag("--in-flight", "queue.in_flight", self.in_flight),
        ]
    }
}

/// The name of this machine, as far as the system says it.
fn host() -> String {
    let system = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = system.or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.unwrap_or_default();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let name: String = name
        .trim()
        .chars()
        .filter(|letter| plain(*letter))
        .collect();
    match name.is_empty() {
        true => "worker".to_owned(),
        false => name,
    }
}
