//! What every queue of jobs must do, whatever it is made of.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rolecall::machines::{Committed, Extended, Heartbeat, JobId, Lease, Manifest, Queue, QueueError};
use tokio::time::{Instant, sleep};

/// Opens the queue of a run under the name of a worker.
pub type Open<'a> = &'a dyn Fn(&str, &str) -> BoxFuture<'static, Arc<dyn Queue>>;

/// Seconds of a lease, where it is to run out, and where it is not.
const SHORT: f64 = 1.0;
const LONG: f64 = 600.0;

/// The manifest of a run of so many jobs.
pub fn manifest(run: &str, jobs: u32, lease_seconds: f64) -> Manifest {
    Manifest {
        schema: 1,
        version: "0.0.0".to_owned(),
        run: run.to_owned(),
        name: format!("name-{run}"),
        jobs,
        per_job: 1,
        lease_seconds,
        attempts: 5,
        ..Manifest::default()
    }
}

pub fn jobs(count: u32) -> Vec<JobId> {
    (0..count).map(JobId).collect()
}

/// Leases until there is something.
pub async fn leased(queue: &dyn Queue) -> Lease {
    loop {
        if let Some(lease) = queue.lease(1).await.unwrap().pop() {
            return lease;
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// All of it.
pub async fn check(open: Open<'_>) {
    planning_is_done_once(open).await;
    jobs_are_committed_once(open).await;
    a_lease_holds_as_long_as_it_is_extended(open).await;
    a_lost_lease_is_another_ones(open).await;
    jobs_can_be_given_back(open).await;
    parts_can_be_refused(open).await;
    workers_are_alive_as_long_as_they_beat(open).await;
}

async fn planning_is_done_once(open: Open<'_>) {
    let planner = open("plan", "planner").await;
    let own = manifest("plan", 3, LONG);
    planner.plan(&own, &jobs(3)).await.unwrap();
    planner.plan(&own, &jobs(3)).await.unwrap();
    let worker = open("plan", "worker").await;
    assert_eq!(worker.manifest().await.unwrap(), own);
    let progress = worker.progress().await.unwrap();
    assert_eq!((progress.waiting, progress.leased, progress.committed), (3, 0, 0));
    let other = Manifest { run: "other".to_owned(), ..own.clone() };
    let refused = planner.plan(&other, &jobs(3)).await.unwrap_err();
    assert!(matches!(refused, QueueError::Unusable { .. }), "{refused}");

    // Jobs under lease stay so.
    let leases = worker.lease(2).await.unwrap();
    assert_eq!(leases.len(), 2);
    planner.plan(&own, &jobs(3)).await.unwrap();
    let rest = open("plan", "second").await;
    assert_eq!(rest.lease(10).await.unwrap().len(), 1);
    assert!(rest.lease(10).await.unwrap().is_empty());
}

async fn jobs_are_committed_once(open: Open<'_>) {
    let planner = open("commit", "planner").await;
    let own = manifest("commit", 4, LONG);
    planner.plan(&own, &jobs(4)).await.unwrap();
    let (one, other) = (open("commit", "one").await, open("commit", "other").await);
    let mut leases = one.lease(3).await.unwrap();
    leases.sort_by_key(|lease| lease.job);
    assert!(leases.iter().all(|lease| lease.attempt == 1 && lease.begun.is_none()));
    assert_eq!(leases.len(), 3);
    // The last one is of three megabytes that cannot be made smaller.
    let large: Vec<u8> =
        (0..3_000_000u32).flat_map(|i| blake3::hash(&i.to_le_bytes()).as_bytes()[..1].to_vec()).collect();
    for (lease, part) in leases.iter().zip([&b"first"[..], b"second", &large]) {
        assert_eq!(one.commit(lease, part).await.unwrap(), Committed::First);
        // The answer was lost, and it is tried once more.
        assert_eq!(one.commit(lease, part).await.unwrap(), Committed::First);
        // A part says whose it is: another worker's has other bytes.
        let late = other.commit(lease, b"another's").await.unwrap();
        assert_eq!(late, Committed::Late);
        assert_eq!(planner.part(lease.job).await.unwrap(), part);
        assert_eq!(one.extend(lease, None).await.unwrap(), Extended::Lost);
    }
    let mut committed = planner.committed().await.unwrap();
    committed.sort();
    assert_eq!(committed, leases.iter().map(|lease| lease.job).collect::<Vec<_>>());
    planner.plan(&own, &jobs(4)).await.unwrap();
    let progress = planner.progress().await.unwrap();
    assert_eq!((progress.waiting, progress.leased, progress.committed), (1, 0, 3));
    assert_eq!(other.lease(10).await.unwrap().len(), 1);
}

async fn a_lease_holds_as_long_as_it_is_extended(open: Open<'_>) {
    let planner = open("extend", "planner").await;
    planner.plan(&manifest("extend", 1, SHORT), &jobs(1)).await.unwrap();
    let (one, other) = (open("extend", "one").await, open("extend", "other").await);
    let lease = leased(&*one).await;
    let (began, mut extended) = (Instant::now(), Instant::now());
    while began.elapsed() < Duration::from_secs_f64(2.5 * SHORT) {
        let (before, held) = (Instant::now(), one.extend(&lease, None).await.unwrap());
        let taken = other.lease(1).await.unwrap();
        // On a machine that is too busy to extend in time, nothing is shown.
        if extended.elapsed() > Duration::from_secs_f64(SHORT / 2.0) {
            println!("not in time");
            return;
        }
        assert_eq!((held, taken.len()), (Extended::Held, 0));
        extended = before;
        sleep(Duration::from_millis(50)).await;
    }
}

async fn a_lost_lease_is_another_ones(open: Open<'_>) {
    let planner = open("lost", "planner").await;
    planner.plan(&manifest("lost", 1, SHORT), &jobs(1)).await.unwrap();
    let (one, other) = (open("lost", "one").await, open("lost", "other").await);
    let lease = leased(&*one).await;
    assert_eq!(one.extend(&lease, Some(b"begun 1")).await.unwrap(), Extended::Held);
    assert_eq!(one.extend(&lease, Some(b"begun 2")).await.unwrap(), Extended::Held);
    let taken = leased(&*other).await;
    assert_eq!((taken.job, taken.attempt), (lease.job, 2));
    assert_eq!(taken.begun.as_deref(), Some(&b"begun 2"[..]));
    assert_eq!(one.extend(&lease, Some(b"late")).await.unwrap(), Extended::Lost);
    assert_eq!(other.commit(&taken, b"taken").await.unwrap(), Committed::First);
    assert_eq!(one.commit(&lease, b"late").await.unwrap(), Committed::Late);
    assert_eq!(planner.part(lease.job).await.unwrap(), b"taken");
    assert!(one.lease(1).await.unwrap().is_empty());
}

async fn jobs_can_be_given_back(open: Open<'_>) {
    let planner = open("back", "planner").await;
    planner.plan(&manifest("back", 1, LONG), &jobs(1)).await.unwrap();
    let (one, other) = (open("back", "one").await, open("back", "other").await);
    for queue in [&one, &other, &one] {
        let lease = leased(&**queue).await;
        assert_eq!(lease.attempt, 1);
        queue.give_back(&lease).await.unwrap();
        assert_eq!(planner.progress().await.unwrap().waiting, 1);
    }
    let lease = leased(&*other).await;
    assert_eq!(other.commit(&lease, b"part").await.unwrap(), Committed::First);
}

async fn parts_can_be_refused(open: Open<'_>) {
    let planner = open("refuse", "planner").await;
    let own = manifest("refuse", 1, LONG);
    planner.plan(&own, &jobs(1)).await.unwrap();
    let one = open("refuse", "one").await;
    let lease = leased(&*one).await;
    one.extend(&lease, Some(b"begun")).await.unwrap();
    assert_eq!(one.commit(&lease, b"broken").await.unwrap(), Committed::First);
    assert_eq!(planner.committed().await.unwrap(), [lease.job]);
    planner.refuse(lease.job).await.unwrap();
    assert!(planner.committed().await.unwrap().is_empty());
    planner.plan(&own, &jobs(1)).await.unwrap();
    let lease = leased(&*one).await;
    assert_eq!(one.commit(&lease, b"good").await.unwrap(), Committed::First);
    assert_eq!(planner.part(lease.job).await.unwrap(), b"good");
    assert_eq!(planner.committed().await.unwrap(), [lease.job]);
    assert!(one.lease(1).await.unwrap().is_empty());
}

async fn workers_are_alive_as_long_as_they_beat(open: Open<'_>) {
    let planner = open("heartbeats", "planner").await;
    planner.plan(&manifest("heartbeats", 1, SHORT), &jobs(1)).await.unwrap();
    assert!(planner.workers().await.unwrap().is_empty());
    let heartbeat =
        |worker: &str, number, left| Heartbeat { worker: worker.to_owned(), number, left, ..Heartbeat::default() };
    let one = open("heartbeats", "one").await;
    one.heartbeat(&heartbeat("one", 1, false)).await.unwrap();
    let other = open("heartbeats", "other").await;
    other.heartbeat(&heartbeat("other", 7, true)).await.unwrap();
    let states = planner.workers().await.unwrap();
    let alive: Vec<(&str, bool)> = states.iter().map(|own| (own.heartbeat.worker.as_str(), own.alive)).collect();
    assert_eq!(alive, [("one", true), ("other", false)]);
    sleep(Duration::from_secs_f64(SHORT)).await;
    assert!(!planner.workers().await.unwrap()[0].alive);
    one.heartbeat(&heartbeat("one", 2, false)).await.unwrap();
    let one = planner.workers().await.unwrap().remove(0);
    assert_eq!((one.alive, one.heartbeat.number), (true, 2));
}
