//! The orders in which things and receptacles are listed.

use super::names::Names;
use super::pairs::Pairs;
use super::state::NONE;

/// Things and receptacles in the orders in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Orders {
    /// Things sorted by name.
    pub(crate) by_name: Box<[u16]>,
    /// Position of each thing when names are sorted.
    pub(crate) rank: Box<[u16]>,
    /// Placed receptacles by id.
    pub(crate) receptacles: Box<[u16]>,
    /// Locations with the receptacles placed there.
    pub(crate) by_location: Pairs,
}

impl Orders {
    /// Orders things by name, and placed receptacles by id and location.
    pub(crate) fn new(things: &Names, location_of: &[u16]) -> Self {
        let count = u16::try_from(location_of.len()).unwrap_or(NONE);
        let mut by_name: Box<[u16]> = (0..count).collect();
        by_name.sort_unstable_by_key(|thing| things.get(*thing));
        let mut rank = vec![0; usize::from(count)];
        for (position, thing) in (0..count).zip(&by_name) {
            if let Some(rank) = rank.get_mut(usize::from(*thing)) {
                *rank = position;
            }
        }
        let placed = (0..count).zip(location_of.iter().copied());
        let placed = placed.filter(|(_, location)| *location != NONE);
        Self {
            by_name,
            rank: rank.into(),
            receptacles: placed.clone().map(|(thing, _)| thing).collect(),
            by_location: placed.map(|(thing, location)| (location, thing)).collect(),
        }
    }

    /// The thing of that name.
    pub(crate) fn find(&self, things: &Names, name: &str) -> Option<u16> {
        let compare = |thing: &u16| things.get(*thing).cmp(name);
        let found = self.by_name.binary_search_by(compare).ok()?;
        self.by_name.get(found).copied()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.by_name)
            + size_of_val(&*self.rank)
            + size_of_val(&*self.receptacles)
            + self.by_location.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_name_and_no_other() {
        let all: Vec<String> = (0..300).map(|number| format!("cabinet {number}")).collect();
        let names = Names::new(all.iter().map(String::as_str));
        let orders = Orders::new(&names, &[NONE; 300]);
        for (index, name) in (0..300).zip(&all) {
            assert_eq!(orders.find(&names, name), Some(index));
        }
        assert_eq!(orders.find(&names, "cabinet 300"), None);
        assert_eq!(orders.find(&names, ""), None);
        assert_eq!(names.get(300), "");
        assert_eq!(Orders::new(&names, &[]).find(&names, "cabinet 1"), None);
    }
}
