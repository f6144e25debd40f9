//! Planned strategies, and those of people (TPE Figures 4 and 6).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Collected, Slice, Strategies, by_dataset, played, table};
use crate::Answered;
use rolecall_core::evaluation::analyses::Row;
use rolecall_core::reports::analyses::{Analyses, Shares, bar};
use rolecall_core::reports::{Align, NONE, Table, percent};
use rolecall_core::text::unique;

/// Number of combinations that are named; the others are one slice.
const MOST_COMBINATIONS: usize = 6;
/// The name of all combinations that are not named.
const REST: &str = "rest";
/// The name of an empty combination.
const NOTHING: &str = "(none)";

/// The strategies of responses to the samples of a data set.
#[derive(Debug, Default)]
pub(super) struct Planned {
    planned: Strategies,
    /// Strategies that people saw in the references, one entry for each annotated reference.
    annotated: Strategies,
    /// Samples whose plans can be compared with annotations, and those of them that agree.
    agreeing: (usize, usize),
}

impl Collected for Planned {
    fn new(_language: &str) -> Self {
        Self::default()
    }

    fn add(&mut self, answered: &Answered) {
        if let Some(planned) = &answered.response.planned {
            self.planned.add(planned);
        }
        for labels in answered.annotations() {
            self.annotated.add(labels);
        }
        if let Some(agrees) = answered.is_planned_as_annotated() {
            self.agreeing.0 += 1;
            self.agreeing.1 += usize::from(agrees);
        }
    }
}

/// The strategies of responses, by the name under which they are shown: the annotated references, once where
/// all cells have the same, and the plans of each cell.
fn strategy_rows(analyses: &Analyses) -> Vec<(String, &Strategies)> {
    let mut rows: Vec<(String, &Strategies)> = Vec::new();
    let datasets: BTreeSet<&str> = played::<Planned>(analyses).map(|(_, dataset, _)| dataset).collect();
    for dataset in &datasets {
        let all = || played::<Planned>(analyses).filter(move |(_, other, _)| other == dataset);
        let suffix = match datasets.len() {
            1 => String::new(),
            _ => format!(", {dataset}"),
        };
        let annotated: Vec<_> = all()
            .map(|(row, _, tally)| (row, &tally.annotated))
            .filter(|(_, strategies)| strategies.responses > 0)
            .collect();
        match annotated.as_slice() {
            [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => {
                rows.push((format!("annotated{suffix}"), *first));
            }
            differing => rows.extend(
                differing
                    .iter()
                    .map(|(row, strategies)| (format!("annotated for {}{suffix}", analyses.name(row)), *strategies)),
            ),
        }
        let planned = all().filter(|(_, _, tally)| tally.planned.responses > 0);
        rows.extend(planned.map(|(row, _, tally)| (format!("{}{suffix}", analyses.name(row)), &tally.planned)));
    }
    rows
}

/// A combination as it is shown.
fn shown(combination: Option<&str>) -> &str {
    match combination {
        None => REST,
        Some("") => NOTHING,
        Some(name) => name,
    }
}

/// The combinations of each row; those beyond its most frequent ones are its rest.
pub(super) fn combinations(analyses: &Analyses) -> Shares {
    let rows = strategy_rows(analyses);
    let slices: Vec<Vec<Slice<'_>>> =
        rows.iter().map(|(_, strategies)| strategies.distribution(MOST_COMBINATIONS)).collect();
    let labels = slices.iter().flatten();
    let labels = unique(labels.map(|(combination, _)| shown(*combination)));
    let counts = slices.iter().map(|slice| {
        let count = |label: &&str| slice.iter().find(|(name, _)| shown(*name) == *label).map_or(0, |(_, count)| *count);
        labels.iter().map(count).collect()
    });
    let names = rows.iter().map(|(name, _)| name.clone());
    Shares {
        title: "Combinations of strategies",
        unit: "strategies",
        rows: names.zip(counts).collect(),
        labels: labels.iter().map(ToString::to_string).collect(),
    }
}

/// The tables of strategies.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let rows = strategy_rows(analyses);
    let title = "Combinations of strategies, the most frequent ones and the rest";
    let mut distribution = table(title, &["cell", "strategies"], &["n", "%"]).column("", Align::Left);
    let mut single = table("Responses with a strategy", &["cell", "strategy"], &["n", "%"]).column("", Align::Left);
    let heads = ["responses", "strategies each", "with several %"];
    let mut summary = table("Strategies of a response", &["cell"], &heads);
    let mut transitions = table("What comes after a strategy", &["cell", "strategy", "next"], &["n"]);
    for (name, strategies) in &rows {
        let line = |label: &str, count: u64| {
            let share = strategies.share(count);
            let (name, label) = (name.clone(), label.to_owned());
            vec![name, label, count.to_string(), percent(share), bar(share)]
        };
        for (combination, count) in strategies.distribution(MOST_COMBINATIONS) {
            distribution.row(line(shown(combination), count));
        }
        for (label, count) in strategies.single() {
            single.row(line(label, count));
        }
        let length = strategies.mean_length();
        summary.row(vec![
            name.clone(),
            strategies.responses.to_string(),
            length.map_or_else(|| NONE.to_owned(), |length| format!("{length:.2}")),
            percent(strategies.share(strategies.several)),
        ]);
        for (one, next, count) in strategies.transitions() {
            transitions.row([name, one, next].map(str::to_owned).into_iter().chain([count.to_string()]).collect());
        }
    }
    vec![distribution, single, summary, agreement(analyses), transitions]
}

/// The agreement of plans with annotations.
fn agreement(analyses: &Analyses) -> Table {
    let heads = ["samples", "the same strategies", "%"];
    let mut table = table("Planned strategies that are those of a reference", &["cell", "data set"], &heads);
    for (row, dataset, tally) in played::<Planned>(analyses) {
        let (samples, same) = tally.agreeing;
        if samples > 0 {
            table.row(vec![
                analyses.name(row),
                dataset.to_owned(),
                samples.to_string(),
                same.to_string(),
                percent(same as f64 / samples as f64),
            ]);
        }
    }
    table
}

/// By data set: `planned` and `annotated` strategies, the number of comparable `samples`, and of those whose plan has
/// the `same` strategies as an annotation.
pub(super) fn object(row: &Row) -> Value {
    by_dataset(row, |tally: &Planned| {
        let (samples, same) = tally.agreeing;
        json!({
            "planned": of(&tally.planned),
            "annotated": of(&tally.annotated),
            "samples": samples,
            "same": same,
        })
    })
}

fn of(strategies: &Strategies) -> Value {
    let counted = |count: u64| json!({"n": count, "share": strategies.share(count)});
    let slices = strategies.distribution(MOST_COMBINATIONS);
    let slices = slices.iter().map(|(combination, count)| {
        json!({
            "strategies": combination.unwrap_or(REST), "rest": combination.is_none(),
            "n": count, "share": strategies.share(*count),
        })
    });
    let single = strategies.single().map(|(name, count)| (name.to_owned(), counted(count)));
    let transition = |(one, next, count)| json!({"from": one, "to": next, "n": count});
    let transitions = strategies.transitions().map(transition);
    json!({
        "responses": strategies.responses,
        "combinations": slices.collect::<Vec<_>>(),
        "single": Value::Object(single.collect()),
        "several": counted(strategies.several),
        "mean_length": strategies.mean_length(),
        "transitions": transitions.collect::<Vec<_>>(),
    })
}
