//! Responses beside their references (TPE Tables 1 and 2).

use serde_json::{Value, json};

use super::{Collected, by_dataset, played, table};
use crate::Answered;
use rolecall_core::evaluation::analyses::Row;
use rolecall_core::evaluation::{Corpus, Overlap};
use rolecall_core::reports::analyses::Analyses;
use rolecall_core::reports::{Align, NONE, Table};
use rolecall_core::text::overlap::{SacreBleu, SacreVersion, Tokenisation};
use rolecall_core::text::unique;

/// The data set of which an own script is published.
const FOCUS: &str = "focus";

/// The responses to the samples of a data set.
#[derive(Debug)]
pub(super) struct Responses {
    corpus: Corpus,
    /// The sum of the BLEU of FoCus's script.
    script: f64,
}

impl Collected for Responses {
    fn new(language: &str) -> Self {
        Self { corpus: Corpus::new(language), script: 0.0 }
    }

    fn add(&mut self, answered: &Answered) {
        let response = &answered.response;
        self.corpus.add(response);
        if !response.references.is_empty() {
            self.script += script().sentence(&response.text, &response.references).score / 100.0;
        }
    }
}

impl Responses {
    /// The three figures of FoCus's own script, which calls them BLEU, F1 and ROUGE-L: means of sacreBLEU
    /// 1.5.1, chrF++ and ROUGE-L.
    fn script(&self) -> Option<[f64; 3]> {
        let compared = self.corpus.compared();
        let sacre = (compared > 0).then(|| self.script / compared as f64)?;
        Some([sacre, self.corpus.mean(Overlap::ChrfPlus)?, self.corpus.mean(Overlap::RougeL)?])
    }

    /// Their signatures.
    fn script_signatures(&self) -> [String; 3] {
        [
            script().signature(self.corpus.references()),
            self.corpus.signature(Overlap::ChrfPlus),
            self.corpus.signature(Overlap::RougeL),
        ]
    }
}

/// The version that FoCus's script pins.
fn script() -> SacreBleu {
    SacreBleu { version: SacreVersion::V1_5_1, ..SacreBleu::corpus(Tokenisation::V13a) }
}

fn hundred(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{:.2}", value * 100.0))
}

/// Responses beside their references.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let keys = ["cell", "data set"];
    let mut heads = vec!["n"];
    heads.extend(Overlap::ALL.map(Overlap::label));
    let mut means = table("Responses: means per response (x 100)", &keys, &heads);
    let title = "Responses: all of a cell together (x 100)";
    let mut pooled = table(title, &keys, &heads);
    let title = "Responses: the three figures of FoCus's own script (x 100)";
    let script = ["n", "its BLEU", "its F1", "its ROUGE-L"];
    let mut focus = table(title, &keys, &script);
    for (row, dataset, responses) in played::<Responses>(analyses) {
        let corpus = &responses.corpus;
        let head = || vec![analyses.name(row), dataset.to_owned(), corpus.responses().to_string()];
        let line = |value: &dyn Fn(Overlap) -> Option<f64>| {
            head().into_iter().chain(Overlap::ALL.iter().map(|overlap| hundred(value(*overlap)))).collect()
        };
        means.row(line(&|overlap| corpus.mean(overlap)));
        pooled.row(line(&|overlap| corpus.pooled(overlap)));
        if let Some(script) = responses.script().filter(|_| dataset == FOCUS) {
            focus.row(head().into_iter().chain(script.map(|value| hundred(Some(value)))).collect());
        }
    }
    vec![means, pooled, focus, signatures(analyses)]
}

/// The signature of each figure of each data set; a data set whose cells differ in their references has
/// several lines.
fn signatures(analyses: &Analyses) -> Table {
    let table = Table::new("Responses: how the figures are computed").keys_of(["data set", "figure"]);
    let mut table = table.column("signature", Align::Left);
    let mut lines: Vec<[String; 3]> = Vec::new();
    for (_, dataset, responses) in played::<Responses>(analyses) {
        let corpus = &responses.corpus;
        let mut add = |figure: String, signature| {
            lines.push([dataset.to_owned(), figure, signature]);
        };
        for overlap in Overlap::ALL {
            let (single, pooled) = (corpus.signature(overlap), corpus.pooled_signature(overlap));
            if pooled != single {
                add(format!("{}, all together", overlap.label()), pooled);
            }
            add(overlap.label().to_owned(), single);
        }
        if dataset == FOCUS {
            let names = ["its BLEU", "its F1", "its ROUGE-L"];
            for (name, signature) in names.into_iter().zip(responses.script_signatures()) {
                add(name.to_owned(), format!("{signature}|over:mean"));
            }
        }
    }
    let mut lines = unique(lines);
    lines.sort_by(|one, other| one[0].cmp(&other[0]));
    lines.into_iter().for_each(|line| table.row(line.to_vec()));
    table
}

/// By data set: `n`, `mean` and `pooled` by metric (shares; null where there is no such figure), their
/// `signatures` and `pooled_signatures`, and `focus_script` with its three figures in its order.
pub(super) fn object(row: &Row) -> Value {
    by_dataset(row, |responses: &Responses| {
        let corpus = &responses.corpus;
        let each = |value: &dyn Fn(Overlap) -> Value| {
            Overlap::ALL.iter().map(|overlap| (overlap.name(), value(*overlap))).collect::<Value>()
        };
        json!({
            "n": corpus.responses(),
            "mean": each(&|overlap| corpus.mean(overlap).into()),
            "pooled": each(&|overlap| corpus.pooled(overlap).into()),
            "signatures": each(&|overlap| corpus.signature(overlap).into()),
            "pooled_signatures": each(&|overlap| corpus.pooled_signature(overlap).into()),
            "focus_script": responses.script(),
            "focus_signatures": responses.script_signatures(),
        })
    })
}
