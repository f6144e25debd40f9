//! The orders in which things and receptacles are listed.

use super::names::NameTable;
use super::{NONE, Names, Pairs};

/// Things and receptacles in the orders in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Orders {
    /// Finds things by name.
    pub(crate) table: NameTable,
    /// Position of each thing when names are sorted.
    pub(crate) rank: Box<[u16]>,
    /// Placed receptacles by id.
    pub(crate) receptacles: Box<[u16]>,
    /// Placed receptacles by name.
    pub(crate) receptacles_by_name: Box<[u16]>,
    /// Locations with the receptacles placed there.
    pub(crate) by_location: Pairs,
}

impl Orders {
    /// Orders things by name, and placed receptacles by id and location.
    pub(crate) fn new(objects: &Names, location_of: &[u16]) -> Self {
        let count = u16::try_from(location_of.len()).unwrap_or(NONE);
        let mut by_name: Vec<u16> = (0..count).collect();
        by_name.sort_unstable_by_key(|thing| objects.get(*thing));
        let mut rank = vec![0; usize::from(count)];
        for (position, thing) in (0..count).zip(&by_name) {
            if let Some(rank) = rank.get_mut(usize::from(*thing)) {
                *rank = position;
            }
        }
        let placed = (0..count).zip(location_of.iter().copied());
        let placed = placed.filter(|(_, location)| *location != NONE);
        by_name.retain(|thing| location_of.get(usize::from(*thing)) != Some(&NONE));
        Self {
            table: NameTable::new(objects, count),
            receptacles_by_name: by_name.into(),
            rank: rank.into(),
            receptacles: placed.clone().map(|(thing, _)| thing).collect(),
            by_location: placed.map(|(thing, location)| (location, thing)).collect(),
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.table.heap_bytes()
            + size_of_val(&*self.rank)
            + size_of_val(&*self.receptacles)
            + size_of_val(&*self.receptacles_by_name)
            + self.by_location.heap_bytes()
    }
}
