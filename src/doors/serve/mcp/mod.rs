//! MCP over the episodes of a run (docs/mcp.md): each call of a tool names its episode, which `begin` gave out.

mod play;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, Weak};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::Value;
use tokio::sync::mpsc::Receiver;
use tokio::sync::{Mutex, oneshot};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::play::Held;
use super::Sessions;
use super::listener::Refusal;
use super::openenv::{McpHandler, worlds};
use crate::locked;
use crate::mcp::{Called, Given, Headers, Reaction, Reply, Server, Way};
use rolecall_core::ports::World;
use rolecall_run::registry::Registry;

/// The tools by which clients play. Clones are the same.
#[derive(Clone)]
pub struct McpServer(Arc<Shared>);

struct Shared {
    server: Server,
    sessions: Sessions,
    /// The worlds of the cells, in their order.
    worlds: Vec<World>,
    /// The episodes that were begun, by their handles.
    episodes: StdMutex<HashMap<String, Arc<Mutex<Held>>>>,
    idle: Duration,
    /// Struck when the server stops.
    closing: CancellationToken,
}

impl McpServer {
    /// The tools for the sessions of a run. An episode that nobody asks for as long as `idle` is closed.
    pub fn new(sessions: Sessions, registry: &Registry, idle: Duration, closing: CancellationToken) -> Self {
        let worlds = worlds(&sessions, registry);
        let server = Server { instructions: tools::instructions(&sessions), tools: tools::tools(&sessions, &worlds) };
        Self(Arc::new(Shared { server, sessions, worlds, episodes: StdMutex::default(), idle, closing }))
    }

    /// The one route, `/mcp`.
    pub fn routes(&self) -> Router {
        Router::new().route("/mcp", post(posted)).with_state(self.clone())
    }

    /// Answers messages that come some other way, one by one; null where a message needs no answer.
    pub fn handler(&self) -> McpHandler {
        let server = self.clone();
        Arc::new(move |message| {
            let server = server.clone();
            Box::pin(async move {
                let mut way = Way::Lines { greeted: true };
                let answer = match server.0.server.hear(message.to_string().as_bytes(), &mut way) {
                    Reaction::Answer(reply) => reply.line,
                    Reaction::Call(called) => called.answer(&server.perform(&called).await).line,
                    Reaction::Cancelled(_) | Reaction::Nothing => return Value::Null,
                };
                serde_json::from_str(&answer).unwrap_or_default()
            })
        })
    }

    /// Performs a call. Who does not wait for the result leaves the episode as it is after the call, and one that it
    /// has just begun is closed.
    async fn perform(&self, called: &Called) -> Given {
        let (server, tool) = (self.clone(), called.tool.clone());
        let arguments = called.arguments.clone();
        let (give, given) = oneshot::channel();
        tokio::spawn(async move {
            let result = server.play(&tool, arguments).await.map_or_else(Given::Refused, Given::Result);
            if let (Err(Given::Result(unread)), "begin") = (give.send(result), &*tool) {
                let episode = unread.get("episode").and_then(Value::as_str);
                episode.into_iter().for_each(|episode| server.forget(episode));
            }
        });
        given.await.unwrap_or_else(|_| Given::Refused("the server is stopping".to_owned()))
    }

    fn held(&self, episode: &str) -> Option<Arc<Mutex<Held>>> {
        locked(&self.0.episodes).get(episode).map(Arc::clone)
    }

    fn hold(&self, episode: String, held: Held) {
        let held = Arc::new(Mutex::new(held));
        let weak = Arc::downgrade(&held);
        locked(&self.0.episodes).insert(episode.clone(), held);
        let server = self.clone();
        tokio::spawn(async move {
            server.watch(&weak).await;
            server.forget(&episode);
        });
    }

    fn forget(&self, episode: &str) {
        locked(&self.0.episodes).remove(episode);
    }

    /// Waits until nobody has asked for an episode for long, or the server stops.
    async fn watch(&self, held: &Weak<Mutex<Held>>) {
        loop {
            tokio::select! {
                () = self.0.closing.cancelled() => return,
                () = tokio::time::sleep(self.0.idle / 4) => {}
            }
            let Some(held) = held.upgrade() else {
                return;
            };
            // Whoever is being answered is not idle.
            if let Ok(held) = held.try_lock()
                && held.used.elapsed() > self.0.idle
            {
                return;
            }
        }
    }
}

impl Held {
    fn touch(&mut self) {
        self.used = Instant::now();
    }
}

const JSON: &str = "application/json";

async fn posted(State(server): State<McpServer>, headers: HeaderMap, message: Bytes) -> Response {
    let named = |name| {
        let all: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
        // One that comes twice is none that a message could repeat.
        (!all.is_empty()).then(|| all.join(", "))
    };
    let kind = named(CONTENT_TYPE.as_str()).unwrap_or_default();
    if !kind.split(';').any(|part| part.trim().eq_ignore_ascii_case(JSON)) {
        return Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("`Content-Type` is {JSON}")).into_response();
    }
    let accepted = named(ACCEPT.as_str())
        .is_none_or(|accepted| ["application/json", "application/*", "*/*"].iter().any(|kind| accepted.contains(kind)));
    if !accepted {
        return Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("`Accept` must allow {JSON}")).into_response();
    }
    let mut way = Way::Http(Headers {
        version: named("mcp-protocol-version"),
        method: named("mcp-method"),
        name: named("mcp-name"),
    });
    let Reply { status, line } = match server.0.server.hear(&message, &mut way) {
        Reaction::Answer(reply) => reply,
        Reaction::Call(called) => called.answer(&server.perform(&called).await),
        Reaction::Cancelled(_) | Reaction::Nothing => return StatusCode::ACCEPTED.into_response(),
    };
    (StatusCode::from_u16(status).unwrap_or(StatusCode::OK), [(CONTENT_TYPE, JSON)], line).into_response()
}

/// The most calls that are performed at the same time; what comes then waits.
const MOST_CALLS: usize = 1024;

/// How long calls that are open when the client leaves have for their answers.
const ENDING: Duration = Duration::from_secs(5);

impl McpServer {
    /// Answers the lines that come, until there are no more or the server stops.
    pub async fn answer_lines(&self, mut lines: Receiver<Vec<u8>>, mut say: impl FnMut(String)) {
        let mut way = Way::Lines { greeted: false };
        let mut calls: JoinSet<String> = JoinSet::new();
        let mut open: HashMap<String, AbortHandle> = HashMap::new();
        loop {
            tokio::select! {
                () = self.0.closing.cancelled() => return,
                Some(answered) = calls.join_next(), if !calls.is_empty() => {
                    answered.into_iter().for_each(&mut say);
                    open.retain(|_, call| !call.is_finished());
                }
                line = lines.recv(), if calls.len() < MOST_CALLS => {
                    let Some(line) = line else {
                        break;
                    };
                    if line.trim_ascii().is_empty() {
                        continue;
                    }
                    match self.0.server.hear(&line, &mut way) {
                        Reaction::Answer(reply) => say(reply.line),
                        Reaction::Call(called) => {
                            let (server, id) = (self.clone(), called.id.to_string());
                            let call = async move {
                                called.answer(&server.perform(&called).await).line
                            };
                            open.insert(id, calls.spawn(call));
                        }
                        // Nobody waits for the answer any more; the move is made all the same.
                        Reaction::Cancelled(id) => {
                            open.remove(&id.to_string()).iter().for_each(AbortHandle::abort);
                        }
                        Reaction::Nothing => {}
                    }
                }
            }
        }
        let rest = async {
            while let Some(answered) = calls.join_next().await {
                answered.into_iter().for_each(&mut say);
            }
        };
        // Whoever takes longer is cut off.
        let _ = tokio::time::timeout(ENDING, rest).await;
    }
}
