//! Properties that hold for any text.

use proptest::prelude::*;

use super::{counts, near};
use crate::text::overlap::*;

/// Texts of what tokenisers look at, and any letters.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(" ".to_owned()),
        Just("&amp;lt;".to_owned()),
        Just("-\n".to_owned()),
        "[a-c.,'0-9 -]{0,6}",
        "(the|a|città|e\u{301}|running|“x”|你好。|１|🙂|skies)",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn shares_and_scores_stay_in_their_bounds(
        hypothesis in texts(),
        references in prop::collection::vec(texts(), 0..4),
    ) {
        for tokenisation in Tokenisation::ALL {
            let pair = Numbered::new(tokenisation, &hypothesis, &references);
            let counts = BleuCounts::of(&pair);
            for smoothing in [Smoothing::None, Smoothing::M1, Smoothing::M2, Smoothing::M3] {
                for value in smoothing.cumulative(&counts) {
                    prop_assert!((0.0..=1.0 + 1e-9).contains(&value), "{smoothing} {value}");
                }
            }
            for version in [SacreVersion::V2_6_0, SacreVersion::V1_5_1] {
                let metric = SacreBleu { version, ..SacreBleu::corpus(tokenisation) };
                let score = metric.sentence(&hypothesis, &references).score;
                prop_assert!((0.0..=100.0 + 1e-9).contains(&score), "{score}");
            }
            let metric = F1 { tokenisation };
            let shares = metric.sentence(&hypothesis, &references);
            let lcs = LcsRouge::of(&pair);
            for value in [shares.precision, shares.recall, shares.f1, lcs.f1] {
                prop_assert!((0.0..=1.0).contains(&value));
            }
            prop_assert!(lcs.f1 <= shares.f1 + 1e-12);
            let caption = caption_rouge(&pair).unwrap_or(0.0);
            prop_assert!((0.0..=1.0 + 1e-9).contains(&caption));
        }
        for metric in [Chrf::Plain, Chrf::PlusPlus] {
            let score = metric.sentence(&hypothesis, &references);
            prop_assert!((0.0..=100.0 + 1e-9).contains(&score));
        }
        let _ = stem(&hypothesis);
    }

    #[test]
    fn a_text_is_like_itself(text in texts(), other in texts()) {
        let references = [other.as_str(), text.as_str()];
        let cut = |tokenisation| Numbered::new(tokenisation, &text, &references);
        for tokenisation in Tokenisation::ALL {
            let pair = cut(tokenisation);
            let length = pair.hypothesis().len();
            if length > 0 {
                prop_assert_eq!(F1::of(&pair).f1, 1.0);
                prop_assert_eq!(LcsRouge::of(&pair).f1, 1.0);
            }
            if length >= 4 {
                let counts = BleuCounts::of(&pair);
                for value in Smoothing::None.cumulative(&counts) {
                    prop_assert!((value - 1.0).abs() < 1e-9);
                }
                let score = SacreBleu::corpus(tokenisation).score(&counts).score;
                prop_assert!((score - 100.0).abs() < 1e-9);
            }
        }
        if !cut(Tokenisation::Char).hypothesis().is_empty() {
            let score = Chrf::PlusPlus.sentence(&text, &references);
            prop_assert!((score - 100.0).abs() < 1e-9);
        }
    }

    #[test]
    fn pools_count_what_their_texts_count(all in prop::collection::vec(texts(), 1..6)) {
        // Single tokens of a pool are those of its texts one behind the other.
        let tokenisation = Tokenisation::Char;
        for order in 1..4 {
            let metric = Distinct { tokenisation, order };
            let mut pool = metric.pool();
            for text in &all {
                pool.add(text);
            }
            let single: u64 = all.iter().map(|text| metric.response(text).total).sum();
            prop_assert_eq!(pool.counts().total, single);
            if order == 1 {
                prop_assert_eq!(pool.counts(), metric.response(&all.concat()));
            }
        }
        let reference = all.concat();
        let pairs: Vec<BleuCounts> = all
            .iter()
            .map(|text| counts(tokenisation, text, &[&reference]))
            .collect();
        let pooled: BleuCounts = pairs.iter().collect();
        let whole = counts(tokenisation, &reference, &[&reference]);
        prop_assert_eq!(pooled.hypothesis_length, whole.hypothesis_length);
        prop_assert_eq!(pooled.matches[0], whole.matches[0]);
        let (one, rest) = pairs.split_at(pairs.len() / 2);
        let (mut one, rest): (BleuCounts, BleuCounts) = (one.iter().collect(), rest.iter().collect());
        one.add(&rest);
        prop_assert_eq!(one, pooled);
    }
}

#[test]
fn very_long_texts_are_no_trouble() {
    let long = "y".repeat(20_000) + &" the cat, sat. 1-2".repeat(2_000) + &"你好。".repeat(4_000);
    let references = [long.as_str()];
    let score = SacreBleu::corpus(Tokenisation::Zh).sentence(&long, &references);
    near(score.score, 100.0);
    let (kind, stem) = (RougeKind::L, true);
    near(Rouge { kind, stem }.sentence(&long, &references).f1, 1.0);
    near(Chrf::PlusPlus.sentence(&long, &references), 100.0);
}
