//! Own data: a file `.jsonl` whose first line defines the sources or strategies, and in which each further line is a
//! dialogue. Only names of the file are known (`docs/dialogue.md`, "Data of your own").
//!
//! Where a dialogue has `responses`, it is one sample, as in CIMA. Where it has none, each utterance of the agent
//! that follows another speaker's is the response of a sample, as in FoCus.

mod first;

use std::collections::BTreeMap;

use serde_json::Value;

use super::error::DataError;
use super::record::{Ids, Record};
use super::sample::{Options, References, Sample, Utterance};
use crate::language::Source;
use first::First;
use rolecall_core::text::{joined, visible};

/// The fields of a dialogue.
const DIALOGUE: [&str; 5] = ["id", "dialogue", "responses", "sources", "note"];
/// The fields of an utterance.
const UTTERANCE: [&str; 5] = ["speaker", "text", "strategies", "uses", "note"];
/// The fields of a response.
const RESPONSE: [&str; 4] = ["text", "strategies", "uses", "note"];

/// The samples of a file.
pub(super) fn samples(file: &str, bytes: &[u8], options: &Options) -> Result<Vec<Sample>, DataError> {
    let mut first: Option<First> = None;
    let mut ids = Ids::default();
    let mut samples = Vec::new();
    let lines = bytes.split(|byte| *byte == b'\n').zip(1_usize..);
    for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
        let value = json(file, number, line)?;
        let name = format!("line {number}");
        let Some(first) = &first else {
            first = Some(First::read(&Record::new(file, name, &value)?)?);
            continue;
        };
        let (record, id) = Record::with_id(file, name, &value, "id")?;
        for sample in first.samples(&record, &id, options)? {
            ids.take(&sample.id, &record)?;
            samples.push(sample);
        }
    }
    Ok(samples)
}

fn json(file: &str, number: usize, line: &[u8]) -> Result<Value, DataError> {
    serde_json::from_slice(line).map_err(|error| {
        // Each line is read by itself, so that its own number would always be 1.
        let problem = error.to_string();
        let problem = problem.split(" at line ").next().unwrap_or_default();
        DataError::Record {
            file: file.to_owned(),
            record: format!("line {number}"),
            field: String::new(),
            defect: format!(
                "expected one JSON object on the line, got {} at column {}",
                visible(problem),
                error.column()
            ),
        }
    })
}

/// A recorded response.
struct Response {
    text: String,
    strategies: Vec<&'static str>,
    /// The places of the texts that it uses; none if unknown.
    uses: Option<BTreeMap<Source, Vec<usize>>>,
}

impl First {
    /// The samples of a dialogue.
    fn samples(&self, record: &Record<'_>, id: &str, options: &Options) -> Result<Vec<Sample>, DataError> {
        record.only(&DIALOGUE)?;
        let sources = self.sources(record)?;
        let (said, spoken) = self.utterances(record, &sources)?;
        let id = format!("{}/{id}", self.dataset.name());
        let sample = |id: String, said: &[Utterance], responses: Vec<Response>| Sample {
            sources: sources.clone(),
            ..self.sample(id, said, responses)
        };
        if record.optional("responses").is_none() {
            let turns = self.turns(&said);
            if turns.is_empty() {
                return Err(record.defect("responses", self.without_turns()));
            }
            let mut spoken: BTreeMap<usize, Response> = spoken.into_iter().enumerate().collect();
            let samples = turns.into_iter().zip(1_usize..).filter_map(|(turn, number)| {
                let response = spoken.remove(&turn)?;
                Some(sample(format!("{id}/{number}"), said.get(..turn)?, vec![response]))
            });
            return Ok(samples.collect());
        }
        if said.last().is_some_and(|last| last.speaker == self.agent) {
            let defect =
                format!("expected another speaker than `{}` at the end, whom `responses` answer", visible(&self.agent));
            return Err(record.defect("dialogue", defect));
        }
        let mut responses = self.responses(record, &sources)?;
        Ok(match options.references {
            References::Each if responses.len() > 1 => responses
                .into_iter()
                .enumerate()
                .map(|(place, response)| sample(format!("{id}/{place}"), &said, vec![response]))
                .collect(),
            References::First => {
                responses.truncate(1);
                vec![sample(id, &said, responses)]
            }
            References::All | References::Each => vec![sample(id, &said, responses)],
        })
    }

    fn sample(&self, id: String, said: &[Utterance], responses: Vec<Response>) -> Sample {
        let mut sample = Sample::new(id, self.dataset, said.to_vec());
        for response in responses {
            sample.references.push(response.text);
            sample.strategies.push(response.strategies);
            // A text is right if any of several responses uses it.
            for (source, places) in response.uses.into_iter().flatten() {
                let used = sample.gold.entry(source).or_default();
                used.extend(places);
                used.sort_unstable();
                used.dedup();
            }
        }
        if sample.strategies.iter().all(Vec::is_empty) {
            sample.strategies.clear();
        }
        sample
    }

    /// The texts of each source: those of the record, and else those of the first line.
    fn sources(&self, record: &Record<'_>) -> Result<BTreeMap<Source, Vec<String>>, DataError> {
        let field = "sources";
        let mut sources = self.texts.clone();
        if record.optional(field).is_some() {
            let texts_of = record.part(field, record.field(field)?)?;
            for name in texts_of.fields() {
                let texts = texts_of.texts(name)?.into_iter().map(str::to_owned).collect();
                sources.insert(self.source(&texts_of, name)?, texts);
            }
        }
        let is_empty = |source: &Source| sources.get(source).is_none_or(Vec::is_empty);
        if let Some(empty) = self.dataset.sources().find(is_empty) {
            let name = visible(empty.name());
            let defect =
                format!("expected texts of `{name}`, here or for all dialogues in the first line (`texts`), got none");
            return Err(record.defect(field, defect));
        }
        Ok(sources)
    }

    fn source(&self, record: &Record<'_>, name: &str) -> Result<Source, DataError> {
        let mut all = self.dataset.sources();
        all.find(|source| source.name() == name).ok_or_else(|| {
            let known = joined(self.dataset.sources().map(|source| format!("`{}`", visible(source.name()))));
            let defect = if known.is_empty() {
                "the first line names no sources, but strategies".to_owned()
            } else {
                format!("it is no source of the first line, which names {known}")
            };
            record.defect(name, defect)
        })
    }

    /// The utterances, and each as a response.
    fn utterances(
        &self,
        record: &Record<'_>,
        sources: &BTreeMap<Source, Vec<String>>,
    ) -> Result<(Vec<Utterance>, Vec<Response>), DataError> {
        let field = "dialogue";
        let (mut said, mut spoken) = (Vec::new(), Vec::new());
        for (value, number) in record.list(field)?.iter().zip(1_usize..) {
            let part = record.part(&format!("utterance {number}"), value)?;
            part.only(&UTTERANCE)?;
            let response = self.response(&part, sources)?;
            let speaker = filled(&part, "speaker")?;
            said.push(Utterance::new(&speaker, response.text.as_str()));
            spoken.push(response);
        }
        if said.is_empty() {
            return Err(record.defect(field, "expected at least one utterance, got an empty list"));
        }
        Ok((said, spoken))
    }

    /// The utterances of the agent that answer another speaker.
    fn turns(&self, said: &[Utterance]) -> Vec<usize> {
        let is_agent = |one: &Utterance| one.speaker == self.agent;
        let turns = said
            .windows(2)
            .zip(1_usize..)
            .filter(|(pair, _)| matches!(pair, [before, now] if is_agent(now) && !is_agent(before)));
        turns.map(|(_, place)| place).collect()
    }

    fn without_turns(&self) -> String {
        match self.agent.as_str() {
            "" => "it is missing, and the first line names no `agent` whose utterances are the responses; write one \
                   of both"
                .to_owned(),
            agent => format!(
                "it is missing, and no utterance of `{}` answers another speaker; write the responses here",
                visible(agent)
            ),
        }
    }

    fn responses(
        &self,
        record: &Record<'_>,
        sources: &BTreeMap<Source, Vec<String>>,
    ) -> Result<Vec<Response>, DataError> {
        let field = "responses";
        let responses = record
            .list(field)?
            .iter()
            .zip(1_usize..)
            .map(|(value, number)| {
                if let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) {
                    return Ok(Response { text: text.trim().to_owned(), strategies: Vec::new(), uses: None });
                }
                let part = record.part(&format!("response {number}"), value)?;
                part.only(&RESPONSE)?;
                self.response(&part, sources)
            })
            .collect::<Result<Vec<_>, DataError>>()?;
        if responses.is_empty() {
            return Err(record.defect(field, "expected at least one response, got an empty list"));
        }
        Ok(responses)
    }

    fn response(&self, part: &Record<'_>, sources: &BTreeMap<Source, Vec<String>>) -> Result<Response, DataError> {
        Ok(Response {
            text: filled(part, "text")?,
            strategies: self.strategies(part)?,
            uses: self.uses(part, sources)?,
        })
    }

    fn strategies(&self, part: &Record<'_>) -> Result<Vec<&'static str>, DataError> {
        let field = "strategies";
        if part.optional(field).is_none() {
            return Ok(Vec::new());
        }
        let known = self.dataset.strategies();
        part.texts(field)?
            .into_iter()
            .map(|name| {
                known.iter().find(|tool| tool.name == name).map(|tool| tool.name).ok_or_else(|| {
                    let defect = match known {
                        [] => "the first line names no strategies, but sources".to_owned(),
                        _ => format!(
                            "expected strategies of the first line ({}), got `{}`",
                            visible(&self.dataset.strategy_names()),
                            visible(name)
                        ),
                    };
                    part.defect(field, defect)
                })
            })
            .collect()
    }

    /// The texts that a response uses. Of sources that it does not name it uses none.
    fn uses(
        &self,
        part: &Record<'_>,
        sources: &BTreeMap<Source, Vec<String>>,
    ) -> Result<Option<BTreeMap<Source, Vec<usize>>>, DataError> {
        let field = "uses";
        if part.optional(field).is_none() {
            return Ok(None);
        }
        let used = part.part(field, part.field(field)?)?;
        let mut uses: BTreeMap<Source, Vec<usize>> =
            self.dataset.sources().map(|source| (source, Vec::new())).collect();
        for name in used.fields() {
            let source = self.source(&used, name)?;
            let all = sources.get(&source).map_or(0, Vec::len);
            let place = |value: &Value| {
                let place = value.as_u64().and_then(|place| usize::try_from(place).ok());
                place.filter(|place| *place < all).ok_or_else(|| {
                    let defect =
                        format!("expected places of its {all} texts, from 0 to {}, got {value}", all.saturating_sub(1));
                    used.defect(name, defect)
                })
            };
            let places = used.list(name)?.iter().map(place).collect::<Result<_, _>>()?;
            uses.insert(source, places);
        }
        Ok(Some(uses))
    }
}

/// A text that is not blank.
fn filled(part: &Record<'_>, field: &str) -> Result<String, DataError> {
    let text = part.text(field)?.trim();
    if text.is_empty() {
        return Err(part.defect(field, "expected words, got an empty text"));
    }
    Ok(text.to_owned())
}
