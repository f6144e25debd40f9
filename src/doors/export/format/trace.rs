//! A row as a trace of verifiers (version 1): the messages as a chain of nodes, and the calls that gave the sampled
//! ones.

use serde_json::{Map, Value, json};

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
    for (index, own) in messages.iter().enumerate() {
        let mut node = node(own, &mut known);
        node.insert("parent".to_owned(), index.checked_sub(1).into());
        if index == 0 && !tools.is_empty() {
            node.insert("tools".to_owned(), json!(tools));
        }
        if own.turn.is_some() {
            calls.push(json!({"node": index, "model": row.model}));
        }
        nodes.push(Value::Object(node));
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
fn node(own: &RowMessage, known: &mut usize) -> Map<String, Value> {
    let mut written = message(own, true);
    if let Some(Value::Array(calls)) = written.get_mut("tool_calls") {
        for call in calls {
            let (id, function) = (call["id"].take(), call["function"].take());
            let (name, arguments) = (&function["name"], &function["arguments"]);
            *call = json!({"id": id, "name": name, "arguments": arguments});
        }
    }
    let mut node = Map::new();
    node.insert("message".to_owned(), written.into());
    node.insert("sampled".to_owned(), own.turn.is_some().into());
    node.insert("timestamp".to_owned(), 0.0.into());
    if let Some(tokens) = &own.tokens {
        let new = tokens.prompt.get(*known..).unwrap_or_default();
        let sampled = own.is_trained();
        let mask = new.iter().map(|_| false);
        let mask: Vec<bool> = mask.chain(tokens.reply.iter().map(|_| sampled)).collect();
        node.insert("token_ids".to_owned(), json!([new, &tokens.reply].concat()));
        node.insert("mask".to_owned(), json!(mask));
        if sampled {
            node.insert("logprobs".to_owned(), json!(tokens.logprobs));
        }
        *known = tokens.prompt.len() + tokens.reply.len();
    }
    node
}
