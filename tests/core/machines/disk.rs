//! A queue in a folder of a real disk.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rolecall::machines::{
    Committed, Extended, FolderQueue, Heartbeat, JobId, Lease, Manifest, Progress, Queue, QueueError, Store,
};
use tempfile::TempDir;
use tokio::time::sleep;

use crate::support::queues;

const LEASE: Duration = Duration::from_secs(30);

fn manifest(jobs: u32) -> Manifest {
    Manifest {
        run: "01J".to_owned(),
        name: "big".to_owned(),
        jobs,
        per_job: 1,
        lease_seconds: LEASE.as_secs_f64(),
        ..Manifest::default()
    }
}

fn queue(folder: &TempDir, worker: &str) -> FolderQueue {
    FolderQueue::open(folder.path(), worker).unwrap()
}

/// A folder with so many jobs, the queue of its planner and those of two workers.
async fn planned(jobs: u32) -> (TempDir, FolderQueue, [FolderQueue; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let planner = queue(&folder, "planner");
    let all: Vec<JobId> = (0..jobs).map(JobId).collect();
    planner.plan(&manifest(jobs), &all).await.unwrap();
    let workers = [queue(&folder, "one"), queue(&folder, "two")];
    (folder, planner, workers)
}

async fn one(queue: &FolderQueue) -> Lease {
    let [lease] = queue.lease(1).await.unwrap().try_into().unwrap();
    lease
}

/// Leases one as soon as there is one, at most some leases later.
async fn sooner_or_later(queue: &FolderQueue) -> Lease {
    for _ in 0..40 {
        if let Some(lease) = queue.lease(1).await.unwrap().pop() {
            return lease;
        }
        sleep(LEASE / 10).await;
    }
    panic!("nothing can be leased");
}

fn progress(waiting: u32, leased: u32, committed: u32) -> Progress {
    Progress { waiting, leased, committed }
}

#[tokio::test]
async fn it_does_what_every_queue_does() {
    let folder = tempfile::tempdir().unwrap();
    queues::check(&|run, worker| {
        let queue = FolderQueue::open(&folder.path().join(run), worker).unwrap();
        Box::pin(async move { Arc::new(queue) as Arc<dyn Queue> })
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn jobs_wait_are_leased_and_committed_once() {
    let (folder, planner, [one_worker, other]) = planned(3).await;
    assert_eq!(one_worker.manifest().await.unwrap(), manifest(3));
    let mut leases = one_worker.lease(2).await.unwrap();
    leases.extend(other.lease(5).await.unwrap());
    let mut jobs: Vec<u32> = leases.iter().map(|lease| lease.job.0).collect();
    jobs.sort_unstable();
    assert_eq!(jobs, [0, 1, 2]);
    assert!(leases.iter().all(|lease| lease.attempt == 1 && lease.begun.is_none()));
    assert_eq!(planner.progress().await.unwrap(), progress(0, 3, 0));
    // Planning once more changes nothing.
    planner.plan(&manifest(3), &[JobId(0), JobId(1), JobId(2)]).await.unwrap();
    assert_eq!(planner.progress().await.unwrap(), progress(0, 3, 0));

    assert_eq!(one_worker.commit(&leases[0], b"a part").await.unwrap(), Committed::First);
    // Its answer was lost, it commits once more; another one is late.
    assert_eq!(one_worker.commit(&leases[0], b"a part").await.unwrap(), Committed::First);
    assert_eq!(other.commit(&leases[0], b"another").await.unwrap(), Committed::Late);
    assert_eq!(one_worker.extend(&leases[0], None).await.unwrap(), Extended::Lost);
    assert_eq!(planner.committed().await.unwrap(), [leases[0].job]);
    assert_eq!(planner.part(leases[0].job).await.unwrap(), b"a part");
    assert_eq!(planner.progress().await.unwrap(), progress(0, 2, 1));
    assert!(planner.part(leases[1].job).await.is_err());
    let unfinished = fs::read_dir(folder.path().join("unfinished")).unwrap();
    assert_eq!(unfinished.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_not_extended_is_taken_over_with_what_was_shipped() {
    let (_folder, _, [first, second]) = planned(1).await;
    let lease = one(&first).await;
    // As long as it is extended, it holds.
    for number in 0..10 {
        let begun = format!("begun {number}");
        let extended = first.extend(&lease, Some(begun.as_bytes())).await;
        assert_eq!(extended.unwrap(), Extended::Held);
        assert!(second.lease(1).await.unwrap().is_empty());
        assert!(first.lease(1).await.unwrap().is_empty());
        sleep(LEASE / 3).await;
    }
    let taken = sooner_or_later(&second).await;
    assert_eq!((taken.job, taken.attempt), (lease.job, 2));
    assert_eq!(taken.begun.as_deref(), Some(&b"begun 9"[..]));
    // The lost one ships nothing more, and is late.
    let extended = first.extend(&lease, Some(b"old")).await;
    assert_eq!(extended.unwrap(), Extended::Lost);
    assert_eq!(second.commit(&taken, b"second").await.unwrap(), Committed::First);
    assert_eq!(first.commit(&lease, b"first").await.unwrap(), Committed::Late);
    assert_eq!(first.part(lease.job).await.unwrap(), b"second");
}

#[tokio::test(start_paused = true)]
async fn a_job_that_was_committed_by_a_lost_worker_is_not_played_again() {
    let (folder, planner, [first, second]) = planned(1).await;
    let lease = one(&first).await;
    let lease_file = folder.path().join("leases/00/00000000~1~one");
    assert!(lease_file.exists());
    assert_eq!(first.commit(&lease, b"part").await.unwrap(), Committed::First);
    // As if the worker had been lost before it took the job off.
    fs::write(&lease_file, "").unwrap();
    assert!(second.lease(1).await.unwrap().is_empty());
    sleep(LEASE * 2).await;
    assert!(second.lease(1).await.unwrap().is_empty());
    assert!(!lease_file.exists());
    assert_eq!(planner.progress().await.unwrap(), progress(0, 0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_job_is_given_back_with_what_was_shipped_and_refused_with_what_was_committed() {
    let (folder, planner, [first, second]) = planned(1).await;
    let lease = one(&first).await;
    first.extend(&lease, Some(b"begun")).await.unwrap();
    first.give_back(&lease).await.unwrap();
    first.give_back(&lease).await.unwrap();
    assert_eq!(planner.progress().await.unwrap(), progress(1, 0, 0));
    let lease = one(&second).await;
    assert_eq!((lease.attempt, lease.begun.as_deref()), (1, Some(&b"begun"[..])));
    second.commit(&lease, b"bad").await.unwrap();

    planner.refuse(lease.job).await.unwrap();
    planner.refuse(lease.job).await.unwrap();
    assert_eq!(planner.progress().await.unwrap(), progress(1, 0, 0));
    let refused = folder.path().join("refused/00000000.zst");
    assert_eq!(fs::read(refused).unwrap(), b"bad");
    let lease = one(&first).await;
    assert_eq!((lease.attempt, lease.begun.as_deref()), (1, None));
    assert_eq!(first.commit(&lease, b"good").await.unwrap(), Committed::First);
    assert_eq!(planner.part(lease.job).await.unwrap(), b"good");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_reach_for_a_job_or_a_part_one_has_it() {
    let (_folder, planner, workers) = planned(100).await;
    let [one, two] = workers.map(Arc::new);
    let all = |queue: &Arc<FolderQueue>| {
        let queue = Arc::clone(queue);
        tokio::spawn(async move {
            let mut jobs = Vec::new();
            while let [lease] = &queue.lease(1).await.unwrap()[..] {
                jobs.push(lease.clone());
            }
            jobs
        })
    };
    let (some, others) = (all(&one), all(&two));
    let leases = [some.await.unwrap(), others.await.unwrap()].concat();
    let mut jobs: Vec<u32> = leases.iter().map(|lease| lease.job.0).collect();
    jobs.sort_unstable();
    assert_eq!(jobs, (0..100).collect::<Vec<u32>>());

    for lease in leases {
        let commit = |queue: &Arc<FolderQueue>, part: &'static [u8]| {
            let (queue, lease) = (Arc::clone(queue), lease.clone());
            tokio::spawn(async move { queue.commit(&lease, part).await.unwrap() })
        };
        let (first, second) = (commit(&one, b"one"), commit(&two, b"two"));
        let outcome = (first.await.unwrap(), second.await.unwrap());
        let part: &[u8] = match outcome {
            (Committed::First, Committed::Late) => b"one",
            (Committed::Late, Committed::First) => b"two",
            both => panic!("{both:?}"),
        };
        assert_eq!(planner.part(lease.job).await.unwrap(), part);
    }
    assert_eq!(planner.progress().await.unwrap(), progress(0, 0, 100));
}

#[tokio::test(start_paused = true)]
async fn workers_are_seen_as_long_as_they_give_beats() {
    let (_folder, planner, [first, second]) = planned(1).await;
    let heartbeat =
        |worker: &str, number, left| Heartbeat { worker: worker.to_owned(), number, left, ..Heartbeat::default() };
    let alive = async || {
        let states = planner.workers().await.unwrap();
        let states = states.iter().map(|own| (own.heartbeat.worker.clone(), own.alive));
        states.collect::<Vec<_>>()
    };
    first.heartbeat(&heartbeat("one", 1, false)).await.unwrap();
    second.heartbeat(&heartbeat("two", 1, false)).await.unwrap();
    assert_eq!(alive().await, [("one".to_owned(), true), ("two".to_owned(), true)]);
    sleep(LEASE).await;
    first.heartbeat(&heartbeat("one", 2, false)).await.unwrap();
    assert_eq!(alive().await, [("one".to_owned(), true), ("two".to_owned(), false)]);
    first.heartbeat(&heartbeat("one", 3, true)).await.unwrap();
    assert_eq!(alive().await, [("one".to_owned(), false), ("two".to_owned(), false)]);
}

#[tokio::test]
async fn a_folder_of_another_run_and_one_of_none_say_so() {
    let (folder, planner, _) = planned(1).await;
    let other = Manifest { run: "02K".to_owned(), name: "small".to_owned(), ..manifest(1) };
    let error = planner.plan(&other, &[JobId(0)]).await.unwrap_err();
    assert!(!error.may_pass());
    let text = error.to_string();
    assert!(text.contains("`big` (01J)") && text.contains("`small` (02K)"), "{text}");

    fs::write(folder.path().join("manifest.json"), "{").unwrap();
    let error = queue(&folder, "w").lease(1).await.unwrap_err();
    assert!(!error.may_pass() && error.to_string().contains("manifest.json"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    let error = queue(&empty, "w").lease(1).await.unwrap_err();
    // The planner may come later than its workers.
    assert!(error.may_pass() && error.to_string().contains("no run was planned"), "{error}");
    let file = empty.path().join("file");
    fs::write(&file, "").unwrap();
    let below = FolderQueue::open(&file, "w").unwrap();
    let error = below.plan(&manifest(1), &[JobId(0)]).await.unwrap_err();
    assert!(error.to_string().contains("dir:"), "{error}");
    let endless = Manifest { lease_seconds: f64::MAX, ..manifest(1) };
    assert!(queue(&empty, "w").plan(&endless, &[]).await.is_err());
}

#[test]
fn a_worker_needs_a_name_that_a_file_can_have() {
    for name in ["", "..", "a/b", "a~b", "a\u{1b}[2J"] {
        let error = FolderQueue::open(Path::new("q"), name).err().unwrap();
        let text = error.to_string();
        assert!(text.contains("name") && !text.contains('\u{1b}'), "{text}");
    }
}

/// Fails each time in the same manner.
struct Broken(io::ErrorKind);

#[async_trait]
impl Store for Broken {
    async fn publish(&self, _: &str, _: &[u8]) -> io::Result<bool> {
        Err(self.0.into())
    }
    async fn claim(&self, _: &str, _: &str) -> io::Result<bool> {
        Err(self.0.into())
    }
    async fn update(&self, _: &str, _: &[u8]) -> io::Result<bool> {
        Err(self.0.into())
    }
    async fn replace(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(self.0.into())
    }
    async fn read(&self, _: &str) -> io::Result<Option<Vec<u8>>> {
        Err(self.0.into())
    }
    async fn has(&self, _: &str) -> io::Result<bool> {
        Err(self.0.into())
    }
    async fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Err(self.0.into())
    }
    async fn remove(&self, _: &str) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[tokio::test]
async fn what_may_pass_is_waited_for_and_what_does_not_is_said() {
    for (kind, may_pass, word) in [
        (io::ErrorKind::StaleNetworkFileHandle, true, "stale"),
        (io::ErrorKind::TimedOut, true, "timed out"),
        (io::ErrorKind::Other, true, "other"),
        (io::ErrorKind::PermissionDenied, false, "permission"),
        (io::ErrorKind::StorageFull, false, "no space left"),
    ] {
        let queue = FolderQueue::over(Box::new(Broken(kind)), "dir:/q", "w").unwrap();
        let error: QueueError = queue.plan(&manifest(1), &[]).await.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.may_pass(), may_pass, "{text}");
        for word in [word, "dir:/q", "manifest.json"] {
            assert!(text.contains(word), "{text}");
        }
    }
}
