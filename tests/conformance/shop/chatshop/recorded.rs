//! The lines of recordings.

use serde::Deserialize;
use serde_json::Value;

use rolecall_core::domain::{Choice, ToolCall};
use rolecall_core::ports::model::ChatMessage;

/// An episode of the environment alone, or of the agent.
#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) gid: usize,
    pub(super) game_mode: usize,
    pub(super) num_question: u32,
    /// The paper's number if it was not recorded.
    #[serde(default = "twenty")]
    pub(super) num_products: usize,
    /// The channel, the strategy and the reasoning of the agent.
    #[serde(default)]
    pub(super) qmode: String,
    #[serde(default)]
    pub(super) strategy: String,
    #[serde(default)]
    pub(super) cot: bool,
    pub(super) steps: Vec<Step>,
}

fn twenty() -> usize {
    20
}

impl Row {
    /// The agent's calls of all steps.
    pub(super) fn calls(&self) -> impl Iterator<Item = &AgentCall> {
        self.steps.iter().flat_map(|step| &step.agent_calls)
    }
}

#[derive(Deserialize)]
pub(super) struct Step {
    pub(super) action: String,
    #[serde(default)]
    pub(super) obs: String,
    pub(super) reward: Option<f64>,
    pub(super) done: Option<bool>,
    pub(super) info: Option<Info>,
    #[serde(default)]
    pub(super) agent_calls: Vec<AgentCall>,
    #[serde(default)]
    pub(super) shopper_calls: Vec<ShopperCall>,
    pub(super) raises: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Info {
    pub(super) question_budget: u32,
    pub(super) scores: Vec<f64>,
    pub(super) selections: Vec<i64>,
    pub(super) products: Vec<(String, f64)>,
}

#[derive(Deserialize)]
pub(super) struct ShopperCall {
    pub(super) messages: Vec<ChatMessage>,
    pub(super) reply: String,
}

#[derive(Deserialize)]
pub(super) struct AgentCall {
    pub(super) messages: Vec<ChatMessage>,
    pub(super) tool_names: Vec<String>,
    pub(super) tool_choice: Value,
    pub(super) n: u32,
    pub(super) max_tokens: u32,
    pub(super) temperature: f64,
    choices: Vec<Value>,
}

impl AgentCall {
    /// The reply, as the server wrote it.
    pub(super) fn reply(&self) -> Vec<Choice> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let choices = self.choices.iter().map(|choice| &choice["message"]);
        let choices = choices.map(|message| {
            let calls = message["tool_calls"].as_array().into_iter().flatten();
            let calls = calls.map(|call| ToolCall {
                name: text(&call["function"]["name"]),
                arguments: call["function"]["arguments"].clone(),
            });
            Choice { text: text(&message["content"]), tool_calls: calls.collect(), ..Choice::default() }
        });
        choices.collect()
    }
}

impl ShopperCall {
    /// The reply as the only choice.
    pub(super) fn choices(&self) -> Vec<Choice> {
        vec![Choice { text: self.reply.clone(), ..Choice::default() }]
    }
}
