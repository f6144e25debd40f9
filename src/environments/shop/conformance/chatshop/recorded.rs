//! The lines of a recording of the agent.

use serde::Deserialize;
use serde_json::Value;

use super::{Said, ShopperCall};

#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) gid: usize,
    pub(super) qmode: String,
    pub(super) strategy: String,
    pub(super) cot: bool,
    pub(super) num_question: u32,
    pub(super) game_mode: usize,
    pub(super) steps: Vec<Step>,
}

#[derive(Deserialize)]
pub(super) struct Step {
    pub(super) action: String,
    pub(super) agent_calls: Vec<AgentCall>,
    #[serde(default)]
    pub(super) shopper_calls: Vec<ShopperCall>,
    #[serde(default)]
    pub(super) obs: String,
    #[serde(default)]
    pub(super) done: bool,
}

#[derive(Deserialize)]
pub(super) struct AgentCall {
    pub(super) messages: Vec<Said>,
    pub(super) tool_names: Vec<String>,
    pub(super) tool_choice: Value,
    pub(super) n: u32,
    pub(super) max_tokens: u32,
    pub(super) temperature: f64,
    pub(super) choices: Vec<RecordedChoice>,
}

#[derive(Deserialize)]
pub(super) struct RecordedChoice {
    pub(super) message: Reply,
}

#[derive(Deserialize)]
pub(super) struct Reply {
    pub(super) content: Option<String>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<Called>>,
}

#[derive(Deserialize)]
pub(super) struct Called {
    pub(super) function: Function,
}

#[derive(Deserialize)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) arguments: String,
}
