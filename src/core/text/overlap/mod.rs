//! How much a text overlaps with reference texts: BLEU, chrF, ROUGE, F1, Distinct-n and the last steps
//! of BERTScore, as pure functions.
//!
//! Each metric is a small value that says how it counts and has a `signature`, so that a number can
//! be shown with how it was computed. Metrics of one pair are asked with `sentence`; those that have a
//! corpus value give counts that can be added and scored. Whoever asks several metrics of one pair
//! cuts it into tokens once ([`Numbered`]) and asks each with `of` or `counts`.
//!
//! Values are those of the original libraries, with their scales: NLTK, F1, ROUGE and Distinct go from
//! 0 to 1, sacreBLEU, chrF and the caption BLEU from 0 to 100. Nothing here panics on any text. A metric
//! without references is 0, or absent where the original has no value.

mod bert;
mod bleu;
mod chrf;
mod distinct;
mod numbered;
mod rewriting;
mod rouge;
mod tokens;
mod unicode;

#[cfg(test)]
mod tests;

pub use super::porter::stem;
pub use bert::{BertError, Embedded, Idf, Padding, baseline, best_of, greedy, rescaled};
pub use bleu::{Bleu, BleuCounts, Order, SacreBleu, SacreScore, SacreVersion, Smoothing, caption_bleu};
pub use chrf::{Chrf, ChrfCounts};
pub use distinct::{Distinct, DistinctCounts, DistinctPool};
pub use numbered::{Numbered, PrecisionRecall, References};
pub use rouge::{F1, LcsRouge, Rouge, RougeKind, caption_rouge};
pub use tokens::{Tokenisation, Tokens};
pub use unicode::{is_space, is_word, words};
