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

mod measure;
mod model_server;
#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use measure::{Spent, measured, resident_bytes};
use model_server::Server;
use rolecall::config::PlannedRole;
use rolecall::domain::{Answer, Move};
use rolecall::log::LogWriter;
use rolecall::models::{self, openai};
use rolecall::ports::model::{ChatMessage, ChatRole, Completion, ModelSettings, Prompt};
use rolecall::ports::{ModelClient, ModelRequest, Role, RoleError, Turn};
use rolecall::runtime::{Complaint, Directory, Launch, Observer};
use support::{ToyTasks, executor, friend, plan};
use tokio_util::sync::CancellationToken;

/// Calls of one episode.
const CALLS: u32 = 20;

/// Bytes of a prompt: what a ReSpAct executor sends in the middle of an episode without exemplars.
const PROMPT: usize = 2_000;

/// Asks the model each turn, and does what it says. The prompts are there already: what it costs to
/// render them is measured by `benches/prompts.rs`.
struct Caller(Arc<dyn ModelClient>, Arc<[ModelRequest]>);

fn requests() -> Arc<[ModelRequest]> {
    (0..CALLS).map(request).collect()
}

fn request(turn: u32) -> ModelRequest {
    let text = format!("{turn:02} {}", "go to shelf 1. ".repeat(PROMPT / 15));
    ModelRequest::Complete(Completion {
        prompt: Prompt::Chat(vec![ChatMessage::new(ChatRole::User, text)]),
        max_tokens: Some(100),
        temperature: Some(0.0),
        ..Completion::default()
    })
}

#[async_trait]
impl Role for Caller {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let prompt = self.1[turn.number as usize].clone();
        let reply = turn.complete(&*self.0, prompt).await?;
        let [choice] = &reply.choices[..] else {
            return Err(RoleError::Unusable("no choice".to_owned()));
        };
        Ok(Move::act(choice.text.clone()).into())
    }
}

#[derive(Default)]
struct Watch {
    resident: f64,
}

impl Observer for Watch {
    fn closed(&mut self, _: &rolecall::evaluation::EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory, _: &[Complaint]) {
        self.resident = self.resident.max(resident_bytes());
    }
}

/// Wall and processor time, and the most memory above what the process had before.
struct Figures {
    spent: Spent,
    memory: f64,
}

fn settings(base_url: String, episodes: usize) -> ModelSettings {
    let mut settings = ModelSettings::new("bench", base_url);
    settings.limits.in_flight = u32::try_from(episodes).unwrap();
    settings
}

fn client(settings: &ModelSettings) -> Arc<dyn ModelClient> {
    models::client(openai::transport(settings).unwrap(), settings)
}

fn under_the_runtime(server: &Server, milliseconds: u64, episodes: usize) -> Figures {
    let settings = settings(server.base_url(milliseconds), episodes);
    let model = client(&settings);
    let (caller, requests) = (Arc::clone(&model), requests());
    let role = PlannedRole {
        role: executor(),
        implementation: "caller".to_owned(),
        factory: Arc::new(move || Box::new(Caller(Arc::clone(&caller), Arc::clone(&requests)))),
    };
    let mut plan = plan(ToyTasks::new(episodes), role, friend());
    plan.cells[0].limits.steps = CALLS;
    plan.cells[0].limits.turn = Duration::from_secs(120);
    plan.run.concurrency = episodes;
    plan.models.add(model);
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Vec::new().into(),
        stop: CancellationToken::new(),
    };
    let before = resident_bytes();
    let mut watch = Watch::default();
    let (launched, spent) = measured(|| {
        let launched = launch.run(&mut watch).unwrap();
        writer.close().unwrap();
        launched
    });
    assert_eq!(launched.results.len(), episodes);
    for result in &launched.results {
        let counts = &result.counts;
        assert_eq!(
            (counts.model_calls, counts.faults),
            (CALLS, 0),
            "{result:?}"
        );
    }
    Figures {
        spent,
        memory: watch.resident - before,
    }
}

/// One task an episode on two threads, as many as the runtime has arbiters.
fn bare_loop(server: &Server, milliseconds: u64, episodes: usize) -> Figures {
    let settings = settings(server.base_url(milliseconds), episodes);
    let model = client(&settings);
    let bodies: Vec<bytes::Bytes> = (0..CALLS)
        .map(|turn| model.encode(&request(turn)).unwrap().body)
        .collect();
    let url = format!("{}/chat/completions", settings.base_url);
    let client = reqwest::Client::builder()
        .http1_only()
        .tcp_nodelay(true)
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let before = resident_bytes();
    let watch = async {
        let mut episodes: Vec<_> = (0..episodes)
            .map(|_| {
                let (client, bodies, url) = (client.clone(), bodies.clone(), url.clone());
                runtime.spawn(async move {
                    for body in bodies {
                        let sent = client
                            .post(&url)
                            .header("content-type", "application/json")
                            .body(body)
                            .send();
                        let reply = sent.await.unwrap().bytes().await.unwrap();
                        let reply: serde_json::Value = serde_json::from_slice(&reply).unwrap();
                        assert!(reply["choices"][0]["message"]["content"].is_string());
                    }
                })
            })
            .collect();
        let mut most: f64 = 0.0;
        let mut ticks = tokio::time::interval(Duration::from_millis(100));
        while let Some(episode) = episodes.last_mut() {
            tokio::select! {
                done = episode => { done.unwrap(); episodes.pop(); }
                _ = ticks.tick() => most = most.max(resident_bytes()),
            }
        }
        most
    };
    let (most, spent) = measured(|| runtime.block_on(watch));
    Figures {
        spent,
        memory: most - before,
    }
}

fn line(milliseconds: u64, episodes: usize, bare: &Figures, ours: &Figures) {
    let calls = episodes as f64 * f64::from(CALLS);
    let per_call = |figures: &Figures| figures.spent.processor / calls * 1e3;
    let per_episode = |figures: &Figures| figures.memory / episodes as f64 / 1e3;
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
            let bare = bare_loop(&server, milliseconds, episodes);
            let ours = under_the_runtime(&server, milliseconds, episodes);
            line(milliseconds, episodes, &bare, &ours);
        }
    }
}
