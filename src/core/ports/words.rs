//! A world's part in machinery that all worlds share: the words of prompts, the memory
//! of agents, and how people name what is in it.
//!
//! Everything has a default, so that a world that brings nothing (one in another process) still
//! plays, reports and compares.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::held::{HeldFacts, Secrets};
use super::model::ToolSpec;
use super::{EpisodeLog, Format};
use crate::domain::{Event, PublicTask, Scene, UserSees, View};

/// The words of a world.
pub trait Words: Send + Sync {
    /// The forms of what can be done in a task, such as `open {receptacle}`, each with what it does.
    /// None where the world has nothing to add to the list `actions` of the task's public data.
    fn forms(&self, _task: &PublicTask) -> Option<Vec<(String, String)>> {
        None
    }

    /// Words that people write for the verbs of commands, each with the world's own: `pick up` for `take`. Where the
    /// world has the words themselves, they are its own.
    fn verbs(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The text of an action that calls a tool, with these arguments; none for the tool's name and the
    /// arguments as JSON.
    fn call_text(&self, _tool: &str, _arguments: &Value) -> Option<String> {
        None
    }

    /// The names that prompt files may use for what [`variable`](Self::variable) gives.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// The value of one of [`variables`](Self::variables) in a prompt; none if the seat does not
    /// have it.
    fn variable(&self, _name: &str, _known: &Known<'_>) -> Option<Value> {
        None
    }

    /// The entries of one of [`variables`](Self::variables) that prompts may leave out where there is no room, in the
    /// order in which they are left out: the bytes that each saves. [`Known::left_out`] says how many are.
    fn entries(&self, _name: &str, _known: &Known<'_>) -> Vec<usize> {
        Vec::new()
    }

    /// An exemplar of a card in the wording of a task: cards are written once, and tasks may differ
    /// in how the same is said.
    fn exemplar<'a>(&self, text: &'a str, _task: &PublicTask) -> Cow<'a, str> {
        text.into()
    }

    /// A memory of an episode that has not begun, if agents of this world keep one.
    fn recall(&self) -> Option<Box<dyn Recall>> {
        None
    }

    /// The kinds of tasks ([`PublicTask::kind`]) in the order of tables; others come after them.
    fn kinds(&self) -> &'static [&'static str] {
        &[]
    }

    /// Metrics that say how good an episode on a task of this kind is, where success says little: tables show them
    /// in its place, and the first is the headline of a run. None where success is what counts.
    fn measures(&self, _kind: &str) -> &'static [&'static str] {
        &[]
    }

    /// The conversation that a task comes with, and the names of those who continue it.
    fn conversation(&self, _task: &PublicTask) -> Conversation {
        Conversation::default()
    }

    /// The most that a user of this world may see of the episode, whatever its kind; none if it may see all.
    fn user_sees_at_most(&self) -> Option<UserSees> {
        None
    }

    /// Lines about the private part for a person who plays the user, shown before the first question.
    fn wanted(&self, _view: &View) -> Vec<String> {
        Vec::new()
    }

    /// Labels that models write before what a user of this world says, in small letters.
    fn user_labels(&self) -> &'static [&'static str] {
        &[]
    }

    /// Labels that models write before what others than the user say, in small letters.
    fn agent_labels(&self) -> &'static [&'static str] {
        &[]
    }

    /// Facts that the user of an episode holds; none if the episode is of another world, or there are no facts.
    fn held(&self, _events: &[Event]) -> Option<Box<dyn HeldFacts>> {
        None
    }

    /// Secrets that the user of an episode was asked to keep; none if the episode is of another world, or the
    /// user may say all.
    fn secrets(&self, _log: &EpisodeLog<'_>) -> Option<Secrets> {
        None
    }

    /// The response that an episode came to, beside which references can be laid; none if the
    /// episode's task asks for none, or is of another world.
    fn response(&self, _log: &EpisodeLog<'_>) -> Option<Response> {
        None
    }

    /// How readers are shown an episode (`rolecall show`, the report's page); none for every event as it
    /// is, and for episodes that are none of this world.
    fn scene(&self, _log: &EpisodeLog<'_>) -> Option<Scene> {
        None
    }
}

/// The values that a prompt's variables are made from.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The view of the seat.
    pub view: &'a View,
    /// The task, once the episode is open.
    pub task: Option<&'a PublicTask>,
    /// The seat's own private parts, by label.
    pub private: &'a BTreeMap<String, Arc<Value>>,
    /// How many [entries](Words::entries) of the variable are left out, with a word for what is not there.
    pub left_out: usize,
}

/// An agent's memory of its episode: a fold over its view, so that keeping it between turns
/// is only a cache.
pub trait Recall: Send {
    /// Takes note of what is new in the view.
    fn catch_up(&mut self, view: &View);

    /// Everything that is known, as sentences.
    fn paragraph(&self) -> String;

    /// A thought whose question to oneself is answered by what is known (ABA appendix E); none if
    /// it asks nothing.
    fn answered(&self, thought: &str) -> Option<String>;
}

/// A conversation that comes with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Who spoke, and the words, in order.
    pub said: Vec<(String, String)>,
    /// The agent's name in the utterances that follow.
    pub agent: String,
    /// The user's name in the utterances that follow.
    pub user: String,
}

/// Nothing was said yet.
impl Default for Conversation {
    fn default() -> Self {
        Self { said: Vec::new(), agent: "SYSTEM".to_owned(), user: "USER".to_owned() }
    }
}

/// The response of an episode, and what it is laid beside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The event in which it was given; none if it never was.
    pub given: Option<u32>,
    /// Its words.
    pub text: String,
    /// The language, by its two letters (`en`, `zh`).
    pub language: String,
    /// Responses that people gave.
    pub references: Vec<String>,
    /// The conversation before it: who spoke, and the words. Whoever spoke last waits for it.
    pub context: Vec<(String, String)>,
    /// The strategies that were planned for it, in their order; none where nobody was to plan any.
    pub planned: Option<Vec<String>>,
    /// The strategies that people saw in each reference, as far as they were annotated.
    pub annotated: Vec<Vec<String>>,
}

impl Response {
    /// A sequence of strategies with adjacent repeats as one.
    pub fn collapsed(sequence: &[String]) -> Vec<&str> {
        let mut names: Vec<&str> = sequence.iter().map(String::as_str).collect();
        names.dedup();
        names
    }
}

/// The words of a world that brings none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWords;

impl Words for NoWords {}

/// The world that participants play in, as far as they know it.
#[derive(Clone)]
pub struct World {
    /// Its own words.
    pub words: &'static dyn Words,
    /// The variables that prompts may use because some world has them: a card may serve several
    /// worlds.
    pub variables: Arc<[&'static str]>,
    /// The answer formats that there are.
    pub formats: Arc<[&'static dyn Format]>,
    /// The tools that the world offers.
    pub tools: Arc<[ToolSpec]>,
}

impl Default for World {
    fn default() -> Self {
        Self { words: &NoWords, variables: Arc::default(), formats: Arc::default(), tools: Arc::default() }
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let formats: Vec<&str> = self.formats.iter().map(|format| format.name()).collect();
        formatter
            .debug_struct("World")
            .field("variables", &self.variables)
            .field("formats", &formats)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
