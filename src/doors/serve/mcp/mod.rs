//! MCP over the episodes of a run (docs/mcp.md): each call of a tool names its episode, which `begin` gave out.

mod http;
mod lines;
mod play;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::Duration;

use axum::Router;
use serde_json::{Map, Value};
use tokio::sync::{Mutex, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::play::Held;
use super::Sessions;
use super::openenv::{McpHandler, worlds};
use crate::mcp::{Called, Given, Reaction, Server, Way};
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
        http::routes(self.clone())
    }

    /// Answers messages that come some other way, one by one; null where a message needs no answer.
    pub fn handler(&self) -> McpHandler {
        let own = self.clone();
        Arc::new(move |message| {
            let own = own.clone();
            Box::pin(async move {
                let mut way = Way::Lines { greeted: true };
                let line = message.to_string();
                let answer = match own.0.server.hear(line.as_bytes(), &mut way) {
                    Reaction::Answer(reply) => reply.line,
                    Reaction::Call(called) => called.answer(&own.perform(&called).await).line,
                    Reaction::Cancelled(_) | Reaction::Nothing => return Value::Null,
                };
                serde_json::from_str(&answer).unwrap_or_default()
            })
        })
    }

    /// Performs a call. Who does not wait for the result leaves the episode as it is after the call, and one that it
    /// has just begun is closed.
    async fn perform(&self, called: &Called) -> Given {
        let (own, tool) = (self.clone(), called.tool.clone());
        let arguments = called.arguments.clone();
        let (give, given) = oneshot::channel();
        tokio::spawn(async move {
            let result = own.played(&tool, arguments).await;
            if let (Err(Given::Result(unread)), "begin") = (give.send(result), &*tool) {
                let episode = unread.get("episode").and_then(Value::as_str);
                episode.into_iter().for_each(|episode| own.forget(episode));
            }
        });
        let gone = |_| Given::Refused("the server is stopping".to_owned());
        given.await.unwrap_or_else(gone)
    }

    async fn played(&self, tool: &str, arguments: Map<String, Value>) -> Given {
        let played = self.play(tool, arguments).await;
        played.map_or_else(Given::Refused, Given::Result)
    }

    fn held(&self, episode: &str) -> Option<Arc<Mutex<Held>>> {
        let episodes = self.0.episodes.lock().unwrap_or_else(PoisonError::into_inner);
        episodes.get(episode).map(Arc::clone)
    }

    fn hold(&self, episode: String, held: Held) {
        let held = Arc::new(Mutex::new(held));
        let weak = Arc::downgrade(&held);
        let mut episodes = self.0.episodes.lock().unwrap_or_else(PoisonError::into_inner);
        episodes.insert(episode.clone(), held);
        drop(episodes);
        let own = self.clone();
        tokio::spawn(async move {
            own.watch(&weak).await;
            own.forget(&episode);
        });
    }

    fn forget(&self, episode: &str) {
        let mut episodes = self.0.episodes.lock().unwrap_or_else(PoisonError::into_inner);
        episodes.remove(episode);
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
