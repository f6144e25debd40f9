//! Metrics of text beside the libraries that the papers used.

mod corpus;
mod pairs;
mod vectors;

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use rolecall_core::text::json;
use rolecall_core::text::overlap::{PrecisionRecall, Tokenisation, stem};

use crate::kit::{Tally, each_line};

pub(super) use corpus::compare as corpus;
pub(super) use pairs::compare as pairs;
pub(super) use vectors::compare as vectors;

/// A response with its references and the metrics of the libraries.
#[derive(Debug, Deserialize)]
struct Pair {
    id: String,
    hyp: String,
    refs: Vec<String>,
    #[serde(default)]
    metrics: Value,
}

/// The pairs of a recording, a line each.
fn read_pairs(file: &Path) -> anyhow::Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    each_line(file, |pair| {
        pairs.push(pair);
        Ok(())
    })?;
    Ok(pairs)
}

/// `porter_nltk.json`: words and their stems.
pub(super) fn stems(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded: Value = json::read(&fs::read_to_string(file)?)?;
    let words = recorded.as_object().context("no words with stems")?;
    for (word, expected) in words {
        let found = Value::from(stem(word));
        tally.check(|| format!("stem of `{word}`"), expected, &found);
    }
    Ok(())
}

/// A recorded value with its place, and the tally that counts it.
struct At<'a> {
    tally: &'a mut Tally,
    /// The keys that lead to the value.
    path: String,
    /// The value's own key.
    key: &'a str,
    recorded: &'a Value,
}

impl<'a> At<'a> {
    fn root(tally: &'a mut Tally, key: &'a str, recorded: &'a Value) -> Self {
        Self { tally, path: key.to_owned(), key, recorded }
    }

    /// A value that stands below this one.
    fn below<'b>(&'b mut self, key: &'b str, recorded: &'b Value) -> At<'b> {
        At { tally: self.tally, path: format!("{} {key}", self.path), key, recorded }
    }

    /// A number; where the original has none, there must be none.
    fn number(self, found: impl Into<Option<f64>>) {
        number(self.tally, self.path, self.recorded, found.into());
    }

    /// Numbers in a row.
    fn numbers(self, found: &[f64]) {
        let Some(numbers) = self.recorded.as_array() else {
            return self.unknown();
        };
        let (recorded, got) = (numbers.len(), found.len());
        let texts = || (recorded.to_string(), got.to_string());
        let path = || self.path.clone();
        self.tally.agree(path, recorded == got, texts);
        for (recorded, found) in numbers.iter().zip(found) {
            number(self.tally, path(), recorded, Some(*found));
        }
    }

    /// Precision, recall and F1.
    fn shares(self, found: PrecisionRecall) {
        self.numbers(&[found.precision, found.recall, found.f1]);
    }

    /// Every value that is recorded and not compared is a difference.
    fn unknown(self) {
        let recorded = self.recorded;
        let texts = || (recorded.to_string(), "nothing that compares it".to_owned());
        self.tally.agree(|| self.path, false, texts);
    }

    /// Values by name, such as by tokenisation.
    fn each(mut self, mut compare: impl FnMut(At<'_>)) {
        let Some(named) = self.recorded.as_object() else {
            return self.unknown();
        };
        for (key, recorded) in named {
            compare(self.below(key, recorded));
        }
    }

    /// Values by tokenisation. Values of a tokenisation that may be left out of the program are
    /// compared only if it is there, and count as optional.
    fn tokenised(self, mut compare: impl FnMut(At<'_>, Tokenisation)) {
        self.each(|at| {
            // Corpus values of Distinct name the order behind the tokenisation.
            let name = at.key.split("_d").next().unwrap_or_default();
            match (name, Tokenisation::named(name)) {
                ("jieba", Some(tokenisation)) => at.optionally(|at| compare(at, tokenisation)),
                ("jieba", None) => {}
                (_, Some(tokenisation)) => compare(at, tokenisation),
                (_, None) => at.unknown(),
            }
        });
    }

    /// Counts the values within as optional.
    fn optionally(self, compare: impl FnOnce(At<'_>)) {
        let mut apart = Tally::default();
        compare(At::root(&mut apart, self.key, self.recorded));
        for index in 0..apart.checked {
            self.tally.optionally(index >= apart.differing);
        }
    }
}

fn number(tally: &mut Tally, path: String, recorded: &Value, found: Option<f64>) {
    match (recorded.as_f64(), found) {
        (Some(number), Some(found)) => {
            // Logarithms of what is nearly 0 leave fewer digits.
            let tiny = number != 0.0 && number.abs() < 1e-100;
            let tolerance = if tiny { 1e-6 } else { 1e-9 };
            tally.near(|| path, number, found, tolerance);
        }
        (number, found) => {
            let agrees = recorded.is_null() && found.is_none_or(f64::is_nan);
            let texts = || (format!("{number:?}"), format!("{found:?}"));
            tally.agree(|| path, agrees, texts);
        }
    }
}
