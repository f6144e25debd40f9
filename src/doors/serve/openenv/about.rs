//! Environments and tasks to play: OpenEnv's description of an environment, and tasks by split.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Json, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use crate::serve::listener::Refusal;
use rolecall_core::domain::MoveKind;

/// The most tasks that one request gets.
const MOST_TASKS: usize = 1000;

/// The server, as requests find it.
pub(super) type Served = State<Arc<Server>>;

/// The routes that play nothing.
pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/health", get(health))
        .route("/metadata", get(metadata))
        .route("/schema", get(schema))
        .route("/list_environments", get(environments))
        .route("/{environment}/splits", get(splits))
        .route("/{environment}/num_tasks", post(count))
        .route("/{environment}/tasks", post(tasks))
        .route("/{environment}/task", post(task))
        .route("/{environment}/task_range", post(range))
}

async fn health() -> Json<Value> {
    Json(json!({ "status": "healthy" }))
}

async fn metadata(State(server): Served) -> Json<Value> {
    Json(json!({
        "name": server.name,
        "description": format!(
        "Episodes of the run {}, in which clients play the seat {}.",
        server.sessions.plan().name,
        server.sessions.seat()
    ),
        "version": env!("CARGO_PKG_VERSION"),
        "readme_content": null,
        "author": null,
        "documentation_url": null,
    }))
}

/// One field is needed: then clients send what a model wrote as it is.
async fn schema(State(server): Served) -> Json<Value> {
    let kinds = MoveKind::ALL.map(MoveKind::as_str);
    let text = "A move: `think: ...`, `speak: ...`, or an action.";
    let name = server.name.replace('-', " ");
    Json(json!({
        "action": {
            "title": format!("Move in {name}"),
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": { "type": "string", "description": text },
                "metadata": { "type": "object" },
            },
        },
        "observation": {
            "title": format!("Observation in {name}"),
            "type": "object",
            "required": ["text", "from", "invalid", "metadata"],
            "properties": {
                "text": { "type": "string" },
                "from": { "enum": ["environment", "user", "agent", "conductor"] },
                "invalid": { "type": "boolean" },
                "open": { "type": "array", "items": { "enum": kinds } },
                "admissible": { "type": "array", "items": { "type": "string" } },
                "data": {},
                "steps_left": { "type": "integer" },
                "questions_left": { "type": "integer" },
                "notice": { "type": "string" },
                "notation": { "type": "string" },
                "sections": { "type": "object" },
                "entrusted": { "type": "object" },
                "metadata": { "type": "object" },
            },
        },
        "state": {
            "title": format!("State of {name}"),
            "type": "object",
            "required": ["episode_id", "step_count"],
            "properties": {
                "episode_id": { "type": "string" },
                "step_count": { "type": "integer" },
                "episode": { "type": "string" },
                "done": { "type": "boolean" },
            },
        },
    }))
}

async fn environments(State(server): Served) -> Json<Value> {
    Json(json!([server.name]))
}

/// The path of an environment's tasks must name the one that there is.
fn known(server: &Server, environment: &str) -> Result<(), Refusal> {
    if environment == server.name {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::NOT_FOUND, format!("there is no such environment, only {}", server.name)))
}

async fn splits(State(server): Served, Path(environment): Path<String>) -> Result<Json<Value>, Refusal> {
    known(&server, &environment)?;
    Ok(Json(server.sessions.splits().iter().map(|split| json!({ "name": split.name, "type": split.kind })).collect()))
}

/// The fields of a request for tasks.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    split: Option<String>,
    index: Option<usize>,
    start: Option<usize>,
    stop: Option<usize>,
}

/// The JSON of a request.
pub(super) type Body<T> = Result<Json<T>, JsonRejection>;

/// Body of a request, or the refusal that says what is wrong with it.
pub(super) fn body<T>(body: Body<T>) -> Result<T, Refusal> {
    body.map(|Json(body)| body).map_err(|rejection| Refusal::new(rejection.status(), rejection.body_text()))
}

fn wrong(problem: impl Serialize) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, problem)
}

impl Server {
    /// A task as everybody may see it, with what a reset needs to play it.
    async fn task(&self, split: &str, index: usize) -> Result<Value, Refusal> {
        let task = self.sessions.task(split, index).await.map_err(|error| wrong(error.to_string()))?;
        let mut told = json!({ "split": split, "index": index });
        if let (Value::Object(told), Value::Object(task)) = (&mut told, json!(&*task)) {
            told.extend(task);
        }
        Ok(told)
    }

    async fn some(&self, split: &str, start: usize, stop: usize) -> Result<Vec<Value>, Refusal> {
        if stop - start > MOST_TASKS {
            return Err(wrong(format!("one request gets {MOST_TASKS} tasks: ask `task_range` for parts")));
        }
        let mut tasks = Vec::with_capacity(stop - start);
        for index in start..stop {
            tasks.push(self.task(split, index).await?);
        }
        Ok(tasks)
    }
}

/// A request for tasks, as it comes.
type Asked = (Served, Path<String>, Body<Wanted>);

/// A request for tasks of the one environment that there is.
struct Request {
    server: Arc<Server>,
    wanted: Wanted,
    split: String,
    /// The number of tasks in the split.
    tasks: usize,
}

impl Request {
    fn read(asked: Asked) -> Result<Self, Refusal> {
        let (State(server), Path(environment), asked) = asked;
        known(&server, &environment)?;
        let wanted = body(asked)?;
        let split = server.sessions.split(wanted.split.as_deref()).map_err(|error| wrong(error.to_string()))?;
        let (split, tasks) = (split.name.clone(), split.tasks);
        Ok(Self { server, wanted, split, tasks })
    }
}

async fn count(asked: Asked) -> Result<Json<Value>, Refusal> {
    Ok(Json(json!({ "num_tasks": Request::read(asked)?.tasks })))
}

async fn tasks(asked: Asked) -> Result<Json<Value>, Refusal> {
    let Request { server, split, tasks, .. } = Request::read(asked)?;
    Ok(Json(json!({ "tasks": server.some(&split, 0, tasks).await?, "env_name": server.name })))
}

async fn task(asked: Asked) -> Result<Json<Value>, Refusal> {
    let Request { server, wanted, split, .. } = Request::read(asked)?;
    let index = wanted.index.ok_or_else(|| wrong("`index` is missing"))?;
    Ok(Json(json!({ "task": server.task(&split, index).await? })))
}

async fn range(asked: Asked) -> Result<Json<Value>, Refusal> {
    let Request { server, wanted, split, tasks } = Request::read(asked)?;
    let (start, stop) = (wanted.start.unwrap_or(0), wanted.stop.unwrap_or(tasks));
    if start > stop || stop > tasks {
        return Err(wrong(format!("{start}..{stop} is no range of the {tasks} tasks of {split}")));
    }
    Ok(Json(json!({ "tasks": server.some(&split, start, stop).await? })))
}
