//! Records that experts of a world write for training, one in each line (`rolecall data trajectories`).

use serde::Deserialize;
use serde_json::Value;

use super::row::{Content, Row, messages_of};
use rolecall_core::ports::model::{ChatMessage, ChatRole};

/// The seat and the name of whoever wrote such records.
const EXPERT: [&str; 2] = ["expert", "rules"];

/// A line of such a file. Worlds may say more of it.
#[derive(Clone, Debug, Deserialize)]
pub struct ExpertRecord {
    /// The task, by its name or number.
    task: Value,
    /// Number of the episode; that of the task unless it is there.
    episode: Option<u64>,
    /// The world's name of the setting.
    #[serde(default)]
    setting: String,
    #[serde(flatten)]
    text: RecordText,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum RecordText {
    /// A running text and the move behind it, after a blank; 1 if that counts in training.
    Moved { context: String, output: String, train: u8 },
    /// A text and what follows it.
    Text { prompt: String, completion: String },
    /// A conversation, in which the expert is the assistant.
    Chat { messages: Vec<ChatMessage> },
}

impl ExpertRecord {
    /// The record as a row; `line` is its number in the file. Experts solve their tasks.
    pub fn row(self, line: u64) -> Row {
        let [seat, model] = EXPERT.map(str::to_owned);
        let task = match self.task {
            Value::String(name) => name,
            other => other.to_string(),
        };
        let number = self.episode.map_or_else(|| task.clone(), |number| number.to_string());
        let episode = match self.setting.as_str() {
            "" => number,
            setting => format!("{setting}:{number}"),
        };
        let content = self.text.content();
        Row {
            id: format!("{episode}/{seat}#{line}"),
            episode,
            seat,
            cell: self.setting.clone(),
            task,
            kind: self.setting,
            model,
            trainable: !matches!(content, Content::Text { train: false, .. }),
            content,
            reward: 1.0,
            success: true,
            ending: "solved".to_owned(),
            steps: 1,
            questions: 0,
            seed: 0,
            weight: 1.0,
        }
    }
}

impl RecordText {
    fn content(self) -> Content {
        match self {
            Self::Moved { context, output, train } => {
                Content::Text { prompt: context, completion: format!(" {output}"), train: train > 0 }
            }
            Self::Text { prompt, completion } => Content::Text { prompt, completion, train: true },
            Self::Chat { messages } => {
                let mut messages = messages_of(&messages);
                for (turn, message) in
                    (0..).zip(messages.iter_mut().filter(|message| message.role == ChatRole::Assistant))
                {
                    message.mark(true);
                    message.turn = Some(turn);
                }
                Content::Chat { messages, tools: Vec::new() }
            }
        }
    }
}
