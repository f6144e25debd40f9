//! The ratio of matching letters as `SequenceMatcher` of Python's difflib finds them.

use rustc_hash::FxHashMap;

/// From this length of the second text on, letters that are frequent in it start no match.
pub(super) const FREQUENT_FROM: usize = 200;

/// `100 * 2 * matching / letters`, rounded half to even.
pub(super) fn score(matching: usize, letters: usize) -> u8 {
    let share = 2.0 * matching as f64 / letters as f64;
    (100.0 * share).round_ties_even() as u8
}

/// The ratio of two texts, from 0 to 100: 100 if they are equal, else 0 if one is empty.
pub(super) fn ratio(one: &str, other: &str) -> u8 {
    if one == other {
        return 100;
    }
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let all = one.len() + other.len();
    score(Matcher::new(&one, &other).matching(), all)
}

/// Finds the blocks in which two texts match.
struct Matcher<'a> {
    one: &'a [char],
    other: &'a [char],
    /// Which letters of `other` may start a match.
    starts: Vec<bool>,
    /// For each letter of `other`, how long the match is that ends there and at the letter of `one` before the
    /// present one; for the present one.
    before: Vec<usize>,
    lengths: Vec<usize>,
}

/// Pieces of the two texts: where they begin and end.
type Pieces = ((usize, usize), (usize, usize));

impl<'a> Matcher<'a> {
    fn new(one: &'a [char], other: &'a [char]) -> Self {
        let mut starts = vec![true; other.len()];
        if other.len() >= FREQUENT_FROM {
            let mut counts: FxHashMap<char, usize> = FxHashMap::default();
            for letter in other {
                *counts.entry(*letter).or_default() += 1;
            }
            let most = other.len() / 100 + 1;
            for (start, letter) in starts.iter_mut().zip(other) {
                *start = counts[letter] <= most;
            }
        }
        Self { one, other, starts, before: vec![0; other.len() + 1], lengths: vec![0; other.len() + 1] }
    }

    /// Number of letters in all matching blocks: the longest block, and those to its left and right likewise.
    fn matching(&mut self) -> usize {
        let mut matching = 0;
        let mut left: Vec<Pieces> = vec![((0, self.one.len()), (0, self.other.len()))];
        while let Some(((low, high), (other_low, other_high))) = left.pop() {
            let (at, other_at, length) = self.longest((low, high), (other_low, other_high));
            if length == 0 {
                continue;
            }
            matching += length;
            if low < at && other_low < other_at {
                left.push(((low, at), (other_low, other_at)));
            }
            let (end, other_end) = (at + length, other_at + length);
            if end < high && other_end < other_high {
                left.push(((end, high), (other_end, other_high)));
            }
        }
        matching
    }

    /// The longest block of two pieces, the earliest in `one`, then in `other`, of equally long ones: where it
    /// begins in each, and its length.
    fn longest(&mut self, part: (usize, usize), other_part: (usize, usize)) -> (usize, usize, usize) {
        let ((low, high), (other_low, other_high)) = (part, other_part);
        let (mut at, mut other_at, mut length) = (low, other_low, 0);
        self.before[other_low..=other_high].fill(0);
        for i in low..high {
            // Number `j + 1` stands for letter `j`, so that there is one before the first.
            self.lengths[other_low] = 0;
            for j in other_low..other_high {
                let matches = self.one[i] == self.other[j] && self.starts[j];
                let now = if matches { self.before[j] + 1 } else { 0 };
                self.lengths[j + 1] = now;
                if now > length {
                    (at, other_at, length) = (i + 1 - now, j + 1 - now, now);
                }
            }
            std::mem::swap(&mut self.before, &mut self.lengths);
        }
        // Letters that start no match still belong to one beside them.
        while at > low && other_at > other_low && self.one[at - 1] == self.other[other_at - 1] {
            (at, other_at, length) = (at - 1, other_at - 1, length + 1);
        }
        while at + length < high
            && other_at + length < other_high
            && self.one[at + length] == self.other[other_at + length]
        {
            length += 1;
        }
        (at, other_at, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_block_comes_first() {
        assert_eq!(ratio("abxcd", "abcd"), 89);
        assert_eq!(ratio("qabxcd", "abycdf"), 67);
        assert_eq!(ratio("private", "prived"), 77);
        assert_eq!(ratio("", ""), 100);
        assert_eq!(ratio("", "a"), 0);
        // 2 * 1 / 16 is 12.5 percent, and 12 is even; 2 * 3 / 16 is 37.5, and 38 is.
        assert_eq!(ratio("a", "bbbbbbbbbbbbbba"), 12);
        assert_eq!(ratio("abc", "ddddddddddabc"), 38);
    }

    #[test]
    fn frequent_letters_of_long_texts_start_no_match() {
        // Every letter is frequent, so that only what stands at the very beginning is found.
        let long = "ab".repeat(120);
        assert_eq!(ratio("b", &long), 0);
        assert_eq!(ratio("a", &long), score(1, 241));
        let short = "ab".repeat(99);
        assert_eq!(ratio("b", &short), score(1, 199));
    }
}
