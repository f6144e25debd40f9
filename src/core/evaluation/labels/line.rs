//! A label as it is kept: one line of `labels/<what>-<rater>.jsonl`.

use serde::{Deserialize, Serialize};

use super::What;
use crate::domain::EpisodeId;
use crate::text::json;

/// The number of the format.
const SCHEMA: u32 = 1;

/// A label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelLine {
    /// Number of the format.
    schema: u32,
    /// The item as raters know it.
    pub id: String,
    /// Its episode.
    pub episode: EpisodeId,
    /// The event of the utterance; 0 for a dialogue.
    pub seq: u32,
    /// The label's name.
    pub label: String,
    /// Of a pair, whose first item is the one above: the second one, which raters saw as B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

/// The second item of a pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Against {
    /// Its episode.
    pub episode: EpisodeId,
    /// The event of the utterance; 0 for a dialogue.
    pub seq: u32,
}

/// A line that is no label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidLabel(String);

impl LabelLine {
    /// A label of an item.
    pub fn new(id: String, episode: EpisodeId, seq: u32, label: String) -> Self {
        Self { schema: SCHEMA, id, episode, seq, label, against: None }
    }

    /// The labelled items: a pair is the same whichever side its items were on.
    pub fn labelled(&self) -> (Against, Option<Against>) {
        let first = Against { episode: self.episode.clone(), seq: self.seq };
        match self.against.clone() {
            Some(other) if other < first => (other, Some(first)),
            other => (first, other),
        }
    }

    /// The line, newline included.
    pub fn encode(&self) -> String {
        // Names and numbers always have a JSON form.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Reads a line, and the place of its label.
    pub fn decode(line: &str, what: &What) -> Result<(Self, usize), InvalidLabel> {
        let read: Self = json::read(line).map_err(|error| InvalidLabel(json::reason(&error)))?;
        if read.schema != SCHEMA {
            let text = format!("schema {}, but this version reads {SCHEMA}", read.schema);
            return Err(InvalidLabel(text));
        }
        let place = what.read(&read.label).ok_or_else(|| {
            let shown = crate::text::visible(&read.label);
            InvalidLabel(format!("`{shown}` is no label of `{what}`"))
        })?;
        Ok((read, place))
    }
}
