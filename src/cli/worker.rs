//! `rolecall worker`: plays jobs of a run that somebody else planned.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use toml::Table;

use super::config_arguments::{refuse_remote, request_for, working};
use super::playing::PATIENCE;
use super::progress::{Progress, prepare};
use super::queue::{Unpacked, host};
use super::{diagnostics, output, resume, signals};
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{LogError, LogSettings, LogWriter};
use rolecall_core::text::{counted, shell_path, visible};
use rolecall_doors::machines::{Ended, Gathering, Heartbeat, Manifest, Queue, Worker, connect};
use rolecall_run::config::{Absent, Invocation, Plan, Request, changes, load};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Blocked, Directory, Launch, Launched, ModelOutage, Observer, Orders, open_files};

/// The time for which a queue that is away is waited for.
const OUTAGE: Duration = Duration::from_secs(3600);

/// The arguments of `worker`.
#[derive(Args, Debug)]
pub(crate) struct WorkerArguments {
    /// The queue: dir:FOLDER, or nats://HOST:PORT/RUN
    #[arg(long, value_name = "QUEUE")]
    queue: String,
    /// A file with the token or the nkey seed that the queue's server wants
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Name of this worker; default: the machine's name and the number of the process
    #[arg(long)]
    name: Option<String>,
    /// Episodes that it plays at the same time; default: as many as the config says
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    concurrency: Option<u32>,
    /// Threads that run actors; default: as many as there are cores
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    arbiters: Option<u32>,
    /// The base folder of the config's paths of data; default: the working folder
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Give a key of the config that is not written down because it may be a secret
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Folder under which the worker's own log is made, which is removed once all of it is committed
    #[arg(long, value_name = "DIR", default_value = "logs")]
    logs: PathBuf,
    /// Keep the worker's own log
    #[arg(long)]
    keep_log: bool,
    /// Seconds to wait for a run to appear in the queue
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u64,
    /// Print nothing while it works
    #[arg(long, short)]
    quiet: bool,
}

/// Works until the queue is empty.
pub(crate) fn execute(arguments: &WorkerArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let name = arguments.name.clone().unwrap_or_else(|| format!("{}-{}", host(), std::process::id()));
    let runtime = output::runtime()?;
    let (queue, manifest) = runtime.block_on(planned(arguments, &name))?;
    if manifest.version != env!("CARGO_PKG_VERSION") {
        bail!(
            "the run was planned by rolecall {}, and this is rolecall {}: a worker must be of the same \
             version",
            visible(&manifest.version),
            env!("CARGO_PKG_VERSION")
        );
    }
    let mut base = working()?;
    base.extend(&arguments.data);
    let unpacked = Unpacked::new(&name, &manifest.files, &base)?;
    let mut plan = plan(&manifest, unpacked.folder(), &arguments.sets, registry)?;
    plan.run.concurrency = arguments.concurrency.map_or(plan.run.concurrency, |most| most as usize);
    plan.run.arbiters = match arguments.arbiters {
        Some(arbiters) => arbiters as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    refuse_remote(&plan)?;
    plan.check_keys()?;
    open_files::prepare(&plan)?;
    prepare(&plan, arguments.quiet)?;
    let writer = own_log(&arguments.logs, &manifest, &name, &plan)?;
    let folder = writer.folder().to_owned();
    diagnostics::start_in(&folder, verbose);
    if !arguments.quiet {
        output::remark(&format!("worker `{name}` plays the run `{}`", visible(&manifest.name)));
    }
    let heartbeat = Heartbeat { worker: name, host: host(), version: manifest.version.clone(), ..Heartbeat::default() };
    let source = Source { queue, manifest, heartbeat, runtime };
    let (launched, ended) = play(plan, writer, source, arguments.quiet, registry)?;
    tell(&launched, &ended, &folder, arguments.keep_log)
}

/// The queue, and what is planned there.
async fn planned(arguments: &WorkerArguments, name: &str) -> anyhow::Result<(Arc<dyn Queue>, Manifest)> {
    let key = arguments.key_file.as_deref();
    let mut left = arguments.wait;
    loop {
        let connected = match connect(&arguments.queue, key, name).await {
            Ok(queue) => queue.manifest().await.map(|manifest| (queue, manifest)),
            Err(error) => Err(error),
        };
        match connected {
            Ok(connected) => return Ok(connected),
            Err(error) if error.may_pass() && left > 0 => {
                if left == arguments.wait && !arguments.quiet {
                    output::remark(&format!("waiting for up to {left} s: {}", visible(&error.to_string())));
                }
                left -= 1;
            }
            Err(error) => return Err(error.into()),
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// The plan that the manifest describes, with the files and data that are here.
fn plan(manifest: &Manifest, working: &Path, sets: &[String], registry: &Registry) -> anyhow::Result<Plan> {
    let unusable = "the manifest of the queue cannot be used";
    let was: Table = manifest.record.parse().context(unusable)?;
    let invocation = Invocation::read(&manifest.record).context(unusable)?;
    let now = Request {
        record: Some(was.clone()),
        sets: sets.to_vec(),
        working: working.to_owned(),
        ..request_for(Path::new(""))?
    };
    let request = invocation.request(now).context(unusable)?;
    let mut resolved = load(&request, registry.clone()).context(
        "the config of the run cannot be resolved here; `--data` names the folder from which its paths of data \
         hold",
    )?;
    resolved.pin_without(Absent::Refused)?;
    resolved.identify(&manifest.run)?;
    let changes = changes(&was, &resolved.plan.record.parse().context(unusable)?, registry);
    if changes.is_empty() {
        return Ok(resolved.plan);
    }
    bail!(
        "what is here differs from what was planned:\n{}\nthe same data, prompts and programs are needed on every \
         machine",
        resume::first_of(&changes).join("\n")
    )
}

/// The worker's own log, in a folder that is not there yet.
fn own_log(logs: &Path, manifest: &Manifest, name: &str, plan: &Plan) -> anyhow::Result<LogWriter> {
    let settings = LogSettings { private: plan.models.iter().next().is_some(), ..plan.run.log };
    let first = format!("{}-{name}", manifest.name);
    let further = (2..100_000).map(|number| format!("{first}-{number}"));
    for name in std::iter::once(first.clone()).chain(further) {
        match LogWriter::create(&logs.join(name), &manifest.record, &settings) {
            Err(LogError::FolderExists { .. } | LogError::Busy { .. }) => {}
            written => return Ok(written?),
        }
    }
    bail!("`{}` is full of logs of this name", logs.display())
}

/// The queue that jobs come from.
struct Source {
    queue: Arc<dyn Queue>,
    manifest: Manifest,
    heartbeat: Heartbeat,
    /// Where its connection lives.
    runtime: tokio::runtime::Runtime,
}

/// Works for the queue on a thread of its own, and plays on this one.
fn play(
    plan: Plan,
    writer: LogWriter,
    source: Source,
    quiet: bool,
    registry: &Registry,
) -> anyhow::Result<(Launched, Ended)> {
    let (plan, gathering) = (Arc::new(plan), Arc::<Gathering>::default());
    let (orders, ordered) = mpsc::channel(plan.run.concurrency.clamp(1, 4096));
    let mut launch = Launch::new(Arc::clone(&plan), &writer, registry.measured());
    let copies = Arc::clone(&gathering);
    launch.log = launch.log.copied(move |batch| copies.add(batch));
    launch.orders = Some(Orders::Queue(ordered));
    let (stop, over) = (launch.stop.clone(), CancellationToken::new());
    signals::listen(stop.clone(), writer.handle(), Some(PATIENCE));
    let worker = Worker {
        queue: source.queue,
        manifest: source.manifest,
        plan: Arc::clone(&plan),
        gathering: Arc::clone(&gathering),
        orders,
        heartbeat: source.heartbeat,
        outage: OUTAGE,
        stop: stop.child_token(),
        over: over.clone(),
    };
    let working = std::thread::spawn(move || source.runtime.block_on(worker.work()));
    let progress = Progress::new(0, plan.models.clone(), registry, quiet, !quiet);
    let mut followed = Followed { progress, gathering };
    let launched = launch.run(&mut followed);
    followed.progress.finish();
    // Nothing is played any more: what is not complete is given back.
    stop.cancel();
    over.cancel();
    let ended = working.join().unwrap_or_default();
    writer.close()?;
    Ok((launched?, ended))
}

/// Tells the gathering of episodes that will never close.
struct Followed {
    progress: Progress,
    gathering: Arc<Gathering>,
}

impl Observer for Followed {
    fn closed(&mut self, result: &EpisodeResult, live: &Directory) {
        self.progress.closed(result, live);
    }

    fn tick(&mut self, live: &Directory, outages: &[ModelOutage]) {
        self.progress.tick(live, outages);
    }

    fn blocked(&mut self, blocked: &Blocked) {
        self.progress.blocked(blocked);
    }

    fn given_up(&mut self, ids: &[EpisodeId]) {
        self.gathering.give_up(ids);
    }
}

/// Says how it ended, and removes the worker's log unless something in it is nowhere else.
fn tell(launched: &Launched, ended: &Ended, folder: &Path, keep_log: bool) -> anyhow::Result<ExitCode> {
    for (model, why) in &launched.lost {
        output::remark(&format!("the worker ends because of the model `{model}`: {why}"));
    }
    let heartbeat = &ended.heartbeat;
    let mut text =
        format!("worker `{}`: {} committed", heartbeat.worker, counted(heartbeat.committed, "episode", "episodes"));
    if heartbeat.late > 0 {
        text += &format!(", {} too late (somebody else's count)", heartbeat.late);
    }
    if heartbeat.taken_over > 0 {
        text += &format!(", {} taken over from lost workers", heartbeat.taken_over);
    }
    output::emit(&format!("{text}\n"))?;
    if let Some(error) = ended.unsent.first() {
        let jobs = counted(ended.unsent.len() as u64, "job", "jobs");
        output::remark(&format!(
            "{jobs} could not be committed ({}): what was played is in `{}`; merge it into the run \
             (`rolecall merge RUN {}`)",
            visible(&error.to_string()),
            output::shown(folder),
            shell_path(folder)
        ));
    }
    if ended.unsent.is_empty() && !keep_log {
        // It stays if it cannot be removed; nothing in it is needed.
        let _ = fs::remove_dir_all(folder);
    }
    if let Some(error) = &ended.error {
        return Err(error.clone().into());
    }
    output::exit_code(!ended.unsent.is_empty() || !launched.lost.is_empty())
}
