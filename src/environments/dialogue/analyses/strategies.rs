//! The strategies that responses are made of.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rolecall_core::ports::Response;
use rolecall_core::text::unique;

/// The strategies of many responses (TPE Figures 4 and 6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategies {
    /// Number of responses.
    pub responses: u64,
    /// Responses with several different strategies.
    pub several: u64,
    named: u64,
    combinations: BTreeMap<String, u64>,
    single: BTreeMap<String, u64>,
    transitions: BTreeMap<(String, String), u64>,
}

/// A combination, or none for all that are not listed, with the responses that have it.
pub type Slice<'a> = (Option<&'a str>, u64);

impl Strategies {
    /// Adds the strategies of one response, in their order.
    pub fn add(&mut self, sequence: &[String]) {
        self.add_as(sequence, Response::collapsed(sequence).join(" "));
    }

    /// Adds them under a name that stands for the combination.
    pub fn add_as(&mut self, sequence: &[String], combination: String) {
        self.responses += 1;
        self.named += sequence.len() as u64;
        *self.combinations.entry(combination).or_default() += 1;
        let different = unique(sequence);
        self.several += u64::from(different.len() > 1);
        for name in different {
            *self.single.entry(name.clone()).or_default() += 1;
        }
        for (one, next) in sequence.iter().zip(sequence.iter().skip(1)) {
            *self.transitions.entry((one.clone(), next.clone())).or_default() += 1;
        }
    }

    /// A share of all responses.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.responses.max(1) as f64
    }

    /// The most frequent combinations, ties by name, and all others as the last slice if there are any. A
    /// combination is a response's strategies in their order, adjacent repeats as one, with blanks between
    /// them; it is empty if nothing was planned.
    pub fn distribution(&self, most: usize) -> Vec<Slice<'_>> {
        let mut all: Vec<(&str, u64)> = self.combinations.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        all.sort_by_key(|(name, count)| (Reverse(*count), *name));
        let rest: u64 = all.iter().skip(most).map(|(_, count)| count).sum();
        all.truncate(most);
        let listed = all.into_iter().map(|(name, count)| (Some(name), count));
        listed.chain((rest > 0).then_some((None, rest))).collect()
    }

    /// Each strategy with the responses that have it, by name.
    pub fn single(&self) -> impl Iterator<Item = (&str, u64)> {
        self.single.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// The responses that have a strategy.
    pub fn with(&self, strategy: &str) -> u64 {
        self.single.get(strategy).copied().unwrap_or_default()
    }

    /// The number of times that a strategy comes right after another, in the order of their names; repeats count.
    pub fn transitions(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.transitions.iter().map(|((one, next), count)| (one.as_str(), next.as_str(), *count))
    }

    /// Strategies per response, repeats included; none without a response.
    pub fn mean_length(&self) -> Option<f64> {
        (self.responses > 0).then(|| self.named as f64 / self.responses as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sequences: &[&[&str]]) -> Strategies {
        let mut found = Strategies::default();
        for sequence in sequences {
            let sequence: Vec<String> = sequence.iter().map(|name| (*name).to_owned()).collect();
            found.add(&sequence);
        }
        found
    }

    #[test]
    fn the_rest_of_a_distribution_is_everything_that_is_not_listed() {
        let found = of(&[&["B"], &["A", "A"], &["A", "B"], &["B", "A"], &["B"], &[]]);
        let slices = found.distribution(2);
        assert_eq!(slices, [(Some("B"), 2), (Some(""), 1), (None, 3)]);
        let all = found.distribution(9);
        assert_eq!(all.len(), 5, "nothing is left over");
        assert!(all.contains(&(Some("A"), 1)));
    }

    #[test]
    fn repeats_count_in_lengths_and_transitions_but_are_no_second_strategy() {
        let found = of(&[&["A", "A", "B"], &["A", "A"]]);
        assert_eq!((found.several, found.mean_length()), (1, Some(2.5)));
        assert_eq!(found.single().collect::<Vec<_>>(), [("A", 2), ("B", 1)]);
        let transitions: Vec<_> = found.transitions().collect();
        assert_eq!(transitions, [("A", "A", 2), ("A", "B", 1)]);
        assert_eq!(Strategies::default().mean_length(), None);
    }
}
