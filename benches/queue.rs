//! Jobs a second through one server of NATS, and what a job costs a worker: `tests/nats.sh cargo bench --bench
//! queue`. Each job is leased, and a part of 10 kB is committed for it.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark may stop at once and prints figures"
)]

#[path = "../tests/support/nats_server.rs"]
mod nats_server;

use std::sync::Arc;
use std::time::Instant;

use futures_util::future::join_all;
use rolecall::machines::{Committed, JobId, Manifest, Queue, nats};

const JOBS: u32 = 5_000;
const WORKERS: u32 = 4;
const AT_ONCE: usize = 32;
const PART: usize = 10_000;

fn main() {
    let Some(program) = nats_server::program() else {
        return;
    };
    for sync in ["1s", "always"] {
        let server = nats_server::NatsServer::synced(program.clone(), sync);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        runtime.unwrap().block_on(measure(&server.address(""), sync));
    }
}

async fn measure(address: &str, sync: &str) {
    let planner = nats::connect(address, None, "planner").await.unwrap();
    let manifest = Manifest {
        run: "bench".to_owned(),
        name: "bench".to_owned(),
        jobs: JOBS,
        per_job: 1,
        lease_seconds: 60.0,
        attempts: 5,
        ..Manifest::default()
    };
    let jobs: Vec<JobId> = (0..JOBS).map(JobId).collect();
    let start = Instant::now();
    planner.plan(&manifest, &jobs).await.unwrap();
    let planned = start.elapsed().as_secs_f64();
    let (start, used) = (Instant::now(), cpu_seconds());
    let workers = (0..WORKERS).map(|worker| async move {
        let name = format!("worker-{worker}");
        let queue = nats::connect(address, None, &name).await.unwrap();
        work(queue).await
    });
    let done: u32 = join_all(workers).await.into_iter().sum();
    assert_eq!(done, JOBS);
    let (seconds, used) = (start.elapsed().as_secs_f64(), cpu_seconds() - used);
    println!(
        "sync_interval {sync}: planned {:.0} jobs a second, played {:.0} jobs a second, {:.2} ms of CPU per job",
        f64::from(JOBS) / planned,
        f64::from(JOBS) / seconds,
        1000.0 * used / f64::from(JOBS)
    );
}

async fn work(queue: Arc<dyn Queue>) -> u32 {
    let mut done = 0;
    loop {
        let leases = queue.lease(AT_ONCE).await.unwrap();
        if leases.is_empty() {
            return done;
        }
        let commits = leases.iter().map(|lease| async {
            let part = vec![lease.job.0.to_le_bytes()[0]; PART];
            let committed = queue.commit(lease, &part).await.unwrap();
            assert_eq!(committed, Committed::First);
        });
        done += u32::try_from(join_all(commits).await.len()).unwrap();
    }
}

/// Seconds of CPU that this process has used: ticks of a hundredth.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let words: Vec<&str> = stat.split_whitespace().collect();
    let ticks = |index: usize| words.get(index).and_then(|word| word.parse::<f64>().ok());
    (ticks(13).unwrap_or_default() + ticks(14).unwrap_or_default()) / 100.0
}
