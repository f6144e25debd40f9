//! A seat's view of an episode as a trajectory of Harbor (ATIF): what it saw and did, with what its calls used.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::maker::RowMaker;
use super::row::{Content, Row, RowMessage};
use super::turns::{SeatTurn, turns};
use super::{ExportError, PlayedEpisode};
use rolecall_core::domain::{MoveKind, Seat};
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
            let mut by_turn: BTreeMap<u32, SeatTurn<'_>> = BTreeMap::new();
            for turn in turns(episode, &seat) {
                by_turn.insert(turn.number, turn);
            }
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
    let mut steps: Vec<Map<String, Value>> = Vec::new();
    let mut counted = None;
    for message in messages {
        if message.role == ChatRole::Assistant && message.turn.is_some() {
            let turn = message.turn.and_then(|number| turns.get(&number));
            let first = counted != message.turn;
            counted = message.turn;
            steps.push(acted(message, steps.len() + 1, row, turn.filter(|_| first)));
        } else if !observed(message, steps.last_mut()) {
            let source = match message.role {
                ChatRole::System => "system",
                _ => "user",
            };
            let mut step = step(steps.len() + 1, source, &message.content);
            if let Some(from) = &message.from {
                step.insert("extra".to_owned(), json!({"from": from}));
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

fn step(id: usize, source: &str, text: &str) -> Map<String, Value> {
    let mut step = Map::new();
    step.insert("step_id".to_owned(), id.into());
    step.insert("source".to_owned(), source.into());
    step.insert("message".to_owned(), text.into());
    step
}

/// What the seat did; an action is a call of the tool `act`. The calls of models of a turn stand with its first move.
fn acted(message: &RowMessage, id: usize, row: &Row, turn: Option<&SeatTurn<'_>>) -> Map<String, Value> {
    let mut step = step(id, "agent", &message.content);
    if message.move_kind == Some(MoveKind::Act) {
        let call = json!({
            "tool_call_id": format!("c{id}"), "function_name": "act",
            "arguments": {"action": message.content.trim_start_matches("> ")},
        });
        step.insert("tool_calls".to_owned(), json!([call]));
    }
    let calls = turn.map_or(&[][..], |turn| &turn.calls);
    step.insert("llm_call_count".to_owned(), calls.len().into());
    if let Some(last) = calls.last() {
        step.insert("model_name".to_owned(), last.call.model.as_str().into());
        let usage = calls.iter().map(|call| call.call.reply.usage);
        let (prompt, completion) = usage.fold((0_u64, 0_u64), |(prompt, completion), usage| {
            (prompt.saturating_add(usage.prompt), completion.saturating_add(usage.completion))
        });
        let mut metrics = json!({"prompt_tokens": prompt, "completion_tokens": completion});
        if let [only] = calls
            && let [choice] = &only.call.reply.choices[..]
            && !choice.tokens.is_empty()
        {
            let logprobs = choice.tokens.iter().map(|token| token.logprob);
            metrics["logprobs"] = logprobs.collect();
        }
        if let [only] = calls
            && let [choice] = &only.call.reply.choices[..]
            && !choice.token_ids.is_empty()
        {
            metrics["prompt_token_ids"] = only.call.reply.prompt_token_ids.as_slice().into();
            metrics["completion_token_ids"] = choice.token_ids.as_slice().into();
        }
        step.insert("metrics".to_owned(), metrics);
    }
    if message.train == Some(false) && row.trainable {
        step.insert("is_copied_context".to_owned(), true.into());
    }
    step
}

/// Adds what the world showed after an action to that step; false if the message is nothing of that kind.
fn observed(message: &RowMessage, last: Option<&mut Map<String, Value>>) -> bool {
    let by_world = message.from.as_deref() == Some(Seat::Environment.as_str());
    let notice = message.from.is_none() && message.role == ChatRole::User;
    let Some(last) = last.filter(|last| (by_world || notice) && last["source"] == "agent") else {
        return false;
    };
    let mut result = json!({"content": message.content});
    if let Some(id) = last.get("tool_calls").map(|calls| calls[0]["tool_call_id"].clone()) {
        result["source_call_id"] = id;
    }
    let observation = last.entry("observation").or_insert_with(|| json!({"results": []}));
    if let Some(results) = observation["results"].as_array_mut() {
        results.push(result);
    }
    true
}
