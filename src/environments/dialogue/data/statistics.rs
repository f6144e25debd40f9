//! `rolecall data statistics dialogue`: how much there is in samples of dialogue (TPE Table 4).

use std::collections::BTreeSet;
use std::path::Path;

use crate::environments::dialogue::language::Dataset;
use crate::environments::dialogue::tasks::BUILTIN;
use crate::environments::dialogue::{Options, References, Sample, builtin_samples, load};
use crate::ports::{Parameter, Parameters};
use crate::reports::{Align, Table};
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "statistics",
    summary: "Print how much there is in samples of dialogue",
    parameters: &[Parameter::path(
        "data",
        None,
        &[BUILTIN],
        "A file of dialogues, or builtin",
    )],
    examples: EXAMPLES,
    run,
};

const EXAMPLES: &str = "\
  rolecall data statistics dialogue --data valid_focus.json
      Print how many samples of dialogue there are, and how long and how rich in strategies (TPE Table 4).";

/// What is counted of a sample.
struct Counted {
    /// Sources or strategies that there are.
    there: usize,
    /// Those that each response uses.
    used: Vec<usize>,
    /// Letters of each response.
    letters: Vec<usize>,
    utterances: usize,
}

impl Counted {
    fn of(sample: &Sample) -> Self {
        let labels = sample.strategies.iter();
        let labels = labels.map(|own| own.iter().collect::<BTreeSet<_>>().len());
        let sources = sample.gold.values().filter(|gold| !gold.is_empty());
        Self {
            there: sample.dataset.tools().len(),
            used: match sample.dataset.has_sources() {
                true => vec![sources.count()],
                false => labels.collect(),
            },
            letters: sample
                .references
                .iter()
                .map(|text| text.chars().count())
                .collect(),
            utterances: sample.dialogue.len(),
        }
    }
}

/// A column for each data set of a file, or of the built-in samples.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let options = Options {
        references: References::All,
        ..Options::default()
    };
    let samples = if data == Path::new(BUILTIN) {
        builtin_samples(options.references)
    } else {
        load(data, &options)?
    };
    let datasets = Dataset::ALL.into_iter();
    let columns: Vec<(Dataset, Vec<Counted>)> = datasets
        .map(|dataset| {
            let own = samples.iter().filter(|sample| sample.dataset == dataset);
            (dataset, own.map(Counted::of).collect())
        })
        .filter(|(_, counted): &(Dataset, Vec<Counted>)| !counted.is_empty())
        .collect();
    let mut table = Table::new("Samples (mean, least to most)").key("");
    for (dataset, _) in &columns {
        table = table.column(dataset.name(), Align::Right);
    }
    let mut row = |head: &str, shown: &dyn Fn(&[Counted]) -> String| {
        let cells = columns.iter().map(|(_, counted)| shown(counted));
        table.row(std::iter::once(head.to_owned()).chain(cells).collect());
    };
    let first = |numbers: &[usize]| numbers.first().copied();
    row("samples", &|all| all.len().to_string());
    row("responses", &|all| {
        let all = all.iter();
        all.map(|one| one.letters.len()).sum::<usize>().to_string()
    });
    row("sources or strategies that there are", &|all| {
        spread(all.iter().map(|one| one.there))
    });
    row("used by the first response", &|all| {
        spread(all.iter().filter_map(|one| first(&one.used)))
    });
    row("used by a response, of all", &|all| {
        spread(all.iter().flat_map(|one| one.used.iter().copied()))
    });
    row("letters of the first response", &|all| {
        spread(all.iter().filter_map(|one| first(&one.letters)))
    });
    row("letters of a response, of all", &|all| {
        spread(all.iter().flat_map(|one| one.letters.iter().copied()))
    });
    row("utterances before them", &|all| {
        spread(all.iter().map(|one| one.utterances))
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
