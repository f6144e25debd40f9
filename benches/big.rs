//! Many episodes at once, long episodes, and many one after the other. Run with
//! `cargo bench --bench big`, or with `-- waiting`, `-- long` or `-- short` for one of the three.
//!
//! Every row is a process of its own, so that no row uses memory that another one left behind: the
//! bench's program starts itself again with `--row`. Figures are those of that process, read from
//! `/proc`; elsewhere the bench says so and stops.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod calls;
mod measure;
mod model_server;
#[path = "../tests/support/toy/mod.rs"]
mod support;

use calls::{Load, Took, household};
use model_server::Server;
use rolecall::log::Sync;

/// The runtime's arguments begin after this one.
const ROW: &str = "--row";

/// How one row is played, by name.
fn play(kind: &str, load: &Load) -> Took {
    let Load { base_url, episodes, calls } = load;
    match kind {
        "bare" => load.bare_loop(),
        "ours" => load.under_the_runtime(),
        "synced" => household::short(*episodes, Sync::EveryEpisode),
        "short" => household::short(*episodes, Sync::Off),
        "walking" => household::walking(*calls, *episodes),
        "whole" => household::prompted(base_url, *calls, *episodes, None),
        "window" => household::prompted(base_url, *calls, *episodes, Some(4_000)),
        other => panic!("no row is called {other}"),
    }
}

/// Plays a row in a process of its own.
fn row(kind: &str, load: &Load) -> Took {
    let program = std::env::current_exe().unwrap();
    let played = std::process::Command::new(program)
        .args([ROW, kind, &load.base_url])
        .args([load.episodes.to_string(), load.calls.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()
        .unwrap();
    let text = String::from_utf8(played.stdout).unwrap();
    let figures: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let [processor, wall, memory, events, episodes, moves] = figures[..] else {
        panic!("a row ended without figures: {text}");
    };
    Took {
        spent: measure::Spent { processor, wall },
        memory,
        events: events as u64,
        episodes: episodes as usize,
        moves: moves as u64,
    }
}

/// Plays the row that the program was started for, if it was; never comes back then.
fn play_if_asked() {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(place) = arguments.iter().position(|argument| argument == ROW) else {
        return;
    };
    let [kind, base_url, episodes, calls] = &arguments[place + 1..] else {
        panic!("a row has four arguments");
    };
    let load = Load { base_url: base_url.clone(), episodes: episodes.parse().unwrap(), calls: calls.parse().unwrap() };
    let Took { spent, memory, events, episodes, moves } = play(kind, &load);
    let measure::Spent { processor, wall } = spent;
    println!("{processor} {wall} {memory} {events} {episodes} {moves}");
    std::process::exit(0);
}

/// Ten thousand episodes wait for their model, which answers after a second.
fn waiting(server: &Server) {
    println!(
        "{:>9}{:>7}{:>8}{:>8}{:>7}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}",
        "episodes",
        "calls",
        "bare s",
        "ours s",
        "ratio",
        "bare ms",
        "ours ms",
        "us/event",
        "bare kB",
        "ours kB",
        "more kB"
    );
    for (episodes, calls) in [(1_000, 20), (10_000, 1), (10_000, 5), (10_000, 20)] {
        let load = Load { base_url: server.base_url(1_000), episodes, calls };
        let (bare, ours) = (row("bare", &load), row("ours", &load));
        let per_call = 1e3 / (episodes as f64 * f64::from(calls));
        let kilobytes = |took: &Took| took.memory / episodes as f64 / 1e3;
        println!(
            "{episodes:>9}{calls:>7}{:>8.2}{:>8.2}{:>7.2}{:>10.3}{:>10.3}{:>10.2}{:>9.1}{:>9.1}{:>9.1}",
            bare.spent.wall,
            ours.spent.wall,
            ours.spent.wall / bare.spent.wall,
            bare.spent.processor * per_call,
            ours.spent.processor * per_call,
            ours.spent.processor / ours.events as f64 * 1e6,
            kilobytes(&bare),
            kilobytes(&ours),
            kilobytes(&ours) - kilobytes(&bare),
        );
    }
}

/// What a turn costs by the length of the episode.
fn long(server: &Server) {
    println!(
        "{:<10}{:>9}{:>7}{:>12}{:>12}{:>14}",
        "episodes", "number", "turns", "us a turn", "us/event", "kB an episode"
    );
    for (kind, turns) in [("walking", 100_000), ("window", 20_000), ("whole", 20_000)] {
        for steps in [50, 500, 2_000] {
            let load = Load { base_url: server.base_url(0), episodes: turns / steps as usize, calls: steps };
            let took = row(kind, &load);
            println!(
                "{kind:<10}{:>9}{steps:>7}{:>12.1}{:>12.2}{:>14.1}",
                took.episodes,
                took.spent.processor / took.moves as f64 * 1e6,
                took.spent.processor / took.events as f64 * 1e6,
                // Ten at once.
                took.memory / took.episodes.min(10) as f64 / 1e3,
            );
        }
    }
}

/// Short episodes one after the other, a thousand at once, with and without `run.sync`.
fn short() {
    println!(
        "{:>9}{:>14}{:>14}{:>14}{:>12}{:>10}{:>16}",
        "episodes", "us/episode", "events/CPU s", "synced", "s, synced", "MB", "bytes a result"
    );
    let mut base = 0.0;
    for episodes in [100, 1_000, 10_000, 100_000] {
        let load = Load { base_url: "none".to_owned(), episodes, calls: 0 };
        let (off, synced) = (row("short", &load), row("synced", &load));
        let per_second = |took: &Took| took.events as f64 / took.spent.processor;
        println!(
            "{:>9}{:>14.1}{:>14.0}{:>14.0}{:>12.2}{:>10.1}{:>16.0}",
            off.episodes,
            off.spent.processor / off.episodes as f64 * 1e6,
            per_second(&off),
            per_second(&synced),
            synced.spent.wall,
            off.memory / 1e6,
            (off.memory - base) / off.episodes as f64,
        );
        if episodes == 10_000 {
            base = off.memory;
        }
    }
}

fn main() {
    model_server::serve_if_asked();
    if !measure::is_possible() {
        return;
    }
    let _ = rustls::crypto::ring::default_provider().install_default();
    play_if_asked();
    let server = Server::start();
    let asked: Vec<String> = std::env::args().collect();
    let is_asked = |part: &str| asked.iter().any(|argument| argument == part);
    let all = !["waiting", "long", "short"].iter().any(|part| is_asked(part));
    if all || is_asked("waiting") {
        waiting(&server);
    }
    if all || is_asked("long") {
        long(&server);
    }
    if all || is_asked("short") {
        short();
    }
}
