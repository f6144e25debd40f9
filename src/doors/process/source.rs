//! The tasks of an environment in another process.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::errors::{ProcessError, of_world};
use super::seat::read;
use super::tries::request;
use super::world::ProcessWorld;
use rolecall_core::domain::{PrivateInfo, PublicTask, Seat, Task};
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{
    Environment, EnvironmentError, EnvironmentSetup, Introduction, OpenTask, SetupError, TaskSource,
};

/// The most tasks, kinds and tools that are believed.
const MOST_TASKS: usize = 100_000_000;
const MOST_NAMES: usize = 1_000;

/// The tasks of an environment in another process.
pub struct ProcessTasks {
    client: Arc<Client>,
    listed: Listed,
    introduction: Introduction,
    kinds: Vec<&'static str>,
    tools: Vec<ToolSpec>,
}

/// The answer to `tasks`.
#[derive(Deserialize)]
struct Listed {
    total: usize,
    digest: Option<String>,
    #[serde(default)]
    hears: bool,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    tools: Vec<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Value,
}

/// The answer to `open`.
#[derive(Deserialize)]
struct Opened {
    public: PublicTask,
    #[serde(default)]
    entrusted: Vec<PrivateInfo>,
}

impl ProcessTasks {
    /// Starts the program and asks for its tasks. Blocks.
    ///
    /// # Errors
    /// When it cannot be started, or says what cannot be.
    pub fn start(client: Arc<Client>) -> Result<Self, ProcessError> {
        let introduction = client.introduction()?;
        let mut listed: Listed = read(&request(&client, "tasks", &json!({ "from": 0, "to": 0 }))?)?;
        if listed.total > MOST_TASKS || listed.kinds.len().max(listed.tools.len()) > MOST_NAMES {
            return Err(ProcessError::Failed("it lists more than anybody could play".to_owned()));
        }
        let tools = std::mem::take(&mut listed.tools).into_iter().map(|tool| ToolSpec {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
        });
        // Loaded once for each config: they live as long as the process.
        let kinds = std::mem::take(&mut listed.kinds).into_iter().map(|kind| &*Box::leak(kind.into_boxed_str()));
        Ok(Self { introduction, kinds: kinds.collect(), tools: tools.collect(), client, listed })
    }
}

impl TaskSource for ProcessTasks {
    fn len(&self) -> usize {
        self.listed.total
    }

    /// Over the tasks and the program, for both decide what happens.
    fn digest(&self, _: &[usize]) -> Result<Option<String>, EnvironmentError> {
        let Introduction { name, version, digest, .. } = &self.introduction;
        let tasks = self.listed.digest.as_deref().unwrap_or_default();
        let mut hasher = blake3::Hasher::new();
        for part in [name, version, digest, tasks] {
            hasher.update(part.as_bytes()).update(&[0]);
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.kinds.clone()
    }

    fn tools(&self) -> Vec<ToolSpec> {
        self.tools.clone()
    }

    fn hears(&self) -> bool {
        self.listed.hears
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let answer = request(&self.client, "open", &json!({ "index": index }));
        let opened = answer.and_then(|answer| read::<Opened>(&answer)).map_err(of_world)?;
        let mut entrusted = opened.entrusted.clone();
        entrusted.retain(|info| info.audience == Seat::Environment);
        let told = Arc::new(json!({ "public": opened.public, "entrusted": entrusted }));
        let client = Arc::clone(&self.client);
        let external = self.introduction.is_taken();
        let make = move || -> Box<dyn Environment> {
            Box::new(ProcessWorld::new(Arc::clone(&client), Arc::clone(&told), external))
        };
        let task = Task { public: Arc::new(opened.public), private: opened.entrusted };
        Ok(OpenTask { task, environment: Arc::new(make) })
    }
}

pub(super) fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let client = Arc::new(Client::of(&setup.parameters, Kind::Environment, "")?);
    Ok(Arc::new(ProcessTasks::start(client).map_err(|error| SetupError { key: None, problem: error.to_string() })?))
}
