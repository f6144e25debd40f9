//! `metrics_corpus.json`: the same metrics over groups of the pairs.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use rolecall_core::text::json;
use rolecall_core::text::overlap::{
    Bleu, BleuCounts, Chrf, ChrfCounts, Distinct, F1, LcsRouge, Numbered, Order, Rouge, RougeKind, SacreBleu,
    Smoothing, Tokenisation, caption_bleu,
};

use super::pairs::{OLD_SACRE, parts};
use super::{At, Pair, read_pairs};
use crate::kit::Tally;

/// Compares every value of every group. The pairs are in the file beside it.
pub(crate) fn compare(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let beside = file.with_file_name("metrics_pairs.jsonl");
    let pairs = read_pairs(&beside).with_context(|| format!("`{}`", beside.display()))?;
    let recorded: Value = json::read(&fs::read_to_string(file)?)?;
    for (name, recorded) in recorded.as_object().context("no groups")? {
        let ids = recorded["ids"].as_array();
        let ids = ids.context("a group without `ids`")?;
        let known = ids.iter().map(|id| {
            let pair = pairs.iter().rfind(|pair| Some(&*pair.id) == id.as_str());
            pair.with_context(|| format!("group `{name}`: no pair {id}"))
        });
        let group: Vec<&Pair> = known.collect::<anyhow::Result<_>>()?;
        At::root(tally, name, recorded).each(|at| one(at, &group));
    }
    Ok(())
}

/// The mean over a group.
fn mean(group: &[&Pair], value: impl Fn(&Pair) -> f64) -> Option<f64> {
    let sum: f64 = group.iter().map(|pair| value(pair)).sum();
    (!group.is_empty()).then(|| sum / group.len() as f64)
}

/// The summed counts of pairs.
fn counts<'a>(pairs: impl Iterator<Item = &'a &'a Pair>, by: Tokenisation) -> BleuCounts {
    let cut = pairs.map(|pair| Numbered::new(by, &pair.hyp, &pair.refs));
    let all: Vec<BleuCounts> = cut.map(|pair| BleuCounts::of(&pair)).collect();
    all.iter().collect()
}

/// One metric, by its recorded name.
fn one(at: At<'_>, group: &[&Pair]) {
    if let Some(found) = simple_mean(at.key, group) {
        return at.number(found);
    }
    match at.key {
        "n" => at.number(group.len() as f64),
        "ids" => {}
        "nltk_corpus_bleu" => at.tokenised(|at, by| {
            let counts = counts(group.iter(), by);
            at.each(|at| match Smoothing::named(at.key) {
                Some(smoothing) => at.numbers(&smoothing.cumulative(&counts)),
                None => at.unknown(),
            });
        }),
        "nlgeval_corpus_bleu_nonempty_hyp" => at.tokenised(|at, by| {
            let spoken = group.iter().filter(|pair| !by.words(&pair.hyp).is_empty());
            let found = caption_bleu(&counts(spoken, by));
            at.numbers(found.as_ref().map_or(&[], |found| found));
        }),
        "sacrebleu_corpus" => at.tokenised(|at, by| sacre(at, group, by)),
        "mean_avg_bleu" => at.tokenised(|at, by| mean_of_bleu(at, group, by)),
        "mean_lcs_rouge_l" => at.tokenised(|at, tokenisation| {
            let metric = LcsRouge { tokenisation };
            let value = |pair: &Pair| metric.sentence(&pair.hyp, &pair.refs).f1;
            at.number(mean(group, value));
        }),
        "distinct_corpus" => at.tokenised(|at, by| pooled(at, group, by)),
        "distinct_mean_per_response" => at.tokenised(|at, by| {
            let Some(metric) = distinct(at.key, by) else {
                return at.unknown();
            };
            let value = |pair: &Pair| metric.response(&pair.hyp).value();
            at.number(mean(group, value));
        }),
        _ => at.unknown(),
    }
}

/// Means of one number per pair, and chrF++ of the group, by recorded name.
fn simple_mean(name: &str, group: &[&Pair]) -> Option<Option<f64>> {
    let f1 = |metric: F1| mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).f1);
    let sacre = |metric: SacreBleu| mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).score);
    let rouge = |stem| {
        let kind = RougeKind::L;
        let metric = Rouge { kind, stem };
        mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).f1)
    };
    Some(match name {
        "mean_f1_squad" => f1(F1::SQUAD),
        "mean_f1_parlai" => f1(F1::PARLAI),
        "mean_f1_char" => f1(F1::CHAR),
        "mean_sacrebleu_13a_per_pair(FoCus script style)" => sacre(SacreBleu::corpus(Tokenisation::V13a)),
        "mean_sacrebleu_1_5_1_13a_per_pair" => sacre(OLD_SACRE),
        "mean_rouge_score_stem_rougeL" => rouge(true),
        "mean_rouge_score_nostem_rougeL" => rouge(false),
        "mean_chrfpp" => mean(group, |pair| Chrf::PlusPlus.sentence(&pair.hyp, &pair.refs)),
        "corpus_chrfpp" => {
            let mut all = ChrfCounts::default();
            for pair in group {
                all.add(&Chrf::PlusPlus.counts(&pair.hyp, &pair.refs));
            }
            Some(Chrf::PlusPlus.score(&all))
        }
        _ => return None,
    })
}

fn sacre(at: At<'_>, group: &[&Pair], by: Tokenisation) {
    let metric = SacreBleu::corpus(by);
    let mut all = BleuCounts::default();
    for pair in group {
        all.add(&metric.counts(&pair.hyp, &pair.refs));
    }
    let score = metric.score(&all);
    at.each(|at| {
        if at.key == "signature" {
            let found = Value::from(metric.signature(all.references()));
            at.tally.check(|| at.path, at.recorded, &found);
        } else {
            parts(at, &score);
        }
    });
}

fn mean_of_bleu(at: At<'_>, group: &[&Pair], tokenisation: Tokenisation) {
    at.each(|at| {
        let Some(smoothing) = Smoothing::named(at.key) else {
            return at.unknown();
        };
        let metric = Bleu { tokenisation, smoothing, order: Order::Mean };
        at.number(mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs)));
    });
}

/// The metric whose order stands behind the tokenisation, such as `ws_d2`.
fn distinct(name: &str, tokenisation: Tokenisation) -> Option<Distinct> {
    let (_, order) = name.rsplit_once("_d")?;
    Some(Distinct { tokenisation, order: order.parse().ok()? })
}

fn pooled(at: At<'_>, group: &[&Pair], by: Tokenisation) {
    let Some(metric) = distinct(at.key, by) else {
        return at.unknown();
    };
    let mut pool = metric.pool();
    for pair in group {
        pool.add(&pair.hyp);
    }
    let counts = pool.counts();
    at.each(|at| {
        let found = match at.key {
            "uniq" => counts.unique as f64,
            "total" => counts.total as f64,
            "value" => counts.value(),
            _ => return at.unknown(),
        };
        at.number(found);
    });
}
