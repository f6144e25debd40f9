//! `metrics_corpus.json`: the same metrics over groups of the pairs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::text::overlap::{
    Bleu, BleuCounts, CaptionBleu, Chrf, ChrfCounts, Distinct, F1, LcsRouge, Numbered, Order,
    Rouge, RougeKind, SacreBleu, Tokenisation,
};

use super::pairs::{OLD_SACRE, parts, smoothing};
use super::{Comparison, Pair, Place, read_pairs};
use crate::conformance::Tally;

/// Compares every value of every group. The pairs are in the file beside it.
pub(crate) fn compare(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let beside = file.with_file_name("metrics_pairs.jsonl");
    let pairs = read_pairs(&beside).with_context(|| format!("`{}`", beside.display()))?;
    let pairs: BTreeMap<&str, &Pair> = pairs.iter().map(|pair| (&*pair.id, pair)).collect();
    let recorded: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let mut comparison = Comparison { tally };
    for (name, recorded) in recorded.as_object().context("no groups")? {
        let ids = recorded["ids"]
            .as_array()
            .context("a group without `ids`")?;
        let known = ids.iter().map(|id| {
            let pair = id.as_str().and_then(|id| pairs.get(id)).copied();
            pair.with_context(|| format!("group `{name}`: no pair {id}"))
        });
        let group: Vec<&Pair> = known.collect::<anyhow::Result<_>>()?;
        comparison.each(
            Place::root(name),
            recorded,
            |comparison, place, recorded| {
                one(comparison, place, recorded, &group);
            },
        );
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
    let counted = pairs.map(|pair| BleuCounts::of(&Numbered::new(by, &pair.hyp, &pair.refs)));
    let all: Vec<BleuCounts> = counted.collect();
    all.iter().collect()
}

/// One metric, by its recorded name.
fn one(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, group: &[&Pair]) {
    if let Some(found) = simple_mean(place.key, group) {
        return comparison.number(place, recorded, found);
    }
    match place.key {
        "n" => comparison.number(place, recorded, Some(group.len() as f64)),
        "ids" => {}
        "nltk_corpus_bleu" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                let counts = counts(group.iter(), by);
                comparison.each(
                    place,
                    recorded,
                    |comparison, place, recorded| match smoothing(place.key) {
                        Some(smoothing) => {
                            let found = smoothing.cumulative(&counts);
                            comparison.numbers(place, recorded, &found);
                        }
                        None => comparison.unknown(place, recorded),
                    },
                );
            });
        }
        "nlgeval_corpus_bleu_nonempty_hyp" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                let spoken = group.iter().filter(|pair| !by.words(&pair.hyp).is_empty());
                let found = CaptionBleu::score(&counts(spoken, by));
                comparison.numbers(place, recorded, found.as_ref().map_or(&[], |found| found));
            });
        }
        "sacrebleu_corpus" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                sacre(comparison, place, recorded, group, by);
            });
        }
        "mean_avg_bleu" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                mean_of_bleu(comparison, place, recorded, group, by);
            });
        }
        _ => of_tokens(comparison, place, recorded, group),
    }
}

/// The other metrics that are recorded by tokenisation.
fn of_tokens(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, group: &[&Pair]) {
    match place.key {
        "mean_lcs_rouge_l" => {
            comparison.tokenised(
                place,
                recorded,
                |comparison, place, recorded, tokenisation| {
                    let metric = LcsRouge { tokenisation };
                    let value = |pair: &Pair| metric.sentence(&pair.hyp, &pair.refs).f1;
                    comparison.number(place, recorded, mean(group, value));
                },
            );
        }
        "distinct_corpus" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                pooled(comparison, place, recorded, group, by);
            });
        }
        "distinct_mean_per_response" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                let Some(metric) = distinct(place, by) else {
                    return comparison.unknown(place, recorded);
                };
                let value = |pair: &Pair| metric.response(&pair.hyp).value();
                comparison.number(place, recorded, mean(group, value));
            });
        }
        _ => comparison.unknown(place, recorded),
    }
}

/// Means of one number per pair, and chrF++ of the group, by recorded name.
fn simple_mean(name: &str, group: &[&Pair]) -> Option<Option<f64>> {
    let f1 = |metric: F1| mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).f1);
    let sacre =
        |metric: SacreBleu| mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).score);
    let rouge = |stem| {
        let kind = RougeKind::L;
        let metric = Rouge { kind, stem };
        mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs).f1)
    };
    Some(match name {
        "mean_f1_squad" => f1(F1::SQUAD),
        "mean_f1_parlai" => f1(F1::PARLAI),
        "mean_f1_char" => f1(F1::CHAR),
        "mean_sacrebleu_13a_per_pair(FoCus script style)" => {
            sacre(SacreBleu::corpus(Tokenisation::V13a))
        }
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

fn sacre(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    group: &[&Pair],
    by: Tokenisation,
) {
    let metric = SacreBleu::corpus(by);
    let mut all = BleuCounts::default();
    for pair in group {
        all.add(&metric.counts(&pair.hyp, &pair.refs));
    }
    let score = metric.score(&all);
    comparison.each(place, recorded, |comparison, place, recorded| {
        if place.key == "signature" {
            let found = Value::from(metric.signature(all.references()));
            comparison.tally.check(|| place.path(), recorded, &found);
        } else {
            parts(comparison, place, recorded, &score);
        }
    });
}

fn mean_of_bleu(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    group: &[&Pair],
    tokenisation: Tokenisation,
) {
    comparison.each(place, recorded, |comparison, place, recorded| {
        let Some(smoothing) = smoothing(place.key) else {
            return comparison.unknown(place, recorded);
        };
        let metric = Bleu {
            tokenisation,
            smoothing,
            order: Order::Mean,
        };
        let found = mean(group, |pair| metric.sentence(&pair.hyp, &pair.refs));
        comparison.number(place, recorded, found);
    });
}

/// The metric whose order stands behind the tokenisation, such as `ws_d2`.
fn distinct(place: Place<'_>, tokenisation: Tokenisation) -> Option<Distinct> {
    let (_, order) = place.key.rsplit_once("_d")?;
    let order = order.parse().ok()?;
    Some(Distinct {
        tokenisation,
        order,
    })
}

fn pooled(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    group: &[&Pair],
    by: Tokenisation,
) {
    let Some(metric) = distinct(place, by) else {
        return comparison.unknown(place, recorded);
    };
    let mut pool = metric.pool();
    group.iter().for_each(|pair| pool.add(&pair.hyp));
    let counts = pool.counts();
    comparison.each(place, recorded, |comparison, place, recorded| {
        let found = match place.key {
            "uniq" => counts.unique as f64,
            "total" => counts.total as f64,
            "value" => counts.value(),
            _ => return comparison.unknown(place, recorded),
        };
        comparison.number(place, recorded, Some(found));
    });
}
