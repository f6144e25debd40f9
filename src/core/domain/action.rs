//! Actions on the world, and its observations.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One action on the environment.
///
/// Every action has a text, which is what transcripts show and what environments that read text
/// understand. A tool call carries its parts as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The action as it is written, for instance `go to desk 1`.
    pub text: String,
    /// The action as a tool call, for environments that offer tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<Call>>,
}

/// A tool call: a knowledge source, a search, an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// Its arguments by name.
    pub arguments: Value,
}

impl Action {
    /// An action that is nothing but its text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), call: None }
    }

    /// Whether both ask for the same: the same call, or the same text but for blanks around it.
    /// An action is found to be a step of a plan in this way.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.call == other.call && self.text.trim() == other.text.trim()
    }
}

/// An observation of the environment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The observation as agents read it.
    pub text: String,
    /// Structured data: a tool's result, or admissible actions where a config asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<Value>>,
    /// The words with which the user is to be asked before anybody goes on: the action was a question. The
    /// world hears the reply, and what it shows then is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<Box<str>>,
    /// The environment accepts no further action in this round.
    #[serde(default, skip_serializing_if = "is_false")]
    pub done: bool,
    /// The action was not understood or not possible, and nothing changed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub invalid: bool,
}

/// Whether a model that answers by calls of tools may call one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It may; without a call its text is read.
    Auto,
    /// It may not: its text is read.
    None,
    /// It has to call one of those that are offered.
    #[default]
    Required,
    /// It has to call the one of this name.
    Named(String),
}

pub(super) fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Observation {
    /// An observation that is nothing but its text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A question that the world hands on to the user.
    pub fn question(text: impl Into<Box<str>>) -> Self {
        Self { asks: Some(text.into()), ..Self::default() }
    }

    /// The observation after an action that was not understood or not possible.
    pub fn refused(text: impl Into<String>) -> Self {
        Self { invalid: true, ..Self::text(text) }
    }
}
