//! A task as strategies of dialogue see it.

use crate::domain::{DialogueAct, PublicTask};
use crate::environments::dialogue::language::Dataset;
use crate::environments::dialogue::sample::items;
use crate::environments::dialogue::words::dataset;

/// A task's dialogue and tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Given {
    dataset: Option<Dataset>,
    /// The utterances so far, by whomever.
    pub(super) dialogue: Vec<String>,
    /// The sources that can be asked.
    pub(super) sources: Vec<String>,
    /// The strategies that a response can be made of; none: any.
    pub(super) strategies: Vec<DialogueAct>,
    /// The words of strategies are joined without blanks.
    chinese: bool,
}

impl From<&PublicTask> for Given {
    /// The parts of the task's data; of another kind of task, none.
    fn from(task: &PublicTask) -> Self {
        let texts = |list: &str, field: &str| -> Vec<String> {
            let texts = items(&task.data[list]).filter_map(|item| item[field].as_str());
            texts.map(str::to_owned).collect()
        };
        let word = |field: &str| task.data[field].as_str();
        let dataset = dataset(task);
        let tools = texts("tools", "name");
        let (sources, strategies) = match dataset {
            Some(dataset) if dataset.has_sources() => (tools, Vec::new()),
            _ => (Vec::new(), tools.into_iter().map(DialogueAct).collect()),
        };
        Self {
            dataset,
            dialogue: texts("dialogue", "text"),
            sources,
            strategies,
            chinese: word("language") == Some("zh"),
        }
    }
}

impl Given {
    /// The task's name of a source. `KNOWLEDGE` is what some methods call the documents.
    pub(super) fn source(&self, name: &str) -> Option<&str> {
        let known = self.dataset.unwrap_or(Dataset::Focus).source(name);
        let name = known.map_or(name, |(source, _)| source.name());
        let mut sources = self.sources.iter().map(String::as_str);
        sources.find(|source| source.eq_ignore_ascii_case(name))
    }

    /// The task's name of a strategy; where the task names none, any name will do.
    pub(super) fn strategy(&self, name: &str) -> Option<DialogueAct> {
        let name = name.trim();
        if self.strategies.is_empty() {
            return (!name.is_empty()).then(|| DialogueAct(name.to_owned()));
        }
        let known = self.dataset.and_then(|dataset| dataset.strategy(name));
        let name = known.unwrap_or(name).to_lowercase();
        let is_same = |act: &&DialogueAct| act.as_str().to_lowercase() == name;
        self.strategies.iter().find(is_same).cloned()
    }

    /// The words of several strategies, as one response.
    pub(super) fn joined(&self, said: &[String]) -> String {
        said.join(if self.chinese { "" } else { " " })
    }
}
