//! Counts of what rules see in something, and of what somebody says that there is.

use std::slice;

/// What each of several things is, of `N` kinds. Where somebody labelled any, their labels stand in place of the rules,
/// and those without a label do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled<const N: usize> {
    /// All things.
    pub all: usize,
    /// Those with a label.
    pub labelled: usize,
    by_rules: [usize; N],
    by_labels: [usize; N],
}

impl<const N: usize> Default for Labelled<N> {
    fn default() -> Self {
        Self { all: 0, labelled: 0, by_rules: [0; N], by_labels: [0; N] }
    }
}

impl<const N: usize> Labelled<N> {
    /// Takes a thing, with the places of its kinds by rules and by its label, if it has one.
    pub fn add(&mut self, by_rules: &[usize], by_label: Option<&[usize]>) {
        self.all += 1;
        self.labelled += usize::from(by_label.is_some());
        count(&mut self.by_rules, by_rules);
        count(&mut self.by_labels, by_label.unwrap_or_default());
    }

    /// Takes a thing that is of one kind: the place of that by rules, and of its label, if it has one.
    pub fn add_one(&mut self, by_rules: Option<usize>, by_label: Option<usize>) {
        let by_label = by_label.filter(|place| *place < N);
        let by_label = by_label.as_ref().map(slice::from_ref);
        self.add(by_rules.as_slice(), by_label);
    }

    /// Labels count, not rules.
    pub fn is_labelled(&self) -> bool {
        self.labelled > 0
    }

    /// The word for who says it.
    pub fn source(&self) -> &'static str {
        if self.is_labelled() { "labels" } else { "rules" }
    }

    /// How many things count, and how many of them are of each kind.
    pub fn counts(&self) -> (usize, [usize; N]) {
        match self.labelled {
            0 => (self.all, self.by_rules),
            labelled => (labelled, self.by_labels),
        }
    }
}

fn count(counts: &mut [usize], places: &[usize]) {
    for place in places {
        if let Some(count) = counts.get_mut(*place) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_in_place_of_rules() {
        let mut found = Labelled::<2>::default();
        found.add(&[0], None);
        found.add(&[0, 1], None);
        assert_eq!((found.counts(), found.source()), ((2, [2, 1]), "rules"));
        found.add(&[0], Some(&[1]));
        assert_eq!((found.counts(), found.source()), ((1, [0, 1]), "labels"));
    }
}
