//! PsyQA: questions of people who ask for psychological support, in Chinese. Each labelled answer is a
//! sample: the context is the question with its description, and the strategies are those of the spans.
//!
//! Spans count code points and follow each other from 0; the last ends with the text or one before.

use serde_json::Value;

use super::error::DataError;
use super::record::{Ids, Record};
use super::sample::{Sample, Utterance};
use crate::language::Dataset;
use rolecall_core::text::visible;

/// The samples of a file.
pub(super) fn samples(file: &str, records: &[Value]) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::new();
    let mut ids = Ids::default();
    for (place, value) in records.iter().enumerate() {
        let (record, id) = Record::with_id(file, place.to_string(), value, "questionID")?;
        let asked = asked(&record)?;
        let about = record.optional("keywords").and_then(Value::as_str);
        let mut labelled = 0;
        for (index, value) in record.list("answers")?.iter().enumerate() {
            let answer = record.part(&format!("answer {index}"), value)?;
            let has_label = answer.optional("has_label").map_or(Ok(true), |value| answer.truth("has_label", value))?;
            if !has_label || answer.optional("labels_sequence").is_none() {
                continue;
            }
            let text = answer.text("answer_text")?;
            let strategies = strategies(&answer, text)?;
            labelled += 1;
            let id = match labelled {
                1 => format!("psyqa/{id}"),
                _ => format!("psyqa/{id}/{index}"),
            };
            ids.take(&id, &answer)?;
            let dialogue = vec![Utterance::new("USER", asked.as_str())];
            samples.push(Sample {
                references: vec![text.to_owned()],
                strategies: vec![strategies],
                about: about.map(str::to_owned),
                ..Sample::new(id, Dataset::Psyqa, dialogue)
            });
        }
    }
    Ok(samples)
}

/// The question and its description, with a blank between.
fn asked(record: &Record<'_>) -> Result<String, DataError> {
    let question = record.text("question")?.trim();
    let description = match record.optional("description") {
        Some(_) => record.text("description")?.trim(),
        None => "",
    };
    let asked = format!("{question} {description}").trim().to_owned();
    if asked.is_empty() {
        return Err(record.defect("question", "the question and its description are empty"));
    }
    Ok(asked)
}

/// The strategies of the spans of an answer, adjacent equal ones once.
fn strategies(answer: &Record<'_>, text: &str) -> Result<Vec<&'static str>, DataError> {
    let field = "labels_sequence";
    let mut end = 0;
    let mut strategies = Vec::new();
    for (place, value) in answer.list(field)?.iter().enumerate() {
        let span = answer.part(&format!("span {place}"), value)?;
        let start = span.number("start")?;
        if start != end {
            return Err(span.defect("start", format!("expected {end}, where the span before ends, got {start}")));
        }
        end = span.number("end")?;
        if end <= start {
            return Err(span.defect("end", format!("expected more than {start}, where the span begins, got {end}")));
        }
        let name = span.text("type")?;
        let strategy = Dataset::Psyqa.strategy(name).ok_or_else(|| {
            let known = Dataset::Psyqa.strategy_names();
            let got = visible(name);
            span.defect("type", format!("expected one of {known}, got `{got}`"))
        })?;
        if strategies.last() != Some(&strategy) {
            strategies.push(strategy);
        }
    }
    let length = text.chars().count();
    if strategies.is_empty() || (end != length && end + 1 != length) {
        let defect =
            format!("expected spans up to the end of the text, which has {length} letters, or one before; got {end}");
        return Err(answer.defect(field, defect));
    }
    Ok(strategies)
}
