//! Rows as trainers read them: one file for each that differs from the others by more than names of fields.

mod pair;
mod trace;

use serde_json::{Map, Value, json};

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
                let messages = messages.iter().map(|sent| {
                    let mut written = message(sent, texts);
                    match self.format {
                        RowFormat::Axolotl => written.extend(field("train", sent.train)),
                        _ => written.extend(field("weight", sent.weight)),
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
            |all: &[RowMessage]| -> Value { all.iter().map(|sent| Value::Object(message(sent, texts))).collect() };
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
        let ends = if self.whole {
            trained(&messages).pop().map(|(_, to)| to).into_iter().collect()
        } else {
            trained(&messages).iter().map(|(_, to)| *to).collect::<Vec<_>>()
        };
        ends.into_iter()
            .filter_map(|to| {
                let mut written = with_tools(json!({"messages": alternating(&messages[..to])?}), tools);
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
pub(super) fn message(sent: &RowMessage, texts: bool) -> Map<String, Value> {
    let mut written = Map::new();
    written.extend(field("role", Some(sent.role)));
    written.insert("content".to_owned(), sent.content.as_str().into());
    if !sent.tool_calls.is_empty() {
        let calls = sent.tool_calls.iter().map(|call| tool_call(call, texts));
        written.insert("tool_calls".to_owned(), calls.collect());
    }
    written.extend(field("tool_call_id", sent.tool_call_id.as_deref()));
    written.extend(field("name", sent.name.as_deref()));
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

impl RowFormat {
    /// A file that the trainer reads, with its name, for rows or for pairs; `labelled` rows say whether the task was
    /// solved.
    pub fn settings(self, pairs: bool, labelled: bool) -> Option<(&'static str, String)> {
        match self {
            Self::Axolotl => Some(("axolotl.yaml", AXOLOTL.to_owned())),
            Self::LlamaFactory => {
                let sharegpt = json!({"rolecall_dpo": {
                    "file_name": "data/train-00000.jsonl", "formatting": "sharegpt", "ranking": true,
                    "columns": {"messages": "conversations", "chosen": "chosen", "rejected": "rejected",
                                "system": "system", "tools": "tools"},
                }});
                let mut rows = json!({"rolecall_sft": {
                    "file_name": "data/train-00000.jsonl", "formatting": "openai",
                    "columns": {"messages": "messages", "tools": "tools"},
                    "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user",
                             "assistant_tag": "assistant", "observation_tag": "tool",
                             "function_tag": "function_call", "system_tag": "system"},
                }});
                if labelled {
                    rows["rolecall_sft"]["columns"]["kto_tag"] = "kto_tag".into();
                }
                let info = if pairs { sharegpt } else { rows };
                Some(("dataset_info.json", format!("{info:#}\n")))
            }
            Self::Rows | Self::Trl | Self::Openai | Self::Verifiers => None,
        }
    }
}

const AXOLOTL: &str = "\
# Only messages with `train: true` count.
datasets:
  - path: data/train-00000.jsonl
    ds_type: json
    type: chat_template
    field_messages: messages
    field_tools: tools
    message_property_mappings: {role: role, content: content}
    message_field_training: train
    roles_to_train: []
    train_on_eos: turn
";

/// The messages with those of one side in a row made one; none if they do not come out as they must, which
/// begins with the other side and ends with the assistant.
pub(super) fn alternating(messages: &[RowMessage]) -> Option<Vec<Map<String, Value>>> {
    let mut merged: Vec<RowMessage> = Vec::new();
    for sent in messages {
        let mut sent = sent.clone();
        if sent.role == ChatRole::System && !merged.is_empty() {
            sent.role = ChatRole::User;
        }
        match merged.last_mut() {
            Some(last) if side(last.role) == side(sent.role) => {
                last.content.push('\n');
                last.content.push_str(&sent.content);
                last.tool_calls.append(&mut sent.tool_calls);
            }
            _ => merged.push(sent),
        }
    }
    let roles: Vec<ChatRole> = merged.iter().map(|sent| sent.role).collect();
    let written = merged.iter().map(|sent| message(sent, true));
    alternates(&roles).then(|| written.collect())
}

/// 0 for the system, 1 for the assistant, 2 for whoever it answers.
fn side(role: ChatRole) -> u8 {
    match role {
        ChatRole::System => 0,
        ChatRole::Assistant => 1,
        ChatRole::User | ChatRole::Tool => 2,
    }
}

/// Whether a conversation is one that LLaMA-Factory keeps: after the system, users or tools and the assistant in
/// turn, as many of the ones as of the other.
pub fn alternates(roles: &[ChatRole]) -> bool {
    let roles = match roles.split_first() {
        Some((ChatRole::System, rest)) => rest,
        _ => roles,
    };
    let pairs = roles.chunks(2);
    !roles.is_empty()
        && pairs.into_iter().all(|pair| match pair {
            [one, other] => side(*one) == 2 && side(*other) == 1,
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_says_in_a_row_becomes_one_message() {
        let said = |role, text: &str| RowMessage::new(role, text);
        let messages = [
            said(ChatRole::System, "s"),
            said(ChatRole::User, "task"),
            said(ChatRole::Assistant, "a"),
            said(ChatRole::Assistant, "b"),
            said(ChatRole::Tool, "seen"),
            said(ChatRole::User, "yes"),
            said(ChatRole::Assistant, "c"),
        ];
        let merged = alternating(&messages).unwrap();
        let told: Vec<_> = merged
            .iter()
            .map(|message| (message["role"].as_str().unwrap(), message["content"].as_str().unwrap()))
            .collect();
        assert_eq!(
            told,
            [("system", "s"), ("user", "task"), ("assistant", "a\nb"), ("tool", "seen\nyes"), ("assistant", "c")]
        );
        assert!(alternating(&messages[..6]).is_none());
        assert!(alternating(&messages[2..]).is_none());
        assert!(!alternates(&[]) && !alternates(&[ChatRole::System]));
    }
}
