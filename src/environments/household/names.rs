//! The names players see, made from the ids of a problem.

use rustc_hash::FxHashMap;

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
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.at(index))
    }

    /// The name of that index; empty for one that does not exist.
    pub(crate) fn get(&self, index: u16) -> &str {
        self.at(usize::from(index))
    }

    fn at(&self, index: usize) -> &str {
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let start = index.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(index));
        let text = range.and_then(|(start, end)| self.text.get(start..end));
        text.unwrap_or_default()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_down_in_the_order_of_ids() {
        let ids = [
            "agent1",
            "cup_bar__minus_1",
            "cup_bar__plus_1",
            "sink_bar_1",
            "sink_bar_1_bar_sinkbasin",
        ];
        let expected = ["agent1 ", "cup 2", "cup 1", "sink 1", "sinkbasin 1"];
        assert_eq!(name_all(&ids), expected);
    }
}
