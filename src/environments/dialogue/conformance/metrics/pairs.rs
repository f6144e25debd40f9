//! `metrics_pairs.jsonl`: every metric of single pairs.

use std::path::Path;

use serde_json::Value;

use crate::text::overlap::{
    Bleu, BleuCounts, CaptionBleu, CaptionRouge, Chrf, Distinct, F1, LcsRouge, Numbered, Order,
    Rouge, RougeKind, SacreBleu, SacreScore, SacreSmoothing, SacreVersion, Smoothing, Tokenisation,
};

use super::{Comparison, Pair, Place, read_pairs};
use crate::conformance::Tally;

/// The version that FoCus' script uses.
pub(super) const OLD_SACRE: SacreBleu = SacreBleu {
    tokenisation: Tokenisation::V13a,
    smoothing: SacreSmoothing::Exp,
    effective_order: false,
    version: SacreVersion::V1_5_1,
};

/// Compares every value of every pair.
pub(crate) fn compare(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let mut comparison = Comparison { tally };
    for pair in read_pairs(file)? {
        let place = Place::root(&pair.id);
        comparison.each(place, &pair.metrics, |comparison, place, recorded| {
            one(comparison, place, recorded, &pair);
        });
    }
    Ok(())
}

/// The smoothing of a name.
pub(super) fn smoothing(name: &str) -> Option<Smoothing> {
    let mut all = Smoothing::ALL.iter().copied();
    all.find(|smoothing| smoothing.name() == name)
}

/// One metric, by its recorded name.
fn one(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, pair: &Pair) {
    let (hypothesis, references) = (pair.hyp.as_str(), pair.refs.as_slice());
    let cut = |tokenisation| Numbered::new(tokenisation, hypothesis, references);
    match place.key {
        "nltk_bleu" => comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
            nltk(comparison, place, recorded, &BleuCounts::of(&cut(by)));
        }),
        "nlgeval_bleu" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                caption(comparison, place, recorded, &BleuCounts::of(&cut(by)));
            });
        }
        "sacrebleu" => comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
            let score = SacreBleu::corpus(by).sentence(hypothesis, references);
            comparison.number(place, recorded, Some(score.score));
        }),
        "sacrebleu_sentence" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                let metric = SacreBleu {
                    effective_order: true,
                    ..SacreBleu::corpus(by)
                };
                let score = metric.sentence(hypothesis, references);
                comparison.number(place, recorded, Some(score.score));
            });
        }
        "sacrebleu_13a_stats" => {
            let metric = SacreBleu::corpus(Tokenisation::V13a);
            let score = metric.sentence(hypothesis, references);
            comparison.each(place, recorded, |comparison, place, recorded| {
                parts(comparison, place, recorded, &score);
            });
        }
        "sacrebleu_1_5_1_13a" => {
            let score = OLD_SACRE.sentence(hypothesis, references).score;
            comparison.number(place, recorded, Some(score));
        }
        "chrf" => {
            let score = Chrf::Plain.sentence(hypothesis, references);
            comparison.number(place, recorded, Some(score));
        }
        "chrfpp" => {
            let score = Chrf::PlusPlus.sentence(hypothesis, references);
            comparison.number(place, recorded, Some(score));
        }
        _ => shares(comparison, place, recorded, pair),
    }
}

/// The metrics that are shares of tokens.
fn shares(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, pair: &Pair) {
    let (hypothesis, references) = (pair.hyp.as_str(), pair.refs.as_slice());
    let cut = |tokenisation| Numbered::new(tokenisation, hypothesis, references);
    let f1 = |metric: F1| metric.sentence(hypothesis, references);
    match place.key {
        "f1_squad" => comparison.shares(place, recorded, f1(F1::SQUAD)),
        "f1_parlai" => comparison.shares(place, recorded, f1(F1::PARLAI)),
        "f1_char" => comparison.shares(place, recorded, f1(F1::CHAR)),
        "f1_jieba" => {
            if let Ok(tokenisation) = "jieba".parse() {
                let found = f1(F1 { tokenisation });
                comparison.optionally(|comparison| comparison.shares(place, recorded, found));
            }
        }
        "rouge_score_stem" => rouge(comparison, place, recorded, pair, true),
        "rouge_score_nostem" => rouge(comparison, place, recorded, pair, false),
        "lcs_rouge_l" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                comparison.shares(place, recorded, LcsRouge::of(&cut(by)));
            });
        }
        "coco_rouge_l" => {
            comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
                comparison.number(place, recorded, CaptionRouge::of(&cut(by)));
            });
        }
        "distinct" => comparison.tokenised(place, recorded, |comparison, place, recorded, by| {
            distinct(comparison, place, recorded, &cut(by));
        }),
        // Of another package, recorded for information only.
        "rouge_pkg_l" => {}
        _ => comparison.unknown(place, recorded),
    }
}

fn nltk(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, counts: &BleuCounts) {
    comparison.each(place, recorded, |comparison, place, recorded| {
        let Some(smoothing) = smoothing(place.key) else {
            return comparison.unknown(place, recorded);
        };
        comparison.each(place, recorded, |comparison, place, recorded| {
            let order = match place.key {
                "bleu1" => Order::One,
                "bleu2" => Order::Two,
                "bleu3" => Order::Three,
                "bleu4" => Order::Four,
                "avg" => Order::Mean,
                _ => return comparison.unknown(place, recorded),
            };
            let metric = Bleu {
                tokenisation: Tokenisation::Ws,
                smoothing,
                order,
            };
            comparison.number(place, recorded, Some(metric.score(counts)));
        });
    });
}

fn caption(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    counts: &BleuCounts,
) {
    let found = CaptionBleu::score(counts);
    let Some(scores) = found.filter(|_| !recorded.is_null()) else {
        return comparison.number(place, recorded, found.map(|[first, ..]| first));
    };
    comparison.each(place, recorded, |comparison, place, recorded| {
        let names = ["bleu1", "bleu2", "bleu3", "bleu4"].into_iter();
        match names.zip(scores).find(|(name, _)| *name == place.key) {
            Some((_, score)) => comparison.number(place, recorded, Some(score)),
            None => comparison.unknown(place, recorded),
        }
    });
}

/// What a sacreBLEU score is made of.
pub(super) fn parts(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    score: &SacreScore,
) {
    let whole = |counts: [u64; 4]| counts.map(|count| count as f64);
    match place.key {
        "score" => comparison.number(place, recorded, Some(score.score)),
        "counts" => comparison.numbers(place, recorded, &whole(score.matches)),
        "totals" => comparison.numbers(place, recorded, &whole(score.totals)),
        "precisions" => comparison.numbers(place, recorded, &score.precisions),
        "bp" => comparison.number(place, recorded, Some(score.brevity_penalty)),
        "sys_len" => comparison.number(place, recorded, Some(score.hypothesis_length as f64)),
        "ref_len" => comparison.number(place, recorded, Some(score.reference_length as f64)),
        _ => comparison.unknown(place, recorded),
    }
}

fn rouge(
    comparison: &mut Comparison<'_>,
    place: Place<'_>,
    recorded: &Value,
    pair: &Pair,
    stem: bool,
) {
    comparison.each(place, recorded, |comparison, place, recorded| {
        let kind = match place.key {
            "rouge1" => RougeKind::One,
            "rouge2" => RougeKind::Two,
            "rougeL" => RougeKind::L,
            _ => return comparison.unknown(place, recorded),
        };
        let found = Rouge { kind, stem }.sentence(&pair.hyp, &pair.refs);
        comparison.shares(place, recorded, found);
    });
}

fn distinct(comparison: &mut Comparison<'_>, place: Place<'_>, recorded: &Value, pair: &Numbered) {
    let counts = |order| {
        let tokenisation = Tokenisation::Ws;
        let metric = Distinct {
            tokenisation,
            order,
        };
        metric.of(pair)
    };
    comparison.each(place, recorded, |comparison, place, recorded| {
        let found = match place.key {
            "d1" => counts(1).value(),
            "d2" => counts(2).value(),
            "ntok" => counts(1).total as f64,
            "nuniq" => counts(1).unique as f64,
            _ => return comparison.unknown(place, recorded),
        };
        comparison.number(place, recorded, Some(found));
    });
}
