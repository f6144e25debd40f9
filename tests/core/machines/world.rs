//! Worlds of workers that play jobs and lose one another: one seed, one world. The protocol is the real one, the
//! queue's and the keeper's; time, network, machines and play are made up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use rolecall::machines::{JobId, Keeping, Kept, Lease, Manifest, Play, Queue, keep};
use tokio::task::JoinHandle;
use tokio::time::{Instant, advance, sleep};

use super::gate::{Gate, Gated, open};
use super::net::{Counts, LEASE, PLANNER, Shared};

/// Makes the queue of a worker, whose clock runs so many times faster than others.
pub(super) type Queues = Arc<dyn Fn(&str, f64) -> Box<dyn Queue> + Send + Sync>;

/// How a world is laid out.
#[derive(Clone)]
pub(super) struct Layout {
    pub(super) jobs: u32,
    pub(super) workers: usize,
    /// Jobs that a worker plays at the same time.
    pub(super) slots: usize,
    /// The longest time of most plays, in milliseconds. One of ten takes up to four leases, if there are
    /// disasters.
    pub(super) longest: usize,
    /// Number of disasters: crashes, pauses, partitions, jumps, plans.
    pub(super) disasters: usize,
}

/// What was seen of the workers.
#[derive(Default)]
struct Seen {
    /// Leases that were handed out.
    leases: u32,
    /// All that was ever played, by job.
    made: BTreeMap<JobId, BTreeSet<Vec<u8>>>,
    /// What was said to be the part that counts.
    first: Vec<(JobId, Vec<u8>)>,
    /// What was said to be late.
    late: Vec<(JobId, Vec<u8>)>,
    wrong: Vec<String>,
    is_over: bool,
}

struct Worker {
    name: String,
    gate: Arc<Mutex<Gate>>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
pub(super) struct World {
    shared: Shared,
    queues: Queues,
    seen: Arc<Mutex<Seen>>,
    layout: Layout,
}

/// What came of a world.
pub(super) struct Outcome {
    pub(super) counts: Counts,
    pub(super) wrong: Vec<String>,
}

impl Outcome {
    /// What is left in a queue when all is committed is wrong.
    pub(super) fn left(&mut self, names: impl IntoIterator<Item = String>) {
        let left = names.into_iter().map(|name| format!("{name} is left"));
        self.wrong.extend(left);
    }
}

impl World {
    pub(super) fn new(shared: &Shared, queues: Queues, layout: Layout) -> Self {
        Self { shared: shared.clone(), queues, seen: Arc::default(), layout }
    }

    /// Plays it to its end.
    pub(super) async fn play(&self) -> Outcome {
        let is_calm = self.layout.disasters == 0;
        let planner: Arc<dyn Queue> = (self.queues)(PLANNER, 1.0).into();
        let mut workers = Vec::new();
        for number in 0..self.layout.workers {
            workers.push(self.worker(format!("w{number}"), is_calm));
        }
        self.plan(&*planner).await;
        for _ in 0..self.layout.disasters {
            let wait = self.shared.net().dice.millis(10, 6000);
            sleep(wait).await;
            self.disaster(&mut workers, &planner).await;
        }
        {
            let mut net = self.shared.net();
            net.is_calm = true;
            net.cut_off.clear();
        }
        workers.iter().for_each(|worker| open(&worker.gate));
        if !is_calm {
            workers.push(self.worker("last".to_owned(), true));
        }
        self.end(&*planner, is_calm).await;
        workers.iter().for_each(|worker| worker.task.abort());
        let mut seen = self.seen.lock().unwrap();
        let mut net = self.shared.net();
        for (what, count) in [("jobs", self.layout.jobs), ("leases", seen.leases)] {
            *net.counts.0.entry(what).or_default() += u64::from(count);
        }
        Outcome { counts: net.counts.clone(), wrong: std::mem::take(&mut seen.wrong) }
    }

    fn manifest(&self) -> Manifest {
        Manifest {
            run: "run".to_owned(),
            jobs: self.layout.jobs,
            per_job: 1,
            lease_seconds: LEASE.as_secs_f64(),
            ..Manifest::default()
        }
    }

    async fn plan(&self, planner: &dyn Queue) {
        let (manifest, jobs) = (self.manifest(), (0..self.layout.jobs).map(JobId));
        let jobs: Vec<JobId> = jobs.collect();
        while let Err(error) = planner.plan(&manifest, &jobs).await {
            if !error.may_pass() {
                return self.wrong(format!("planning: {error}"));
            }
        }
    }

    fn wrong(&self, what: String) {
        self.seen.lock().unwrap().wrong.push(what);
    }

    fn worker(&self, name: String, is_exact: bool) -> Worker {
        let clock = match self.shared.net().dice.below(10) {
            0 if !is_exact => 0.3,
            1 if !is_exact => 4.0,
            _ => 1.0,
        };
        if clock > 1.0 {
            self.shared.count("workers with fast clocks");
        } else if clock < 1.0 {
            self.shared.count("workers with slow clocks");
        }
        let queue = (self.queues)(&name, clock);
        let (world, own, gate) = (self.clone(), name.clone(), Arc::default());
        let work = async move {
            let queue = &*queue;
            let slots = (0..world.layout.slots).map(|_| world.slot(queue, &own, clock));
            join_all(slots).await;
        };
        let inner = Box::pin(work);
        let gated = Gated { inner, gate: Arc::clone(&gate) };
        let task = tokio::spawn(gated);
        Worker { name, gate, task }
    }

    /// Plays one job after the other.
    async fn slot(&self, queue: &dyn Queue, worker: &str, clock: f64) {
        while !self.seen.lock().unwrap().is_over {
            let most = 1 + self.shared.net().dice.below(2);
            let leases = queue.lease(most).await.unwrap_or_default();
            if leases.is_empty() {
                let is_calm = self.shared.net().is_calm;
                let longest = match self.layout.disasters {
                    0 => 5000,
                    _ if is_calm => 20_000,
                    _ => 2000,
                };
                let wait = self.shared.net().dice.millis(500, longest);
                sleep(wait).await;
            }
            let played = leases.iter().map(|lease| self.job(queue, worker, lease, clock));
            join_all(played).await;
        }
    }

    /// Plays a job as every worker does.
    async fn job(&self, queue: &dyn Queue, worker: &str, lease: &Lease, clock: f64) {
        let job = lease.job;
        let number = {
            let mut seen = self.seen.lock().unwrap();
            seen.leases += 1;
            seen.leases
        };
        if lease.attempt > 1 {
            self.shared.count("leases taken over");
        }
        let begun = format!("begun {job}").into_bytes();
        match &lease.begun {
            Some(other) if *other != begun => self.wrong(format!("{job} was begun as another")),
            Some(_) => self.shared.count("jobs gone on with"),
            None => {}
        }
        let part = format!("{job} by {worker}, lease {number}, attempt {}", lease.attempt);
        let part = part.into_bytes();
        let (time, play, keeping) = self.script(&part, clock);
        if play != Play::Hopeless && play != Play::Stopped {
            let mut seen = self.seen.lock().unwrap();
            seen.made.entry(job).or_default().insert(part.clone());
        }
        let mut is_new = true;
        let shipped = || std::mem::take(&mut is_new).then(|| begun.clone());
        let play = async move {
            sleep(time).await;
            play
        };
        let what = match keep(queue, lease, &keeping, play, shipped).await {
            Kept::First => {
                self.seen.lock().unwrap().first.push((job, part));
                "commits"
            }
            Kept::Late => {
                self.seen.lock().unwrap().late.push((job, part));
                "late commits"
            }
            Kept::GivenBack => "jobs given back",
            Kept::Abandoned => "jobs abandoned",
            Kept::Unsent { error, .. } => {
                if !error.may_pass() {
                    self.wrong(format!("{job}: {error}"));
                }
                "parts that could not be sent"
            }
        };
        self.shared.count(what);
    }

    /// How a job is to be played, how long, and how its lease is kept.
    fn script(&self, part: &[u8], clock: f64) -> (Duration, Play, Keeping) {
        let mut net = self.shared.net();
        let time = match net.dice.below(10) {
            0 if self.layout.disasters > 0 => net.dice.millis(5000, 40_000),
            _ => net.dice.millis(10, self.layout.longest),
        };
        let play = match net.dice.below(40) {
            0 if !net.is_calm => Play::Hopeless,
            1 if !net.is_calm => Play::Stopped,
            _ => Play::Whole(part.to_vec()),
        };
        let keeping = Keeping {
            lease: LEASE.div_f64(clock),
            shipping: net.dice.chance(500).then(|| Duration::from_secs(2)),
            outage: net.dice.millis(1000, 60_000),
        };
        (time, play, keeping)
    }

    async fn disaster(&self, workers: &mut Vec<Worker>, planner: &Arc<dyn Queue>) {
        let (which, kind, time) = {
            let mut net = self.shared.net();
            let (which, kind) = (net.dice.below(workers.len()), net.dice.below(10));
            (which, kind, net.dice.millis(100, 35_000))
        };
        let what = match kind {
            0..3 => {
                // Ended in the middle of whatever it did; what it had sent may arrive.
                let gone = workers.swap_remove(which);
                gone.task.abort();
                workers.push(self.worker(format!("{}x", gone.name), false));
                "crashes"
            }
            3..6 => {
                let gate = Arc::clone(&workers[which].gate);
                gate.lock().unwrap().is_closed = true;
                tokio::spawn(async move {
                    sleep(time).await;
                    open(&gate);
                });
                "pauses of up to 3.5 leases"
            }
            6..8 => {
                let (shared, name) = (self.shared.clone(), workers[which].name.clone());
                shared.net().cut_off.insert(name.clone());
                tokio::spawn(async move {
                    sleep(time).await;
                    shared.net().cut_off.remove(&name);
                });
                "partitions of up to 3.5 leases"
            }
            8 => {
                // All clocks at the same moment: for everybody all leases look as if they had run out.
                advance(time).await;
                "jumps of all clocks"
            }
            _ => {
                let (world, planner) = (self.clone(), Arc::clone(planner));
                tokio::spawn(async move { world.plan(&*planner).await });
                "plans made once more"
            }
        };
        self.shared.count(what);
    }

    /// Waits until all jobs are committed and taken off the queue, and looks what came of them.
    async fn end(&self, planner: &dyn Queue, is_calm: bool) {
        let began = Instant::now();
        let jobs = self.layout.jobs;
        let is_done = loop {
            let progress = planner.progress().await;
            let progress = progress.unwrap_or_default();
            if (progress.waiting, progress.leased, progress.committed) == (0, 0, jobs) {
                break true;
            }
            if began.elapsed() > LEASE * (300 + jobs) {
                self.wrong(format!("not all jobs came to an end: {progress:?}"));
                break false;
            }
            sleep(Duration::from_secs(5)).await;
        };
        if is_done {
            // The last commits come, and the last leases of lost workers run out.
            sleep(LEASE * if is_calm { 1 } else { 15 }).await;
        }
        self.seen.lock().unwrap().is_over = true;
        for job in (0..jobs).map(JobId).filter(|_| is_done) {
            match planner.part(job).await {
                Ok(part) => self.judge(job, &part),
                Err(error) => self.wrong(error.to_string()),
            }
        }
        let (leases, firsts) = {
            let seen = self.seen.lock().unwrap();
            (seen.leases, seen.first.len())
        };
        if is_calm && (leases, firsts) != (jobs, jobs as usize) {
            self.wrong(format!("{leases} leases and {firsts} commits of {jobs} jobs in a calm world"));
        }
        if leases > 20 * jobs + 20 {
            self.wrong(format!("{leases} leases of {jobs} jobs"));
        }
    }

    fn judge(&self, job: JobId, part: &[u8]) {
        let mut seen = self.seen.lock().unwrap();
        let own = |parts: &[(JobId, Vec<u8>)]| {
            let parts = parts.iter().filter(|(other, _)| *other == job);
            parts.map(|(_, part)| part.clone()).collect::<Vec<_>>()
        };
        let (first, late) = (own(&seen.first), own(&seen.late));
        let mut wrong = Vec::new();
        if first.len() > 1 {
            wrong.push(format!("{job}: {} are the first", first.len()));
        }
        if first.iter().any(|first| first != part) {
            wrong.push(format!("{job}: the part that counted is gone"));
        }
        if late.iter().any(|late| late == part) {
            wrong.push(format!("{job}: the part that counts was called late"));
        }
        if !seen.made.get(&job).is_some_and(|made| made.contains(part)) {
            wrong.push(format!("{job}: nobody made its part"));
        }
        seen.wrong.extend(wrong);
    }
}
