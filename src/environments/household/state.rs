//! The changing state of a room: plain facts as sorted pairs of indices, without any notion of "the place" of an
//! object, since official games hold objects that are in two receptacles at once.

/// Stands for "no thing" and "no location".
pub(crate) const NONE: u16 = u16::MAX;

/// The entry of a table for a thing; [`NONE`] where it has no row.
#[inline]
pub(crate) fn entry(table: &[u16], thing: u16) -> u16 {
    table.get(usize::from(thing)).copied().unwrap_or(NONE)
}

/// The conditions of a thing, as bits.
pub(crate) mod conditions {
    pub(crate) const OPENED: u8 = 1;
    pub(crate) const CLEAN: u8 = 1 << 1;
    pub(crate) const HOT: u8 = 1 << 2;
    pub(crate) const COOL: u8 = 1 << 3;
    pub(crate) const SLICED: u8 = 1 << 4;
    pub(crate) const TOGGLED: u8 = 1 << 5;
}

/// The changing facts of a room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// The location of the agent.
    pub(crate) location: u16,
    /// The thing it holds; [`NONE`] for nothing.
    pub(crate) holding: u16,
    /// Conditions per thing.
    pub(crate) conditions: Box<[u8]>,
    /// Receptacle and object in it.
    pub(crate) contents: Pairs,
    /// Location and object at it.
    pub(crate) objects_at: Pairs,
    /// Object and receptacle it was taken from and is not back in.
    pub(crate) taken_from: Pairs,
}

impl State {
    /// Whether the thing is in that condition.
    pub(crate) fn is(&self, thing: u16, condition: u8) -> bool {
        self.conditions.get(usize::from(thing)).is_some_and(|conditions| conditions & condition != 0)
    }

    /// Puts a thing into a condition or takes it out of it.
    pub(crate) fn set(&mut self, thing: u16, condition: u8, value: bool) {
        if let Some(conditions) = self.conditions.get_mut(usize::from(thing)) {
            *conditions = if value { *conditions | condition } else { *conditions & !condition };
        }
    }

    /// The thing held, if any.
    pub(crate) fn held(&self) -> Option<u16> {
        (self.holding != NONE).then_some(self.holding)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.conditions.len() + self.contents.heap_bytes() + self.objects_at.heap_bytes() + self.taken_from.heap_bytes()
    }
}
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
        self.0.get(start..).unwrap_or_default().iter().take_while(move |pair| pair.0 == first).map(|pair| pair.1)
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
