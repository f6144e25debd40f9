//! FoCus: conversations about landmarks. Each turn of the system is a sample; its sources are the five
//! sentences about the user and the ten candidates of that turn, not the whole article.
//!
//! The turns repeat all utterances before them, under a key that changes with the turn (`dialogue1`,
//! `dialogue2`, ...).

use std::collections::BTreeMap;

use serde_json::Value;

use super::error::DataError;
use super::record::{Ids, Record};
use super::sample::{Sample, Utterance};
use crate::language::{Dataset, Source};

/// The number of sentences about the user, and of values of `persona_grounding`; the official loader drops more
/// of either.
const PERSONAS: usize = 5;

/// The samples of a file. `split` is part of their ids.
pub(super) fn samples(file: &str, split: &str, records: &[Value]) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::new();
    let mut ids = Ids::default();
    for (place, value) in records.iter().enumerate() {
        let (record, id) = Record::with_id(file, place.to_string(), value, "dialogID")?;
        let about = record.optional("landmark_link").and_then(Value::as_str);
        // Some links begin with a stray apostrophe.
        let about = about.map(|link| link.trim().trim_start_matches('\'').to_owned());
        for (value, turn) in record.list("utterance")?.iter().zip(1..) {
            let part = record.part(&format!("turn {turn}"), value)?;
            let sample = sample(&part, turn, format!("focus/{split}/{id}/{turn}"))?;
            ids.take(&sample.id, &part)?;
            samples.push(Sample { about: about.clone(), ..sample });
        }
    }
    Ok(samples)
}

fn sample(turn: &Record<'_>, number: usize, id: String) -> Result<Sample, DataError> {
    let (dialogue, reference) = dialogue(turn, number)?;
    let mut personas = turn.texts("persona_candidate")?;
    personas.truncate(PERSONAS);
    let documents = turn.texts("knowledge_candidates")?;
    for (texts, field) in [(&personas, "persona_candidate"), (&documents, "knowledge_candidates")] {
        if texts.is_empty() {
            return Err(turn.defect(field, "expected at least one text, got an empty list"));
        }
    }
    let mut gold = BTreeMap::new();
    if turn.optional("persona_grounding").is_some() {
        let mut grounding = turn.truths("persona_grounding")?;
        grounding.truncate(PERSONAS);
        if grounding.len() != personas.len() {
            let (values, texts) = (grounding.len(), personas.len());
            let defect = format!("expected a value for each of {texts} texts, got {values}");
            return Err(turn.defect("persona_grounding", defect));
        }
        let used = grounding.iter().enumerate().filter(|(_, used)| **used);
        gold.insert(Source::Persona, used.map(|(place, _)| place).collect());
    }
    // The test set says -1 or nothing.
    let hidden = |value: &Value| value.as_i64().is_some_and(|index| index < 0);
    let field = "knowledge_answer_index";
    if turn.optional(field).is_some_and(|value| !hidden(value)) {
        let index = turn.number(field)?;
        let all = documents.len();
        if index >= all {
            return Err(turn.defect(field, format!("expected a place among {all} candidates, got {index}")));
        }
        gold.insert(Source::Document, vec![index]);
    }
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    Ok(Sample {
        sources: BTreeMap::from([(Source::Persona, owned(personas)), (Source::Document, owned(documents))]),
        references: vec![reference],
        gold,
        ..Sample::new(id, Dataset::Focus, dialogue)
    })
}

/// The utterances up to the user's last words, and the system's answer to them.
fn dialogue(turn: &Record<'_>, number: usize) -> Result<(Vec<Utterance>, String), DataError> {
    const TEST_SET: &str = " (the answers of the test set are not published; take the training or validation set)";
    let field = format!("dialogue{number}");
    let texts = turn.texts(&field)?;
    let (expected, got) = (2 * number, texts.len());
    if let Some((reference, before)) = texts.split_last()
        && got == expected
    {
        return Ok((Utterance::in_turn(["USER", "SYSTEM"], before.iter().copied()), (*reference).to_owned()));
    }
    let hint = if got + 1 == expected { TEST_SET } else { "" };
    Err(turn.defect(&field, format!("expected {expected} texts, user and system in turn, got {got}{hint}")))
}
