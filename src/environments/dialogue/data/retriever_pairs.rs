//! `rolecall data retriever-pairs`: pairs to fine-tune a dense retriever with (TPE section B.2, Table 10): the
//! dialogue so far, a text of a source that the recorded response uses, and texts that it does not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::language::{Dataset, Source, compose_query};
use crate::load::{BUILTIN, load_or_builtin};
use crate::{Options, References, Sample};
use rolecall_core::domain::Seed;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::{counted, harmless, joined, unique};
use rolecall_core::world::{DataTool, Desk, Unfinished};

pub(super) const TOOL: DataTool = DataTool {
    name: "retriever-pairs",
    summary: "Write what a dense retriever of dialogue is fine-tuned with: texts that responses use, and others",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "An official file of FoCus, a folder of one, own data with `uses`, or builtin";
    path("out", None, &[]),
        "The file to which the pairs go, one in a line, as JSON: {\"query\": \"...\", \
            \"positive\": \"...\", \"negatives\": [\"...\"], \"source\": \"PERSONA\"}";
    integer("seed", Some(1), 0..=u32::MAX as i64), "The seed that the negatives are drawn with";
    integer("negatives", Some(4), 0..=u32::MAX as i64),
        "The most unrelated texts beside each positive one";
];

const EXAMPLES: &str = "\
  rolecall data retriever-pairs dialogue --out pairs.jsonl
      Write the pairs of the built-in samples: a dialogue, a text that its response uses, and up to 4 that it
      does not.
  rolecall data retriever-pairs dialogue --data train_focus.json --negatives 8 --seed 2 --out pairs.jsonl
      Write those of an official file of FoCus (TPE Table 10), with up to 8 others, drawn with another seed.";

/// A line of the file.
#[derive(Debug, PartialEq, Serialize)]
struct Pair<'a> {
    /// The utterances so far, without their speakers.
    query: &'a str,
    /// A text that the recorded response uses.
    positive: &'a str,
    /// Texts of the same source that it does not use.
    negatives: Vec<&'a str>,
    /// The source of the texts.
    source: &'static str,
}

/// Writes the pairs beside the output file and moves them there when all are written.
fn run(parameters: &Parameters, _: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let samples = samples(parameters.path("data").unwrap_or(Path::new(BUILTIN)))?;
    let unwritten = || format!("`{}` cannot be written", out.display());
    let written = Unfinished::file(out, |file| write(parameters, &samples, file).with_context(unwritten))?;
    let used = joined(written.iter().map(|(source, pairs)| format!("{pairs} of {}", source.name())));
    let pairs = counted(written.values().sum::<usize>() as u64, "pair", "pairs");
    Ok(format!("{}: {pairs} ({used})\n", harmless(&out.display().to_string())))
}

/// The samples whose used texts are known.
fn samples(data: &Path) -> anyhow::Result<Vec<Arc<Sample>>> {
    let options = Options { references: References::First, ..Options::default() };
    let all = load_or_builtin(data, Some(Dataset::Focus), &options)?;
    let mut samples = Vec::clone(&all);
    samples.retain(|sample| sample.gold.values().any(|used| !used.is_empty()));
    if samples.is_empty() {
        bail!(
            "`{}` has no sample of which is known which texts its response uses; pairs are made of \
             FoCus, whose files say it, and of own data that do (`uses`)",
            data.display()
        );
    }
    Ok(samples)
}

/// Writes the pairs of all samples; tells how many there are of each source.
fn write(parameters: &Parameters, samples: &[Arc<Sample>], file: &Path) -> anyhow::Result<BTreeMap<Source, usize>> {
    let seed = parameters.whole("seed").unwrap_or(1_u32);
    let negatives = parameters.whole("negatives").unwrap_or(4);
    let mut writer = BufWriter::new(File::create_new(file)?);
    let mut written = BTreeMap::new();
    for sample in samples {
        let query = compose_query("", &sample.utterances(), "");
        let draw = Seed(u64::from(seed)).labelled("retriever pairs", &sample.id, 0);
        let mut random = PythonRandom::new(draw.0);
        for source in sample.dataset.sources() {
            let count = written.entry(source).or_default();
            for pair in pairs(sample, source, &query, negatives, &mut random) {
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
    let texts = sample.texts(source);
    let used: Vec<&str> =
        sample.gold.get(&source).into_iter().flatten().filter_map(|place| Some(texts.get(*place)?.as_str())).collect();
    // Some files hold a text twice.
    let is_unrelated = |text: &&str| !text.trim().is_empty() && !used.contains(text);
    let unrelated = unique(texts.iter().map(String::as_str).filter(is_unrelated));
    let pair = |positive| Pair {
        query,
        positive,
        negatives: random.sample(&unrelated, negatives.min(unrelated.len())),
        source: source.name(),
    };
    used.iter().copied().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_used_is_never_unrelated() {
        let samples = samples(Path::new(BUILTIN)).unwrap();
        for sample in &samples {
            let mut doubled = Sample::clone(sample);
            for (source, texts) in &mut doubled.sources {
                // Every used text once more, in a place that nothing uses.
                let used = sample.gold.get(source).into_iter().flatten();
                let again: Vec<String> = used.map(|place| texts[*place].clone()).collect();
                texts.extend(again);
            }
            for source in Dataset::Focus.sources() {
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
