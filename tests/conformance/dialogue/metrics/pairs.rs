//! `metrics_pairs.jsonl`: every metric of single pairs.

use std::path::Path;

use rolecall_core::text::overlap::{
    Bleu, BleuCounts, Chrf, Distinct, F1, LcsRouge, Numbered, Order, Rouge, RougeKind, SacreBleu, SacreScore,
    SacreVersion, Smoothing, Tokenisation, caption_bleu, caption_rouge,
};

use super::{At, Pair, read_pairs};
use crate::kit::Tally;

/// The version that FoCus' script uses.
pub(super) const OLD_SACRE: SacreBleu =
    SacreBleu { tokenisation: Tokenisation::V13a, effective_order: false, version: SacreVersion::V1_5_1 };

/// Compares every value of every pair.
pub(crate) fn compare(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    for pair in read_pairs(file)? {
        At::root(tally, &pair.id, &pair.metrics).each(|at| one(at, &pair));
    }
    Ok(())
}

/// One metric, by its recorded name.
fn one(at: At<'_>, pair: &Pair) {
    let (hypothesis, references) = (pair.hyp.as_str(), pair.refs.as_slice());
    let cut = |tokenisation| Numbered::new(tokenisation, hypothesis, references);
    let sacre = |metric: SacreBleu| metric.sentence(hypothesis, references);
    match at.key {
        "nltk_bleu" => at.tokenised(|at, by| nltk(at, &BleuCounts::of(&cut(by)))),
        "nlgeval_bleu" => at.tokenised(|at, by| caption(at, &BleuCounts::of(&cut(by)))),
        "sacrebleu" => at.tokenised(|at, by| at.number(sacre(SacreBleu::corpus(by)).score)),
        "sacrebleu_sentence" => at.tokenised(|at, by| {
            let metric = SacreBleu { effective_order: true, ..SacreBleu::corpus(by) };
            at.number(sacre(metric).score);
        }),
        "sacrebleu_13a_stats" => {
            let score = sacre(SacreBleu::corpus(Tokenisation::V13a));
            at.each(|at| parts(at, &score));
        }
        "sacrebleu_1_5_1_13a" => at.number(sacre(OLD_SACRE).score),
        "chrf" => at.number(Chrf::Plain.sentence(hypothesis, references)),
        "chrfpp" => at.number(Chrf::PlusPlus.sentence(hypothesis, references)),
        _ => shares(at, pair),
    }
}

/// The metrics that are shares of tokens.
fn shares(at: At<'_>, pair: &Pair) {
    let (hypothesis, references) = (pair.hyp.as_str(), pair.refs.as_slice());
    let cut = |tokenisation| Numbered::new(tokenisation, hypothesis, references);
    let f1 = |metric: F1| metric.sentence(hypothesis, references);
    match at.key {
        "f1_squad" => at.shares(f1(F1::SQUAD)),
        "f1_parlai" => at.shares(f1(F1::PARLAI)),
        "f1_char" => at.shares(f1(F1::CHAR)),
        "f1_jieba" => {
            if let Some(tokenisation) = Tokenisation::named("jieba") {
                let found = f1(F1 { tokenisation });
                at.optionally(|at| at.shares(found));
            }
        }
        "rouge_score_stem" => rouge(at, pair, true),
        "rouge_score_nostem" => rouge(at, pair, false),
        "lcs_rouge_l" => at.tokenised(|at, by| at.shares(LcsRouge::of(&cut(by)))),
        "coco_rouge_l" => at.tokenised(|at, by| at.number(caption_rouge(&cut(by)))),
        "distinct" => at.tokenised(|at, by| distinct(at, &cut(by))),
        // Of another package, recorded for information only.
        "rouge_pkg_l" => {}
        _ => at.unknown(),
    }
}

fn nltk(at: At<'_>, counts: &BleuCounts) {
    at.each(|at| {
        let Some(smoothing) = Smoothing::named(at.key) else {
            return at.unknown();
        };
        at.each(|at| {
            let order = match at.key {
                "bleu1" => Order::One,
                "bleu2" => Order::Two,
                "bleu3" => Order::Three,
                "bleu4" => Order::Four,
                "avg" => Order::Mean,
                _ => return at.unknown(),
            };
            let metric = Bleu { tokenisation: Tokenisation::Ws, smoothing, order };
            at.number(metric.score(counts));
        });
    });
}

fn caption(at: At<'_>, counts: &BleuCounts) {
    let found = caption_bleu(counts);
    let Some(scores) = found.filter(|_| !at.recorded.is_null()) else {
        return at.number(found.map(|[first, ..]| first));
    };
    let [one, two, three, four] = scores;
    at.each(|at| match at.key {
        "bleu1" => at.number(one),
        "bleu2" => at.number(two),
        "bleu3" => at.number(three),
        "bleu4" => at.number(four),
        _ => at.unknown(),
    });
}

/// The parts of a sacreBLEU score.
pub(super) fn parts(at: At<'_>, score: &SacreScore) {
    let whole = |counts: [u64; 4]| counts.map(|count| count as f64);
    match at.key {
        "score" => at.number(score.score),
        "counts" => at.numbers(&whole(score.matches)),
        "totals" => at.numbers(&whole(score.totals)),
        "precisions" => at.numbers(&score.precisions),
        "bp" => at.number(score.brevity_penalty),
        "sys_len" => at.number(score.hypothesis_length as f64),
        "ref_len" => at.number(score.reference_length as f64),
        _ => at.unknown(),
    }
}

fn rouge(at: At<'_>, pair: &Pair, stem: bool) {
    at.each(|at| {
        let kind = match at.key {
            "rouge1" => RougeKind::One,
            "rouge2" => RougeKind::Two,
            "rougeL" => RougeKind::L,
            _ => return at.unknown(),
        };
        at.shares(Rouge { kind, stem }.sentence(&pair.hyp, &pair.refs));
    });
}

fn distinct(at: At<'_>, pair: &Numbered) {
    let counts = |order| {
        let tokenisation = Tokenisation::Ws;
        Distinct { tokenisation, order }.of(pair)
    };
    at.each(|at| {
        let found = match at.key {
            "d1" => counts(1).value(),
            "d2" => counts(2).value(),
            "ntok" => counts(1).total as f64,
            "nuniq" => counts(1).unique as f64,
            _ => return at.unknown(),
        };
        at.number(found);
    });
}
