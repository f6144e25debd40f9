//! `rolecall data retriever-pairs`: what a dense retriever is fine-tuned with (TPE section B.2, Table 10):
//! the dialogue so far, a text of a source that the recorded response uses, and texts that it does not.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::unfinished::Unfinished;
use crate::cli::output;
use crate::domain::Seed;
use crate::environments::dialogue::tasks::BUILTIN;
use crate::environments::dialogue::{Options, References, Sample, builtin_samples, load};
use crate::text::counted;
use crate::text::dialogue::{Source, compose_query};
use crate::text::mt19937::PythonRandom;

/// The arguments of `data retriever-pairs`.
#[derive(Args, Debug)]
pub(super) struct RetrieverPairsArguments {
    /// The environment: dialogue
    #[arg(value_name = "ENVIRONMENT")]
    environment: String,
    /// An official file of FoCus, a folder of one, or builtin
    #[arg(long, value_name = "FILE", default_value = BUILTIN)]
    data: PathBuf,
    /// The file to which the pairs go, one in a line, as JSON: {"query": "...", "positive": "...",
    /// "negatives": ["..."], "source": "PERSONA"}
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The seed that the negatives are drawn with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// The most unrelated texts beside each positive one
    #[arg(long, value_name = "N", default_value_t = 4)]
    negatives: usize,
}

/// A line of the file.
#[derive(Debug, PartialEq, Serialize)]
struct Pair<'a> {
    /// The utterances so far, without who said them.
    query: &'a str,
    /// A text that the recorded response uses.
    positive: &'a str,
    /// Texts of the same source that it does not use.
    negatives: Vec<&'a str>,
    /// Where the texts are from.
    source: &'static str,
}

/// Writes the pairs beside their place and moves them there when all are written.
pub(super) fn execute(arguments: &RetrieverPairsArguments) -> anyhow::Result<ExitCode> {
    let environment = &arguments.environment;
    if environment != "dialogue" {
        bail!("there are no sources to retrieve from in `{environment}`; allowed is `dialogue`");
    }
    let place = &arguments.out;
    let name = place.file_name().context("--out must name a file")?;
    let samples = samples(&arguments.data)?;
    let beside = place.with_file_name(format!(".{}.unfinished", name.to_string_lossy()));
    let unfinished = Unfinished::make(beside, slice::from_ref(place))?;
    let file = unfinished.path().join("pairs");
    let written = write(arguments, &samples, &file);
    let written = written.with_context(|| format!("`{}` cannot be written", place.display()))?;
    fs::rename(&file, place).with_context(|| format!("`{}` cannot be made", place.display()))?;
    drop(unfinished);
    let used = Source::ALL.into_iter().zip(written);
    let used: Vec<String> = used
        .map(|(source, pairs)| format!("{pairs} of {}", source.name()))
        .collect();
    let told = format!(
        "{}: {} ({})\n",
        output::harmless(&place.display().to_string()),
        counted(written.iter().sum::<usize>() as u64, "pair", "pairs"),
        used.join(", "),
    );
    output::emit(&told)?;
    Ok(ExitCode::SUCCESS)
}

/// The samples whose used texts are known.
fn samples(data: &Path) -> anyhow::Result<Vec<Sample>> {
    let mut samples = if data == Path::new(BUILTIN) {
        builtin_samples(References::First)
    } else {
        // A folder with one folder for each data set, as the environment takes it.
        let own = Some(data.join("focus")).filter(|own| own.is_dir());
        let options = Options {
            references: References::First,
            ..Options::default()
        };
        load(own.as_deref().unwrap_or(data), &options)?
    };
    samples.retain(|sample| sample.gold.values().any(|used| !used.is_empty()));
    if samples.is_empty() {
        bail!(
            "`{}` has no sample of which is known which texts its response uses; pairs are made of \
             FoCus, whose files say it",
            data.display()
        );
    }
    Ok(samples)
}

/// Writes the pairs of all samples; tells how many there are of each source.
fn write(
    arguments: &RetrieverPairsArguments,
    samples: &[Sample],
    file: &Path,
) -> anyhow::Result<[usize; Source::ALL.len()]> {
    let mut writer = BufWriter::new(File::create_new(file)?);
    let mut written = [0; Source::ALL.len()];
    for sample in samples {
        let query = compose_query("", &sample.utterances(), "");
        let draw = Seed(u64::from(arguments.seed)).labelled("retriever pairs", &sample.id, 0);
        let mut random = PythonRandom::new(draw.0);
        for (source, count) in Source::ALL.into_iter().zip(&mut written) {
            for pair in pairs(sample, source, &query, arguments.negatives, &mut random) {
                serde_json::to_writer(&mut writer, &pair)?;
                writer.write_all(b"\n")?;
                *count += 1;
            }
        }
    }
    writer.flush()?;
    Ok(written)
}

/// A pair for each text of the source that the response uses.
fn pairs<'a>(
    sample: &'a Sample,
    source: Source,
    query: &'a str,
    negatives: usize,
    random: &mut PythonRandom,
) -> Vec<Pair<'a>> {
    let texts = sample.sources.get(&source).map_or(&[][..], Vec::as_slice);
    let used = sample.gold.get(&source).map_or(&[][..], Vec::as_slice);
    let used: Vec<&str> = used
        .iter()
        .filter_map(|place| texts.get(*place))
        .map(String::as_str)
        .collect();
    let mut unrelated: Vec<&str> = Vec::new();
    for text in texts.iter().map(String::as_str) {
        // Some files hold a text twice.
        if !text.trim().is_empty() && !used.contains(&text) && !unrelated.contains(&text) {
            unrelated.push(text);
        }
    }
    let pair = |positive| Pair {
        query,
        positive,
        negatives: random.sample(&unrelated, negatives.min(unrelated.len())),
        source: source.name(),
    };
    used.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_used_is_never_unrelated() {
        let samples = samples(Path::new(BUILTIN)).unwrap();
        for sample in &samples {
            let mut doubled = sample.clone();
            for (source, texts) in &mut doubled.sources {
                // Every used text once more, in a place that nothing uses.
                let used = sample.gold.get(source).into_iter().flatten();
                let again: Vec<String> = used.map(|place| texts[*place].clone()).collect();
                texts.extend(again);
            }
            for source in Source::ALL {
                let mut random = PythonRandom::new(1);
                let found = pairs(&doubled, source, "q", 99, &mut random);
                let used = sample.gold.get(&source).map_or(0, Vec::len);
                assert_eq!(found.len(), used, "{}", sample.id);
                let positives: Vec<&str> = found.iter().map(|pair| pair.positive).collect();
                for pair in &found {
                    assert!(!pair.negatives.is_empty());
                    assert!(pair.negatives.iter().all(|text| !positives.contains(text)));
                }
            }
        }
    }
}
