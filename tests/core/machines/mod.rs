//! A run over many machines: the protocol of leases and commits in made-up worlds, and on a disk.

mod dice;
mod disk;
mod memory;
mod net;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::dice::Dice;
use self::memory::Memory;
use self::net::{Counts, Shared};
use self::world::{Layout, Outcome, World};

/// Worlds that are played if `ROLECALL_WORLDS` says nothing; `tests/long/machines.sh` plays more.
const WORLDS: u64 = 1500;

/// Plays a world on a queue in a folder.
fn folder(seed: u64, layout: Layout, is_broken: bool) -> Outcome {
    let shared = Shared::new(seed, layout.disasters == 0);
    let mut memory = Memory::new(&shared);
    memory.is_broken = is_broken;
    let queues = memory.clone();
    let queues = Arc::new(move |worker: &str, clock| queues.queue(worker, clock));
    let world = World::new(&shared, queues, layout);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let mut outcome = runtime.block_on(world.play());
    for left in [memory.below("jobs/"), memory.below("leases/")].concat() {
        outcome.wrong.push(format!("{} is left", left.0));
    }
    outcome
}

/// How the world of a seed is laid out: one in ten is calm.
fn layout(seed: u64) -> Layout {
    let mut dice = Dice::new(!seed);
    Layout {
        jobs: 1 + u32::try_from(dice.below(8)).unwrap(),
        workers: 2 + dice.below(4),
        slots: 1 + dice.below(2),
        longest: 5000,
        disasters: if seed.is_multiple_of(10) {
            0
        } else {
            1 + dice.below(9)
        },
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
            wrong.extend(
                outcome
                    .wrong
                    .iter()
                    .map(|what| format!("seed {seed}: {what}")),
            );
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

#[test]
fn every_job_is_committed_exactly_once_whatever_befalls_the_workers_of_a_folder() {
    let seeds = seeds();
    let (counts, wrong) = worlds(seeds, |seed| folder(seed, layout(seed), false));
    print(seeds, &counts);
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
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
fn a_folder_whose_fence_is_broken_is_found_out() {
    let (_, wrong) = worlds(200, |seed| folder(seed, layout(seed), true));
    let first = wrong.iter().any(|what| what.ends_with("are the first"));
    assert!(first && wrong.len() > 5, "{wrong:#?}");
}

#[test]
fn a_world_is_the_same_each_time() {
    for seed in [3, 7, 20] {
        let counts = || folder(seed, layout(seed), false).counts;
        assert_eq!(counts(), counts());
    }
}

#[test]
fn what_a_job_costs_does_not_grow_with_the_number_of_workers() {
    let cost = |workers: u32| {
        let jobs = workers * 16;
        let layout = Layout {
            jobs,
            workers: workers as usize,
            slots: 1,
            longest: 10_000,
            disasters: 0,
        };
        let outcome = folder(1, layout, false);
        assert!(outcome.wrong.is_empty(), "{:#?}", outcome.wrong);
        println!("{workers} workers: {:?}", outcome.counts.0);
        outcome.counts.of("requests of workers") as f64 / f64::from(jobs)
    };
    let (few, many) = (cost(10), cost(1000));
    println!("{few:.2} requests for a job with 10 workers, {many:.2} with 1,000");
    assert!(many < few * 1.3, "{few} {many}");
}
