//! Baselines of BERTScore: what unrelated sentences score, by language, model and layer (the tables of
//! bert-score 0.3.13).

use super::references::PrecisionRecall;

/// Language, model, layer; precision, recall, F1. The models and layers that bert-score takes by
/// default.
type Row = (&'static str, &'static str, usize, [f64; 3]);

const MULTILINGUAL: &str = "bert-base-multilingual-cased";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("en", "roberta-large", 17, [0.831_505_84, 0.831_494_1, 0.831_225_75]),
    ("zh", "bert-base-chinese", 8, [0.548_049_57, 0.548_009_1, 0.547_557_83]),
    ("en", MULTILINGUAL, 9, [0.632_052_7, 0.632_001_9, 0.631_468_95]),
    ("zh", MULTILINGUAL, 9, [0.628_403_84, 0.628_334_64, 0.628_034_53]),
    ("cs", MULTILINGUAL, 9, [0.604_453_9, 0.604_538_2, 0.604_006]),
    ("de", MULTILINGUAL, 9, [0.615_328_13, 0.615_282_24, 0.614_735_3]),
    ("es", MULTILINGUAL, 9, [0.634_744_94, 0.634_697_8, 0.634_252_9]),
    ("et", MULTILINGUAL, 9, [0.611_136_26, 0.611_176_7, 0.610_660_5]),
    ("fi", MULTILINGUAL, 9, [0.611_242_4, 0.611_190_9, 0.610_736_9]),
    ("fr", MULTILINGUAL, 9, [0.625_731_17, 0.625_736_53, 0.625_249_9]),
    ("it", MULTILINGUAL, 9, [0.620_519_94, 0.620_560_7, 0.620_062_23]),
    ("lv", MULTILINGUAL, 9, [0.614_898_26, 0.614_937_5, 0.614_489]),
    ("pt", MULTILINGUAL, 9, [0.631_467_7, 0.631_483_7, 0.630_997_06]),
];

/// The precision, recall and F1 that unrelated sentences score: of the models and layers that bert-score
/// takes by default, and of its multilingual model.
pub fn baseline(language: &str, model: &str, layer: usize) -> Option<PrecisionRecall> {
    let same = |row: &&Row| (row.0, row.1, row.2) == (language, model, layer);
    TABLE.iter().find(same).map(|row| {
        let [precision, recall, f1] = row.3;
        PrecisionRecall { precision, recall, f1 }
    })
}

/// The score where the baseline is 0 and the best is 1. Worse than the baseline is negative.
pub fn rescaled(score: PrecisionRecall, baseline: PrecisionRecall) -> PrecisionRecall {
    let rescaled = |value: f64, baseline: f64| (value - baseline) / (1.0 - baseline);
    PrecisionRecall {
        precision: rescaled(score.precision, baseline.precision),
        recall: rescaled(score.recall, baseline.recall),
        f1: rescaled(score.f1, baseline.f1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rescaled_by_the_baseline() {
        let same = |value: f64| PrecisionRecall { precision: value, recall: value, f1: value };
        let score = PrecisionRecall { precision: 0.75, recall: 0.5, f1: 1.0 };
        let found = rescaled(score, same(0.5));
        assert_eq!((found.precision, found.recall, found.f1), (0.5, 0.0, 1.0));
    }

    #[test]
    fn known_baselines_are_found_by_all_three() {
        assert!(baseline("en", "roberta-large", 17).is_some());
        assert!(baseline("it", MULTILINGUAL, 9).is_some());
        assert!(baseline("en", "roberta-large", 16).is_none());
    }
}
