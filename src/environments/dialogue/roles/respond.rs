//! Thoughts and responses, whatever the subject.

use serde_json::json;

use super::place;
use super::scene::Scene;
use super::strategies::Strategies;
use crate::domain::{Action, Call};

/// The internal status and the blueprint.
pub(super) fn thought(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.thought(),
        None => place::thought(scene),
    }
}

/// The whole response.
pub(super) fn response(scene: &Scene<'_>) -> String {
    match Strategies::of(scene) {
        Some(strategies) => strategies.response(&strategies.in_order()),
        None => place::response(scene),
    }
}

/// The response as an action on the world.
pub(super) fn as_action(text: &str) -> Action {
    let call = Call {
        tool: "respond".to_owned(),
        arguments: json!({ "text": text }),
    };
    Action {
        text: format!("respond[{text}]"),
        call: Some(Box::new(call)),
    }
}
