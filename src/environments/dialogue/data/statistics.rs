//! `rolecall data statistics dialogue`: counts and lengths of samples of dialogue (TPE Table 4).

use std::path::Path;

use serde_json::{Value, json};

use crate::load::{BUILTIN, load_or_builtin};
use crate::{Options, Sample};
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::reports::{Align, Table};
use rolecall_core::text::unique;
use rolecall_core::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "statistics",
    summary: "Print how much there is in samples of dialogue",
    parameters: &[
        Parameter::path("data", None, &[BUILTIN], "A file of dialogues, official or of your own, or builtin"),
        Parameter::flag("json", false, "Print the figures as JSON"),
    ],
    examples: EXAMPLES,
    run,
};

const EXAMPLES: &str = "\
  rolecall data statistics dialogue --data valid_focus.json
      Print how many samples of dialogue there are, and how long and how rich in strategies (TPE Table 4).";

/// The number of sources or strategies that each response uses.
fn used(sample: &Sample) -> Vec<usize> {
    if sample.dataset.has_sources() {
        return vec![sample.gold.values().filter(|gold| !gold.is_empty()).count()];
    }
    let count = |labels: &Vec<_>| unique(labels.iter()).len();
    sample.strategies.iter().map(count).collect()
}

/// The letters of each response.
fn letters(sample: &Sample) -> Vec<usize> {
    let count = |text: &String| text.chars().count();
    sample.references.iter().map(count).collect()
}

/// A column for each data set of a file, or of the built-in samples. Reading the file checks every record of it.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let samples = load_or_builtin(data, None, &Options::default())?;
    let datasets = unique(samples.iter().map(|sample| sample.dataset));
    let shown: Vec<Vec<&Sample>> = datasets
        .into_iter()
        .map(|dataset| {
            let samples = samples.iter().map(|sample| &**sample);
            samples.filter(|sample| sample.dataset == dataset).collect::<Vec<&Sample>>()
        })
        .collect();
    if parameters.flag("json") {
        let by_data_set = shown.iter().filter_map(|samples| {
            let name = samples.first()?.dataset.name().to_owned();
            let figures = FIGURES.iter().map(|(head, figure)| ((*head).to_owned(), figure(samples).json()));
            Some((name, Value::Object(figures.collect())))
        });
        return Ok(format!("{:#}\n", Value::Object(by_data_set.collect())));
    }
    let mut table = Table::new("Samples (mean, least to most)").key("");
    for sample in shown.iter().filter_map(|samples| samples.first()) {
        table = table.column(sample.dataset.name(), Align::Right);
    }
    for (head, figure) in FIGURES {
        let cells = shown.iter().map(|samples| figure(samples).text());
        table.row(std::iter::once((*head).to_owned()).chain(cells).collect());
    }
    Ok(table.text(&desk.layout()))
}

/// The rows: what each is about, and its figure of the samples of a data set.
type Row = (&'static str, fn(&[&Sample]) -> Figure);

const FIGURES: &[Row] = &[
    ("samples", |all| Figure::Count(all.len())),
    ("responses", |all| Figure::Count(all.iter().map(|one| one.references.len()).sum())),
    ("sources or strategies that there are", |all| spread(all.iter().map(|one| one.dataset.tools().len()))),
    ("used by the first response", |all| spread(all.iter().filter_map(|one| used(one).first().copied()))),
    ("used by a response, of all", |all| spread(all.iter().flat_map(|one| used(one)))),
    ("letters of the first response", |all| spread(all.iter().filter_map(|one| letters(one).first().copied()))),
    ("letters of a response, of all", |all| spread(all.iter().flat_map(|one| letters(one)))),
    ("utterances before them", |all| spread(all.iter().map(|one| one.dialogue.len()))),
];

/// A figure of a data set.
enum Figure {
    Count(usize),
    /// Mean, least and most.
    Spread(f64, usize, usize),
}

impl Figure {
    fn text(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Spread(mean, least, most) => format!("{mean:.2} ({least} to {most})"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Count(count) => json!(count),
            Self::Spread(mean, least, most) => json!({"mean": mean, "least": least, "most": most}),
        }
    }
}

fn spread(numbers: impl Iterator<Item = usize>) -> Figure {
    let numbers: Vec<usize> = numbers.collect();
    let sum: usize = numbers.iter().sum();
    let least = numbers.iter().min().copied().unwrap_or_default();
    let most = numbers.iter().max().copied().unwrap_or_default();
    Figure::Spread(sum as f64 / numbers.len().max(1) as f64, least, most)
}
