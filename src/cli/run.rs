//! The arguments of `rolecall run`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::playing::PlayArguments;
use crate::config::{Flag, Plan, Request};
use crate::registry::REMOTE;

/// A config and what is laid over it.
#[derive(Args, Debug)]
pub(crate) struct ConfigArguments {
    /// The config: a file, or the name of a shipped one, for instance quickstart
    pub(crate) config: PathBuf,
    /// Lay another config over it, for instance models/openai; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Change one key of the config; may be given several times (more with --help)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    pub(crate) models: Vec<String>,
}

/// A request for a config, with the variables and the working folder of this process.
pub(crate) fn request_for(file: &Path) -> anyhow::Result<Request> {
    Ok(Request {
        file: file.to_owned(),
        variables: std::env::vars_os().collect(),
        working: std::env::current_dir().context("the working folder cannot be found")?,
        ..Request::default()
    })
}

/// The option of a command that sets a key of the config, if it was given.
pub(crate) fn flag(
    option: &'static str,
    key: &'static str,
    value: Option<impl Into<toml::Value>>,
) -> Option<Flag> {
    let value = value?.into();
    Some(Flag { option, key, value })
}

impl ConfigArguments {
    /// The request to resolve the config with these options.
    pub(crate) fn request(&self, flags: Vec<Flag>) -> anyhow::Result<Request> {
        Ok(Request {
            with: self.with.clone(),
            sets: self.sets.clone(),
            models: self.models.clone(),
            flags,
            ..request_for(&self.config)?
        })
    }
}

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

/// The arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<String>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<i64>,
    /// Threads that run actors; as many as there are cores if nothing is said
    #[arg(long, value_name = "N")]
    pub(crate) arbiters: Option<i64>,
    /// Play only the first N tasks
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<i64>,
    /// Play only a share of the episodes, such as 3/16, the fourth of sixteen (`rolecall merge`)
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<String>,
    /// Go on with the run of this name if it was begun, and do nothing if it is finished
    #[arg(long)]
    pub(crate) or_resume: bool,
    #[command(flatten)]
    pub(crate) queue: QueueArguments,
    #[command(flatten)]
    pub(crate) play: PlayArguments,
}

impl RunArguments {
    /// The request to resolve the config with these options.
    pub(crate) fn request(&self) -> anyhow::Result<Request> {
        let flags = [
            flag("--name", "name", self.name.as_deref()),
            flag("--logs", "run.logs", self.logs.as_deref()),
            flag("--concurrency", "run.concurrency", self.concurrency),
            flag("--arbiters", "run.arbiters", self.arbiters),
            flag("--limit", "tasks.limit", self.limit),
            flag("--seed", "seed", self.seed),
            flag("--shard", "run.shard", self.shard.as_deref()),
        ];
        let flags = flags.into_iter().chain(self.queue.flags());
        self.config.request(flags.flatten().collect())
    }
}

/// Refuses a plan that clients are to play, for a command that lets none in.
pub(crate) fn refuse_remote(plan: &Plan) -> anyhow::Result<()> {
    if let Some(seat) = plan.seat_of(REMOTE) {
        bail!(
            "the seat `{seat}` is played by clients, and none can come in here: let them in by `rolecall serve \
             env CONFIG --seat {seat}`, or seat somebody else there (`rolecall list`)"
        );
    }
    Ok(())
}
