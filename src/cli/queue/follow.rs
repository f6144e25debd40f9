//! Planning a run for workers, and following it: what they commit is taken into the run's folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{bundle, host};
use crate::output;
use crate::progress::Progress;
use crate::runs::record_text;
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{LogWriter, RunFolder, RunLog, WorkerRecord, episodes_of_workers, with_workers};
use rolecall_core::text::{counted, shell_path, visible};
use rolecall_doors::machines::merge::{Added, Merger};
use rolecall_doors::machines::{Follower, Follows, Jobs, Manifest, Part, WorkerState, connect};
use rolecall_run::config::{Plan, Resolved};
use rolecall_run::registry::HUMAN;
use rolecall_run::runtime::{Directory, Launched, Moment, Observer, ResumeState};

/// Episodes in a job: with models, and by rules.
const PER_JOB: (u32, u32) = (1, 100);
/// How often a job is played that takes its workers with it.
const ATTEMPTS: u32 = 5;
/// The time for which a queue that is away is waited for.
const OUTAGE: Duration = Duration::from_secs(3600);
/// The time after which somebody who follows is told that nobody works.
const ALONE: Duration = Duration::from_secs(15);
/// How long workers are waited for to leave when everything is there.
const LEAVING: Duration = Duration::from_secs(5);

/// A run that is planned for workers.
pub(crate) struct Queued {
    /// The config's files, for the workers.
    pub(crate) files: BTreeMap<String, String>,
    /// Nobody follows it now.
    pub(crate) detach: bool,
}

impl Queued {
    /// How the run is queued; nothing if it is played here.
    pub(crate) fn of(resolved: &Resolved, detach: bool) -> anyhow::Result<Option<Self>> {
        if resolved.plan.queue.address.is_none() {
            return Ok(None);
        }
        if resolved.plan.run.shard.is_some() {
            bail!("a run is played either in shards or by a queue: leave out `run.shard` or `queue.address`");
        }
        if asks_a_person(&resolved.plan) {
            bail!(
                "a person takes part in this run, whom workers on other machines cannot ask: seat somebody \
                 else, or play it without a queue"
            );
        }
        Ok(Some(Self { files: bundle(resolved)?, detach }))
    }
}

/// Result of a run that workers played.
pub(crate) struct Followed {
    /// As if it had been played here.
    pub(crate) launched: Launched,
    /// Who worked.
    pub(crate) workers: Vec<WorkerState>,
}

/// Plans the run, follows it to its end unless nobody wants to, and takes what was played into its folder.
pub(crate) fn follow(
    plan: &Plan,
    writer: &LogWriter,
    queued: Queued,
    resume_state: &ResumeState,
    stop: &CancellationToken,
    progress: &mut Progress,
) -> anyhow::Result<Followed> {
    let log = RunLog::open(writer.folder())?;
    let detach = queued.detach;
    output::runtime()?.block_on(async {
        let follower = follower(plan, queued, stop).await?;
        let is_closed = |id: &_| resume_state.is_closed(id);
        follower.plan(is_closed).await?;
        let mut merging = Merging {
            merger: Merger::new(writer, &log)?,
            launched: Launched {
                results: Vec::new(),
                planned: resume_state.left(plan.planned()),
                events: 0,
                lost: Vec::new(),
                given_up: Vec::new(),
            },
            progress,
            began: Moment::now(),
            alone: true,
        };
        if detach {
            return Ok(Followed { launched: merging.launched, workers: Vec::new() });
        }
        let (mut workers, whole) = follower.follow(is_closed, &mut merging).await?;
        let left = Moment::now();
        while whole && left.elapsed() < LEAVING && workers.iter().any(|worker| worker.alive) {
            sleep(Duration::from_millis(200)).await;
            workers = follower.queue.workers().await.unwrap_or(workers);
        }
        Ok(Followed { launched: merging.launched, workers })
    })
}

async fn follower(plan: &Plan, queued: Queued, stop: &CancellationToken) -> anyhow::Result<Follower> {
    let settings = &plan.queue;
    let address = settings.address.as_deref().context("the run has no queue")?;
    let models = plan.models.iter().next().is_some();
    let per_job = settings.per_job.unwrap_or(if models { PER_JOB.0 } else { PER_JOB.1 });
    let jobs = Jobs::new(plan, per_job);
    let planner = format!("planner-{}-{}", host(), std::process::id());
    let queue = connect(address, settings.key_file.as_deref(), &planner).await?;
    let manifest = Manifest {
        schema: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        run: plan.id.to_string(),
        name: plan.name.clone(),
        record: plan.record.clone(),
        files: queued.files,
        jobs: jobs.count(),
        per_job,
        lease_seconds: settings.lease.as_secs_f64(),
        attempts: ATTEMPTS,
        in_flight: settings.in_flight,
    };
    Ok(Follower { queue, manifest, jobs, stop: stop.clone(), outage: OUTAGE })
}

/// Takes parts into the folder of a run.
struct Merging<'a> {
    merger: Merger,
    launched: Launched,
    progress: &'a mut Progress,
    began: Moment,
    /// Nobody has worked yet.
    alone: bool,
}

impl Follows for Merging<'_> {
    type Error = anyhow::Error;

    async fn take(&mut self, part: Part) -> anyhow::Result<()> {
        for episode in &part.episodes {
            if self.merger.add(episode, &part.worker).await? != Added::New {
                continue;
            }
            let line = episode.lines.result.strip_suffix(b"\n").unwrap_or_default();
            let result = EpisodeResult::decode(line)
                .map_err(|error| anyhow::anyhow!("the result of `{}`: {error}", episode.id))?;
            self.progress.closed(&result, &Directory::default());
            self.launched.events += episode.lines.events.iter().filter(|byte| **byte == b'\n').count() as u64;
            self.launched.results.push(result);
        }
        Ok(())
    }

    fn tick(&mut self) {
        self.progress.tick(&Directory::default(), &[]);
    }

    fn look(&mut self, workers: &[WorkerState]) {
        let alive = workers.iter().filter(|worker| worker.alive);
        let playing = alive.clone().map(|worker| worker.heartbeat.playing as usize).sum();
        let alive = alive.count();
        self.progress.elsewhere(alive, playing);
        if alive > 0 {
            self.alone = false;
        } else if self.alone && self.began.elapsed() > ALONE {
            self.alone = false;
            self.progress
                .remark("nobody works yet: the line above starts a worker, on any machine that reaches the queue");
        }
    }

    fn remark(&mut self, text: &str) {
        self.progress.remark(&visible(text));
    }
}

/// Whether a person takes part.
pub(crate) fn asks_a_person(plan: &Plan) -> bool {
    plan.seat_of(HUMAN).is_some()
}

/// Refuses what is no queue, and a folder that holds another run, before a run is begun for it.
pub(crate) fn refuse_taken(plan: &Plan) -> anyhow::Result<()> {
    let address = plan.queue.address.as_deref().unwrap_or_default();
    // A server has many runs.
    if address.starts_with("nats://") || address.starts_with("tls://") {
        return Ok(());
    }
    let runtime = output::runtime()?;
    let queue = runtime.block_on(connect(address, None, "planner"))?;
    match runtime.block_on(queue.manifest()) {
        Ok(there) => bail!(
            "`{}` is the queue of the run `{}` already: follow that one by `rolecall resume`, or name an empty \
             folder",
            visible(address),
            visible(&there.name)
        ),
        Err(error) if error.may_pass() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Says who can work, before anybody waits for that.
pub(crate) fn announce(plan: &Plan) {
    let Some(address) = &plan.queue.address else {
        return;
    };
    let key = plan.queue.key_file.as_ref().map_or_else(String::new, |key| format!(" --key-file {}", shell_path(key)));
    output::remark(&format!(
        "{} planned; on any number of machines: rolecall worker --queue {}{key}",
        counted(plan.planned() as u64, "episode", "episodes"),
        shell_path(Path::new(address))
    ));
}

/// Writes into the run's record who worked.
pub(crate) fn record(folder: &Path, workers: &[WorkerState]) -> anyhow::Result<()> {
    if workers.is_empty() {
        return Ok(());
    }
    let run = RunFolder::lock(folder)?;
    let played = episodes_of_workers(folder);
    let workers = workers.iter().map(|WorkerState { heartbeat, alive }| WorkerRecord {
        name: heartbeat.worker.clone(),
        host: Some(heartbeat.host.clone()).filter(|host| !host.is_empty()),
        version: heartbeat.version.clone(),
        episodes: played.get(&heartbeat.worker).copied().unwrap_or_default(),
        late: heartbeat.late,
        taken_over: heartbeat.taken_over,
        lost: !heartbeat.left && !alive,
    });
    let text = with_workers(&record_text(folder)?, &workers.collect::<Vec<_>>()).map_err(anyhow::Error::msg)?;
    Ok(run.replace_record(&text)?)
}
