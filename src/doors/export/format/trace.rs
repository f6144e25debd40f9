//! A row as a trace of verifiers (version 1): the messages as a chain of nodes, and the calls that gave the sampled
//! ones.

use serde_json::{Value, json};

use super::{conversation, message};
use crate::export::row::{Row, RowMessage};

/// The version of the trace's schema.
const VERSION: u32 = 1;

/// The row as a trace.
pub(super) fn trace(row: &Row) -> Value {
    let (messages, tools) = conversation(row);
    let tools: Vec<&Value> = tools.iter().filter_map(|tool| tool.get("function")).collect();
    let mut known = 0;
    let mut nodes = Vec::with_capacity(messages.len());
    let mut calls = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let mut node = node(message, &mut known);
        node["parent"] = index.checked_sub(1).into();
        if index == 0 && !tools.is_empty() {
            node["tools"] = json!(tools);
        }
        if message.turn.is_some() {
            calls.push(json!({"node": index, "model": row.model}));
        }
        nodes.push(node);
    }
    json!({
        "version": VERSION,
        "id": row.id,
        "verifiers": {"version": "0.4.0"},
        "task": {"type": row.kind, "key": row.task, "data": {"name": row.task}},
        "agent": {"name": row.seat, "trainable": row.trainable, "config": {"model": row.model}},
        "tools": tools,
        "nodes": nodes,
        "calls": calls,
        "rewards": {"reward": {"score": row.reward, "weight": row.weight}},
        "metrics": {
            "success": f64::from(u8::from(row.success)), "steps": row.steps, "questions": row.questions,
        },
        "info": {"episode": row.episode, "cell": row.cell, "seed": row.seed},
        "is_completed": true,
        "ok": true,
        "stop_condition": row.ending,
        "timing": {"start": 0.0},
    })
}

/// A node. Its tokens are those that it adds to the `known` ones of the conversation: for a sampled message what is
/// new of its prompt, and the reply.
fn node(sent: &RowMessage, known: &mut usize) -> Value {
    let mut written = message(sent, true);
    if let Some(Value::Array(calls)) = written.get_mut("tool_calls") {
        for call in calls {
            let (id, function) = (call["id"].take(), call["function"].take());
            let (name, arguments) = (&function["name"], &function["arguments"]);
            *call = json!({"id": id, "name": name, "arguments": arguments});
        }
    }
    let mut node = json!({"message": written, "sampled": sent.turn.is_some(), "timestamp": 0.0});
    if let Some(tokens) = &sent.tokens {
        let new = tokens.prompt.get(*known..).unwrap_or_default();
        let sampled = sent.is_trained();
        node["token_ids"] = json!([new, &tokens.reply].concat());
        node["mask"] = json!([vec![false; new.len()], vec![sampled; tokens.reply.len()]].concat());
        if sampled {
            node["logprobs"] = json!(tokens.logprobs);
        }
        *known = tokens.prompt.len() + tokens.reply.len();
    }
    node
}
