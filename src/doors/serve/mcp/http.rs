//! MCP over HTTP: one path, and one answer for each message that is posted there.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use super::McpServer;
use crate::mcp::{Headers, Reaction, Reply, Way};
use crate::serve::listener::Refusal;

const JSON: &str = "application/json";

/// The one route.
pub(super) fn routes(server: McpServer) -> Router {
    Router::new().route("/mcp", post(posted)).with_state(server)
}

async fn posted(State(server): State<McpServer>, headers: HeaderMap, message: Bytes) -> Response {
    let named = |name| {
        let all = headers.get_all(name).iter();
        let all: Vec<_> = all.filter_map(|value| value.to_str().ok()).collect();
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
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    (status, [(CONTENT_TYPE, JSON)], line).into_response()
}
