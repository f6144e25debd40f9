//! The private part of a task: what the user wants. Metrics and judges read it in the log.

use std::sync::Arc;

use serde_json::json;

use super::goal::{Dialogue, Goal};
use crate::domain::{Message, PrivateInfo, Seat, View};
use crate::ports::EpisodeLog;

/// The label of what the user wants.
pub const GOAL: &str = "goal";

/// What the user wants: `message`, as sentences in a line each, and `domains`, as the data set has them.
pub fn goal(dialogue: &Dialogue) -> PrivateInfo {
    PrivateInfo {
        audience: Seat::User,
        label: GOAL.to_owned(),
        value: Arc::new(json!({
            "message": dialogue.message.join("\n"),
            "domains": dialogue.goal.data(),
        })),
    }
}

/// What the user wants, with its sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The goal.
    pub goal: Goal,
    /// Its sentences.
    pub message: Vec<String>,
}

impl Wanted {
    /// What the user of a view wants; none if that was not told to it.
    pub fn of_view(view: &View) -> Option<Self> {
        view.all().find_map(|event| Self::of(&event.message))
    }

    /// What the user of an episode wants; none if the task is none of booking.
    pub fn of_log(log: &EpisodeLog<'_>) -> Option<Self> {
        log.events.iter().find_map(|event| Self::of(&event.message))
    }

    fn of(message: &Message) -> Option<Self> {
        let part = match message {
            Message::Entrusted(part) if part.label == GOAL => part,
            _ => return None,
        };
        let domains = part.value.get("domains")?.as_object()?;
        let message = part.value.get("message")?.as_str()?;
        Some(Self { goal: Goal::read(domains).ok()?, message: message.lines().map(str::to_owned).collect() })
    }
}
