//! The same over HTTP: episodes by the names that clients give them.

use std::sync::{Arc, PoisonError, Weak};

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
        let problem = "over HTTP an episode needs a name: say `episode_id`, or use /ws";
        Refusal::new(StatusCode::NOT_IMPLEMENTED, problem)
    })
}

fn failed(error: &WireError) -> Refusal {
    let status = match error.code {
        Code::CapacityReached | Code::ExecutionError => StatusCode::SERVICE_UNAVAILABLE,
        Code::SessionError => StatusCode::CONFLICT,
        Code::InvalidJson | Code::UnknownType | Code::ValidationError => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let body = json!({ "detail": error.message, "error": error });
    Refusal { status, body }
}

impl Server {
    fn holding(&self, name: &str) -> Option<Arc<Held>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(name).map(Arc::clone)
    }

    /// The episode of this name; a new one if there is none, and then somebody who forgets it when nobody asks
    /// for it any more.
    fn hold(self: &Arc<Self>, name: &str) -> Result<Arc<Held>, WireError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = held.get(name) {
            return Ok(Arc::clone(known));
        }
        let (open, most) = (held.len(), self.sessions.most());
        if open >= most {
            return Err(SessionError::Full { open, most }.into());
        }
        let new = Arc::new(Held::default());
        held.insert(name.to_owned(), Arc::clone(&new));
        let (server, name, own) = (Arc::clone(self), name.to_owned(), Arc::downgrade(&new));
        tokio::spawn(async move {
            server.watch(&own).await;
            if let Some(own) = own.upgrade() {
                server.let_go(&name, &own);
            }
        });
        Ok(new)
    }

    /// Forgets an episode, unless another one has its name by now.
    fn let_go(&self, name: &str, own: &Arc<Held>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.get(name).is_some_and(|known| Arc::ptr_eq(known, own)) {
            held.remove(name);
        }
    }

    /// Waits until nobody has asked for an episode for long, it is over, or the server stops.
    async fn watch(&self, own: &Weak<Held>) {
        /// Looks in the time that a session may do nothing.
        const LOOKS: u32 = 4;
        loop {
            tokio::select! {
                () = self.stopping().cancelled() => return,
                () = tokio::time::sleep(self.idle / LOOKS) => {}
            }
            let Some(own) = own.upgrade() else {
                return;
            };
            // Whoever is being answered is not idle.
            if let Ok(mut holding) = own.try_lock() {
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
    let order = order(asked).map_err(|error| failed(&error))?;
    let held = server.hold(&name).map_err(|error| failed(&error))?;
    let mut holding = held.lock().await;
    let Holding { current, quiet } = &mut *holding;
    (*quiet, *current) = (0, None);
    let begun = Play::begin(&server, order).await;
    let play = current.insert(Box::new(begun.map_err(|error| failed(&error))?));
    Ok(Json(play.observed(&server)).into_response())
}

async fn step(State(server): Served, asked: Body<Value>) -> Result<Response, Refusal> {
    let mut asked = body(asked)?;
    let name = name(&asked)?;
    let fields = asked.as_object_mut();
    let action = fields.and_then(|fields| fields.remove("action")).ok_or_else(|| {
        let problem = "`action` is missing, for instance {\"text\": \"look\"}";
        failed(&WireError::invalid(problem))
    })?;
    let none = || failed(&WireError::no_episode());
    let held = server.holding(&name).ok_or_else(none)?;
    let mut holding = held.lock().await;
    holding.quiet = 0;
    let play = holding.current.as_mut().ok_or_else(none)?;
    let stepped = play.step(&server, action).await;
    stepped.map_err(|error| failed(&error))?;
    let answer = Json(play.observed(&server)).into_response();
    if play.is_over() {
        server.let_go(&name, &held);
    }
    Ok(answer)
}

async fn state(State(server): Served, Query(asked): Query<Value>) -> Result<Response, Refusal> {
    let name = name(&asked)?;
    let none = || failed(&WireError::no_episode());
    let held = server.holding(&name).ok_or_else(none)?;
    let holding = held.lock().await;
    let play = holding.current.as_ref().ok_or_else(none)?;
    Ok(Json(play.state()).into_response())
}
