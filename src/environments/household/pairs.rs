//! A set of pairs of indices, kept sorted: the plain facts of a room.

/// Pairs in ascending order, each at most once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pairs(Vec<(u16, u16)>);

impl Pairs {
    /// Adds a pair; nothing happens when it is there.
    pub(crate) fn insert(&mut self, first: u16, second: u16) {
        if let Err(position) = self.0.binary_search(&(first, second)) {
            self.0.insert(position, (first, second));
        }
    }

    /// Removes a pair; nothing happens when it is not there.
    pub(crate) fn remove(&mut self, first: u16, second: u16) {
        if let Ok(position) = self.0.binary_search(&(first, second)) {
            self.0.remove(position);
        }
    }

    /// Whether the pair is there.
    pub(crate) fn contains(&self, first: u16, second: u16) -> bool {
        self.0.binary_search(&(first, second)).is_ok()
    }

    /// The second parts of the pairs that begin with `first`, ascending.
    #[inline]
    pub(crate) fn row(&self, first: u16) -> impl Iterator<Item = u16> {
        let start = self.0.partition_point(|pair| pair.0 < first);
        let rest = self.0.get(start..).unwrap_or_default();
        rest.iter().take_while(move |pair| pair.0 == first).map(|pair| pair.1)
    }

    /// All pairs, ascending.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, u16)> {
        self.0.iter().copied()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.capacity() * size_of::<(u16, u16)>()
    }
}

impl FromIterator<(u16, u16)> for Pairs {
    fn from_iter<I: IntoIterator<Item = (u16, u16)>>(pairs: I) -> Self {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_sorted_set() {
        let mut pairs: Pairs = [(2, 1), (1, 9), (2, 0), (2, 1)].into_iter().collect();
        assert_eq!(pairs.row(2).collect::<Vec<_>>(), [0, 1]);
        pairs.insert(1, 3);
        pairs.insert(1, 3);
        pairs.remove(2, 1);
        pairs.remove(7, 7);
        assert_eq!(pairs.iter().collect::<Vec<_>>(), [(1, 3), (1, 9), (2, 0)]);
        assert!(pairs.contains(1, 9) && !pairs.contains(9, 1));
    }
}
