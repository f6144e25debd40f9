//! Speed of the household environment: steps with and without listing commands, loading, planning.
//!
//! Figures are processor time, not time by the clock. The baselines do what no implementation can do without: copy the texts of a walk that was
//! recorded before, and read the game's file as JSON without understanding it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test or bench may stop and tell")]

mod measure;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use measure::repeated;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rolecall::environments::household::generate::{Generator, Split, Wishes};
use rolecall::environments::household::load::{self, Selection};
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Commands, Game, World};
use rolecall::text::mt19937::PythonRandom;

/// Built-in games that are measured when there are no official ones.
const BUILT_IN: usize = 12;

/// Steps per measured walk.
const STEPS: usize = 2_000;

/// Official games when their folder is known, else the built-in ones: name and bytes.
fn files() -> Vec<(String, Vec<u8>)> {
    let Some(root) = std::env::var_os("ROLECALL_DATA") else {
        let generator = Generator::new(Wishes::new(Split::Unseen, 1)).expect("usual wishes");
        let generated = |index| {
            let game = generator.game(index).expect("a game");
            (game.id, game.game.into_bytes())
        };
        return (0..BUILT_IN).map(generated).collect();
    };
    let tree = Path::new(&root).join("household").join("json_2.1.1");
    let selection = Selection { split: Some("valid_unseen".to_owned()), ..Selection::default() };
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read(&path).expect("a readable game"));
    load::list(&tree, &selection).expect("the official tree").into_iter().step_by(10).map(read).collect()
}

/// One recorded step: the command, what was seen, and what could be done next.
struct Step {
    command: String,
    observation: String,
    admissible: Vec<String>,
}

/// Random admissible commands, recorded once, so that the measured walk only performs them.
fn walk(game: &Arc<Game>) -> Vec<Step> {
    let mut world = World::new(Arc::clone(game));
    let mut random = PythonRandom::new(1);
    let mut step = || {
        let commands = world.admissible();
        let command = commands[random.randrange(commands.len())].clone();
        let mut observation = String::new();
        world.perform_into(&command, &mut observation);
        Step { command, observation, admissible: world.admissible() }
    };
    (0..STEPS).map(|_| step()).collect()
}

fn steps(criterion: &mut Criterion) {
    let walks: Vec<(Arc<Game>, Vec<Step>)> =
        games(&files()).into_iter().map(|game| (Arc::clone(&game), walk(&game))).collect();
    let mut group = criterion.benchmark_group("household");
    group.sample_size(20);
    group.throughput(Throughput::Elements((STEPS * walks.len()) as u64));
    let mut observation = String::new();
    let mut commands = Commands::default();
    for (name, listing) in
        [("baseline: copy the observation", false), ("baseline: copy the observation and the commands", true)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                repeated(times, || {
                    for step in walks.iter().flat_map(|(_, walk)| walk) {
                        observation.clear();
                        observation.push_str(&step.observation);
                        black_box(&observation);
                        if listing {
                            black_box(step.admissible.clone());
                        }
                    }
                })
            });
        });
    }
    for (name, listing) in [("steps", false), ("steps with admissible commands", true)] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                repeated(times, || {
                    for (game, walk) in &walks {
                        let mut world = World::new(Arc::clone(game));
                        for step in walk {
                            black_box(world.perform_into(&step.command, &mut observation));
                            black_box(world.won());
                            if listing {
                                world.admissible_into(&mut commands);
                                black_box(&commands);
                            }
                        }
                    }
                })
            });
        });
    }
    group.finish();
}

fn load_one((name, bytes): &(String, Vec<u8>)) -> Game {
    Game::from_json(name, bytes).expect("a playable game")
}

fn games(files: &[(String, Vec<u8>)]) -> Vec<Arc<Game>> {
    files.iter().map(load_one).map(Arc::new).collect()
}

fn load_and_plan(criterion: &mut Criterion) {
    let files = files();
    let games = games(&files);
    let mut group = criterion.benchmark_group("household");
    group.sample_size(20);
    group.throughput(Throughput::Elements(games.len() as u64));
    group.bench_function("baseline: read the file as JSON", |bencher| {
        let read = |(_, bytes): &(String, Vec<u8>)| -> serde_json::Value {
            serde_json::from_slice(bytes).expect("a game is JSON")
        };
        bencher.iter_custom(|times| repeated(times, || files.iter().map(read).map(black_box).count()))
    });
    group.bench_function("load", |bencher| {
        bencher.iter_custom(|times| repeated(times, || files.iter().map(load_one).map(black_box).count()))
    });
    group.bench_function("plan", |bencher| {
        let plan = |game: &Arc<Game>| {
            let world = World::new(Arc::clone(game));
            shortest_plan(&world, PlanLimits::default()).expect("a solvable game")
        };
        bencher.iter_custom(|times| repeated(times, || games.iter().map(plan).map(black_box).count()));
    });
    group.finish();
}

criterion_group!(benches, steps, load_and_plan);
criterion_main!(benches);
