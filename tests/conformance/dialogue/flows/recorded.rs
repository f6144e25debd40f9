//! A recorded episode as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

/// An episode of a method with the answers of its roles.
#[derive(Deserialize)]
pub(super) struct Flow {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) task: Task,
    pub(super) top_k: usize,
    pub(super) tokenizer: String,
    pub(super) tie_break: String,
    llm_script: Vec<Scripted>,
    pub(super) expected: Expected,
}

#[derive(Deserialize)]
struct Scripted {
    reply: String,
}

#[derive(Deserialize)]
pub(super) struct Task {
    pub(super) id: String,
    #[serde(default)]
    utterances: Vec<String>,
    #[serde(default)]
    turns: Vec<Turn>,
    #[serde(default, rename = "PERSONA")]
    persona: Vec<String>,
    #[serde(default, rename = "DOCUMENT")]
    document: Vec<String>,
}

#[derive(Deserialize)]
struct Turn {
    role: String,
    text: String,
}

/// The recorded outcome of an episode.
#[derive(Deserialize)]
pub(super) struct Expected {
    pub(super) n_llm_calls: usize,
    pub(super) roles: Vec<String>,
    #[serde(default)]
    pub(super) retrievals: Vec<Retrieval>,
    pub(super) thought: Option<String>,
    pub(super) strategies: Option<Vec<String>>,
    pub(super) stop_sequences: Option<Vec<String>>,
    #[serde(default)]
    pub(super) each_later_prompt_contains_all_earlier_observations: bool,
    #[serde(default)]
    pub(super) sub_responses_are_independent: bool,
    pub(super) r#final: String,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// One question to a source with its findings.
#[derive(Debug, Deserialize, PartialEq)]
pub(super) struct Retrieval {
    pub(super) var: Option<String>,
    pub(super) source: String,
    pub(super) query: String,
    pub(super) top: Vec<usize>,
    pub(super) scores: Vec<f64>,
}

impl Flow {
    /// The answers of the roles in order.
    pub(super) fn replies(&self) -> impl Iterator<Item = &str> {
        let script = self.llm_script.iter();
        script.map(|scripted| scripted.reply.as_str())
    }
}

impl Task {
    /// Whether the task is about sources, and not about strategies.
    pub(super) fn has_sources(&self) -> bool {
        self.turns.is_empty()
    }

    /// The utterances so far, as tasks write them.
    pub(super) fn dialogue(&self) -> Value {
        let speakers = ["USER", "SYSTEM"].iter().cycle();
        let utterances = self.utterances.iter().zip(speakers);
        let spoken = utterances.map(|(text, speaker)| json!({"speaker": speaker, "text": text}));
        let turns = self.turns.iter();
        let turns = turns.map(|turn| json!({"speaker": turn.role, "text": turn.text}));
        spoken.chain(turns).collect()
    }

    /// The texts of a source.
    pub(super) fn texts(&self, source: &str) -> &[String] {
        match source {
            "PERSONA" => &self.persona,
            "DOCUMENT" => &self.document,
            _ => &[],
        }
    }
}

impl Expected {
    /// The texts that one of a role's prompts must hold, by role.
    pub(super) fn must_contain(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        self.others.iter().filter_map(|(name, value)| {
            let role = name.strip_suffix("_must_contain")?;
            let texts = value.as_array()?.iter().filter_map(Value::as_str);
            Some((role, texts.map(str::to_owned).collect()))
        })
    }
}
