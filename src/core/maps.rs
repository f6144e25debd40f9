//! Making maps of few entries in what does not run often. Imports nothing else of the crate.

/// Gathers a map by inserting one entry after the other; of equal keys the last one's value stays.
///
/// `collect` sorts a list of the entries first. Each sort is 3,000 lines of machine code per type, and the maps
/// here are small.
pub fn ordered<C: Default + Extend<T>, T>(entries: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(entries);
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn of_equal_keys_the_last_value_stays() {
        let all: BTreeMap<_, _> = ordered([("b", 1), ("a", 2), ("b", 3)]);
        assert_eq!(all, BTreeMap::from([("a", 2), ("b", 3)]));
    }
}
