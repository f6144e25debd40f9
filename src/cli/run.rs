//! `rolecall run`: plays the episodes of a config and prints what came of it.

use std::process::ExitCode;

use clap::Args;

use super::beginning::begin;
use super::config_arguments::{ConfigArguments, flag, refuse_absent, refuse_remote};
use super::or_resume::{Begun, take_up};
use super::output;
use super::playing::{PlayArguments, Playing};
use super::progress::prepare;
use super::queue::{Queued, announce, refuse_taken};
use super::serve::beside::{ANYWHERE, Beside};
use rolecall_core::text::counted;
use rolecall_run::config::{Flag, Request, Resolved, load};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::open_files;

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
    /// Serve pages on which the run can be watched in a browser, at a free port of this machine or this address
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = ANYWHERE, conflicts_with = "detach")]
    pub(crate) serve: Option<String>,
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

/// Plays the config.
pub(crate) fn execute(arguments: &RunArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let mut resolved = load(&arguments.request()?, registry.clone())?;
    resolved.pin()?;
    if !resolved.notes.is_empty() && !arguments.play.quiet {
        let parts = counted(resolved.notes.len() as u64, "part", "parts");
        output::remark(&format!("{parts} of the config left out (`rolecall check` with the same options says which)"));
    }
    match arguments.serve {
        Some(_) => refuse_remote(&resolved.plan)?,
        None => refuse_absent(&resolved)?,
    }
    let record = resolved.record.clone();
    let begun = match arguments.or_resume {
        true => take_up(&mut resolved, &arguments.play, registry)?,
        false => Begun::Not,
    };
    let playing = match begun {
        Begun::Finished => return Ok(ExitCode::SUCCESS),
        Begun::Open(playing) => *playing,
        Begun::Not => begin_playing(resolved, arguments, registry)?,
    };
    if playing.queued.is_some() && !arguments.play.quiet {
        announce(&playing.plan);
    }
    if arguments.queue.detach {
        return playing.detach(verbose);
    }
    let requeued = arguments.or_resume;
    let playing = Playing { requeued, ..playing };
    match &arguments.serve {
        None => playing.play(&arguments.play, verbose),
        Some(address) => Beside::play(address, playing, &record, |playing| playing.play(&arguments.play, verbose)),
    }
}

/// The run from its beginning: by whom it is played.
fn begin_playing(mut resolved: Resolved, arguments: &RunArguments, registry: &Registry) -> anyhow::Result<Playing> {
    let named = arguments.name.is_some() || arguments.or_resume;
    let Some(queued) = Queued::of(&resolved, arguments.queue.detach)? else {
        return begin_here(resolved, named, arguments.play.quiet, registry);
    };
    refuse_taken(&resolved.plan)?;
    let writer = begin(&mut resolved, named)?;
    Ok(Playing { queued: Some(queued), ..Playing::new(resolved.plan, writer, registry) })
}

/// The run from its beginning, played by this process.
pub(super) fn begin_here(
    mut resolved: Resolved,
    named: bool,
    quiet: bool,
    registry: &Registry,
) -> anyhow::Result<Playing> {
    resolved.plan.check_keys()?;
    open_files::prepare(&resolved.plan)?;
    prepare(&resolved.plan, quiet)?;
    let writer = begin(&mut resolved, named)?;
    Ok(Playing::new(resolved.plan, writer, registry))
}
