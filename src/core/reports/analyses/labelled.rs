//! The tables, the chart and the value of a part that a world brings and that is a count of labelled utterances.

use serde_json::{Value, json};

use super::super::{Table, percent};
use super::{Analyses, Shares, bar};
use crate::evaluation::analyses::{Labelled, Row};

/// A part of which each utterance is of one kind.
#[derive(Clone, Copy, Debug)]
pub struct LabelledPart<const N: usize> {
    /// The heading of the table.
    pub title: &'static str,
    /// The key of the counts in the value for programs.
    pub key: &'static str,
    /// The word for one kind.
    pub unit: &'static str,
    /// The kinds, in their order.
    pub labels: [&'static str; N],
    /// The counts of a row.
    pub of: fn(&Row) -> Option<&Labelled<N>>,
}

impl<const N: usize> LabelledPart<N> {
    /// The counts of a row that has any utterances.
    fn counted<'a>(&self, row: &'a Row) -> Option<&'a Labelled<N>> {
        (self.of)(row).filter(|counts| counts.all > 0)
    }

    /// The rows that have any utterances, each with its counts.
    fn rows<'a>(&self, analyses: &'a Analyses) -> impl Iterator<Item = (&'a Row, &'a Labelled<N>)> {
        analyses.rows.iter().filter_map(|row| Some((row, self.counted(row)?)))
    }

    /// The table of kinds: a line for each row and each kind that occurs.
    pub fn tables(&self, analyses: &Analyses) -> Vec<Table> {
        let mut table =
            Table::new(self.title).keys_of(["cell", "user", self.unit]).numbers(["utterances", "%"]).texts(["by", ""]);
        for (row, labelled) in self.rows(analyses) {
            let (all, counts) = labelled.counts();
            let counts = self.labels.into_iter().zip(counts);
            for (label, count) in counts.filter(|(_, count)| *count > 0) {
                let share = count as f64 / all.max(1) as f64;
                let mut texts = analyses.keys(row);
                texts.extend([label.to_owned(), count.to_string(), percent(share)]);
                texts.extend([labelled.source().to_owned(), bar(share)]);
                table.row(texts);
            }
        }
        vec![table]
    }

    /// The kinds of each row as parts of a bar.
    pub fn shares(&self, analyses: &Analyses) -> Shares {
        let rows = self.rows(analyses).map(|(row, labelled)| {
            let counts = labelled.counts().1.map(|count| count as u64);
            (analyses.name(row), counts.to_vec())
        });
        Shares {
            title: self.title,
            unit: self.unit,
            labels: self.labels.map(str::to_owned).into(),
            rows: rows.collect(),
        }
    }

    /// The `utterances` of a row, those `labelled`, and how many there are of each kind; null without any.
    pub fn object(&self, row: &Row) -> Value {
        self.counted(row).map_or(Value::Null, |labelled| {
            let counts = self.labels.iter().zip(labelled.counts().1);
            let counts: Value = counts.map(|(label, count)| (*label, json!(count))).collect();
            json!({ "utterances": labelled.all, "labelled": labelled.labelled, (self.key): counts })
        })
    }
}
