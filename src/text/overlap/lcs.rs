//! The longest common subsequence.

use rustc_hash::FxHashMap;

/// How many elements the longest subsequence of both has. Rows of the usual table are bits of machine
/// words: a row is made from the one before with an addition and few other operations per 64 columns
/// (Crochemore and others, "A fast and practical bit-vector algorithm for the longest common
/// subsequence problem", 2001).
pub(super) fn length(one: &[u32], other: &[u32]) -> usize {
    let words = one.len().div_ceil(64);
    let mut places: FxHashMap<u32, Vec<(usize, u64)>> = FxHashMap::default();
    for (place, element) in one.iter().enumerate() {
        let of_element = places.entry(*element).or_default();
        let (word, bit) = (place / 64, 1 << (place % 64));
        match of_element.last_mut() {
            Some((last, bits)) if *last == word => *bits |= bit,
            _ => of_element.push((word, bit)),
        }
    }
    let mut row = vec![u64::MAX; words];
    for element in other {
        let Some(of_element) = places.get(element) else {
            continue;
        };
        let mut of_element = of_element.iter().copied().peekable();
        let mut carry = false;
        for (index, bits) in row.iter_mut().enumerate() {
            let here = of_element.next_if(|(word, _)| *word == index);
            let mask = here.map_or(0, |(_, mask)| mask);
            let (sum, first) = bits.overflowing_add(*bits & mask);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *bits = sum | (*bits & !mask);
        }
    }
    // Columns behind the last element match nothing: their bits stay set.
    row.iter().map(|bits| bits.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The usual table.
    fn by_table(one: &[u32], other: &[u32]) -> usize {
        let mut row = vec![0; other.len() + 1];
        for element in one {
            let mut diagonal = 0;
            for (column, candidate) in other.iter().enumerate() {
                let above = row[column + 1];
                row[column + 1] = if element == candidate { diagonal + 1 } else { above.max(row[column]) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    #[test]
    fn gaps_are_allowed() {
        assert_eq!(length(&[1, 2, 3, 4, 1], &[3, 1, 9, 4, 1]), 3);
        assert_eq!(length(&[], &[1]), 0);
    }

    proptest! {
        #[test]
        fn bits_say_what_the_table_says(
            one in prop::collection::vec(0_u32..6, 0..200),
            other in prop::collection::vec(0_u32..6, 0..200),
        ) {
            prop_assert_eq!(length(&one, &other), by_table(&one, &other));
        }
    }
}
