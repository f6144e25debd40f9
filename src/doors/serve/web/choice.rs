//! Choices of rows, and the rows that were chosen lately.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::page::encoded;
use crate::locked;

/// Orders and choices that are remembered of a run.
const MOST_VIEWS: usize = 16;

/// Which episodes, and in which order. What is empty chooses all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Choice {
    /// A part of the name of the episode or of its task.
    pub(super) q: String,
    /// A part of something that was thought, said, done or seen.
    pub(super) said: String,
    pub(super) cell: String,
    pub(super) user: String,
    pub(super) kind: String,
    pub(super) ending: String,
    /// The head of the column by which rows are sorted; empty: failures first.
    pub(super) sort: String,
    /// From the largest.
    pub(super) down: String,
}

/// The part of the rows that is asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part {
    pub(super) offset: usize,
    pub(super) limit: Option<usize>,
}

impl Choice {
    /// The choice as a query string, beginning with `?`, with other values for some fields.
    pub(super) fn address(&self, others: &[(&str, &str)]) -> String {
        let fields = json!(self);
        let kept = fields
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
            .filter(|(name, _)| others.iter().all(|(other, _)| other != name));
        let mut address = String::new();
        for (name, value) in kept.chain(others.iter().copied()).filter(|(_, value)| !value.is_empty()) {
            let mark = if address.is_empty() { '?' } else { '&' };
            // Writing to a text cannot fail.
            let _ = write!(address, "{mark}{name}={}", encoded(value));
        }
        address
    }
}

/// A choice with the rows that it gives.
type View = (Choice, Arc<Vec<u32>>);

/// The rows that were asked for lately: first closed episodes by their order, then open ones.
#[derive(Default)]
pub(super) struct Views(Mutex<Vec<View>>);

impl Views {
    /// The rows of a choice, if they were asked for lately.
    pub(super) fn get(&self, choice: &Choice) -> Option<Arc<Vec<u32>>> {
        let views = locked(&self.0);
        views.iter().find(|(known, _)| known == choice).map(|(_, view)| Arc::clone(view))
    }

    /// Remembers the rows of a choice.
    pub(super) fn keep(&self, choice: &Choice, view: &Arc<Vec<u32>>) {
        let mut views = locked(&self.0);
        if views.len() >= MOST_VIEWS {
            views.remove(0);
        }
        views.push((choice.clone(), Arc::clone(view)));
    }
}
