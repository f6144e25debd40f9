//! `bertscore_vectors.json`: BERTScore from vectors that are given.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use rolecall_core::text::json;
use rolecall_core::text::overlap::{Embedded, Idf, Padding, PrecisionRecall, baseline, greedy, rescaled};

use super::At;
use crate::kit::Tally;

#[derive(Debug, Deserialize)]
struct Recording {
    cases: Vec<Case>,
    #[serde(default)]
    idf: Vec<Frequencies>,
}

#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    ref_emb: Vec<Vec<f64>>,
    hyp_emb: Vec<Vec<f64>>,
    ref_w: Vec<f64>,
    hyp_w: Vec<f64>,
    #[serde(flatten)]
    shares: Shares,
    baseline: Option<Table>,
    rescaled: Option<Shares>,
}

#[derive(Debug, Deserialize)]
struct Shares {
    #[serde(rename = "P")]
    precision: Value,
    #[serde(rename = "R")]
    recall: Value,
    #[serde(rename = "F")]
    f1: Value,
}

#[derive(Debug, Deserialize)]
struct Table {
    name: String,
    #[serde(rename = "PRF")]
    values: [f64; 3],
}

#[derive(Debug, Deserialize)]
struct Frequencies {
    refs_tokens: Vec<Vec<String>>,
    idf: Value,
    unseen: Value,
}

impl Case {
    fn compare(&self, tally: &mut Tally) -> anyhow::Result<()> {
        let embedded = |vectors, weights| Embedded { vectors, weights };
        let hypothesis = embedded(&self.hyp_emb, &self.hyp_w);
        let reference = embedded(&self.ref_emb, &self.ref_w);
        let found = greedy(hypothesis, reference, Padding::default())?;
        let mut at = At::root(tally, &self.id, &Value::Null);
        shares(&mut at, &self.shares, found);
        let Some(table) = &self.baseline else {
            return Ok(());
        };
        let baseline = known(&table.name);
        let values = baseline.map(|known| [known.precision, known.recall, known.f1]);
        let recorded = Some(table.values);
        let name = || format!("baseline {}", table.name);
        at.tally.check(name, &recorded, &values);
        if let (Some(recorded), Some(baseline)) = (&self.rescaled, baseline) {
            let mut at = at.below("rescaled", &Value::Null);
            shares(&mut at, recorded, rescaled(found, baseline));
        }
        Ok(())
    }
}

/// The baseline of a model and layer, such as `roberta-large@17`, in the model's own language.
fn known(name: &str) -> Option<PrecisionRecall> {
    let (model, layer) = name.split_once('@')?;
    let layer = layer.parse().ok()?;
    let mut languages = ["en", "zh"].into_iter();
    languages.find_map(|language| baseline(language, model, layer))
}

fn shares(at: &mut At<'_>, recorded: &Shares, found: PrecisionRecall) {
    at.below("P", &recorded.precision).number(found.precision);
    at.below("R", &recorded.recall).number(found.recall);
    at.below("F", &recorded.f1).number(found.f1);
}

/// Compares every case and every weight.
pub(crate) fn compare(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recording: Recording = json::read(&fs::read_to_string(file)?)?;
    for case in &recording.cases {
        case.compare(tally)?;
    }
    for frequencies in &recording.idf {
        let idf = Idf::new(frequencies.refs_tokens.iter().map(Vec::as_slice));
        At::root(tally, "idf", &frequencies.idf).each(|at| {
            let weight = idf.weight(&at.key.to_owned());
            at.number(weight);
        });
        // No token of any reference has a line break.
        let unseen = idf.weight(&"\n".to_owned());
        let mut at = At::root(tally, "idf", &frequencies.idf);
        at.below("unseen", &frequencies.unseen).number(unseen);
    }
    Ok(())
}
