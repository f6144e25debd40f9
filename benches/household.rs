//! Speed of the household environment: steps with and without listing commands, loading, planning.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test or bench may stop and tell"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rolecall::environments::household::load::{self, Selection};
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Commands, Game, World, builtin};
use rolecall::text::mt19937::PythonRandom;

/// Steps per measured walk.
const STEPS: usize = 2_000;

/// Official games when their folder is known, else the built-in ones: name and bytes.
fn files() -> Vec<(String, Vec<u8>)> {
    let Some(root) = std::env::var_os("ROLECALL_DATA") else {
        return builtin::games()
            .into_iter()
            .map(|(name, json)| (name, json.into_bytes()))
            .collect();
    };
    let tree = Path::new(&root).join("household").join("json_2.1.1");
    let selection = Selection {
        split: Some("valid_unseen".to_owned()),
        ..Selection::default()
    };
    let read = |path: PathBuf| {
        (
            path.display().to_string(),
            std::fs::read(&path).expect("a readable game"),
        )
    };
    load::list(&tree, &selection)
        .expect("the official tree")
        .into_iter()
        .step_by(10)
        .map(read)
        .collect()
}

/// Random admissible commands, recorded once, so that the measured walk only performs them.
fn walk(game: &Arc<Game>) -> Vec<String> {
    let mut world = World::new(Arc::clone(game));
    let mut random = PythonRandom::new(1);
    let mut step = || {
        let commands = world.admissible();
        let command = random
            .choice(&commands)
            .expect("commands are never lacking")
            .clone();
        world.perform(&command);
        command
    };
    (0..STEPS).map(|_| step()).collect()
}

fn household(criterion: &mut Criterion) {
    let files = files();
    let load =
        |(name, bytes): &(String, Vec<u8>)| Game::from_json(name, bytes).expect("a playable game");
    let games: Vec<Arc<Game>> = files.iter().map(load).map(Arc::new).collect();
    let walks: Vec<(Arc<Game>, Vec<String>)> = games
        .iter()
        .map(|game| (Arc::clone(game), walk(game)))
        .collect();
    let mut group = criterion.benchmark_group("household");
    group.sample_size(20);
    group.throughput(Throughput::Elements((STEPS * games.len()) as u64));
    let mut observation = String::new();
    let mut commands = Commands::default();
    for (name, listing) in [("steps", false), ("steps with admissible commands", true)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (game, walk) in &walks {
                    let mut world = World::new(Arc::clone(game));
                    for command in walk {
                        black_box(world.perform_into(command, &mut observation));
                        black_box(world.won());
                        if listing {
                            world.admissible_into(&mut commands);
                            black_box(&commands);
                        }
                    }
                }
            });
        });
    }
    group.throughput(Throughput::Elements(games.len() as u64));
    group.bench_function("load", |bencher| {
        bencher.iter(|| files.iter().map(load).map(black_box).count())
    });
    group.bench_function("plan", |bencher| {
        bencher.iter(|| {
            for game in &games {
                let world = World::new(Arc::clone(game));
                black_box(shortest_plan(&world, PlanLimits::default()).expect("a solvable game"));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, household);
criterion_main!(benches);
