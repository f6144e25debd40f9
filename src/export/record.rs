//! What experts of a world write for training, one answer to a text in a line (`rolecall data trajectories`).

use serde::Deserialize;

use super::row::{Content, Row};

/// A line of such a file. Worlds may say more of it.
#[derive(Clone, Debug, Deserialize)]
pub struct ExpertRecord {
    /// Number of the episode.
    pub episode: u64,
    /// The task.
    pub task: String,
    /// What was played.
    pub setting: String,
    /// Number of the move.
    pub step: u32,
    /// The text that is read.
    pub context: String,
    /// What the expert writes, behind a blank.
    pub output: String,
    /// 1 if it counts in training.
    pub train: u8,
}

impl ExpertRecord {
    /// The record as a row; `line` is its number in the file. Experts solve their tasks.
    pub fn row(self, line: u64) -> Row {
        let seat = "executor";
        let trained = self.train > 0;
        Row {
            id: format!("{}:{}/{seat}#{line}", self.setting, self.episode),
            episode: format!("{}:{}", self.setting, self.episode),
            seat: seat.to_owned(),
            cell: self.setting.clone(),
            task: self.task,
            kind: self.setting,
            model: "rules".to_owned(),
            trainable: trained,
            content: Content::Text {
                prompt: self.context,
                completion: format!(" {}", self.output),
                train: trained,
            },
            reward: 1.0,
            success: true,
            ending: "solved".to_owned(),
            steps: self.step + 1,
            questions: 0,
            seed: 0,
            weight: 1.0,
        }
    }
}
