//! The neutral row: what one seat was sent and answered, with a mark on each turn that is to be trained.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use rolecall_core::domain::{Choice, MoveKind};
use rolecall_core::ports::model::{
    CalledFunction, CalledTool, ChatMessage, ChatRole, Completion, Format, ModelRequest,
};

/// One seat's view of one episode, or of one call where prompts do not extend each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name: the episode and the seat, with a number where there are several.
    pub id: String,
    /// The episode.
    pub episode: String,
    /// The seat.
    pub seat: String,
    /// The cell.
    pub cell: String,
    /// The task's name in its data set, by which rows are split.
    pub task: String,
    /// The task's type.
    pub kind: String,
    /// The model as the config names it; `rules` where none was asked.
    pub model: String,
    /// Whether a turn of it is to be trained.
    pub trainable: bool,
    /// The messages or the text.
    #[serde(flatten)]
    pub content: Content,
    /// The episode's reward.
    pub reward: f64,
    /// Whether its task was solved.
    pub success: bool,
    /// How it ended, in words.
    pub ending: String,
    /// Moves of roles.
    pub steps: u32,
    /// Questions to the user.
    pub questions: u32,
    /// The seed of the run.
    pub seed: u64,
    /// The weight of the row.
    pub weight: f64,
}

impl Row {
    /// Whether it is the view of a seat that asked no model, and not what a model was sent.
    pub fn is_view(&self) -> bool {
        let Content::Chat { messages, .. } = &self.content else {
            return false;
        };
        messages.iter().filter(|message| message.is_trained()).all(|message| message.call.is_none())
    }
}

/// Content of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// A conversation.
    Chat {
        /// The messages as they were sent, with the replies.
        messages: Vec<RowMessage>,
        /// The tools that could be called.
        tools: Vec<Value>,
    },
    /// A text that was gone on with.
    Text {
        /// The text.
        prompt: String,
        /// The continuation.
        completion: String,
        /// Whether that is to be trained.
        train: bool,
    },
}

/// A message of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowMessage {
    /// Who says it.
    pub role: ChatRole,
    /// The words.
    pub content: String,
    /// The tools that are called with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<CalledTool>,
    /// The call that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it is to be trained; of assistants only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train: Option<bool>,
    /// The mark as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u8>,
    /// The seat's turn, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The call within it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// The first move that was read from it.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub move_kind: Option<MoveKind>,
    /// Where the words come from, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The tokens of the reply and of its prompt, where the server gave them.
    #[serde(skip)]
    pub tokens: Option<Box<Tokens>>,
}

/// A reply by its tokens, exactly as they were sampled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tokens {
    /// Tokens of the prompt.
    pub prompt: Vec<u32>,
    /// Tokens of the reply.
    pub reply: Vec<u32>,
    /// The log-probabilities of the latter.
    pub logprobs: Vec<f64>,
}

impl RowMessage {
    /// Something that was said.
    pub fn new(role: ChatRole, content: impl Into<String>) -> Self {
        let assistant = role == ChatRole::Assistant;
        Self {
            role,
            content: content.into(),
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            train: assistant.then_some(false),
            weight: assistant.then_some(0),
            turn: None,
            call: None,
            move_kind: None,
            from: None,
            tokens: None,
        }
    }

    /// Marks it as one that is to be trained, or not.
    pub fn mark(&mut self, train: bool) {
        self.train = Some(train);
        self.weight = Some(train.into());
    }

    /// Whether it is to be trained.
    pub fn is_trained(&self) -> bool {
        self.train == Some(true)
    }

    /// Whether it is the same message, whatever is known of it besides and however its calls are named.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let functions = |message: &Self| -> Vec<CalledFunction> {
            message.tool_calls.iter().map(|call| call.function.clone()).collect()
        };
        (self.role, &self.content) == (other.role, &other.content) && functions(self) == functions(other)
    }
}

/// The messages of a prompt. Answers to calls of tools have the tools' names.
pub(super) fn messages_of(prompt: &[ChatMessage]) -> Vec<RowMessage> {
    let mut calls: Vec<&CalledTool> = Vec::new();
    let mut messages = Vec::with_capacity(prompt.len());
    for sent in prompt {
        calls.extend(&sent.tool_calls);
        let id = sent.tool_call_id.as_ref();
        let called = calls.iter().rev().find(|call| Some(&call.id) == id);
        messages.push(RowMessage {
            tool_calls: sent.tool_calls.clone(),
            tool_call_id: sent.tool_call_id.clone(),
            name: called.map(|call| call.function.name.clone()),
            ..RowMessage::new(sent.role, sent.content.as_str())
        });
    }
    messages
}

/// A reply as a message; `seq` is the event of its call.
pub(super) fn reply_of(reply: &Choice, seq: u32) -> RowMessage {
    let calls = (0..).zip(&reply.tool_calls);
    RowMessage {
        tool_calls: calls.map(|(n, call): (u32, _)| CalledTool::new(format!("c{seq}_{n}"), call)).collect(),
        ..RowMessage::new(ChatRole::Assistant, reply.text.as_str())
    }
}

/// The tools of a request as servers are told of them.
pub(super) fn tools_of(request: &ModelRequest) -> Vec<Value> {
    let ModelRequest::Complete(Completion { format: Format::Tools { tools, .. }, .. }) = request else {
        return Vec::new();
    };
    tools
        .iter()
        .map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        })
        .collect()
}
