//! BM25 in Lucene's arithmetic: single precision, lengths of texts in one byte.

/// Lengths below this have codes of their own.
const FREE: u32 = 24;

/// The byte in which the length of a text is kept: exact up to 40, then rounded down to four significant bits above
/// `FREE`.
pub const fn length_code(length: u32) -> u8 {
    let Some(rest) = length.checked_sub(FREE) else {
        return length as u8;
    };
    let bits = u32::BITS - rest.leading_zeros();
    let code = match bits.checked_sub(4) {
        None => rest,
        Some(shift) => (rest >> shift) & 7 | (shift + 1) << 3,
    };
    (FREE + code) as u8
}

/// The length for which a byte stands.
pub const fn length_of(code: u8) -> u32 {
    let Some(rest) = (code as u32).checked_sub(FREE) else {
        return code as u32;
    };
    match (rest >> 3).checked_sub(1) {
        None => FREE + rest,
        Some(shift) => FREE + ((rest & 7 | 8) << shift),
    }
}

/// How rare a term is that `having` of `texts` texts have.
pub fn idf(texts: u64, having: u64) -> f32 {
    let (texts, having) = (texts as f64, having as f64);
    (1.0 + (texts - having + 0.5) / (having + 0.5)).ln() as f32
}

/// What the length of a text does to the terms that it has.
#[derive(Clone, Debug)]
pub struct Bm25 {
    by_length: Vec<f32>,
}

impl Bm25 {
    /// With the two parameters, for texts that have so many terms in all. Texts without any term do not count.
    pub fn new(k1: f32, b: f32, texts: u64, terms: u64) -> Self {
        let average = (terms as f64 / texts.max(1) as f64) as f32;
        let factor = |code| 1.0 / (k1 * ((1.0 - b) + b * length_of(code) as f32 / average));
        Self { by_length: (0..=u8::MAX).map(factor).collect() }
    }

    /// How well a term is present that occurs `count` times in a text of this [length](length_code): from 1 on, the
    /// more the better. This and the term's weight give its [score](Self::score).
    pub fn presence(&self, count: u32, length: u8) -> f32 {
        1.0 + count as f32 * self.by_length[usize::from(length)]
    }

    /// What a term adds to the score of a text: its weight is its [`idf`] times its count in the query.
    pub fn score(weight: f32, presence: f32) -> f32 {
        weight - weight / presence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact_up_to_forty_and_rounded_down_above() {
        for length in 0..=40 {
            assert_eq!(length_of(length_code(length)), length);
        }
        for (length, kept) in [(41, 40), (42, 42), (57, 56), (100, 96), (152, 152), (160, 152), (1_000, 984)] {
            assert_eq!(length_of(length_code(length)), kept, "{length}");
        }
        assert_eq!(length_code(i32::MAX as u32), u8::MAX);
        for code in 0..=u8::MAX {
            assert_eq!(length_code(length_of(code)), code);
        }
    }

    #[test]
    fn a_term_scores_by_its_rarity_count_and_length() {
        let bm25 = Bm25::new(0.9, 0.4, 2, 20);
        let weight = idf(2, 1);
        assert_eq!(weight, 2_f32.ln());
        // Of average length: 1 + 1 / 0.9.
        let score = Bm25::score(weight, bm25.presence(1, length_code(10)));
        assert!((score - weight * (1.0 - 0.9 / 1.9)).abs() < 1e-6);
        assert!(bm25.presence(2, 10) > bm25.presence(1, 10));
        assert!(bm25.presence(1, 9) > bm25.presence(1, 10));
    }
}
