//! Random draws that are the same on every machine and with every version of `rand`: only the bits are
//! taken from a ChaCha stream, the distributions are computed here. Lists of words to draw from stand in files: a
//! list a line, its name, a bar, and its words with semicolons between them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use rand::Rng;
use rustc_hash::FxHashMap;

/// A stream of draws for one purpose; streams of different purposes are independent.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of a purpose, which a word and numbers identify; `family` names whose purposes they are and
    /// the version of its draws.
    pub fn new(family: &str, purpose: &str, numbers: &[u64]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(family.as_bytes());
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes());
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(*hasher.finalize().as_bytes()))
    }

    /// A whole number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The product's upper half; the bias is below one in 2^40 for the bounds used here.
        let product = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// A whole number from `least` to `most`, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// A whole number from `least` to `most`, more often from the middle than from the ends.
    pub fn around(&mut self, least: usize, most: usize) -> usize {
        let width = most.saturating_sub(least) + 1;
        least + usize::midpoint(self.below(width), self.below(width))
    }

    /// A whole number from `-most` to `most`.
    pub fn offset(&mut self, most: i32) -> i32 {
        let drawn = self.below(usize::try_from(most).unwrap_or(0) * 2 + 1);
        i32::try_from(drawn).unwrap_or(most) - most
    }

    /// True with a probability in percent.
    pub fn percent(&mut self, probability: usize) -> bool {
        self.below(100) < probability
    }

    /// True with a probability from 0 to 1.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// A number from 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        // The upper 53 bits as a fraction of 1: an `f64` holds each of these exactly.
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 64 bits, for instance as the seed of another stream.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// The index of a weight, drawn in proportion to it; none when all are 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let mut rest = match weights.clone().sum() {
            0 => return None,
            total => self.below(total),
        };
        for (index, weight) in weights.enumerate() {
            if rest < weight {
                return Some(index);
            }
            rest -= weight;
        }
        None
    }

    /// One of the items, each as likely as the others; none of an empty list.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Lists of words by their names.
#[derive(Debug)]
pub struct WordLists(FxHashMap<&'static str, Vec<&'static str>>);

impl WordLists {
    /// Reads the lists of a file.
    pub fn read(text: &'static str) -> Self {
        let lists = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let (name, words) = line.split_once('|')?;
            Some((name.trim(), words.split(';').map(str::trim).collect()))
        });
        Self(lists.collect())
    }

    /// The words of a list; none of one that is not there.
    pub fn words(&self, list: &str) -> &[&'static str] {
        self.0.get(list).map_or(&[], Vec::as_slice)
    }

    /// Phrase for a `kind` of something, else for the thing itself; none if no list has one.
    pub fn phrase(&self, list: &str, of: &str, kind: &str) -> Option<&'static str> {
        let lists = [format!("{list} {of} {kind}"), format!("{list} {of}")];
        lists.iter().filter_map(|list| self.words(list).first()).next().copied()
    }

    /// Phrase for the value of a slot, else the slot's phrase with the value in place of `{}`.
    pub fn put(&self, list: &str, slot: &str, value: &str) -> Option<String> {
        let phrase = self.phrase(list, slot, value);
        phrase.map(|phrase| phrase.replace("{}", value))
    }

    /// One of the words of a list.
    pub fn pick(&self, list: &str, dice: &mut Dice) -> &'static str {
        dice.pick(self.words(list)).unwrap_or_default()
    }

    /// One of the words of a list that have weights.
    pub fn weighted(&self, list: &str, dice: &mut Dice) -> &'static str {
        let mut words = self.words(list).iter().filter_map(|word| word.split_once(' '));
        let weights = words.clone().map(|(weight, _)| weight.parse().unwrap_or(0));
        dice.weighted(weights).and_then(|drawn| words.nth(drawn)).map_or("", |(_, word)| word)
    }

    /// The words of a list in an order that is drawn.
    pub fn shuffled(&self, list: &str, dice: &mut Dice) -> Vec<&'static str> {
        let mut words = self.words(list).to_vec();
        dice.shuffle(&mut words);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_their_bounds_and_never_change() {
        let mut dice = Dice::new("rolecall household 1", "test", &[1, 2]);
        let drawn: Vec<usize> = (0..8).map(|_| dice.between(3, 9)).collect();
        assert_eq!(drawn, [9, 4, 9, 8, 8, 4, 8, 9]);
        assert!((0..1_000).all(|_| dice.below(3) < 3));
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.weighted([0, 0].into_iter()), None);
        assert!((0..100).all(|_| dice.weighted([0, 5, 0].into_iter()) == Some(1)));
        assert_eq!(dice.pick::<u8>(&[]), None);
    }

    #[test]
    fn every_number_makes_another_stream() {
        let first = |purpose, numbers: &[u64]| Dice::new("test", purpose, numbers).bits();
        let streams = [first("a", &[1]), first("a", &[2]), first("b", &[1]), first("a", &[1, 0])];
        for (index, one) in streams.iter().enumerate() {
            assert!(!streams[..index].contains(one));
        }
    }
}
