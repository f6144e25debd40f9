//! How many episodes have how much of something.

use std::collections::BTreeMap;

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
            let found = bars.find(|(_, own)| {
                before += own;
                before > place
            });
            found.map(|(count, _)| f64::from(count))
        };
        let last = episodes.checked_sub(1)?;
        Some(f64::midpoint(at(last / 2)?, at(episodes / 2)?))
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
}
