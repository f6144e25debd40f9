//! The task of an episode.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Seat;

/// One task of a data set: what everybody may know, and what only some may know.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The part that every seat may see; shared by all episodes of the task.
    pub public: Arc<PublicTask>,
    /// The parts that only one seat (or only the judge, after closing) may see.
    pub private: Vec<PrivateInfo>,
}

/// The part of a task that every seat may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicTask {
    /// The task's name in its data set; equal names are paired across runs.
    pub id: String,
    /// The group by which results are broken down, such as ReSpAct's task types (Table 1).
    pub kind: String,
    /// Other groups to break results down by, each by its name: `difficulty` = `hard`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, String>,
    /// The request in words; empty where the first observation or utterance states it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Other public data: the dialect of a game, the tools that may be called.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl PublicTask {
    /// A task that is described by its request.
    pub fn new(id: impl Into<String>, kind: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), kind: kind.into(), groups: BTreeMap::new(), text: text.into(), data: Value::Null }
    }

    /// Puts the task into one more group.
    #[must_use]
    pub fn within(mut self, group: impl Into<String>, value: impl Into<String>) -> Self {
        self.groups.insert(group.into(), value.into());
        self
    }
}

/// A task without private parts.
impl From<PublicTask> for Task {
    fn from(public: PublicTask) -> Self {
        Self { public: Arc::new(public), private: Vec::new() }
    }
}

/// A private part of a task: an oracle plan, a target product, a reference to score against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateInfo {
    /// Who may see it. [`Seat::Conductor`] means nobody while the episode runs: only metrics and
    /// judges, which read the closed log.
    pub audience: Seat,
    /// Its name in one word, such as `oracle_plan`.
    pub label: String,
    /// The thing itself, shared by all episodes of the task.
    pub value: Arc<Value>,
}
