//! CIMA: tutoring a learner of Italian. A sample is a context with all responses of tutors, the first of
//! them, or each on its own.

use serde_json::Value;

use super::error::DataError;
use super::record::{Ids, Record};
use super::sample::{Options, Sample, Utterance};
use crate::language::Dataset;
use rolecall_core::text::{counted, python};

/// The strategies in the order of the labels of a response.
const LABELS: [&str; 5] = ["Question", "Hint", "Correction", "Confirmation", "Others"];

/// The samples of a file.
pub(super) fn samples(file: &str, records: &[(String, Value)], options: &Options) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::new();
    let mut ids = Ids::default();
    for (place, (key, value)) in records.iter().enumerate() {
        let record = Record::new(file, format!("{place} (`{key}`)"), value)?;
        let dialogue = dialogue(&record, options)?;
        let (references, strategies) = responses(&record)?.into_iter().unzip();
        let sample = Sample {
            references,
            strategies,
            goals: goals(&record).unwrap_or_default(),
            about: Some("Italian".to_owned()),
            ..Sample::new(format!("cima/{key}"), Dataset::Cima, dialogue)
        };
        for sample in sample.split(options.references) {
            ids.take(&sample.id, &record)?;
            samples.push(sample);
        }
    }
    Ok(samples)
}

/// The sentence of the picture without its subject, `dietro l'albero rosa`, in each of its ways; none if the record
/// does not say it.
fn goals(record: &Record<'_>) -> Option<Vec<String>> {
    let part = |field| record.optional(field)?.as_str().map(str::trim);
    let (relation, thing, colour) = (part("prep")?, part("obj")?, part("color")?);
    // The verb may be written with its accent or without.
    let relation = relation.strip_prefix("e ").unwrap_or(relation);
    if relation.is_empty() || thing.is_empty() {
        return None;
    }
    let goal = format!("{relation} {thing} {colour}");
    // The pictures name two relations in either way.
    let same = [("accanto", "vicino"), ("di fronte", "davanti")];
    let other = same
        .into_iter()
        .flat_map(|(one, other)| [(one, other), (other, one)])
        .filter_map(|(one, other)| Some(format!("{other}{}", goal.strip_prefix(one)?)));
    Some(other.chain([goal.clone()]).collect())
}

/// Refuses the content of `shapeDataset`: it is empty in the official file, so its form is unknown, and its keys could
/// be those of `prepDataset`.
pub(super) fn without_shapes(file: &str, shapes: &Value) -> Result<(), DataError> {
    let holds = match shapes {
        Value::Null => return Ok(()),
        Value::Object(records) if records.is_empty() => return Ok(()),
        Value::Object(records) => counted(records.len() as u64, "context", "contexts"),
        _ => "no object".to_owned(),
    };
    Err(DataError::Record {
        file: file.to_owned(),
        record: "`shapeDataset`".to_owned(),
        field: String::new(),
        defect: format!(
            "expected nothing in it, as in the official file, got {holds}; leave it out, or move what has the \
             form of `prepDataset` there under keys of its own"
        ),
    })
}

fn dialogue(record: &Record<'_>, options: &Options) -> Result<Vec<Utterance>, DataError> {
    let field = "past_convo";
    let texts = record.texts(field)?;
    if texts.is_empty() || texts.len() % 2 == 1 {
        let got = texts.len();
        let defect = format!("expected an even number of texts, tutor and student in turn, got {got}");
        return Err(record.defect(field, defect));
    }
    let texts = texts.into_iter().map(|text| {
        // Some rules of grammar are Python lists with a second rule, which was never shown.
        let list = Some(text).filter(|text| text.trim_start().starts_with('['));
        let list = list.and_then(python::literal);
        let first = list.as_ref().and_then(|items| items.get(0)?.as_str());
        cleaned(first.unwrap_or(text), options.as_printed)
    });
    Ok(Utterance::in_turn(["Teacher", "Student"], texts))
}

/// A turn on one line, with single blanks; or in the form in which the paper's prompts print it.
fn cleaned(text: &str, as_printed: bool) -> String {
    let text = if as_printed { text.replace('\n', "").replace('"', "'") } else { text.to_owned() };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A tutor's words, with its strategies.
type Response = (String, Vec<&'static str>);

fn responses(record: &Record<'_>) -> Result<Vec<Response>, DataError> {
    let texts = record.texts("tutorResponses")?;
    if texts.is_empty() {
        return Err(record.defect("tutorResponses", "expected at least one response, got an empty list"));
    }
    let field = "tutorActions";
    let labels = record.list(field)?;
    let (responses, got) = (texts.len(), labels.len());
    if responses != got {
        return Err(record.defect(field, format!("expected labels for each of {responses} responses, got {got}")));
    }
    texts
        .iter()
        .zip(labels)
        .map(|(text, labels)| {
            let strategies = strategies(record, field, labels)?;
            Ok((text.trim().to_owned(), strategies))
        })
        .collect()
}

/// The strategies of a response, in the order in which prompts list them.
fn strategies(record: &Record<'_>, field: &str, labels: &Value) -> Result<Vec<&'static str>, DataError> {
    let expected = "five values, true or false, for each response";
    let wrong = || record.wrong(field, expected, labels);
    let values = labels.as_array().ok_or_else(wrong)?;
    if values.len() != LABELS.len() {
        let got = values.len();
        return Err(record.defect(field, format!("expected {expected}, got {got}")));
    }
    let used: Vec<bool> = values.iter().map(|value| record.truth(field, value)).collect::<Result<_, _>>()?;
    let is_used = |name: &&str| LABELS.iter().zip(&used).any(|(label, used)| *used && label == name);
    Ok(Dataset::Cima.strategies().iter().map(|tool| tool.name).filter(is_used).collect())
}
