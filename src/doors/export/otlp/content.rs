//! Content, which is written only if it is asked for: prompts and replies hold whatever users and data do.

use serde::Serialize;
use serde_json::{Value, json};

use super::names;
use super::wire::attribute;
use rolecall_core::domain::{Choice, Finish, ModelReply};
use rolecall_core::ports::model::{ChatMessage, ChatRole, Completion, Format, ModelRequest, Prompt};

/// The attributes with what a model was sent.
pub(super) fn sent(request: &ModelRequest) -> Vec<Value> {
    let (prompt, format) = match request {
        ModelRequest::Complete(Completion { prompt, format, .. }) => (prompt, Some(format)),
        ModelRequest::Score(scoring) => (&scoring.prompt, None),
    };
    let mut attributes = Vec::new();
    let mut put = |name: &str, value: Vec<Value>| {
        attributes.push(attribute(name, Value::from(value).to_string().into()));
    };
    match prompt {
        Prompt::Text(text) => put(names::INPUT, vec![message("user", vec![part(text)])]),
        Prompt::Chat(messages) => {
            let first = messages.iter().take_while(|message| message.role == ChatRole::System).count();
            let (system, rest) = messages.split_at(first);
            if !system.is_empty() {
                put(names::INSTRUCTIONS, system.iter().map(|message| part(&message.content)).collect());
            }
            put(names::INPUT, rest.iter().map(of_chat).collect());
        }
    }
    if let Some(Format::Tools { tools, .. }) = format {
        let tool = |tool: &rolecall_core::ports::model::ToolSpec| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters,
            })
        };
        put(names::TOOLS, tools.iter().map(tool).collect());
    }
    attributes
}

/// The attribute with what a model answered.
pub(super) fn replied(reply: &ModelReply, seq: u32) -> Value {
    let answer = |choice: &Choice| {
        let mut parts = Vec::new();
        if !choice.text.is_empty() {
            parts.push(part(&choice.text));
        }
        for (n, call) in choice.tool_calls.iter().enumerate() {
            let (id, name) = (format!("c{seq}_{n}"), &call.name);
            parts.push(json!({ "type": "tool_call", "id": id, "name": name, "arguments": &call.arguments }));
        }
        let mut answer = message("assistant", parts);
        answer["finish_reason"] = finish_reason(choice.finish).into();
        answer
    };
    let answers: Vec<Value> = reply.choices.iter().map(answer).collect();
    attribute(names::OUTPUT, Value::from(answers).to_string().into())
}

/// The attribute with words that a user said.
pub(super) fn words(text: &str) -> Value {
    let mut answer = message("assistant", vec![part(text)]);
    answer["finish_reason"] = finish_reason(Finish::Stop).into();
    attribute(names::OUTPUT, json!([answer]).to_string().into())
}

/// Why a completion ended, in the words of the conventions.
pub(super) fn finish_reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::ToolCalls => "tool_call",
        Finish::ContentFilter => "content_filter",
        Finish::Other => "error",
    }
}

fn message(role: impl Serialize, parts: Vec<Value>) -> Value {
    json!({ "role": role, "parts": parts })
}

fn part(text: &str) -> Value {
    json!({ "type": "text", "content": text })
}

fn of_chat(sent: &ChatMessage) -> Value {
    if let Some(id) = &sent.tool_call_id {
        return message(sent.role, vec![json!({ "type": "tool_call_response", "id": id, "response": sent.content })]);
    }
    let mut parts = Vec::new();
    if !sent.content.is_empty() {
        parts.push(part(&sent.content));
    }
    for called in &sent.tool_calls {
        let arguments = &called.function.arguments;
        let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| arguments.as_str().into());
        let name = &called.function.name;
        parts.push(json!({ "type": "tool_call", "id": &called.id, "name": name, "arguments": arguments }));
    }
    message(sent.role, parts)
}
