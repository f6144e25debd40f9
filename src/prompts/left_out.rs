//! How much is left out of a prompt that does not fit.

/// The first turn up to which `over` bytes are saved by leaving out what `bytes` counts before a turn;
/// the last one if there are not so many.
pub(super) fn beyond(from: u32, last: u32, over: usize, bytes: impl Fn(u32) -> usize) -> u32 {
    let before = bytes(from);
    let (mut low, mut high) = (from, last.max(from));
    while low < high {
        let middle = low + (high - low) / 2;
        if bytes(middle).saturating_sub(before) < over {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The next entries that save `over` bytes, after so many others that are left out; all if they save less.
pub(super) fn more_entries<T>(all: &[(T, usize)], left_out: usize, over: usize) -> &[(T, usize)] {
    let rest = all.get(left_out..).unwrap_or_default();
    let mut saved = 0;
    let enough = rest.iter().position(|(_, bytes)| {
        saved += bytes;
        saved >= over
    });
    rest.get(..enough.map_or(rest.len(), |last| last + 1)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_left_out_in_order_until_they_save_enough() {
        let all = [("a", 10), ("a", 0), ("b", 30)];
        let more = |before, over| more_entries(&all, before, over).len();
        assert_eq!([more(0, 1), more(0, 10), more(0, 11), more(0, 99)], [1, 1, 3, 3]);
        assert_eq!([more(1, 1), more(3, 1), more(9, 1)], [2, 0, 0]);
    }

    #[test]
    fn as_many_turns_are_left_out_as_are_needed_and_no_more() {
        let sizes = [0, 10, 10, 30, 45];
        let bytes = |turn: u32| sizes[turn as usize];
        let cut = |from, over| beyond(from, 4, over, bytes);
        assert_eq!([0, 1, 10, 11, 30, 31, 99].map(|over| cut(0, over)), [0, 1, 1, 3, 3, 4, 4]);
        assert_eq!([0, 1, 20, 21].map(|over| cut(1, over)), [1, 3, 3, 4]);
        assert_eq!(beyond(3, 2, 5, bytes), 3);
    }
}
