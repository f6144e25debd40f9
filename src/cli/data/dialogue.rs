//! `rolecall data statistics dialogue`: how much there is in samples of dialogue (TPE Table 4).

use std::collections::BTreeSet;
use std::path::Path;

use crate::environments::dialogue::{Options, References, Sample, builtin_samples, load};
use crate::reports::{Align, Table};
use crate::text::dialogue::Dataset;

/// What is counted of a sample.
struct Counted {
    /// Sources or strategies that there are.
    there: usize,
    /// Those that the first reference uses.
    used: usize,
    /// Letters of the first reference.
    letters: usize,
    utterances: usize,
}

impl Counted {
    fn of(sample: &Sample) -> Self {
        let labels = sample.strategies.first().into_iter().flatten();
        let labels: BTreeSet<_> = labels.collect();
        let sources = sample.gold.values().filter(|gold| !gold.is_empty());
        Self {
            there: sample.dataset.tools().len(),
            used: match sample.dataset.has_sources() {
                true => sources.count(),
                false => labels.len(),
            },
            letters: sample
                .references
                .first()
                .map_or(0, |text| text.chars().count()),
            utterances: sample.dialogue.len(),
        }
    }
}

/// A column for each data set of a file, or of the built-in samples.
///
/// # Errors
/// When the file cannot be read or holds no samples.
pub(super) fn statistics(data: &Path, builtin: &str) -> anyhow::Result<Table> {
    let options = Options {
        references: References::All,
        ..Options::default()
    };
    let samples = if data == Path::new(builtin) {
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
    row("samples", &|all| all.len().to_string());
    row("sources or strategies", &|all| spread(all, |one| one.there));
    row("of the first response", &|all| spread(all, |one| one.used));
    row("its letters", &|all| spread(all, |one| one.letters));
    row("utterances before it", &|all| {
        spread(all, |one| one.utterances)
    });
    Ok(table)
}

fn spread(all: &[Counted], of: impl Fn(&Counted) -> usize) -> String {
    let sum: usize = all.iter().map(&of).sum();
    let least = all.iter().map(&of).min().unwrap_or_default();
    let most = all.iter().map(&of).max().unwrap_or_default();
    let mean = sum as f64 / all.len().max(1) as f64;
    format!("{mean:.2} ({least} to {most})")
}
