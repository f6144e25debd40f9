//! A sample: the agent's view, and the references of its response.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::language::{Dataset, Definition, Source};
use rolecall_core::domain::PublicTask;

/// Options for making samples of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The responses that are references.
    pub references: References,
    /// CIMA's turns as the paper's prompts print them: `'` for `"`, line breaks gone without a blank.
    pub as_printed: bool,
}

/// The choice of references among several responses of people. Only tutoring has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum References {
    /// The first of them.
    First,
    /// All of them: a metric takes the best, or has its own way with several.
    #[default]
    All,
    /// Each of them in a sample of its own, where there are several by kind (`cima/1016/0`).
    Each,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Utterance {
    /// Its speaker: `USER` and `SYSTEM`, or `Teacher` and `Student`.
    pub speaker: String,
    /// The words.
    pub text: String,
}

impl Utterance {
    /// An utterance of a speaker.
    pub(super) fn new(speaker: &str, text: impl Into<String>) -> Self {
        Self { speaker: speaker.to_owned(), text: text.into() }
    }

    /// Utterances of two speakers in turn.
    pub(super) fn in_turn<T: Into<String>>(speakers: [&str; 2], texts: impl IntoIterator<Item = T>) -> Vec<Self> {
        speakers.iter().cycle().zip(texts).map(|(speaker, text)| Self::new(speaker, text)).collect()
    }
}

/// A dialogue up to what someone said last, with responses of people.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its id, such as `focus/valid/4YZMOWMPX9UC/3`, `cima/1016`, `cima/1016/0`, `psyqa/900001` or, of own data,
    /// `bakery/7/2`.
    pub id: String,
    /// The data set whose tools and language it has.
    pub dataset: Dataset,
    /// The utterances, the last by the one who is to be answered.
    pub dialogue: Vec<Utterance>,
    /// The texts of each source; empty if the tools are strategies.
    pub sources: BTreeMap<Source, Vec<String>>,
    /// The responses of people; at least one.
    pub references: Vec<String>,
    /// The texts of each source that the reference uses; a source is absent if they are not known.
    pub gold: BTreeMap<Source, Vec<usize>>,
    /// The strategies of each reference; empty if the tools are sources. CIMA's are a set in the order of
    /// the prompts; PsyQA's come in the order of the text, adjacent equal ones once.
    pub strategies: Vec<Vec<&'static str>>,
    /// Sentences of which the student of a lesson is to say one; empty if unknown. Nobody sees them.
    pub goals: Vec<String>,
    /// Its subject, if the file has it: the link of a landmark, the language that is taught, keywords.
    pub about: Option<String>,
}

impl Sample {
    /// A dialogue of which nothing else is known yet.
    pub(super) fn new(id: String, dataset: Dataset, dialogue: Vec<Utterance>) -> Self {
        Self {
            id,
            dataset,
            dialogue,
            sources: BTreeMap::new(),
            references: Vec::new(),
            gold: BTreeMap::new(),
            strategies: Vec::new(),
            goals: Vec::new(),
            about: None,
        }
    }

    /// The language of its responses: `en` or `zh`.
    pub fn language(&self) -> &'static str {
        self.dataset.language()
    }

    /// The texts of a source; none if there is no such source.
    pub fn texts(&self, source: Source) -> &[String] {
        self.sources.get(&source).map_or(&[], Vec::as_slice)
    }

    /// The words of the utterances, without their speakers.
    pub fn utterances(&self) -> Vec<&str> {
        self.dialogue.iter().map(|utterance| utterance.text.as_str()).collect()
    }

    /// The samples of it for such references.
    pub(super) fn split(mut self, references: References) -> Vec<Self> {
        match references {
            References::Each if self.dataset == Dataset::Cima => {
                let each =
                    self.references.iter().zip(&self.strategies).enumerate().map(|(place, (response, strategies))| {
                        Self {
                            id: format!("{}/{place}", self.id),
                            references: vec![response.clone()],
                            strategies: vec![strategies.clone()],
                            ..self.clone()
                        }
                    });
                each.collect()
            }
            References::First => {
                self.references.truncate(1);
                self.strategies.truncate(1);
                vec![self]
            }
            References::All | References::Each => vec![self],
        }
    }

    /// The part that every participant may see: data set, language, dialogue and tools. With `described`, the
    /// tools come with descriptions, and with `examples` with examples.
    pub fn public_data(&self, described: bool, examples: bool) -> Value {
        let tools = self.dataset.tools().iter().map(|tool| {
            let mut shown = json!({"name": tool.name});
            if described {
                shown["description"] = json!(tool.description);
            }
            if examples {
                shown["example"] = json!(tool.example);
            }
            shown
        });
        let mut shown = json!({
            "dataset": self.dataset.name(),
            "language": self.language(),
            "dialogue": self.dialogue,
            "tools": tools.collect::<Value>(),
        });
        // Known for the data sets of the paper without being said.
        if let Some(definition) = self.dataset.definition() {
            shown["tools_are"] = json!(tools_are(self.dataset));
            shown["agent"] = json!(definition.agent);
            shown["situation"] = json!(definition.situation);
        }
        shown
    }

    /// The part that only metrics may see: references, and where they are known the texts that they use
    /// and their strategies.
    pub fn reference_data(&self) -> Value {
        let mut shown = json!({"references": self.references});
        if !self.gold.is_empty() {
            shown["gold"] = json!(self.gold);
        }
        if !self.strategies.is_empty() {
            shown["strategies"] = json!(self.strategies);
        }
        shown
    }
}

/// The data set of a task: one of the paper, or one that the task itself describes.
pub fn dataset(task: &PublicTask) -> Option<Dataset> {
    let text = |field: &str| task.data[field].as_str();
    let name = text("dataset")?;
    Dataset::named(name).or_else(|| {
        let owned = |field| text(field).unwrap_or_default().to_owned();
        let parts = tools(task).into_iter().map(|tool| [Some(tool.name), tool.description, tool.example]);
        Dataset::own(Definition {
            name: name.to_owned(),
            language: owned("language"),
            agent: owned("agent"),
            situation: owned("situation"),
            has_sources: text("tools_are")? == "sources",
            tools: parts.map(|parts| parts.map(Option::unwrap_or_default)).collect(),
        })
    })
}

/// A source or a strategy, as the task describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its purpose, if the task says so.
    pub description: Option<String>,
    /// An example of its result, if the task shows one.
    pub example: Option<String>,
}

/// The sources or strategies of a task; none unless it comes with a dialogue.
pub fn tools(task: &PublicTask) -> Vec<Tool> {
    if !task.data["dialogue"].is_array() {
        return Vec::new();
    }
    items(&task.data["tools"])
        .filter_map(|item| {
            let part = |name: &str| Some(item[name].as_str()?.to_owned());
            Some(Tool { name: part("name")?, description: part("description"), example: part("example") })
        })
        .collect()
}

/// The word for what the tools of a data set are.
pub(super) fn tools_are(dataset: Dataset) -> &'static str {
    if dataset.has_sources() { "sources" } else { "strategies" }
}

/// The items of a list; none if it is something else.
pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The dialogue that came with a task.
pub(super) fn of_task(task: &PublicTask) -> Vec<(String, String)> {
    items(&task.data["dialogue"])
        .filter_map(|item| {
            let part = |name: &str| Some(item[name].as_str()?.to_owned());
            Some((part("speaker")?, part("text")?))
        })
        .collect()
}
