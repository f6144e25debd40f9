//! Speed of dialogue: the metrics of text, and retrieval by BM25.
//!
//! Figures are processor time, not time by the clock. The baseline of the metrics is the Python libraries
//! that they reproduce: when `ROLECALL_PYTHON` names an interpreter that has `nltk`, `sacrebleu` and
//! `rouge-score`, they are given the same pairs in the same run. With `ROLECALL_DATA` the pairs are
//! tutors' responses of CIMA, without it sentences of the same length.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test or bench may stop and tell")]

mod measure;

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use measure::repeated;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rolecall::text::bm25::{Bm25, Ties, Tokeniser};
use rolecall::text::overlap::{
    Bleu, BleuCounts, Chrf, Distinct, F1, Numbered, Order, Rouge, RougeKind, SacreBleu, Smoothing, Tokenisation,
};
use serde_json::{Value, json};

/// Pairs that are measured.
const PAIRS: usize = 10_000;

/// How many pairs the Python libraries are given.
const PAIRS_OF_PYTHON: usize = 1_000;

/// A response and its reference.
type Pair = (String, String);

/// Responses of tutors to the same words, in turn, from the official data.
fn official(root: &Path) -> Vec<Pair> {
    let file = root.join("dialogue/cima/dataset.json");
    let text = std::fs::read_to_string(file).expect("CIMA's file");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let contexts = data["prepDataset"].as_object().expect("contexts");
    let mut pairs = Vec::new();
    for context in contexts.values() {
        let responses = context["tutorResponses"].as_array().expect("responses");
        let texts = responses.iter().filter_map(Value::as_str);
        let texts: Vec<&str> = texts.collect();
        pairs.extend(texts.windows(2).map(|two| (two[0].into(), two[1].into())));
    }
    pairs
}

/// Sentences such as a tutor says, from a few words.
fn built_in() -> Vec<Pair> {
    const OPENINGS: [&str; 5] = ["Almost!", "Good try.", "Not quite,", "Yes,", "Well done:"];
    const NOUNS: [&str; 7] = ["albero", "cane", "gatto", "scatola", "borsa", "tavolo", "città"];
    const ENDINGS: [&str; 3] = [
        "Can you say the whole sentence now?",
        "Remember that the colour follows the noun.",
        "How would you say that it is behind the door?",
    ];
    let sentence = |index: usize| {
        let opening = OPENINGS[index % OPENINGS.len()];
        let noun = NOUNS[index % NOUNS.len()];
        let ending = ENDINGS[index / 2 % ENDINGS.len()];
        format!("{opening} the word for it is \"{noun}\". {ending}")
    };
    let pair = |index| (sentence(index), sentence(index * 3 + 1));
    (0..210).map(pair).collect()
}

fn pairs() -> Vec<Pair> {
    let few = match std::env::var_os("ROLECALL_DATA") {
        Some(root) => official(Path::new(&root)),
        None => built_in(),
    };
    few.iter().cycle().take(PAIRS).cloned().collect()
}

/// Average BLEU, sacreBLEU, chrF++, ROUGE-L of stems, F1, Distinct-1 and Distinct-2.
fn every_metric((response, reference): &Pair) -> [f64; 7] {
    const BLEU: Bleu = Bleu { tokenisation: Tokenisation::LowerWs, smoothing: Smoothing::M1, order: Order::Mean };
    const ROUGE: Rouge = Rouge { kind: RougeKind::L, stem: true };
    let references = [reference.as_str()];
    let words = Numbered::new(BLEU.tokenisation, response, &references);
    let distinct = |order| {
        let tokenisation = BLEU.tokenisation;
        let metric = Distinct { tokenisation, order };
        metric.of(&words).value()
    };
    let sacre = SacreBleu::corpus(Tokenisation::V13a);
    [
        BLEU.score(&BleuCounts::of(&words)),
        sacre.sentence(response, &references).score,
        Chrf::PlusPlus.sentence(response, &references),
        ROUGE.sentence(response, &references).f1,
        F1::SQUAD.sentence(response, &references).f1,
        distinct(1),
        distinct(2),
    ]
}

/// Gives the Python libraries the first pairs: pairs per second of processor time, and the sum of all
/// values.
fn python(interpreter: &Path, pairs: &[Pair]) -> Option<(f64, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/dialogue_metrics.py");
    let mut child = Command::new(interpreter).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut lines = String::new();
    for (response, reference) in pairs {
        lines.push_str(&format!("{}\n", json!([response, reference])));
    }
    child.stdin.take()?.write_all(lines.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (rate, sum) = text.trim().split_once(' ')?;
    Some((rate.parse().ok()?, sum.parse().ok()?))
}

fn baseline(pairs: &[Pair]) {
    let skipped = "baseline of the Python libraries skipped:";
    let Some(interpreter) = std::env::var_os("ROLECALL_PYTHON") else {
        println!("{skipped} `ROLECALL_PYTHON` is not set");
        return;
    };
    let pairs = &pairs[..PAIRS_OF_PYTHON];
    match python(Path::new(&interpreter), pairs) {
        Some((rate, sum)) => {
            let own: f64 = pairs.iter().flat_map(every_metric).sum();
            assert!((own - sum).abs() < 1e-6 * sum, "values differ: {own}, {sum}");
            println!("baseline: the Python libraries: {rate:.0} pairs per CPU second, same values");
        }
        None => println!("{skipped} `ROLECALL_PYTHON` lacks nltk, sacrebleu or rouge-score"),
    }
}

fn metrics(criterion: &mut Criterion) {
    let pairs = pairs();
    baseline(&pairs);
    let mut group = criterion.benchmark_group("dialogue");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("metrics of pairs", |bencher| {
        bencher.iter_custom(|times| {
            repeated(times, || {
                for pair in &pairs {
                    black_box(every_metric(pair));
                }
            })
        });
    });
    group.finish();
}

/// Texts of a source.
const CANDIDATES: usize = 15;

/// An index over the texts of a source, of some 25 words each, and a question to it with a dialogue before.
fn retrieval(criterion: &mut Criterion) {
    let sentences = built_in();
    let candidates = sentences.iter().take(CANDIDATES);
    let candidates: Vec<String> = candidates.map(|(first, second)| format!("{first} {second}")).collect();
    let query = format!("albero {} {}", sentences[40].0, sentences[41].0);
    let tokeniser = Tokeniser::default();
    let index = Bm25::new(&candidates, tokeniser);
    let mut group = criterion.benchmark_group("bm25");
    group.bench_function("index of 15 candidates", |bencher| {
        bencher.iter_custom(|times| repeated(times, || Bm25::new(black_box(&candidates), tokeniser)));
    });
    group.bench_function("query of 15 candidates", |bencher| {
        bencher.iter_custom(|times| repeated(times, || index.top(black_box(&query), 1, Ties::IndexAsc)));
    });
    group.finish();
}

criterion_group!(benches, metrics, retrieval);
criterion_main!(benches);
