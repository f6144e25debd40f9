//! Random draws that are the same on every machine and with every version of `rand`: only the bits are
//! taken from a ChaCha stream, the distributions are computed here.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use rand::Rng;

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
