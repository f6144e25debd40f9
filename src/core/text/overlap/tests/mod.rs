//! Small cases whose values the original libraries gave.

mod properties;

use super::*;

const HYPOTHESIS: &str = "Box is scatola. Do you know the tree?";
const REFERENCES: &[&str] = &["The box is scatola. Do you remember the word for tree?", "Tree is l'albero."];
const SHORT: &str = "rosso";
const OF_SHORT: &[&str] = &["the word for red is rosso."];

#[track_caller]
fn near(found: f64, expected: f64) {
    let difference = (found - expected).abs();
    assert!(difference <= 1e-9 * expected.abs(), "{found} {expected}");
}

#[track_caller]
fn all_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        near(*found, *expected);
    }
}

fn counts(tokenisation: Tokenisation, hypothesis: &str, references: &[&str]) -> BleuCounts {
    BleuCounts::of(&Numbered::new(tokenisation, hypothesis, references))
}

#[test]
fn bleu_of_nltk_is_smoothed_in_five_ways() {
    let plain = [0.601_378_118_942_100_7, 0.485_986_909_669_908_04, 0.432_965_114_857_905_95, 0.386_491_163_824_434_6];
    let second = [0.601_378_118_942_100_7, 0.508_257_275_924_548_3, 0.466_397_531_511_755_7, 0.432_110_257_507_221_7];
    let seventh = [0.687_289_278_790_972, 0.579_827_270_670_430_2, 0.504_542_809_532_317_3, 0.443_363_763_526_715_9];
    let pair = counts(Tokenisation::LowerWs, HYPOTHESIS, REFERENCES);
    let expected = [plain, plain, second, plain, seventh];
    for (smoothing, expected) in Smoothing::ALL.into_iter().zip(expected) {
        all_near(&smoothing.cumulative(&pair), &expected);
    }
    let letters = counts(Tokenisation::Char, SHORT, OF_SHORT);
    let expected =
        [0.054_349_605_304_488_28, 0.049_614_174_694_617_78, 0.047_035_000_830_248_48, 0.045_521_072_936_439_52];
    all_near(&Smoothing::M7.cumulative(&letters), &expected);
}

#[test]
fn the_seventh_smoothing_of_a_corpus_looks_at_its_last_pair() {
    let pairs = [counts(Tokenisation::LowerWs, HYPOTHESIS, REFERENCES), counts(Tokenisation::LowerWs, SHORT, OF_SHORT)];
    let expected =
        [0.350_206_765_987_604_14, 0.295_185_040_445_105_63, 0.254_575_920_374_439_8, 0.220_851_848_094_019_3];
    let found = Smoothing::M7.cumulative(&pairs.iter().collect());
    all_near(&found, &expected);
}

#[test]
fn average_bleu_names_how_it_was_computed() {
    let metric = Bleu { tokenisation: Tokenisation::LowerWs, smoothing: Smoothing::M1, order: Order::Mean };
    near(metric.sentence(HYPOTHESIS, REFERENCES), 0.476_705_326_823_587_3);
    let expected = "nltk-bleu|order:1-4 mean|tok:lower_ws|smooth:m1";
    assert_eq!(metric.signature(), expected);
}

#[test]
fn sacrebleu_of_one_pair_and_of_two() {
    for (tokenisation, corpus, effective) in [
        (Tokenisation::V13a, 34.606_432_547_346_1, 0.247_875_217_666_635_95),
        (Tokenisation::Char, 45.392_487_943_477_41, 4.076_220_397_836_622_5),
        (Tokenisation::None, 26.295_889_981_470_573, 0.0),
    ] {
        let metric = SacreBleu::corpus(tokenisation);
        near(metric.sentence(HYPOTHESIS, REFERENCES).score, corpus);
        let metric = SacreBleu { effective_order: true, ..metric };
        near(metric.sentence(SHORT, OF_SHORT).score, effective);
    }
    let metric = SacreBleu::corpus(Tokenisation::V13a);
    let mut all = metric.counts(HYPOTHESIS, REFERENCES);
    all.add(&metric.counts(SHORT, OF_SHORT));
    let score = metric.score(&all);
    near(score.score, 20.727_803_687_671_333);
    assert_eq!((score.matches, score.totals), ([9, 5, 3, 2], [11, 9, 8, 7]));
    let expected = "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0";
    assert_eq!(metric.signature(all.references()), expected);
}

#[test]
fn the_old_sacrebleu_smooths_where_nothing_matches() {
    let new = SacreBleu::corpus(Tokenisation::V13a);
    let old = SacreBleu { version: SacreVersion::V1_5_1, ..new };
    let (hypothesis, references) = ("not quite right now", ["box is scatola"]);
    near(new.sentence(hypothesis, &references).score, 0.0);
    // 100 times the fourth root of 1/8 * 1/12 * 1/16 * 1/16.
    let expected = 100.0 * (1.0_f64 / (8.0 * 12.0 * 16.0 * 16.0)).powf(0.25);
    near(old.sentence(hypothesis, &references).score, expected);
    let expected = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1";
    assert_eq!(old.signature(References::Same(1)), expected);
}

#[test]
fn chrf_of_one_pair_and_of_two() {
    for (metric, one, two) in [
        (Chrf::Plain, 46.902_139_410_869_72, 37.964_180_770_232_23),
        (Chrf::PlusPlus, 48.746_341_007_026_74, 38.516_500_415_079_77),
    ] {
        let mut all = metric.counts(HYPOTHESIS, REFERENCES);
        near(metric.score(&all), one);
        all.add(&metric.counts(SHORT, OF_SHORT));
        near(metric.score(&all), two);
    }
    let expected = "nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0";
    let signature = Chrf::PlusPlus.signature(References::Same(2));
    assert_eq!(signature, expected);
}

#[test]
fn rouge_matches_stems() {
    let hypothesis = "He runs happy to a generalization";
    let references = ["He was running happily to the generalizations.", "Nothing"];
    for (stem, expected) in [
        (true, [2.0 / 3.0, 4.0 / 7.0, 0.615_384_615_384_615_3]),
        (false, [1.0 / 3.0, 2.0 / 7.0, 0.307_692_307_692_307_65]),
    ] {
        for kind in [RougeKind::One, RougeKind::L] {
            let found = Rouge { kind, stem }.sentence(hypothesis, &references);
            let found = [found.precision, found.recall, found.f1];
            all_near(&found, &expected);
        }
    }
    let stem = true;
    let kind = RougeKind::Two;
    let metric = Rouge { kind, stem };
    let found = metric.sentence(hypothesis, &references);
    assert_eq!(found, PrecisionRecall::default());
    let expected = "rouge-score|type:rouge2|stem:porter-nltk|refs:best|version:0.1.2";
    assert_eq!(metric.signature(), expected);
}

#[test]
fn captions_take_the_best_precision_and_recall_of_any_reference() {
    let cut = |text, references: &[&str]| Numbered::new(Tokenisation::Ws, text, references);
    let found = caption_rouge(&cut("a b c d", &["a b c", "a b c d e"]));
    near(found.unwrap(), 1.0);
    assert_eq!(caption_rouge(&cut(" ", &["a"])), None);
    let bleu = |text, reference| caption_bleu(&BleuCounts::of(&cut(text, &[reference])));
    let found = bleu("red in", "red in Italian is \"rosso\"");
    let expected = [22.313_015_992_530_005, 22.313_015_986_951_758, 0.223_130_159_925_300_1, 0.022_313_015_995_319_128];
    all_near(&found.unwrap(), &expected);
    assert_eq!(bleu("", "a"), None);
}

#[test]
fn distinct_is_pooled_or_of_each_response() {
    let metric = Distinct { tokenisation: Tokenisation::LowerWs, order: 2 };
    let mut pool = metric.pool();
    pool.add("the cat the cat");
    pool.add("The cat sat");
    pool.add("cat");
    let (unique, total) = (3, 5);
    assert_eq!(pool.counts(), DistinctCounts { unique, total });
    near(metric.response("the cat the cat").value(), 2.0 / 3.0);
    near(metric.response("cat").value(), 0.0);
    let expected = "distinct|order:2|tok:lower_ws|over:pooled";
    assert_eq!(metric.signature(true), expected);
}

fn embedded<'a>(vectors: &'a [Vec<f64>], weights: &'a [f64]) -> Embedded<'a> {
    Embedded { vectors, weights }
}

#[test]
fn bertscore_floors_similarities_where_texts_were_filled_up() {
    let one = [vec![1.0, 0.0], vec![-2.0, 0.0], vec![1.0, 0.0]];
    let other = [vec![0.0, 1.0], vec![3.0, 0.0], vec![0.5, 0.0]];
    let weights = [0.0, 1.0, 0.0];
    let (one, other) = (embedded(&one, &weights), embedded(&other, &weights));
    let alone = greedy(one, other, Padding::default()).unwrap();
    assert_eq!((alone.precision, alone.recall), (0.0, 1.0));
    let opposite = [vec![1.0, 0.0], vec![3.0, 0.0], vec![0.5, 0.0]];
    let opposite = embedded(&opposite, &weights);
    let alone = greedy(one, opposite, Padding::default()).unwrap();
    assert_eq!((alone.precision, alone.recall, alone.f1), (-1.0, 1.0, 0.0));
    let padding = Padding { reference: true, ..Padding::default() };
    let padded = greedy(one, opposite, padding).unwrap();
    assert_eq!((padded.precision, padded.recall), (0.0, 1.0));
}

#[test]
fn bertscore_takes_the_best_of_each_and_no_empty_text() {
    let share = |precision, recall, f1| PrecisionRecall { precision, recall, f1 };
    let all = [share(0.1, 0.9, 0.2), share(0.5, 0.3, 0.4)];
    assert_eq!(best_of(&all), Some(share(0.5, 0.9, 0.4)));
    assert_eq!(best_of(&[]), None);
    let (text, empty) = (vec![vec![1.0]; 3], vec![vec![1.0]; 2]);
    let text = embedded(&text, &[0.0, 1.0, 0.0]);
    let empty = embedded(&empty, &[0.0, 0.0]);
    let found = greedy(text, empty, Padding::default()).unwrap();
    assert_eq!(found, PrecisionRecall::default());
}

#[test]
fn vectors_that_do_not_fit_are_named() {
    let right = [vec![1.0, 0.0], vec![0.0, 1.0]];
    let right = embedded(&right, &[0.0, 0.0]);
    let messages = [
        (vec![vec![1.0, 0.0]], "1 token vectors of the reference have 2 weights"),
        (vec![vec![1.0, 0.0], vec![1.0]], "token 1 of the reference has 1 dimensions"),
        (vec![vec![1.0, 0.0], vec![0.0; 2]], "token 1 of the reference has a vector that"),
    ];
    for (wrong, expected) in messages {
        let wrong = embedded(&wrong, &[0.0, 0.0]);
        let error = greedy(right, wrong, Padding::default()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
