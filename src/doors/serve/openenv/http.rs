//! OpenEnv over plain HTTP: episodes by the names that clients give them.

use std::sync::{Arc, Weak};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Json, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::about::{self, Body, Served, body};
use super::play::Play;
use super::wire::{Code, WireError, order};
use super::{Current, Server, socket};
use crate::locked;
use crate::serve::SessionError;
use crate::serve::listener::Refusal;

/// An episode that is played over HTTP.
pub(super) type Held = Mutex<Holding>;

/// The episode, and how long nobody has asked for it.
#[derive(Default)]
pub(super) struct Holding {
    current: Current,
    /// Rounds of the sweep since the last request.
    quiet: u32,
}

/// All routes.
pub(super) fn routes(server: Arc<Server>) -> Router {
    about::routes()
        .route("/reset", post(reset))
        .route("/step", post(step))
        .route("/state", get(state))
        .route("/ws", get(connect))
        .with_state(server)
}

async fn connect(State(server): Served, upgrade: WebSocketUpgrade) -> Response {
    socket::upgrade(upgrade, server)
}

/// The name of the episode that a request is about.
fn name(fields: &Value) -> Result<String, Refusal> {
    let name = fields.get("episode_id").and_then(Value::as_str);
    name.filter(|name| !name.is_empty()).map(str::to_owned).ok_or_else(|| {
        Refusal::new(StatusCode::NOT_IMPLEMENTED, "over HTTP an episode needs a name: say `episode_id`, or use /ws")
    })
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Self {
        let status = match error.code {
            Code::CapacityReached | Code::ExecutionError => StatusCode::SERVICE_UNAVAILABLE,
            Code::SessionError => StatusCode::CONFLICT,
            Code::InvalidJson | Code::UnknownType | Code::ValidationError => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, body: json!({ "detail": error.message, "error": error }) }
    }
}

impl Server {
    fn holding(&self, name: &str) -> Result<Arc<Held>, WireError> {
        locked(&self.held).get(name).cloned().ok_or_else(WireError::no_episode)
    }

    /// The episode of this name; a new one if there is none, and then somebody who forgets it when nobody asks
    /// for it any more.
    fn hold(self: &Arc<Self>, name: &str) -> Result<Arc<Held>, WireError> {
        let mut held = locked(&self.held);
        if let Some(known) = held.get(name) {
            return Ok(Arc::clone(known));
        }
        let (open, most) = (held.len(), self.sessions.most());
        if open >= most {
            return Err(SessionError::Full { open, most }.into());
        }
        let new = Arc::new(Held::default());
        held.insert(name.to_owned(), Arc::clone(&new));
        let (server, name, weak) = (Arc::clone(self), name.to_owned(), Arc::downgrade(&new));
        tokio::spawn(async move {
            server.watch(&weak).await;
            if let Some(weak) = weak.upgrade() {
                server.let_go(&name, &weak);
            }
        });
        Ok(new)
    }

    /// Forgets an episode, unless another one has its name by now.
    fn let_go(&self, name: &str, episode: &Arc<Held>) {
        let mut held = locked(&self.held);
        if held.get(name).is_some_and(|known| Arc::ptr_eq(known, episode)) {
            held.remove(name);
        }
    }

    /// Waits until nobody has asked for an episode for long, it is over, or the server stops.
    async fn watch(&self, episode: &Weak<Held>) {
        /// Looks in the time that a session may do nothing.
        const LOOKS: u32 = 4;
        loop {
            tokio::select! {
                () = self.stopping().cancelled() => return,
                () = tokio::time::sleep(self.idle / LOOKS) => {}
            }
            let Some(episode) = episode.upgrade() else {
                return;
            };
            // Whoever is being answered is not idle.
            if let Ok(mut holding) = episode.try_lock() {
                holding.quiet += 1;
                if holding.quiet > LOOKS {
                    return;
                }
            }
        }
    }
}

async fn reset(State(server): Served, asked: Body<Value>) -> Result<Response, Refusal> {
    let asked = body(asked)?;
    let name = name(&asked)?;
    let order = order(asked)?;
    let held = server.hold(&name)?;
    let mut holding = held.lock().await;
    let Holding { current, quiet } = &mut *holding;
    (*quiet, *current) = (0, None);
    let play = current.insert(Box::new(Play::begin(&server, order).await?));
    Ok(Json(play.observed(&server)).into_response())
}

async fn step(State(server): Served, asked: Body<Value>) -> Result<Response, Refusal> {
    let mut asked = body(asked)?;
    let name = name(&asked)?;
    let fields = asked.as_object_mut();
    let action = fields
        .and_then(|fields| fields.remove("action"))
        .ok_or_else(|| WireError::invalid("`action` is missing, for instance {\"text\": \"look\"}"))?;
    let held = server.holding(&name)?;
    let mut holding = held.lock().await;
    holding.quiet = 0;
    let play = holding.current.as_mut().ok_or_else(WireError::no_episode)?;
    play.step(&server, action).await?;
    let answer = Json(play.observed(&server)).into_response();
    if play.is_over() {
        server.let_go(&name, &held);
    }
    Ok(answer)
}

async fn state(State(server): Served, Query(asked): Query<Value>) -> Result<Response, Refusal> {
    let name = name(&asked)?;
    let held = server.holding(&name)?;
    let holding = held.lock().await;
    Ok(Json(holding.current.as_ref().ok_or_else(WireError::no_episode)?.state()).into_response())
}
