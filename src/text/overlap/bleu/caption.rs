//! BLEU as the tools of image captions compute it (coco-caption, taken over by nlg-eval and others), from
//! 0 to 100.

use super::{BleuCounts, ORDERS};

/// Keeps logarithms from 0.
const TINY: f64 = 1e-15;
/// Keeps divisors from 0.
const SMALL: f64 = 1e-9;

/// The captions' BLEU-1 to BLEU-4 of what was counted; absent if all responses were empty.
pub fn caption_bleu(counts: &BleuCounts) -> Option<[f64; ORDERS]> {
    if counts.hypothesis_length == 0 {
        return None;
    }
    let mut product = 1.0;
    let mut scores = [0.0; ORDERS];
    let hypothesis = counts.hypothesis_length as f64 + TINY;
    let ratio = hypothesis / (counts.reference_length as f64 + SMALL);
    let penalty = if ratio < 1.0 { (1.0 - 1.0 / ratio).exp() } else { 1.0 };
    for (index, score) in scores.iter_mut().enumerate() {
        let matches = counts.matches[index] as f64 + TINY;
        product *= matches / (counts.totals[index] as f64 + SMALL);
        *score = 100.0 * (product.powf(1.0 / (index + 1) as f64) * penalty);
    }
    Some(scores)
}
