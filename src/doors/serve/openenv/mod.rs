//! OpenEnv's wire (docs/env-server.md): trainers step through episodes of ours, over WebSocket or HTTP. The
//! user whom a config simulates is part of the environment, so asking can be trained.

mod about;
mod http;
mod observation;
mod play;
mod socket;
mod wire;

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::http::Held;
pub(super) use self::observation::{Seen, sections};
use self::play::Play;
pub use self::wire::{ClientMessage, Code, WireError, read_message};
use super::{Closing, Session, Sessions};
use rolecall_core::ports::World;
pub use rolecall_core::roles::reader::{read_move, read_words};
use rolecall_run::registry::Registry;

/// A message's bytes beyond those of the text that it carries, escaped as JSON.
const FRAME: usize = 4 * 1024;

/// Answers messages of MCP that come over a session's socket.
pub type McpHandler = Arc<dyn Fn(Value) -> Pin<Box<dyn Future<Output = Value> + Send>> + Send + Sync>;

/// The episode of a session, once there is one.
type Current = Option<Box<Play>>;

/// The sessions as OpenEnv's clients find them.
struct Server {
    sessions: Sessions,
    /// The worlds of the cells, in their order.
    worlds: Vec<World>,
    name: String,
    /// The longest message that a client may send, in bytes.
    longest: usize,
    idle: Duration,
    closing: Closing,
    mcp: Option<McpHandler>,
    sockets: AtomicUsize,
    /// The episodes that are played over HTTP, by the names that clients gave them.
    held: Mutex<HashMap<String, Arc<Held>>>,
}

/// The routes of OpenEnv's wire. A session that does nothing for as long as `idle` is closed.
pub fn routes(
    sessions: Sessions,
    registry: &Registry,
    idle: Duration,
    closing: Closing,
    mcp: Option<McpHandler>,
) -> Router {
    let cells = &sessions.plan().cells;
    let longest = cells.iter().map(|cell| cell.limits.answer_bytes).max();
    let environment = cells.first().map_or("world", |cell| &cell.environment);
    let server = Arc::new(Server {
        worlds: worlds(&sessions, registry),
        name: format!("rolecall-{environment}"),
        longest: longest.unwrap_or_default() * 2 + FRAME,
        sessions,
        idle,
        closing,
        mcp,
        sockets: AtomicUsize::new(0),
        held: Mutex::default(),
    });
    http::routes(server)
}

/// The worlds of the cells, in their order.
pub(super) fn worlds(sessions: &Sessions, registry: &Registry) -> Vec<World> {
    sessions
        .plan()
        .cells
        .iter()
        .map(|cell| World { tools: cell.tasks.tools().into(), ..registry.world(Some(&cell.environment)) })
        .collect()
}

/// The one of them that a session plays in.
pub(super) fn world_of<'a>(worlds: &'a [World], sessions: &Sessions, session: &Session) -> &'a World {
    let cell = sessions.plan().cells.iter().position(|cell| cell.name == session.id().cell);
    // Sessions are episodes of these cells.
    &worlds[cell.unwrap_or_default()]
}

impl Server {
    fn world_of(&self, session: &Session) -> &World {
        world_of(&self.worlds, &self.sessions, session)
    }

    /// Struck when the server stops.
    fn stopping(&self) -> &CancellationToken {
        &self.closing.token
    }

    /// Lets one more socket in, unless there are as many as there may be sessions.
    fn let_in(self: &Arc<Self>) -> Result<Connected, WireError> {
        let most = self.sessions.most();
        match self.sockets.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| (open < most).then_some(open + 1))
        {
            Ok(_) => Ok(Connected(Arc::clone(self))),
            Err(open) => Err(super::SessionError::Full { open, most }.into()),
        }
    }
}

/// A socket that is counted.
struct Connected(Arc<Server>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}
