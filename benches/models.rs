//! Episodes that call a model, under the runtime, beside a bare loop over tokio and reqwest that
//! sends the same bodies to the same server, in the same run. The server is another process.
//! Run with `cargo bench --bench models` (`-- N` for so many episodes only).
//!
//! Figures are processor time of this process (client, runtime, log), read from `/proc`; elsewhere
//! the bench says so and stops. Every reply is on disk before it is used, as always.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::expect_used
)]

mod calls;
mod measure;
mod model_server;
#[path = "../tests/support/toy/mod.rs"]
mod support;

use calls::{Load, PROMPT, Took};
use model_server::Server;

/// Calls of one episode.
const CALLS: u32 = 20;

fn line(milliseconds: u64, episodes: usize, bare: &Took, ours: &Took) {
    let calls = episodes as f64 * f64::from(CALLS);
    let per_call = |figures: &Took| figures.spent.processor / calls * 1e3;
    let per_episode = |figures: &Took| figures.memory / episodes as f64 / 1e3;
    println!(
        "{milliseconds:>6}{episodes:>9}{:>10.3}{:>10.3}{:>8.2}{:>10.2}{:>10.2}{:>9.1}{:>9.1}",
        per_call(bare),
        per_call(ours),
        per_call(ours) / per_call(bare),
        bare.spent.wall,
        ours.spent.wall,
        per_episode(bare),
        per_episode(ours),
    );
}

fn main() {
    model_server::serve_if_asked();
    if !measure::is_possible() {
        return;
    }
    let _ = rustls::crypto::ring::default_provider().install_default();
    let only: Option<usize> = std::env::args().find_map(|argument| argument.parse().ok());
    let server = Server::start();
    println!(
        "{CALLS} calls an episode, prompts of {PROMPT} bytes; ms of processor time per call, s by the clock, kB per episode\n"
    );
    println!(
        "{:>6}{:>9}{:>10}{:>10}{:>8}{:>10}{:>10}{:>9}{:>9}",
        "delay",
        "episodes",
        "bare ms",
        "ours ms",
        "ratio",
        "bare s",
        "ours s",
        "bare kB",
        "ours kB"
    );
    for milliseconds in [0, 50, 200] {
        for episodes in [1, 10, 100, 1_000, 10_000] {
            if only.is_some_and(|only| only != episodes) {
                continue;
            }
            let load = Load {
                base_url: server.base_url(milliseconds),
                episodes,
                calls: CALLS,
            };
            let (bare, ours) = (load.bare_loop(), load.under_the_runtime());
            line(milliseconds, episodes, &bare, &ours);
        }
    }
}
