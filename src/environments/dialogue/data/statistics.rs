//! `rolecall data statistics dialogue`: counts and lengths of samples of dialogue (TPE Table 4).

use std::path::Path;

use crate::environments::dialogue::load::{BUILTIN, load_or_builtin};
use crate::environments::dialogue::{Options, Sample};
use crate::ports::{Parameter, Parameters};
use crate::reports::{Align, Table};
use crate::text::unique;
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "statistics",
    summary: "Print how much there is in samples of dialogue",
    parameters: &[Parameter::path(
        "data",
        None,
        &[BUILTIN],
        "A file of dialogues, official or of your own, or builtin",
    )],
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
    let columns = datasets.into_iter().map(|dataset| {
        let own = samples.iter().filter(|own| own.dataset == dataset);
        own.map(|own| &**own).collect::<Vec<&Sample>>()
    });
    let columns: Vec<Vec<&Sample>> = columns.collect();
    let mut table = Table::new("Samples (mean, least to most)").key("");
    for sample in columns.iter().filter_map(|own| own.first()) {
        table = table.column(sample.dataset.name(), Align::Right);
    }
    let mut row = |head: &str, shown: &dyn Fn(&[&Sample]) -> String| {
        let cells = columns.iter().map(|own| shown(own));
        table.row(std::iter::once(head.to_owned()).chain(cells).collect());
    };
    let first = |numbers: Vec<usize>| numbers.into_iter().next();
    row("samples", &|all| all.len().to_string());
    row("responses", &|all| {
        let responses: usize = all.iter().map(|one| one.references.len()).sum();
        responses.to_string()
    });
    row("sources or strategies that there are", &|all| {
        spread(all.iter().map(|one| one.dataset.tools().len()))
    });
    row("used by the first response", &|all| {
        spread(all.iter().filter_map(|one| first(used(one))))
    });
    row("used by a response, of all", &|all| {
        spread(all.iter().flat_map(|one| used(one)))
    });
    row("letters of the first response", &|all| {
        spread(all.iter().filter_map(|one| first(letters(one))))
    });
    row("letters of a response, of all", &|all| {
        spread(all.iter().flat_map(|one| letters(one)))
    });
    row("utterances before them", &|all| {
        spread(all.iter().map(|one| one.dialogue.len()))
    });
    Ok(table.text(&desk.layout()))
}

fn spread(numbers: impl Iterator<Item = usize>) -> String {
    let numbers: Vec<usize> = numbers.collect();
    let sum: usize = numbers.iter().sum();
    let least = numbers.iter().min().copied().unwrap_or_default();
    let most = numbers.iter().max().copied().unwrap_or_default();
    let mean = sum as f64 / numbers.len().max(1) as f64;
    format!("{mean:.2} ({least} to {most})")
}
