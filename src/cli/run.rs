//! `rolecall run`: plays the episodes of a config and prints the results. With `--or-resume` it is one command for
//! the first time and for every time after it, as schedulers start jobs that they ended.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use crate::beginning::{begin, here};
use crate::config_arguments::{ConfigArguments, flag, refuse_absent};
use crate::playing::{PlayArguments, Playing};
use crate::progress;
use crate::queue::{Queued, announce, refuse_taken};
use crate::resume::{first_of, prepare};
use crate::serve::beside::{ANYWHERE, Beside};
use crate::{output, runs};
use rolecall_core::log::{REPORT_HTML, RunFolder, RunRecord, is_free};
use rolecall_core::text::{counted, shell_path};
use rolecall_run::config::{Change, Flag, Request, Resolved, changes, load};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::open_files;

/// The options by which a run is planned for workers.
#[derive(Args, Debug)]
struct QueueArguments {
    /// Plan the run for workers on any machines, follow it and take in what they play: dir:FOLDER or
    /// nats://HOST:PORT (`rolecall worker`)
    #[arg(long, value_name = "QUEUE", conflicts_with = "shard")]
    queue: Option<String>,
    /// A file with the token or the nkey seed that the queue's server wants
    #[arg(long, value_name = "FILE", requires = "queue")]
    key_file: Option<String>,
    /// Episodes that a worker gets at once; default: 1 with models and 100 by rules
    #[arg(long, value_name = "N", requires = "queue")]
    per_job: Option<i64>,
    /// The most episodes that all workers together play at the same time
    #[arg(long, value_name = "N", requires = "queue")]
    in_flight: Option<i64>,
    /// Only plan: `rolecall resume` follows, now or later
    #[arg(long, requires = "queue")]
    detach: bool,
}

impl QueueArguments {
    /// The keys that they stand for.
    fn flags(&self) -> [Option<Flag>; 4] {
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
    config: ConfigArguments,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    concurrency: Option<i64>,
    /// Threads that run actors; default: as many as there are cores
    #[arg(long, value_name = "N")]
    arbiters: Option<i64>,
    /// Play only the first N tasks
    #[arg(long, value_name = "N")]
    limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    /// Play only a share of the episodes, such as 3/16, the fourth of sixteen (`rolecall merge`)
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Go on with the run of this name if it was begun, and do nothing if it is finished
    #[arg(long)]
    or_resume: bool,
    /// Serve pages on which the run can be watched in a browser, at a free port of this machine or this address
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = ANYWHERE, conflicts_with = "detach")]
    serve: Option<String>,
    #[command(flatten)]
    queue: QueueArguments,
    #[command(flatten)]
    play: PlayArguments,
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
        self.config.request(flags.into_iter().chain(self.queue.flags()))
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
    refuse_absent(&resolved, arguments.serve.is_some())?;
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
    let playing = Playing { requeued: arguments.or_resume, ..playing };
    Beside::play(arguments.serve.as_deref(), playing, &record, &arguments.play, verbose)
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
    progress::prepare(&resolved.plan, quiet)?;
    let writer = begin(&mut resolved, named)?;
    Ok(Playing::new(resolved.plan, writer, registry))
}

/// How far the run of a command is.
pub(crate) enum Begun {
    /// It is to be begun.
    Not,
    /// It is to be gone on with.
    Open(Box<Playing>),
    /// There is nothing left to do.
    Finished,
}

/// Looks for the run that the config names, and takes it up where it is.
///
/// # Errors
/// If somebody else writes it, if it is the run of another config, and if it cannot be gone on with.
pub(crate) fn take_up(resolved: &mut Resolved, play: &PlayArguments, registry: &Registry) -> anyhow::Result<Begun> {
    let folder = resolved.plan.run.logs.join(&resolved.plan.name);
    if is_free(&folder) || RunRecord::is_unbegun(&folder) {
        return Ok(Begun::Not);
    }
    let locked = RunFolder::lock(&folder)?;
    let record = RunRecord::read(&folder)?;
    if let Some(id) = &record.id {
        resolved.identify(id)?;
    }
    resolved.locate(&here(&folder)?)?;
    let changes = changes(&runs::record_text(&folder)?.parse()?, &resolved.plan.record.parse()?, registry);
    let (shown, pasted) = (output::shown(&folder), shell_path(&folder));
    if !changes.iter().all(Change::is_version) {
        bail!(
            "`{shown}` is not the run of this command:\n{}\nundo the changes, choose another run name, or go on with \
             it by `rolecall resume {pasted} --accept-changes`",
            first_of(&changes).join("\n")
        );
    }
    let reported = play.no_report || folder.join(REPORT_HTML).exists();
    if reported && runs::whole_results(&folder, &record).is_some() {
        output::remark(&format!(
            "the run `{shown}` is finished, there is nothing to play (look into it: rolecall show {pasted})"
        ));
        return Ok(Begun::Finished);
    }
    Ok(Begun::Open(Box::new(prepare(locked, resolved, &changes, play.quiet, registry)?)))
}
