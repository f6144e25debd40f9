//! The first line of own data: the data set, and the sources or strategies that there are.

use std::collections::BTreeMap;

use crate::environment::RESPOND;
use crate::error::DataError;
use crate::language::{Dataset, Definition, Source};
use crate::record::Record;
use rolecall_core::text::visible;

/// The fields of the first line. `note` is for whoever reads the file, here and elsewhere.
const FIRST: [&str; 7] = ["dataset", "language", "agent", "situation", "sources", "strategies", "note"];
/// The fields of a source or strategy.
const TOOL: [&str; 5] = ["name", "description", "example", "texts", "note"];
/// Words that mean something else where a source or strategy is named: the response, and the end of a plan.
const TAKEN: [&str; 8] = [RESPOND, "finish", "response", "end", "none", "done", "stop", "context"];

/// Definition in the first line.
pub(super) struct First {
    /// The data set.
    pub(super) dataset: Dataset,
    /// The speaker whose utterances are responses; empty if the file names none.
    pub(super) agent: String,
    /// Texts that every dialogue has.
    pub(super) texts: BTreeMap<Source, Vec<String>>,
}

impl First {
    /// Reads the line.
    ///
    /// # Errors
    /// When a field of it is missing, of another form, or unknown.
    pub(super) fn read(record: &Record<'_>) -> Result<Self, DataError> {
        record.only(&FIRST)?;
        let name = record.text("dataset")?;
        let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
        if name.is_empty() || !name.chars().all(letter) || Dataset::named(name).is_some() || name == "all" {
            let defect = format!(
                "expected a name of small letters, digits, `-` and `_` that is not `all`, `focus`, `cima` or \
                 `psyqa`, got `{}`",
                visible(name)
            );
            return Err(record.defect("dataset", defect));
        }
        let language = record.text_or("language", "en")?;
        if !(2..=3).contains(&language.len()) || !language.chars().all(|one| one.is_ascii_lowercase()) {
            let defect = format!("expected a code such as `en` or `zh`, got `{}`", visible(language));
            return Err(record.defect("language", defect));
        }
        let has_sources = record.optional("sources").is_some();
        let field = match (has_sources, record.optional("strategies").is_some()) {
            (true, false) => "sources",
            (false, true) => "strategies",
            _ => {
                let defect = "expected either `sources` or `strategies`, a list of what a response is made with; \
                              a data set has one of them";
                return Err(record.defect("sources", defect));
            }
        };
        let tools = tools(record, field)?;
        let names: Vec<[String; 3]> = tools.iter().map(|(tool, _)| tool.clone()).collect();
        let definition = Definition {
            name: name.to_owned(),
            language: language.to_owned(),
            agent: record.text_or("agent", "")?.trim().to_owned(),
            situation: record.text_or("situation", "")?.trim().to_owned(),
            has_sources,
            tools: names,
        };
        let agent = definition.agent.clone();
        let dataset = Dataset::own(definition)
            .ok_or_else(|| record.defect("dataset", "this process has read too many data sets; start it anew"))?;
        let texts = dataset.sources().zip(tools.into_iter().map(|(_, texts)| texts));
        Ok(Self { dataset, agent, texts: texts.filter(|(_, texts)| !texts.is_empty()).collect() })
    }
}

/// A source or strategy with its texts: name, purpose and example.
type ToolTexts = ([String; 3], Vec<String>);

/// The sources or strategies of the first line: names, or objects.
fn tools(record: &Record<'_>, field: &str) -> Result<Vec<ToolTexts>, DataError> {
    let mut tools: Vec<ToolTexts> = Vec::new();
    for (value, number) in record.list(field)?.iter().zip(1_usize..) {
        let (tool, texts) = match value.as_str() {
            Some(name) => ([name.to_owned(), String::new(), String::new()], Vec::new()),
            None => tool(&record.part(&format!("{field} {number}"), value)?)?,
        };
        let [name, ..] = &tool;
        let same = |(other, _): &ToolTexts| other[0].to_lowercase() == name.to_lowercase();
        if let Some(problem) = unusable(name, field == "sources", tools.iter().any(same)) {
            return Err(record.defect(field, format!("`{}` cannot be a name: {problem}", visible(name))));
        }
        tools.push((tool, texts));
    }
    if tools.is_empty() {
        return Err(record.defect(field, "expected at least one, got an empty list"));
    }
    Ok(tools)
}

fn tool(part: &Record<'_>) -> Result<ToolTexts, DataError> {
    part.only(&TOOL)?;
    let text = |field| Ok(part.text_or(field, "")?.trim().to_owned());
    let texts = match part.optional("texts") {
        Some(_) => part.texts("texts")?.into_iter().map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let tool = [part.text("name")?.to_owned(), text("description")?, text("example")?];
    Ok((tool, texts))
}

/// The reason why plans could not name it, if any.
fn unusable(name: &str, is_source: bool, is_twice: bool) -> Option<&'static str> {
    let word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let parts = |letter: char| letter.is_control() || ",;+/→、:：[](){}\"'`*".contains(letter);
    match () {
        () if is_twice => Some("another one has it"),
        () if TAKEN.contains(&name.to_lowercase().as_str()) => Some("it means something else in plans"),
        () if is_source && (name.is_empty() || !name.chars().all(word)) => {
            Some("a source is called by letters, digits and `_`")
        }
        () if name.trim().is_empty() || name.trim() != name || name.contains(parts) || name.contains("->") => {
            Some("a strategy is called by words without brackets, quotes, commas and the like")
        }
        () => None,
    }
}
