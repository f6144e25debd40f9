//! The content of `run.toml`: the resolved config, hashes, seed, version.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::Value;

use super::invocation::Invocation;
use super::plan::Cell;
use super::recorded::{SettingsRecord, recorded};
use super::search::FileRecord;
use crate::registry::HUMAN;
use rolecall_core::domain::{RoleName, Seat, Steering};
use rolecall_core::ports::{Introduction, Parameters};

/// The content of `run.toml`. Names and values are those that were used, defaults included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Number of the format of the folder ([`schema_of`](rolecall_core::log::schema_of)).
    pub schema: u32,
    /// The version of rolecall.
    pub rolecall: &'static str,
    /// The run's name.
    pub name: String,
    /// The id that tells the run from all others; made when it begins, and kept by `resume`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The seed from which all others are derived.
    pub seed: u64,
    /// The number of times that each cell plays each task.
    pub repeats: u32,
    /// Number of tasks; of cells that play different ones, the largest.
    pub tasks: usize,
    /// Index of the first task in the data set.
    pub first_task: usize,
    /// Number of episodes: repeats x the tasks of all cells, or those of the shard. None where clients ask for them, until the run is
    /// over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episodes: Option<usize>,
    /// The command line that the run was started with.
    pub invocation: Invocation,
    /// The run that it continues, if it is a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<ParentRecord>,
    /// The use of the machine.
    pub run: SettingsRecord,
    /// The cache of models' replies; nothing if the run uses no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<SettingsRecord>,
    /// Settings for clients; nothing in a run without clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serve: Option<SettingsRecord>,
    /// The queue by which workers play; nothing in a run of one process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<SettingsRecord>,
    /// The models that seats of the cells name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelRecord>,
    /// The tools that the environments of the cells offer, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolRecord>,
    /// The casts, in playing order.
    pub cells: Vec<CellRecord>,
    /// Every file that the run was resolved from, with its hash.
    pub files: Vec<FileRecord>,
}

/// A tool of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolRecord {
    /// The environment.
    pub environment: String,
    /// The tool's name.
    pub name: String,
    /// Its description for models.
    pub description: String,
    /// The JSON Schema of its arguments, as JSON: not every value of it is one of TOML.
    pub parameters: String,
    /// The cells that have it, where somebody else was asked for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<String>,
}

impl ToolRecord {
    pub(super) fn of(cells: &[Cell]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for cell in cells {
            let records = cell.tasks.tools().into_iter().map(|tool| Self {
                environment: cell.environment.clone(),
                name: tool.name,
                description: tool.description,
                parameters: tool.parameters.to_string(),
                cells: Vec::new(),
            });
            for record in records {
                let bare = |tool: &Self| Self { cells: Vec::new(), ..tool.clone() };
                let place = all.iter().position(|tool| bare(tool) == record).unwrap_or_else(|| {
                    all.push(record);
                    all.len() - 1
                });
                if cell.tasks.asks_for_tools() {
                    all[place].cells.push(cell.name.to_string());
                }
            }
        }
        all
    }
}

/// The run that a branch continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParentRecord {
    /// Its name.
    pub run: String,
    /// Its folder, relative to the working folder if it lies below.
    pub folder: String,
    /// The point where the branch leaves it, as it was asked for.
    pub at: String,
    /// How the episodes were chosen, in the words of the command.
    pub chosen: String,
    /// The choice looked at what the episodes came to.
    pub by_outcome: bool,
    /// Steering where the episodes leave those of the parent.
    #[serde(flatten)]
    pub steering: Steering,
    /// The episodes of the branch, each with the number of events that it takes over.
    pub episodes: BTreeMap<String, u64>,
    /// Digests of the lines of these events: the branch notices if they are changed later.
    pub digests: BTreeMap<String, String>,
}

/// One cast.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellRecord {
    /// Its name.
    pub name: String,
    /// Number of tasks; written only where some cells play fewer than others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<usize>,
    /// Hash of the data of the run's tasks; none if the environment's parameters say everything,
    /// or until [`Resolved::pin`](super::Resolved::pin) has taken it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_blake3: Option<String>,
    /// The environment.
    pub environment: NamedRecord,
    /// The models that the environment's parameters name, each once.
    #[serde(skip)]
    pub environment_models: Vec<String>,
    /// The strategy.
    pub strategy: NamedRecord,
    /// When episodes end at the latest.
    pub limits: SettingsRecord,
    /// The roles, in the order in which the strategy names them.
    pub roles: Vec<RoleRecord>,
    /// The users; empty if the strategy needs none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<UserRecord>,
}

impl CellRecord {
    /// The models that its seats name; some may come more than once.
    pub fn models(&self) -> impl Iterator<Item = &String> {
        self.roles.iter().flat_map(|role| &role.models).chain(self.users.iter().flat_map(|user| &user.models))
    }
}

/// A name in the registry with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedRecord {
    /// The name.
    pub name: String,
    /// Every parameter that has a value.
    #[serde(flatten)]
    pub parameters: toml::Table,
}

impl NamedRecord {
    /// A name and what was resolved for it.
    pub(super) fn of(name: &str, parameters: &Parameters) -> Self {
        Self { name: name.to_owned(), parameters: recorded(parameters) }
    }
}

/// Who sits on a role's seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleRecord {
    /// The role.
    pub role: String,
    /// Name of its implementation.
    pub implementation: String,
    /// Whether the other roles do not see its thoughts, plans and judgements.
    pub hide_thoughts: bool,
    /// Every parameter that has a value.
    pub parameters: toml::Table,
    /// The models that the parameters name, each once.
    #[serde(skip)]
    pub models: Vec<String>,
    /// Its persona, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaRecord>,
    /// Its introduction, where it is in another process; none until
    /// [`Resolved::pin`](super::Resolved::pin) has asked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Introduction>,
}

/// The seat of a person who sits in a browser.
#[derive(Clone, Debug)]
pub struct WebSeat<'a> {
    /// The place of its cell in the plan.
    pub cell: usize,
    /// The seat.
    pub seat: Seat,
    /// Every parameter that has a value.
    pub parameters: &'a toml::Table,
}

impl Record {
    /// The seats of people who sit in a browser.
    pub fn web_seats(&self) -> Vec<WebSeat<'_>> {
        let web = |name: &str, parameters: &toml::Table| {
            name == HUMAN && parameters.get("at").and_then(toml::Value::as_str) == Some("web")
        };
        let mut seats = Vec::new();
        for (cell, record) in self.cells.iter().enumerate() {
            let roles = record.roles.iter().filter(|role| web(&role.implementation, &role.parameters));
            let roles = roles.filter_map(|role| Some((Seat::Role(RoleName::new(&role.role).ok()?), &role.parameters)));
            let users = record.users.iter().filter(|user| web(&user.kind, &user.parameters));
            let users = users.map(|user| (Seat::User, &user.parameters));
            seats.extend(roles.chain(users).map(|(seat, parameters)| WebSeat { cell, seat, parameters }));
        }
        seats
    }
}

/// A user of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UserRecord {
    /// Its kind.
    pub kind: String,
    /// Its weight in the draw, relative to the others.
    pub weight: f64,
    /// The events that it sees.
    pub sees: &'static str,
    /// Every parameter that has a value.
    pub parameters: toml::Table,
    /// The models that the parameters name, each once.
    #[serde(skip)]
    pub models: Vec<String>,
    /// Its persona, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaRecord>,
    /// Its introduction, where it is in another process; none until
    /// [`Resolved::pin`](super::Resolved::pin) has asked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Introduction>,
}

/// A persona that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonaRecord {
    /// Its name, such as `respact/executor`.
    pub name: String,
    /// Its card.
    pub card: String,
    /// Hash over the card, the prompt and the exemplars.
    pub blake3: String,
}

/// A model: its settings, with the names of variables in place of secrets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelRecord {
    /// The name that the config gives it.
    pub name: String,
    /// The keys of its own table.
    #[serde(flatten)]
    pub keys: SettingsRecord,
    /// The headers: `env:NAME` where the config names a variable, and no other value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Further fields of each request's body.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub extra_body: toml::Table,
    /// Sampling of answers.
    pub sampling: SettingsRecord,
    /// Thinking before answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<SettingsRecord>,
    /// Limits on requests.
    pub limits: SettingsRecord,
    /// Retries of failed requests.
    pub retries: SettingsRecord,
    /// Timeouts of requests.
    pub timeouts: SettingsRecord,
    /// Prices of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<SettingsRecord>,
    /// Capabilities of the server.
    pub capabilities: SettingsRecord,
}

impl ModelRecord {
    /// Its capabilities besides completing texts, in words.
    pub fn abilities(&self) -> String {
        let word = |(name, value): &(&str, Value)| match value {
            Value::Boolean(true) => Some((*name).to_owned()),
            Value::String(method) => Some(format!("{name} ({method})")),
            _ => None,
        };
        let words: Vec<String> = self.capabilities.iter().filter_map(word).collect();
        if words.is_empty() {
            return "plain texts only".to_owned();
        }
        words.join(", ")
    }
}
