//! Rows as trainers read them: one file for each that differs from the others by more than names of fields.

mod alternating;
mod beside;
mod pair;
mod trace;

use serde_json::{Map, Value, json};

pub use self::alternating::alternates;
use self::alternating::alternating;
use self::trace::trace;
use super::row::{Content, Row, RowMessage};
use rolecall_core::ports::model::{CalledTool, ChatRole};

/// Who reads rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowFormat {
    /// rolecall itself.
    Rows,
    /// TRL.
    Trl,
    /// axolotl.
    Axolotl,
    /// LLaMA-Factory.
    LlamaFactory,
    /// Whoever reads the lines of OpenAI's fine-tuning.
    Openai,
    /// verifiers, as its trainers keep what was sampled.
    Verifiers,
}

/// How rows are written.
#[derive(Clone, Copy, Debug)]
pub struct Rendering {
    /// For whom.
    pub format: RowFormat,
    /// Whole conversations, for readers that take one row for each trained answer otherwise.
    pub whole: bool,
    /// The arguments of calls as texts that hold JSON, for readers that take objects otherwise.
    pub texts: bool,
    /// With a label that says whether the task was solved (KTO).
    pub labelled: bool,
}

impl Rendering {
    /// The rows of this format; none if the row cannot be written in it.
    pub fn rows(&self, row: &Row) -> Vec<Value> {
        let texts = self.texts || self.format != RowFormat::Trl;
        match self.format {
            // Every row is JSON.
            RowFormat::Rows => serde_json::to_value(row).into_iter().collect(),
            RowFormat::Verifiers => vec![trace(row)],
            RowFormat::Trl => self.trl(row, texts),
            RowFormat::LlamaFactory => self.llama_factory(row),
            RowFormat::Axolotl | RowFormat::Openai => {
                let (messages, tools) = conversation(row);
                let messages = messages.iter().map(|own| {
                    let mut written = message(own, texts);
                    match self.format {
                        RowFormat::Axolotl => written.extend(field("train", own.train)),
                        _ => written.extend(field("weight", own.weight)),
                    }
                    Value::Object(written)
                });
                vec![with_tools(json!({"messages": messages.collect::<Vec<_>>()}), tools)]
            }
        }
    }

    fn trl(&self, row: &Row, texts: bool) -> Vec<Value> {
        let label = |mut value: Value| {
            if self.labelled {
                value["label"] = row.success.into();
            }
            value
        };
        let (messages, tools) = match &row.content {
            Content::Text { prompt, completion, .. } => {
                return vec![label(json!({"prompt": prompt, "completion": completion}))];
            }
            Content::Chat { messages, tools } => (messages, tools.as_slice()),
        };
        let written =
            |all: &[RowMessage]| -> Value { all.iter().map(|own| Value::Object(message(own, texts))).collect() };
        if self.whole {
            return vec![label(with_tools(json!({"messages": written(messages)}), tools))];
        }
        trained(messages)
            .into_iter()
            .map(|(from, to)| {
                let (prompt, completion) = (written(&messages[..from]), written(&messages[from..to]));
                label(with_tools(json!({"prompt": prompt, "completion": completion}), tools))
            })
            .collect()
    }

    fn llama_factory(&self, row: &Row) -> Vec<Value> {
        let (messages, tools) = conversation(row);
        let ends = match self.whole {
            true => trained(&messages).pop().map(|(_, to)| to).into_iter().collect(),
            false => trained(&messages).iter().map(|(_, to)| *to).collect::<Vec<_>>(),
        };
        ends.into_iter()
            .filter_map(|to| {
                let merged = alternating(&messages[..to])?;
                let mut written = with_tools(json!({"messages": merged}), tools);
                if self.labelled {
                    written["kto_tag"] = row.success.into();
                }
                Some(written)
            })
            .collect()
    }
}

/// The messages of a row; a text that was gone on with is a question and its answer.
pub(super) fn conversation(row: &Row) -> (Vec<RowMessage>, &[Value]) {
    match &row.content {
        Content::Chat { messages, tools } => (messages.clone(), tools),
        Content::Text { prompt, completion, train } => {
            let mut answer = RowMessage::new(ChatRole::Assistant, completion.as_str());
            answer.mark(*train);
            (vec![RowMessage::new(ChatRole::User, prompt.as_str()), answer], &[])
        }
    }
}

/// Where answers begin and end that are trained as a whole: all messages of an assistant in a row. One that is
/// trained in parts only cannot be told from its prompt, and is left out.
pub(super) fn trained(messages: &[RowMessage]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    for answer in messages.chunk_by(|one, next| one.role == next.role) {
        let to = from + answer.len();
        if answer.iter().all(RowMessage::is_trained) && from > 0 {
            found.push((from, to));
        }
        from = to;
    }
    found
}

/// A message without what only rolecall says of it.
pub(super) fn message(own: &RowMessage, texts: bool) -> Map<String, Value> {
    let mut written = Map::new();
    written.extend(field("role", Some(own.role)));
    written.insert("content".to_owned(), own.content.as_str().into());
    if !own.tool_calls.is_empty() {
        let calls = own.tool_calls.iter().map(|call| tool_call(call, texts));
        written.insert("tool_calls".to_owned(), calls.collect());
    }
    written.extend(field("tool_call_id", own.tool_call_id.as_deref()));
    written.extend(field("name", own.name.as_deref()));
    written
}

/// A call; its arguments as an object, unless they are to be a text or are none.
fn tool_call(call: &CalledTool, texts: bool) -> Value {
    let written = &call.function.arguments;
    let object = serde_json::from_str(written).ok().filter(Value::is_object);
    let arguments = match object {
        Some(object) if !texts => object,
        _ => written.as_str().into(),
    };
    json!({
        "id": call.id, "type": call.r#type,
        "function": {"name": call.function.name, "arguments": arguments},
    })
}

fn field(name: &str, value: Option<impl serde::Serialize>) -> Option<(String, Value)> {
    let value = serde_json::to_value(value?).ok()?;
    Some((name.to_owned(), value))
}

pub(super) fn with_tools(mut row: Value, tools: &[Value]) -> Value {
    if !tools.is_empty() {
        row["tools"] = tools.into();
    }
    row
}
