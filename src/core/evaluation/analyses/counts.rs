//! Counts: types of actions (ReSpAct Figure 5), histograms, and things that rules or labels name.

use std::collections::BTreeMap;
use std::slice;

use crate::domain::{Message, Move};
use crate::ports::EpisodeLog;

/// A type of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionType {
    /// A thought.
    Think,
    /// A plan.
    Plan,
    /// A verdict whether to ask.
    Judge,
    /// An utterance to the user.
    Speak,
    /// An action that the environment took.
    Act,
    /// An action that the environment refused.
    Refused,
    /// A lesson.
    Learn,
    /// An answer that ends the task.
    Finish,
}

names! { ActionType, label:
    Think => "think", Plan => "plan", Judge => "judge", Speak => "speak", Act => "act",
    Refused => "refused act", Learn => "learn", Finish => "finish",
}

/// How often each type occurred, in the order of [`ActionType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCounts([u64; ActionType::ALL.len()]);

impl ActionCounts {
    /// Counts what was done in an episode. What was said counts when the user was told it, and what was done
    /// when the environment was to perform it, as the metrics count them.
    pub fn of_log(log: &EpisodeLog<'_>) -> Self {
        let mut counts = Self::default();
        for event in &log.events {
            let kind = match &event.message {
                Message::Told(_) => ActionType::Speak,
                Message::Perform(_) => ActionType::Act,
                Message::Observed(observed) if observed.invalid => {
                    // It was counted as one that was taken.
                    let taken = &mut counts.0[ActionType::Act as usize];
                    *taken = taken.saturating_sub(1);
                    ActionType::Refused
                }
                Message::Moved(Move::Think { .. }) => ActionType::Think,
                Message::Moved(Move::Plan { .. }) => ActionType::Plan,
                Message::Moved(Move::Judge { .. }) => ActionType::Judge,
                Message::Moved(Move::Learn { .. }) => ActionType::Learn,
                Message::Moved(Move::Finish { .. }) => ActionType::Finish,
                _ => continue,
            };
            counts.0[kind as usize] += 1;
        }
        counts
    }

    /// Adds those of another episode.
    pub fn join(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// How often the type occurred.
    pub fn of(&self, kind: ActionType) -> u64 {
        self.0[kind as usize]
    }
}

/// Episodes by a count (ReSpAct Figure 9: refused actions).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<u32, u64>);

impl Histogram {
    /// One more episode that has so many.
    pub fn add(&mut self, count: u32) {
        *self.0.entry(count).or_default() += 1;
    }

    /// Counts that occur with the episodes that have them, in ascending order.
    pub fn bars(&self) -> impl Iterator<Item = (u32, u64)> {
        self.0.iter().map(|(count, episodes)| (*count, *episodes))
    }

    /// Number of episodes.
    pub fn episodes(&self) -> u64 {
        self.0.values().sum()
    }

    /// The largest count; none without an episode.
    pub fn largest(&self) -> Option<u32> {
        self.0.last_key_value().map(|(count, _)| *count)
    }

    /// All counts together.
    pub fn total(&self) -> u64 {
        let counts = |(count, episodes)| u64::from(count) * episodes;
        self.bars().map(counts).sum()
    }

    /// The mean; none without an episode.
    pub fn mean(&self) -> Option<f64> {
        let episodes = self.episodes();
        (episodes > 0).then(|| self.total() as f64 / episodes as f64)
    }

    /// The standard deviation of a sample (divided by n - 1); none with fewer than two episodes.
    pub fn deviation(&self) -> Option<f64> {
        let (episodes, mean) = (self.episodes(), self.mean()?);
        let square = |(count, episodes): (u32, u64)| (f64::from(count) - mean).powi(2) * episodes as f64;
        let squares: f64 = self.bars().map(square).sum();
        (episodes > 1).then(|| (squares / (episodes - 1) as f64).sqrt())
    }

    /// The median; none without an episode.
    pub fn median(&self) -> Option<f64> {
        let episodes = self.episodes();
        let at = |place: u64| {
            let mut before = 0;
            let mut bars = self.bars();
            bars.find(|(_, episodes)| {
                before += episodes;
                before > place
            })
            .map(|(count, _)| f64::from(count))
        };
        let last = episodes.checked_sub(1)?;
        Some(f64::midpoint(at(last / 2)?, at(episodes / 2)?))
    }
}

/// Counts of things of `N` kinds. Where somebody labelled any, the labels stand in place of the rules, and things
/// without a label do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled<const N: usize> {
    /// All things.
    pub all: usize,
    /// Things with a label.
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

    /// Compared with Python's `statistics`.
    #[test]
    fn figures_are_those_of_the_values() {
        let mut histogram = Histogram::default();
        for count in [1, 0, 4, 1, 9, 0] {
            histogram.add(count);
        }
        assert_eq!(histogram.bars().collect::<Vec<_>>(), [(0, 2), (1, 2), (4, 1), (9, 1)]);
        assert_eq!((histogram.mean(), histogram.median()), (Some(2.5), Some(1.0)));
        let deviation = histogram.deviation().unwrap();
        assert!((deviation - 3.507_135_583_350_036_4).abs() < 1e-12);
        assert_eq!(Histogram::default().median(), None);
    }

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
