//! Sets of records of a table.

/// A set of records by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows(Box<[u64]>);

impl Rows {
    /// The empty set, for so many records.
    pub fn none(of: usize) -> Self {
        Self(vec![0; of.div_ceil(64)].into())
    }

    /// The full set of so many records.
    pub fn all(of: usize) -> Self {
        let mut rows = Self(vec![u64::MAX; of.div_ceil(64)].into());
        if let (Some(last), used @ 1..) = (rows.0.last_mut(), of % 64) {
            *last = u64::MAX >> (64 - used);
        }
        rows
    }

    /// Adds a record.
    pub fn insert(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    /// Removes a record.
    pub fn leave_out(&mut self, row: usize) {
        self.0[row / 64] &= !(1 << (row % 64));
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Keeps the records that are in the other set too.
    pub fn keep(&mut self, other: &Self) {
        self.merge(other, |bits, other| bits & other);
    }

    /// Adds the records of the other set.
    pub fn add(&mut self, other: &Self) {
        self.merge(other, |bits, other| bits | other);
    }

    /// Removes the records of the other set.
    pub fn remove(&mut self, other: &Self) {
        self.merge(other, |bits, other| bits & !other);
    }

    fn merge(&mut self, other: &Self, merged: impl Fn(u64, u64) -> u64) {
        for (bits, other) in self.0.iter_mut().zip(&other.0) {
            *bits = merged(*bits, *other);
        }
    }

    /// The records, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(place, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(place * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut rows = Rows::none(130);
        assert!(rows.is_empty());
        for row in [129, 0, 64] {
            rows.insert(row);
        }
        assert_eq!(rows.iter().collect::<Vec<_>>(), [0, 64, 129]);
        assert_eq!(Rows::all(130).iter().count(), 130);
        assert_eq!(Rows::all(128).iter().count(), 128);
        let mut rest = Rows::all(130);
        rest.remove(&rows);
        assert!(rest.iter().all(|row| row != 64) && rest.iter().count() == 127);
        rest.add(&rows);
        rest.keep(&rows);
        assert_eq!(rest, rows);
    }
}
