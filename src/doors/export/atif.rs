//! A seat's view of an episode as a trajectory of Harbor (ATIF): what it saw and did, with what its calls used.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::maker::RowMaker;
use super::row::{Content, Row, RowMessage};
use super::turns::{SeatTurn, turns};
use super::{ExportError, PlayedEpisode};
use rolecall_core::domain::{MoveKind, Seat};
use rolecall_core::maps::ordered;
use rolecall_core::ports::model::ChatRole;

/// The version of the format.
const VERSION: &str = "ATIF-v1.8";

impl RowMaker<'_> {
    /// The trajectories of an episode, one for each seat and trial, each with the row that says what it is of.
    /// They hold the view, not the prompts, which may repeat it in every turn.
    ///
    /// # Errors
    /// As [`RowMaker::rows`].
    pub fn trajectories(&self, episode: &PlayedEpisode) -> Result<Vec<(Row, Value)>, ExportError> {
        episode.prove()?;
        let mut all = Vec::new();
        for (seat, row) in self.views(episode)? {
            let by_turn = ordered(turns(episode, &seat).into_iter().map(|turn| (turn.number, turn)));
            let trajectory = trajectory(&row, &seat, &by_turn);
            all.push((row, trajectory));
        }
        Ok(all)
    }
}

fn trajectory(row: &Row, seat: &Seat, turns: &BTreeMap<u32, SeatTurn<'_>>) -> Value {
    let messages = match &row.content {
        Content::Chat { messages, .. } => messages.as_slice(),
        Content::Text { .. } => &[],
    };
    let mut steps: Vec<Value> = Vec::new();
    let mut counted = None;
    for message in messages {
        if message.role == ChatRole::Assistant && message.turn.is_some() {
            let turn = message.turn.and_then(|number| turns.get(&number));
            let first = counted != message.turn;
            counted = message.turn;
            steps.push(acted(message, steps.len() + 1, row, turn.filter(|_| first)));
        } else if !observed(message, steps.last_mut()) {
            let source = if message.role == ChatRole::System { "system" } else { "user" };
            let mut step = step(steps.len() + 1, source, &message.content);
            if let Some(from) = &message.from {
                step["extra"] = json!({"from": from});
            }
            steps.push(step);
        }
    }
    json!({
        "schema_version": VERSION,
        "session_id": row.episode,
        "trajectory_id": row.id,
        "agent": {
            "name": seat, "version": env!("CARGO_PKG_VERSION"), "model_name": row.model,
        },
        "steps": steps,
        "extra": {
            "task": row.task, "kind": row.kind, "cell": row.cell, "reward": row.reward,
            "success": row.success, "ending": row.ending, "seed": row.seed,
        },
    })
}

fn step(id: usize, source: &str, text: &str) -> Value {
    json!({"step_id": id, "source": source, "message": text})
}

/// A move of the seat as a step; an action is a call of the tool `act`. Calls of models stand with the first move of
/// their turn.
fn acted(message: &RowMessage, id: usize, row: &Row, turn: Option<&SeatTurn<'_>>) -> Value {
    let mut step = step(id, "agent", &message.content);
    if message.move_kind == Some(MoveKind::Act) {
        step["tool_calls"] = json!([{
            "tool_call_id": format!("c{id}"), "function_name": "act",
            "arguments": {"action": message.content.trim_start_matches("> ")},
        }]);
    }
    let calls = turn.map_or(&[][..], |turn| &turn.calls);
    step["llm_call_count"] = calls.len().into();
    if let Some(last) = calls.last() {
        step["model_name"] = last.call.model.as_str().into();
        let usage = calls.iter().map(|call| call.call.reply.usage);
        let (prompt, completion) = usage.fold((0_u64, 0_u64), |(prompt, completion), usage| {
            (prompt.saturating_add(usage.prompt), completion.saturating_add(usage.completion))
        });
        let mut metrics = json!({"prompt_tokens": prompt, "completion_tokens": completion});
        if let [only] = calls
            && let [choice] = &only.call.reply.choices[..]
        {
            if !choice.tokens.is_empty() {
                metrics["logprobs"] = choice.tokens.iter().map(|token| token.logprob).collect();
            }
            if !choice.token_ids.is_empty() {
                metrics["prompt_token_ids"] = only.call.reply.prompt_token_ids.as_slice().into();
                metrics["completion_token_ids"] = choice.token_ids.as_slice().into();
            }
        }
        step["metrics"] = metrics;
    }
    if message.train == Some(false) && row.trainable {
        step["is_copied_context"] = true.into();
    }
    step
}

/// Adds what the world showed after an action to that step; false if the message is nothing of that kind.
fn observed(message: &RowMessage, last: Option<&mut Value>) -> bool {
    let by_world = message.from.as_deref() == Some(Seat::Environment.as_str());
    let notice = message.from.is_none() && message.role == ChatRole::User;
    let Some(last) = last.filter(|last| (by_world || notice) && last["source"] == "agent") else {
        return false;
    };
    let mut result = json!({"content": message.content});
    if let Some(calls) = last.get("tool_calls") {
        result["source_call_id"] = calls[0]["tool_call_id"].clone();
    }
    match &mut last["observation"]["results"] {
        Value::Array(results) => results.push(result),
        results => *results = json!([result]),
    }
    true
}
