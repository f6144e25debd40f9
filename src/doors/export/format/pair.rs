//! Pairs as trainers of preferences read them.

use serde_json::{Value, json};

use super::{Rendering, RowFormat, alternating, message, with_tools};
use crate::export::pairs::Pair;
use crate::export::row::RowMessage;

impl Rendering {
    /// The pair in this format; none if it cannot be written in it.
    pub fn pair(&self, pair: &Pair) -> Option<Value> {
        let texts = self.texts || self.format == RowFormat::Openai;
        let written = |sent: &RowMessage| Value::Object(message(sent, texts));
        let prompt = || pair.prompt.iter().map(written).collect::<Value>();
        let (chosen, rejected) = (&pair.chosen, &pair.rejected);
        match self.format {
            RowFormat::Openai => {
                let input = json!({"messages": prompt(), "parallel_tool_calls": true});
                Some(json!({
                    "input": with_tools(input, &pair.tools),
                    "preferred_output": [written(chosen)],
                    "non_preferred_output": [written(rejected)],
                }))
            }
            RowFormat::LlamaFactory => llama_factory(pair),
            RowFormat::Rows | RowFormat::Trl => {
                let mut row = if pair.is_text {
                    json!({
                        "prompt": pair.prompt.iter().map(|message| message.content.as_str()).collect::<String>(),
                        "chosen": chosen.content, "rejected": rejected.content,
                    })
                } else {
                    json!({
                        "prompt": prompt(), "chosen": [written(chosen)], "rejected": [written(rejected)],
                    })
                };
                row = with_tools(row, &pair.tools);
                row["margin"] = pair.margin.into();
                row["episode"] = pair.episode.as_str().into();
                row["at"] = pair.at.into();
                if self.format == RowFormat::Rows {
                    row["seat"] = pair.seat.as_str().into();
                    row["task"] = pair.task.as_str().into();
                    row["model"] = pair.model.as_str().into();
                }
                Some(row)
            }
            RowFormat::Axolotl | RowFormat::Verifiers => None,
        }
    }
}

/// A conversation in the names of ShareGPT, which ends with whoever is answered.
fn llama_factory(pair: &Pair) -> Option<Value> {
    let whole = |answer: &RowMessage| {
        let messages: Vec<RowMessage> = pair.prompt.iter().chain([answer]).cloned().collect();
        // With two answers in a row, the last one is not that of the pair.
        let merged = alternating(&messages)?;
        (merged.last()?["content"] == answer.content.as_str()).then_some(merged)
    };
    let mut prompt = whole(&pair.chosen)?;
    whole(&pair.rejected)?;
    prompt.pop();
    let mut row = json!({});
    if prompt.first().is_some_and(|message| message["role"] == "system") {
        row["system"] = prompt.remove(0)["content"].take();
    }
    let turns = prompt.into_iter().map(|mut message| {
        let from = match message["role"].as_str() {
            Some("assistant") if message.contains_key("tool_calls") => "function_call",
            Some("assistant") => "gpt",
            Some("tool") => "observation",
            _ => "human",
        };
        let value = match message.get("tool_calls") {
            Some(calls) => called(calls),
            None => message["content"].take(),
        };
        json!({"from": from, "value": value})
    });
    row["conversations"] = turns.collect();
    for (name, answer) in [("chosen", &pair.chosen), ("rejected", &pair.rejected)] {
        row[name] = match Value::Object(message(answer, true)).get("tool_calls") {
            Some(calls) => json!({"from": "function_call", "value": called(calls)}),
            None => json!({"from": "gpt", "value": answer.content}),
        };
    }
    if !pair.tools.is_empty() {
        row["tools"] = Value::from(pair.tools.as_slice()).to_string().into();
    }
    Some(row)
}

/// Calls as one text; one alone stands by itself.
fn called(calls: &Value) -> Value {
    let all: Vec<Value> = calls
        .as_array()
        .into_iter()
        .flatten()
        .map(|call| {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            let arguments: Value = serde_json::from_str(arguments).unwrap_or(arguments.into());
            json!({"name": call["function"]["name"], "arguments": arguments})
        })
        .collect();
    match &all[..] {
        [only] => only.to_string().into(),
        all => Value::from(all).to_string().into(),
    }
}
