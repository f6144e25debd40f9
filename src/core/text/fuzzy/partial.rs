//! How alike a short text is to the closest part of a longer one: `partial_ratio` of fuzzywuzzy 0.18 over
//! python-Levenshtein. It looks only at the parts that one alignment of the texts suggests, so that better parts
//! may be missed.

/// A common part of two texts: where it begins in the shorter and in the longer one.
type Block = (usize, usize);

/// The ratio in percent: 100 for equal texts, 0 if either is empty.
pub fn partial_ratio(one: &str, other: &str) -> u8 {
    if one == other {
        return 100;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return 0;
    }
    let mut best = 0.0_f64;
    for (in_short, in_long) in blocks(&short, &long) {
        let start = in_long.saturating_sub(in_short);
        let window = &long[start..long.len().min(start + short.len())];
        let both = short.len() + window.len();
        let ratio = 2.0 * common(&short, window) as f64 / both as f64;
        if ratio > 0.995 {
            return 100;
        }
        best = best.max(ratio);
    }
    (100.0 * best).round_ties_even() as u8
}

/// The beginnings of the longest runs of equal letters in an alignment of the texts with fewest edits, and their
/// ends.
fn blocks(short: &[char], long: &[char]) -> Vec<Block> {
    let before = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    let (short_rest, long_rest) = (&short[before..], &long[before..]);
    let after = short_rest.iter().rev().zip(long_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let matches = aligned(&short_rest[..short_rest.len() - after], &long_rest[..long_rest.len() - after]);
    let middle = matches.into_iter().map(|(s, l)| (s + before, l + before));
    let first = (0..before).map(|at| (at, at));
    let last = (0..after).map(|at| (short.len() - after + at, long.len() - after + at));
    let mut blocks: Vec<Block> = Vec::new();
    let mut expected = None;
    for (s, l) in first.chain(middle).chain(last) {
        if expected != Some((s, l)) {
            blocks.push((s, l));
        }
        expected = Some((s + 1, l + 1));
    }
    blocks.push((short.len(), long.len()));
    blocks
}

/// The pairs of equal letters in the alignment that python-Levenshtein finds, in order.
fn aligned(short: &[char], long: &[char]) -> Vec<Block> {
    let width = long.len() + 1;
    let mut distance: Vec<u32> = (0..).take(width).collect();
    for (row, letter) in (1..).zip(short) {
        let above = distance.len() - width;
        distance.push(row);
        for (column, other) in long.iter().enumerate() {
            let replaced = distance[above + column] + u32::from(letter != other);
            let inserted = distance[above + width + column] + 1;
            let deleted = distance[above + column + 1] + 1;
            distance.push(replaced.min(inserted).min(deleted));
        }
    }
    let at = |row: usize, column: usize| distance[row * width + column];
    let (mut row, mut column) = (short.len(), long.len());
    let mut pairs = Vec::new();
    while row > 0 && column > 0 {
        if at(row, column) == at(row - 1, column) + 1 {
            row -= 1;
            continue;
        }
        column -= 1;
        if column > 0 && at(row, column) + 1 == at(row - 1, column) {
            continue;
        }
        row -= 1;
        if short[row] == long[column] {
            pairs.push((row, column));
        }
    }
    pairs.reverse();
    pairs
}

/// The length of the longest common subsequence, 64 letters of the first text at a time in one word (Hyyrö).
fn common(one: &[char], other: &[char]) -> usize {
    let words = one.len().div_ceil(64);
    let mut rows = vec![u64::MAX; words];
    for letter in other {
        let mut carry = false;
        for (row, part) in rows.iter_mut().zip(one.chunks(64)) {
            let bits = (0..).zip(part).filter(|(_, first)| *first == letter);
            let matched = bits.fold(0_u64, |all, (bit, _)| all | 1 << bit) & *row;
            let (sum, over) = row.overflowing_add(matched);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over || again;
            *row = sum | (*row - matched);
        }
    }
    let zeros = rows.iter().zip(one.chunks(64)).map(|(row, part)| {
        let used = u64::MAX >> (64 - part.len());
        (!row & used).count_ones() as usize
    });
    zeros.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_original() {
        for (one, other, ratio) in [
            ("ely", "ely", 100),
            ("", "", 100),
            ("", "ely", 0),
            ("e", "ely", 100),
            ("gallery at twelve a high street", "limehouse", 44),
            ("ballare", "balare", 83),
            ("the gandhi", "he gandhi", 100),
            ("hakka", "hapk", 75),
        ] {
            assert_eq!(partial_ratio(one, other), ratio, "{one} ~ {other}");
        }
    }

    #[test]
    fn long_texts_have_common_parts_beyond_a_word() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let one = letters(&"abcd".repeat(40));
        let other = letters(&"abd".repeat(40));
        assert_eq!(common(&one, &other), 120);
        assert_eq!(common(&one, &one), 160);
        assert_eq!(common(&one, &[]), 0);
    }
}
