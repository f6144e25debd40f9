//! Messages and requests as Inspect has them. Each distinct one stands once in a sample; events refer to it.

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

use rolecall_core::domain::{Choice, Finish, ModelReply, Move, ToolCall, ToolChoice, Usage};
use rolecall_core::ports::model::{CalledTool, ChatMessage, Completion, Format, ModelRequest, Prompt, ToolSpec};
use rolecall_core::prompts::written;

/// The messages of a sample.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) messages: Vec<Value>,
    /// Places by what is said, and how often it was said before in the same conversation.
    places: FxHashMap<(String, usize), usize>,
}

impl Pool {
    /// Half-open ranges of the pool in which a conversation is, whose new messages get a name.
    pub(super) fn refer(&mut self, conversation: Vec<Value>, name: impl Fn(usize) -> String) -> Vec<[usize; 2]> {
        let mut said: FxHashMap<String, usize> = FxHashMap::default();
        let mut ranges: Vec<[usize; 2]> = Vec::new();
        for mut message in conversation {
            let text = message.to_string();
            let before = said.entry(text.clone()).or_default();
            let next = self.messages.len();
            let place = *self.places.entry((text, *before)).or_insert(next);
            *before += 1;
            if place == next {
                message["id"] = name(place).into();
                self.messages.push(message);
            }
            match ranges.last_mut() {
                Some([_, end]) if *end == place => *end += 1,
                _ => ranges.push([place, place + 1]),
            }
        }
        ranges
    }

    /// The messages in these ranges.
    pub(super) fn of(&self, ranges: &[[usize; 2]]) -> Vec<Value> {
        ranges.iter().filter_map(|[start, end]| self.messages.get(*start..*end)).flatten().cloned().collect()
    }
}

/// The conversation that a request goes on from.
pub(super) fn conversation(request: &ModelRequest) -> Vec<Value> {
    let prompt = match request {
        ModelRequest::Complete(completion) => &completion.prompt,
        ModelRequest::Score(scoring) => &scoring.prompt,
    };
    let sent = match prompt {
        Prompt::Text(text) => return vec![said("user", text)],
        Prompt::Chat(sent) => sent,
    };
    let mut functions = FxHashMap::default();
    let message = |message: &ChatMessage| {
        let called: Vec<Value> = message
            .tool_calls
            .iter()
            .map(|called| {
                functions.insert(called.id.clone(), called.function.name.clone());
                called_tool(called)
            })
            .collect();
        let mut said = said(message.role, &message.content);
        if !called.is_empty() {
            said["tool_calls"] = called.into();
        }
        if let Some(id) = &message.tool_call_id {
            said["tool_call_id"] = id.as_str().into();
            said["function"] = functions.get(id).cloned().into();
        }
        said
    };
    sent.iter().map(message).collect()
}

/// A message that is nothing but its words.
pub(super) fn said(role: impl Serialize, content: &str) -> Value {
    json!({ "role": role, "content": content })
}

fn called_tool(called: &CalledTool) -> Value {
    tool_call(
        &called.id,
        &called.function.name,
        &serde_json::from_str(&called.function.arguments).unwrap_or_else(|_| called.function.arguments.as_str().into()),
    )
}

/// A call of a tool. Its arguments have names in Inspect, also what is no object.
pub(super) fn tool_call(id: &str, function: &str, arguments: &Value) -> Value {
    json!({ "id": id, "function": function, "arguments": named(arguments), "type": "function" })
}

/// Arguments by their names.
pub(super) fn named(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        other => json!({ "raw": other }),
    }
}

/// The output of a model: its reply.
pub(super) fn output(model: &str, reply: &ModelReply, cost: Option<f64>, seq: u32) -> Value {
    let choice = |place: usize, choice: &Choice| {
        let called: Vec<Value> = choice
            .tool_calls
            .iter()
            .enumerate()
            .map(|(n, call)| {
                let ToolCall { name, arguments } = call;
                let n = place * 1_000 + n;
                tool_call(&format!("c{seq}_{n}"), name, arguments)
            })
            .collect();
        let mut message = said("assistant", &choice.text);
        if !called.is_empty() {
            message["tool_calls"] = called.into();
        }
        answer(message, model, stop_reason(choice.finish))
    };
    let mut choices: Vec<Value> =
        reply.choices.iter().enumerate().map(|(place, answer)| choice(place, answer)).collect();
    if !reply.scores.is_empty() {
        // What is asked is how likely texts are; there is no answer in words.
        choices.push(answer(
            said("assistant", &serde_json::to_string(&reply.scores).unwrap_or_default()),
            model,
            "stop",
        ));
    }
    let mut output = json!({ "model": model, "choices": choices });
    output["usage"] = usage(&reply.usage, cost);
    output
}

fn answer(mut message: Value, model: &str, stop_reason: &str) -> Value {
    message["source"] = "generate".into();
    message["model"] = model.into();
    json!({ "message": message, "stop_reason": stop_reason })
}

fn stop_reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "max_tokens",
        Finish::ToolCalls => "tool_calls",
        Finish::ContentFilter => "content_filter",
        Finish::Other => "unknown",
    }
}

/// Tokens, and their price where there is one.
pub(super) fn usage(usage: &Usage, cost: Option<f64>) -> Value {
    let mut tokens = json!({
        "input_tokens": usage.prompt,
        "output_tokens": usage.completion,
        "total_tokens": usage.total(),
    });
    if let Some(cost) = cost.filter(|cost| cost.is_finite()) {
        tokens["total_cost"] = cost.into();
    }
    tokens
}

/// The output of a role that asks no model: its moves, of which actions are calls of tools by these names.
pub(super) fn moved(model: &str, moves: &[(&Move, Value)]) -> Value {
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for (made, call) in moves {
        match made {
            Move::Think { text } => parts.push(json!({ "type": "reasoning", "reasoning": text })),
            Move::Act { .. } => calls.push(call.clone()),
            Move::Plan { .. } | Move::Speak { .. } | Move::Judge { .. } => parts.push(words(made)),
            Move::Learn { .. } | Move::Finish { .. } => parts.push(words(made)),
        }
    }
    let stop_reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut message = Map::from_iter([("role".to_owned(), "assistant".into())]);
    message.insert("content".to_owned(), parts.into());
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.into());
    }
    json!({ "model": model, "choices": [answer(message.into(), model, stop_reason)] })
}

fn words(made: &Move) -> Value {
    json!({ "type": "text", "text": written(made) })
}

/// The tools that could be called, and whether one had to be.
pub(super) fn tools(request: Option<&ModelRequest>) -> (Vec<Value>, Value) {
    let Some(ModelRequest::Complete(Completion { format: Format::Tools { tools, choice }, .. })) = request else {
        return (Vec::new(), "auto".into());
    };
    let tool = |tool: &ToolSpec| {
        let mut parameters = json!({ "type": "object", "properties": {}, "required": [] });
        for name in ["properties", "required", "additionalProperties"] {
            if let Some(value) = tool.parameters.get(name).filter(|value| !value.is_null()) {
                parameters[name] = value.clone();
            }
        }
        json!({ "name": tool.name, "description": tool.description, "parameters": parameters })
    };
    let choice = match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "any".into(),
        ToolChoice::Named(name) => json!({ "name": name }),
    };
    (tools.iter().map(tool).collect(), choice)
}

/// The sampling settings that Inspect knows.
pub(super) fn config(settings: &Map<String, Value>) -> Value {
    let known = [
        ("temperature", "temperature"),
        ("top_p", "top_p"),
        ("max_tokens", "max_tokens"),
        ("max_completion_tokens", "max_tokens"),
        ("seed", "seed"),
        ("n", "num_choices"),
    ];
    let mut config = Map::new();
    for (field, name) in known {
        if let Some(value) = settings.get(field).filter(|value| value.is_number()) {
            config.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(stop) = settings.get("stop").filter(|stop| stop.is_array()) {
        config.insert("stop_seqs".to_owned(), stop.clone());
    }
    config.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_that_goes_on_is_one_range_of_the_pool() {
        let mut pool = Pool::default();
        let name = |place: usize| format!("m{place}");
        let said = |texts: &[&str]| texts.iter().map(|text| said("user", text)).collect::<Vec<_>>();
        assert_eq!(pool.refer(said(&["a", "b"]), name), [[0, 2]]);
        // The same words twice are two messages, whose names differ.
        assert_eq!(pool.refer(said(&["a", "b", "b"]), name), [[0, 3]]);
        assert_eq!(pool.refer(said(&["c", "b", "a"]), name), [[3, 4], [1, 2], [0, 1]]);
        assert_eq!(pool.messages.len(), 4);
        let again = pool.of(&[[3, 4], [1, 2]]);
        assert_eq!(again[0]["content"], "c");
        assert_eq!((&again[1]["content"], &again[1]["id"]), (&json!("b"), &json!("m1")));
    }

    #[test]
    fn arguments_that_are_no_object_have_a_name() {
        let called = CalledTool::new("x".to_owned(), &ToolCall { name: "f".to_owned(), arguments: json!("{\"a") });
        assert_eq!(called_tool(&called)["arguments"], json!({ "raw": "{\"a" }));
        assert_eq!(named(&json!({ "a": 1 })), json!({ "a": 1 }));
    }
}
