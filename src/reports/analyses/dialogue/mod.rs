//! Dialogue tasks: responses, strategies and retrieval as tables (TPE Tables 1, 2 and 11, Figures 4 and 6).

mod json;

use super::super::figures::{NONE, percent};
use super::super::{Align, Table};
use super::bars::bar;
use super::{Analyses, Shares};
use crate::evaluation::Overlap;
use crate::evaluation::analyses::{Dialogues, Row, Strategies};

pub(super) use json::{responses_object, retrieval_object, strategies_object};

/// Combinations that are named; the others are one slice.
pub(super) const MOST_COMBINATIONS: usize = 6;
/// What stands for combinations that are not named.
pub(super) const REST: &str = "rest";
/// What stands for an empty combination.
const NOTHING: &str = "(none)";
/// The data set of which an own script is published.
const FOCUS: &str = "focus";
/// How many samples TPE played of each data set; its counts are over these.
pub(super) const PAPER_SAMPLES: f64 = 200.0;

/// Each row with each data set that it played, in the order of rows.
fn played(analyses: &Analyses) -> impl Iterator<Item = (&Row, &str, &Dialogues)> {
    analyses.rows.iter().flat_map(|row| {
        let all = row.dialogues.iter();
        all.map(move |(dataset, dialogues)| (row, dataset.as_str(), dialogues))
    })
}

fn table(title: &str, keys: &[&str], columns: &[&str]) -> Table {
    let table = keys
        .iter()
        .fold(Table::new(title), |table, key| table.key(key));
    let columns = columns.iter();
    columns.fold(table, |table, head| table.column(head, Align::Right))
}

fn hundred(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{:.2}", value * 100.0))
}

/// Responses beside their references.
pub(super) fn responses(analyses: &Analyses) -> Vec<Table> {
    let keys = ["cell", "data set"];
    let heads: Vec<&str> = std::iter::once("n")
        .chain(Overlap::ALL.map(Overlap::label))
        .collect();
    let mut means = table("Responses: means per response (x 100)", &keys, &heads);
    let title = "Responses: all of a cell together (x 100)";
    let mut pooled = table(title, &keys, &heads);
    let title = "Responses: the three figures of FoCus's own script (x 100)";
    let script = ["n", "its BLEU", "its F1", "its ROUGE-L"];
    let mut focus = table(title, &keys, &script);
    for (row, dataset, dialogues) in played(analyses) {
        let corpus = &dialogues.corpus;
        let head = || {
            let n = corpus.responses().to_string();
            vec![analyses.name(row), dataset.to_owned(), n]
        };
        let line = |value: &dyn Fn(Overlap) -> Option<f64>| {
            let values = Overlap::ALL.iter().map(|overlap| hundred(value(*overlap)));
            head().into_iter().chain(values).collect()
        };
        means.row(line(&|overlap| corpus.mean(overlap)));
        pooled.row(line(&|overlap| corpus.pooled(overlap)));
        if let Some(script) = corpus.focus_script().filter(|_| dataset == FOCUS) {
            let values = script.map(|value| hundred(Some(value)));
            focus.row(head().into_iter().chain(values).collect());
        }
    }
    vec![means, pooled, focus, signatures(analyses)]
}

/// How each figure of each data set is computed; a data set whose cells differ in their references has
/// several lines.
fn signatures(analyses: &Analyses) -> Table {
    let mut table = Table::new("Responses: how the figures are computed")
        .key("data set")
        .key("figure")
        .column("signature", Align::Left);
    let mut lines: Vec<[String; 3]> = Vec::new();
    for (_, dataset, dialogues) in played(analyses) {
        let corpus = &dialogues.corpus;
        let mut add = |figure: String, signature: String| {
            let line = [dataset.to_owned(), figure, signature];
            if !lines.contains(&line) {
                lines.push(line);
            }
        };
        for overlap in Overlap::ALL {
            let (own, pooled) = (corpus.signature(overlap), corpus.pooled_signature(overlap));
            if pooled != own {
                add(format!("{}, all together", overlap.label()), pooled);
            }
            add(overlap.label().to_owned(), own);
        }
        if dataset == FOCUS {
            let names = ["its BLEU", "its F1", "its ROUGE-L"];
            for (name, signature) in names.into_iter().zip(corpus.focus_signatures()) {
                add(name.to_owned(), format!("{signature}|over:mean"));
            }
        }
    }
    lines.sort_by(|one, other| one[0].cmp(&other[0]));
    lines.into_iter().for_each(|line| table.row(line.to_vec()));
    table
}

/// What responses are made of, by the name under which it is shown: the annotated references, once where
/// all cells have the same, and the plans of each cell.
fn strategy_rows(analyses: &Analyses) -> Vec<(String, &Strategies)> {
    let mut rows: Vec<(String, &Strategies)> = Vec::new();
    let mut datasets: Vec<&str> = played(analyses).map(|(_, dataset, _)| dataset).collect();
    datasets.sort_unstable();
    datasets.dedup();
    let several = datasets.len() > 1;
    for dataset in datasets {
        let own = || played(analyses).filter(move |(_, other, _)| *other == dataset);
        let suffix = match several {
            true => format!(", {dataset}"),
            false => String::new(),
        };
        let annotated = |dialogues: &Dialogues| dialogues.annotated.responses() > 0;
        let mut known = own().filter(|(_, _, dialogues)| annotated(dialogues));
        if let Some((_, _, first)) = known.next() {
            if known.all(|(_, _, other)| other.annotated == first.annotated) {
                rows.push((format!("annotated{suffix}"), &first.annotated));
            } else {
                for (row, _, dialogues) in own().filter(|(_, _, own)| annotated(own)) {
                    let name = format!("annotated for {}{suffix}", analyses.name(row));
                    rows.push((name, &dialogues.annotated));
                }
            }
        }
        for (row, _, dialogues) in own() {
            if dialogues.planned.responses() > 0 {
                rows.push((
                    format!("{}{suffix}", analyses.name(row)),
                    &dialogues.planned,
                ));
            }
        }
    }
    rows
}

/// A combination as it is shown.
pub(super) fn shown(combination: Option<&str>) -> &str {
    match combination {
        None => REST,
        Some("") => NOTHING,
        Some(name) => name,
    }
}

/// The combinations of each row; those beyond its most frequent ones are its rest.
pub(in super::super) fn combinations(analyses: &Analyses) -> Shares {
    let rows = strategy_rows(analyses);
    let mut labels: Vec<String> = Vec::new();
    let mut counts: Vec<Vec<(usize, u64)>> = Vec::new();
    for (_, strategies) in &rows {
        let slices = strategies.distribution(MOST_COMBINATIONS);
        let places = slices.iter().map(|slice| {
            let label = shown(slice.combination);
            let place = labels.iter().position(|own| own == label);
            let place = place.unwrap_or_else(|| {
                labels.push(label.to_owned());
                labels.len() - 1
            });
            (place, slice.count)
        });
        counts.push(places.collect());
    }
    let spread = |own: &Vec<(usize, u64)>| {
        let count = |place: usize| {
            let mut own = own.iter();
            own.find(|(other, _)| *other == place)
                .map_or(0, |(_, count)| *count)
        };
        (0..labels.len()).map(count).collect::<Vec<u64>>()
    };
    let names = rows.into_iter().map(|(name, _)| name);
    Shares {
        title: "Combinations of strategies",
        unit: "strategies",
        rows: names.zip(counts.iter().map(spread)).collect(),
        labels,
    }
}

/// What responses are made of.
pub(super) fn strategies(analyses: &Analyses) -> Vec<Table> {
    let rows = strategy_rows(analyses);
    let mut distribution = table(
        "Combinations of strategies, the most frequent ones and the rest",
        &["cell", "strategies"],
        &["n", "%"],
    )
    .column("", Align::Left);
    let mut single = table(
        "Responses with a strategy",
        &["cell", "strategy"],
        &["n", "%"],
    )
    .column("", Align::Left);
    let heads = ["responses", "strategies each", "with several %"];
    let mut summary = table("Strategies of a response", &["cell"], &heads);
    let keys = ["cell", "strategy", "next"];
    let mut transitions = table("What comes after a strategy", &keys, &["n"]);
    for (name, strategies) in &rows {
        let line = |label: &str, count: u64| {
            let share = strategies.share(count);
            let texts = [
                label.to_owned(),
                count.to_string(),
                percent(share),
                bar(share),
            ];
            std::iter::once(name.clone()).chain(texts).collect()
        };
        for slice in strategies.distribution(MOST_COMBINATIONS) {
            distribution.row(line(shown(slice.combination), slice.count));
        }
        for (label, count) in strategies.single() {
            single.row(line(label, count));
        }
        let length = strategies.mean_length();
        summary.row(vec![
            name.clone(),
            strategies.responses().to_string(),
            length.map_or_else(|| NONE.to_owned(), |length| format!("{length:.2}")),
            percent(strategies.share(strategies.several())),
        ]);
        for (one, next, count) in strategies.transitions() {
            let texts = [one, next].map(str::to_owned);
            let line = std::iter::once(name.clone()).chain(texts);
            transitions.row(line.chain([count.to_string()]).collect());
        }
    }
    vec![
        distribution,
        single,
        summary,
        agreement(analyses),
        transitions,
    ]
}

/// How often what was planned is what was annotated.
fn agreement(analyses: &Analyses) -> Table {
    let heads = ["samples", "the same strategies", "%"];
    let title = "Planned strategies that are those of a reference";
    let mut table = table(title, &["cell", "data set"], &heads);
    for (row, dataset, dialogues) in played(analyses) {
        let (samples, same) = dialogues.agreeing;
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

/// What retrieval found.
pub(super) fn retrieval(analyses: &Analyses) -> Vec<Table> {
    let keys = ["cell", "source", "first"];
    let heads = ["retrievals", "right", "% of retrievals", "of 200 samples"];
    let mut ranks = table("Retrieval: right texts among the first", &keys, &heads);
    let heads = ["samples with any", "right texts", "found", "%"];
    let title = "Retrieval: right texts that were found at all";
    let mut found = table(title, &["cell", "source"], &heads);
    for (row, _, dialogues) in played(analyses) {
        let retrievals = &dialogues.retrievals;
        let mut last = "";
        for depth in retrievals.depths() {
            let per = |n: usize, scale: f64| depth.correct as f64 / n.max(1) as f64 * scale;
            ranks.row(vec![
                analyses.name(row),
                depth.source.to_owned(),
                depth.most.to_string(),
                depth.retrievals.to_string(),
                depth.correct.to_string(),
                percent(per(depth.retrievals, 1.0)),
                format!("{:.1}", per(retrievals.samples(), PAPER_SAMPLES)),
            ]);
            if depth.source != last && depth.gold > 0 {
                found.row(vec![
                    analyses.name(row),
                    depth.source.to_owned(),
                    depth.samples.to_string(),
                    depth.gold.to_string(),
                    depth.found.to_string(),
                    percent(depth.found as f64 / depth.gold as f64),
                ]);
            }
            last = depth.source;
        }
    }
    vec![ranks, found]
}
