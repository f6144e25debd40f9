//! A run over many machines: the protocol of leases and commits in made-up worlds, and on a disk.

#![allow(clippy::print_stdout, reason = "a proof says what it tried")]

mod broker;
mod dice;
mod disk;
mod gate;
mod memory;
mod net;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::broker::Simulated;
use self::dice::Dice;
use self::memory::Memory;
use self::net::{Counts, Shared};
use self::world::{Layout, Outcome, World};

/// Worlds that are played if `ROLECALL_WORLDS` says nothing; `tests/long/machines.sh` plays more.
const WORLDS: u64 = 1000;

/// Plays a world on some kind of queue, with a sound fence or a broken one.
type Kind = fn(u64, Layout, bool) -> Outcome;

/// On a queue in a folder.
fn folder(seed: u64, layout: Layout, is_broken: bool) -> Outcome {
    let shared = Shared::new(seed, layout.disasters == 0);
    let mut memory = Memory::new(&shared);
    memory.is_broken = is_broken;
    let queues = memory.clone();
    let queues = Arc::new(move |worker: &str, clock| queues.queue(worker, clock));
    let mut outcome = run(&World::new(&shared, queues, layout));
    let left = [memory.below("jobs/"), memory.below("leases/")].concat();
    outcome.left(left.into_iter().map(|(path, _)| path));
    outcome
}

/// On a queue of a server of NATS.
fn nats(seed: u64, layout: Layout, is_broken: bool) -> Outcome {
    let shared = Shared::new(seed, layout.disasters == 0);
    let server = Simulated::new(&shared, is_broken);
    let queues = server.clone();
    let queues = Arc::new(move |worker: &str, clock| queues.queue(worker, clock));
    let mut outcome = run(&World::new(&shared, queues, layout));
    outcome.left(server.left());
    outcome
}

fn run(world: &World) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(world.play())
}

/// How the world of a seed is laid out: one in ten is calm.
fn layout(seed: u64) -> Layout {
    let mut dice = Dice::new(!seed);
    Layout {
        jobs: 1 + u32::try_from(dice.below(8)).unwrap(),
        workers: 2 + dice.below(4),
        slots: 1 + dice.below(2),
        longest: 5000,
        disasters: if seed.is_multiple_of(10) { 0 } else { 1 + dice.below(9) },
    }
}

/// Plays the worlds of all seeds on all processors. Gives what happened in them, and what went wrong.
fn worlds(seeds: u64, play: impl Fn(u64) -> Outcome + Sync) -> (Counts, Vec<String>) {
    let next = AtomicU64::new(0);
    let some = || {
        let (mut counts, mut wrong) = (Counts::default(), Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                return (counts, wrong);
            }
            let outcome = play(seed);
            counts.merge(&outcome.counts);
            wrong.extend(outcome.wrong.iter().map(|what| format!("seed {seed}: {what}")));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        let mut all = (Counts::default(), Vec::new());
        for thread in threads {
            let (counts, wrong) = thread.join().unwrap();
            all.0.merge(&counts);
            all.1.extend(wrong);
        }
        all
    })
}

/// How many worlds are to be played.
fn seeds() -> u64 {
    let said = std::env::var("ROLECALL_WORLDS").ok();
    said.map_or(WORLDS, |said| said.parse().unwrap())
}

fn print(seeds: u64, counts: &Counts) {
    println!("{seeds} worlds");
    for (what, count) in &counts.0 {
        println!("{count:>12} {what}");
    }
}

fn every_job_is_committed_exactly_once(kind: Kind) {
    let seeds = seeds();
    let (counts, wrong) = worlds(seeds, |seed| kind(seed, layout(seed), false));
    print(seeds, &counts);
    let some = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} wrong: {some:#?}", wrong.len());
    // A world in which nothing goes wrong would prove nothing.
    for what in [
        "answers lost",
        "answers lost in a partition",
        "crashes",
        "jobs abandoned",
        "jobs given back",
        "jobs gone on with",
        "jumps of all clocks",
        "late commits",
        "leases taken over",
        "parts that could not be sent",
        "partitions of up to 3.5 leases",
        "pauses of up to 3.5 leases",
        "plans made once more",
        "requests lost",
        "requests lost in a partition",
        "requests that took up to 3 leases",
        "workers with fast clocks",
        "workers with slow clocks",
    ] {
        assert!(counts.of(what) > 0, "no {what}");
    }
}

#[test]
fn every_job_is_committed_exactly_once_whatever_befalls_the_workers_of_a_folder() {
    every_job_is_committed_exactly_once(folder);
}

#[test]
fn every_job_is_committed_exactly_once_whatever_befalls_the_workers_of_a_server() {
    every_job_is_committed_exactly_once(nats);
}

#[test]
fn a_broken_fence_is_found_out() {
    for kind in [folder, nats] {
        let (_, wrong) = worlds(200, |seed| kind(seed, layout(seed), true));
        let first = wrong.iter().any(|what| what.ends_with("are the first"));
        assert!(first && wrong.len() > 5, "{wrong:#?}");
    }
}

#[test]
fn a_world_is_the_same_each_time() {
    for kind in [folder, nats] {
        for seed in [3, 7, 20] {
            let counts = || kind(seed, layout(seed), false).counts;
            assert_eq!(counts(), counts());
        }
    }
}

/// Requests for each job of workers that have 16 each.
fn cost(kind: Kind, workers: u32) -> f64 {
    let jobs = workers * 16;
    let layout = Layout { jobs, workers: workers as usize, slots: 1, longest: 10_000, disasters: 0 };
    let outcome = kind(1, layout, false);
    assert!(outcome.wrong.is_empty(), "{:#?}", outcome.wrong);
    println!("{workers} workers: {:?}", outcome.counts.0);
    outcome.counts.of("requests of workers") as f64 / f64::from(jobs)
}

#[test]
fn what_a_job_costs_does_not_grow_with_the_number_of_workers() {
    for kind in [folder, nats] {
        let (few, many) = (cost(kind, 10), cost(kind, 1000));
        println!("{few:.2} requests for a job with 10 workers, {many:.2} with 1,000");
        assert!(many < few * 1.3, "{few} {many}");
    }
}
