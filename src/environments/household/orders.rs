//! The orders in which things and receptacles are listed.

use super::names::Names;
use super::state::NONE;

/// Things and receptacles in the orders in which they are listed.
pub(crate) struct Orders {
    /// How many things there are.
    pub(crate) count: u16,
    /// Position of each thing when names are sorted.
    pub(crate) rank: Box<[u16]>,
    /// Placed receptacles by id.
    pub(crate) receptacles: Box<[u16]>,
    /// Placed receptacles by name.
    pub(crate) receptacles_by_name: Box<[u16]>,
    /// Placed receptacles by location, then id.
    pub(crate) by_location: Box<[(u16, u16)]>,
}

impl Orders {
    /// Orders things by name, and placed receptacles by id, name and location.
    pub(crate) fn new(things: &Names, location_of: &[u16]) -> Self {
        let count = u16::try_from(location_of.len()).unwrap_or(NONE);
        let mut by_name: Vec<u16> = (0..count).collect();
        by_name.sort_unstable_by_key(|thing| things.get(*thing));
        let mut rank = vec![0; usize::from(count)];
        for (position, thing) in (0..count).zip(&by_name) {
            if let Some(rank) = rank.get_mut(usize::from(*thing)) {
                *rank = position;
            }
        }
        let location = |thing: u16| location_of.get(usize::from(thing)).copied().unwrap_or(NONE);
        let placed = |thing: &u16| location(*thing) != NONE;
        let receptacles: Box<[u16]> = (0..count).filter(placed).collect();
        let mut by_location: Vec<(u16, u16)> = receptacles
            .iter()
            .map(|thing| (location(*thing), *thing))
            .collect();
        by_location.sort_unstable();
        Self {
            count,
            rank: rank.into(),
            receptacles,
            receptacles_by_name: by_name.into_iter().filter(placed).collect(),
            by_location: by_location.into(),
        }
    }
}
