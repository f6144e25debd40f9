//! Metrics of text beside the libraries that the papers used.

mod corpus;
mod pairs;
mod vectors;

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::text::overlap::{PrecisionRecall, Tokenisation, stem};

use crate::conformance::Tally;

pub(super) use corpus::compare as corpus;
pub(super) use pairs::compare as pairs;
pub(super) use vectors::compare as vectors;

/// A response with its references and what the libraries say about it.
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
    let text = fs::read_to_string(file)?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).with_context(|| format!("line {}", index + 1))
        })
        .collect()
}

/// `porter_nltk.json`: words and their stems.
pub(super) fn stems(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let words = recorded.as_object().context("no words with stems")?;
    for (word, expected) in words {
        let found = Value::from(stem(word));
        tally.check(|| format!("stem of `{word}`"), expected, &found);
    }
    Ok(())
}

/// Where a value is recorded: the keys that lead to it.
#[derive(Clone, Copy)]
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    key: &'a str,
}

impl<'a> Place<'a> {
    fn root(key: &'a str) -> Self {
        Self { parent: None, key }
    }

    fn at(&'a self, key: &'a str) -> Self {
        Self {
            parent: Some(self),
            key,
        }
    }

    fn path(&self) -> String {
        match self.parent {
            Some(parent) => format!("{} {}", parent.path(), self.key),
            None => self.key.to_owned(),
        }
    }
}

/// Compares what is recorded with what was computed.
struct Comparison<'a> {
    tally: &'a mut Tally,
}

impl Comparison<'_> {
    /// A number; where the original has none, there must be none.
    fn number(&mut self, place: Place<'_>, recorded: &Value, found: Option<f64>) {
        match (recorded.as_f64(), found) {
            (Some(number), Some(found)) => {
                // Logarithms of what is nearly 0 leave fewer digits.
                let tiny = number != 0.0 && number.abs() < 1e-100;
                let tolerance = if tiny { 1e-6 } else { 1e-9 };
                self.tally.near(|| place.path(), (number, found), tolerance);
            }
            (number, found) => {
                let agrees = recorded.is_null() && found.is_none_or(f64::is_nan);
                let texts = || (format!("{number:?}"), format!("{found:?}"));
                self.tally.agree(|| place.path(), agrees, texts);
            }
        }
    }

    /// Numbers in a row.
    fn numbers(&mut self, place: Place<'_>, recorded: &Value, found: &[f64]) {
        let Some(numbers) = recorded.as_array() else {
            return self.unknown(place, recorded);
        };
        let lengths = (numbers.len(), found.len());
        let texts = || (lengths.0.to_string(), lengths.1.to_string());
        self.tally
            .agree(|| place.path(), lengths.0 == lengths.1, texts);
        for (number, found) in numbers.iter().zip(found) {
            self.number(place, number, Some(*found));
        }
    }

    /// Precision, recall and F1.
    fn shares(&mut self, place: Place<'_>, recorded: &Value, found: PrecisionRecall) {
        let found = [found.precision, found.recall, found.f1];
        self.numbers(place, recorded, &found);
    }

    /// Whatever is recorded and not compared is a difference.
    fn unknown(&mut self, place: Place<'_>, recorded: &Value) {
        let texts = || (recorded.to_string(), "nothing that compares it".to_owned());
        self.tally.agree(|| place.path(), false, texts);
    }

    /// What is recorded by name, such as by tokenisation.
    fn each(
        &mut self,
        place: Place<'_>,
        recorded: &Value,
        mut compare: impl FnMut(&mut Self, Place<'_>, &Value),
    ) {
        match recorded.as_object() {
            Some(named) => {
                for (key, recorded) in named {
                    compare(self, place.at(key), recorded);
                }
            }
            None => self.unknown(place, recorded),
        }
    }

    /// What is recorded by tokenisation. Values of a tokenisation that may be left out of the program are
    /// compared only if it is there, and count as optional.
    fn tokenised(
        &mut self,
        place: Place<'_>,
        recorded: &Value,
        mut compare: impl FnMut(&mut Comparison<'_>, Place<'_>, &Value, Tokenisation),
    ) {
        self.each(place, recorded, |comparison, place, recorded| {
            // Corpus values of Distinct name the order behind the tokenisation.
            let name = place.key.split("_d").next().unwrap_or_default();
            match (name, name.parse()) {
                ("jieba", Ok(tokenisation)) => comparison.optionally(|comparison| {
                    compare(comparison, place, recorded, tokenisation);
                }),
                ("jieba", Err(_)) => {}
                (_, Ok(tokenisation)) => compare(comparison, place, recorded, tokenisation),
                (_, Err(_)) => comparison.unknown(place, recorded),
            }
        });
    }

    /// Counts what is compared within as optional.
    fn optionally(&mut self, compare: impl FnOnce(&mut Comparison<'_>)) {
        let mut apart = Tally::default();
        compare(&mut Comparison { tally: &mut apart });
        for index in 0..apart.checked {
            self.tally.optionally(index >= apart.differing);
        }
    }
}
