//! The names players see, made from the ids of a problem, their lookup, and the orders in which things and receptacles
//! are listed.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::{NONE, Pairs};

/// Marks an empty slot of a [`NameTable`].
const EMPTY: u16 = u16::MAX;

/// Texts, such as names of entities by index, in one piece of memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// Keeps names in the given order.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut kept = Self::default();
        names.for_each(|name| kept.push(|text| text.push_str(name)));
        kept.text.shrink_to_fit();
        kept.ends.shrink_to_fit();
        kept
    }

    /// Adds what `write` appends.
    #[inline]
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.ends.push(end);
    }

    /// Leaves nothing but the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// All of them in order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.at(index))
    }

    /// The name of that index; empty for one that does not exist.
    #[inline]
    pub(crate) fn get(&self, index: u16) -> &str {
        self.at(usize::from(index))
    }

    #[inline]
    fn at(&self, index: usize) -> &str {
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let start = index.checked_sub(1).map_or(Some(0), end);
        start.zip(end(index)).and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

/// Finds the index of a name without allocating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameTable {
    slots: Box<[u16]>,
}

impl NameTable {
    /// A table of the first `count` names.
    pub(crate) fn new(names: &Names, count: u16) -> Self {
        let size = (usize::from(count) * 2).next_power_of_two().max(2);
        let mut slots = vec![EMPTY; size].into_boxed_slice();
        for index in 0..count {
            let mut slot = hash(names.get(index)) & (size - 1);
            while slots.get(slot).is_some_and(|taken| *taken != EMPTY) {
                slot = (slot + 1) & (size - 1);
            }
            if let Some(free) = slots.get_mut(slot) {
                *free = index;
            }
        }
        Self { slots }
    }

    /// The index of `name`, if there is such a name.
    pub(crate) fn find(&self, names: &Names, name: &str) -> Option<u16> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            let index = *self.slots.get(slot)?;
            if index == EMPTY {
                return None;
            }
            if names.get(index) == name {
                return Some(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }
}

fn hash(name: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    // The upper half is the better mixed one; sizes stay far below 2^32.
    (hasher.finish() >> 32) as usize
}

/// Names all ids, which come sorted: `class n`, numbered downwards within a class.
pub(crate) fn name_all(ids: &[&str]) -> Vec<String> {
    let class_of = |id: &str| {
        let (class, _) = id.split_once("_bar_")?;
        let suffix = if id.contains("basin") { "basin" } else { "" };
        Some(format!("{class}{suffix}"))
    };
    let classes: Vec<Option<String>> = ids.iter().map(|id| class_of(id)).collect();
    let mut left: FxHashMap<&str, u32> = FxHashMap::default();
    for class in classes.iter().flatten() {
        *left.entry(class).or_default() += 1;
    }
    let name = |(id, class): (&&str, &Option<String>)| match class {
        Some(class) => {
            let number = left.get_mut(class.as_str()).map_or(0, |left| {
                *left -= 1;
                *left + 1
            });
            format!("{class} {number}")
        }
        None => format!("{id} "),
    };
    ids.iter().zip(&classes).map(name).collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_down_in_the_order_of_ids() {
        let ids = ["agent1", "cup_bar__minus_1", "cup_bar__plus_1", "sink_bar_1", "sink_bar_1_bar_sinkbasin"];
        let expected = ["agent1 ", "cup 2", "cup 1", "sink 1", "sinkbasin 1"];
        assert_eq!(name_all(&ids), expected);
    }

    #[test]
    fn finds_every_name_and_no_other() {
        let all: Vec<String> = (0..300).map(|number| format!("cabinet {number}")).collect();
        let names = Names::new(all.iter().map(String::as_str));
        let table = NameTable::new(&names, 300);
        for (index, name) in (0..300).zip(&all) {
            assert_eq!(table.find(&names, name), Some(index));
        }
        assert_eq!(table.find(&names, "cabinet 300"), None);
        assert_eq!(table.find(&names, ""), None);
        assert_eq!(names.get(300), "");
        assert_eq!(NameTable::new(&names, 0).find(&names, "cabinet 1"), None);
    }
}
