//! The Mersenne Twister MT19937 with the draws of Python's `random` and of NumPy's `RandomState`,
//! for data and orders that were made with those programs. Our own randomness does not come from here.

/// Words of state.
const SIZE: usize = 624;
/// Distance of the words that are mixed.
const SHIFT: usize = 397;

/// The generator itself: 32-bit words.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mt19937 {
    state: [u32; SIZE],
    position: usize,
}

impl Mt19937 {
    /// Seeds from one word (`init_genrand`).
    fn from_word(seed: u32) -> Self {
        let mut state = [0; SIZE];
        let mut previous = seed;
        for (index, word) in (0_u32..).zip(&mut state) {
            if index > 0 {
                previous = 1_812_433_253_u32.wrapping_mul(previous ^ previous >> 30).wrapping_add(index);
            }
            *word = previous;
        }
        Self { state, position: SIZE }
    }

    /// Seeds from several words (`init_by_array`).
    fn from_words(key: &[u32]) -> Self {
        let mut state = Self::from_word(19_650_218).state;
        let mix = |state: &[u32; SIZE], index: usize| {
            let previous = state[index - 1];
            previous ^ previous >> 30
        };
        let mut index = 1;
        let advance = |state: &mut [u32; SIZE], index: &mut usize| {
            *index += 1;
            if *index == SIZE {
                state[0] = state[SIZE - 1];
                *index = 1;
            }
        };
        for (offset, word) in (0_u32..).zip(key).cycle().take(SIZE.max(key.len())) {
            let mixed = state[index] ^ mix(&state, index).wrapping_mul(1_664_525);
            state[index] = mixed.wrapping_add(*word).wrapping_add(offset);
            advance(&mut state, &mut index);
        }
        for _ in 1..SIZE {
            let mixed = state[index] ^ mix(&state, index).wrapping_mul(1_566_083_941);
            state[index] = mixed.wrapping_sub(u32::try_from(index).unwrap_or_default());
            advance(&mut state, &mut index);
        }
        state[0] = 0x8000_0000;
        Self { state, position: SIZE }
    }

    fn refill(&mut self) {
        for index in 0..SIZE {
            let joined = self.state[index] & 0x8000_0000 | self.state[(index + 1) % SIZE] & 0x7fff_ffff;
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + SHIFT) % SIZE] ^ joined >> 1 ^ twist;
        }
        self.position = 0;
    }

    fn next_word(&mut self) -> u32 {
        if self.position == SIZE {
            self.refill();
        }
        let mut word = self.state[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }
}

/// Draws as Python's `random.Random(seed)` for an integer seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonRandom(Mt19937);

impl PythonRandom {
    /// Seeds as `random.Random(seed)`; Python uses the absolute value of a negative seed.
    pub fn new(seed: u64) -> Self {
        let low = (seed & 0xffff_ffff) as u32;
        let high = (seed >> 32) as u32;
        let key = [low, high];
        let words = if high == 0 { &key[..1] } else { &key };
        Self(Mt19937::from_words(words))
    }

    /// `random()`: a number in `[0, 1)` with 53 random bits.
    pub fn random(&mut self) -> f64 {
        let (high, low) = (self.0.next_word() >> 5, self.0.next_word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// `uniform(from, to)`.
    pub fn uniform(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.random()
    }

    /// `getrandbits(bits)` for up to 64 bits; more count as 64, none gives 0.
    pub fn getrandbits(&mut self, bits: u32) -> u64 {
        match bits.min(64) {
            0 => 0,
            bits @ 1..=32 => u64::from(self.0.next_word() >> (32 - bits)),
            bits => {
                let low = u64::from(self.0.next_word());
                low | u64::from(self.0.next_word() >> (64 - bits)) << 32
            }
        }
    }

    /// `randrange(limit)`: a number below `limit`; 0 when the limit is 0 (Python raises an error).
    pub fn randrange(&mut self, limit: usize) -> usize {
        let limit = limit as u64;
        if limit == 0 {
            return 0;
        }
        let bits = u64::BITS - limit.leading_zeros();
        loop {
            let drawn = self.getrandbits(bits);
            if drawn < limit {
                return drawn as usize;
            }
        }
    }

    /// `shuffle(items)`, in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            let other = self.randrange(index + 1);
            items.swap(index, other);
        }
    }

    /// `sample(items, count)`, in the order drawn; all of them when `count` is larger (Python raises an
    /// error).
    pub fn sample<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let total = items.len();
        let count = count.min(total);
        let mut drawn = Vec::with_capacity(count);
        if total <= pool_limit(count) {
            let mut pool: Vec<usize> = (0..total).collect();
            for taken in 0..count {
                let index = self.randrange(total - taken);
                drawn.extend(pool.get(index).copied());
                pool.swap(index, total - taken - 1);
            }
        } else {
            let mut selected = std::collections::BTreeSet::new();
            while drawn.len() < count {
                let index = self.randrange(total);
                if selected.insert(index) {
                    drawn.push(index);
                }
            }
        }
        drawn.into_iter().filter_map(|index| items.get(index).cloned()).collect()
    }
}

/// Up to which size `sample` draws from a copy of the whole population.
fn pool_limit(count: usize) -> usize {
    if count <= 5 {
        return 21;
    }
    // `4 ** ceil(log(3 k, 4))`: the smallest power of four that is not below 3 k.
    let mut power = 1_usize;
    while power < count.saturating_mul(3) {
        power = power.saturating_mul(4);
    }
    21 + power
}

/// Draws as NumPy's legacy `numpy.random.RandomState(seed)` for an integer seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumpyRandom(Mt19937);

impl NumpyRandom {
    /// Seeds as `RandomState(seed)`.
    pub fn new(seed: u32) -> Self {
        Self(Mt19937::from_word(seed))
    }

    /// A number from 0 to `limit`, included, by masked rejection (`random_interval`).
    fn interval(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        loop {
            let word = if limit <= u64::from(u32::MAX) {
                u64::from(self.0.next_word())
            } else {
                u64::from(self.0.next_word()) << 32 | u64::from(self.0.next_word())
            };
            if word & mask <= limit {
                return word & mask;
            }
        }
    }

    /// `shuffle(items)` of a list, in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            let other = self.interval(index as u64) as usize;
            items.swap(index, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A float in `[0, 1)` with 53 random bits, as both programs draw it.
    fn float(generator: &mut Mt19937) -> f64 {
        let (high, low) = (generator.next_word() >> 5, generator.next_word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    #[test]
    fn draws_as_python() {
        let mut random = PythonRandom::new(42);
        let floats = [0.639_426_798_457_883_7, 0.025_010_755_222_666_936, 0.275_029_318_369_119_26];
        assert_eq!([(); 3].map(|()| random.random()), floats);
        assert_eq!(random.getrandbits(5), 7);
        assert_eq!(random.getrandbits(40), 808_053_162_473);
        assert_eq!(random.getrandbits(64), 12_482_902_213_779_070_887);
        let draws: Vec<usize> = (0..5).map(|_| random.randrange(10)).collect();
        assert_eq!(draws, [8, 1, 9, 6, 0]);
        assert_eq!(random.randrange(6), 0);
        let mut list: Vec<u32> = (0..10).collect();
        random.shuffle(&mut list);
        assert_eq!(list, [5, 7, 2, 9, 0, 6, 4, 8, 3, 1]);
        let numbers: Vec<u32> = (0..1000).collect();
        assert_eq!(random.sample(&numbers[..10], 3), [3, 7, 4]);
        assert_eq!(random.sample(&numbers, 3), [828, 890, 6]);
        assert_eq!(random.sample(&numbers, 6), [777, 825, 163, 714, 432, 348]);
    }

    #[test]
    fn seeds_as_python() {
        assert_eq!(PythonRandom::new(0).random(), 0.844_421_851_525_048_1);
        let mut random = PythonRandom::new((1 << 40) + 7);
        assert_eq!((random.random(), random.getrandbits(32)), (0.613_703_777_993_651_1, 3_500_038_837));
    }

    #[test]
    fn draws_as_numpy() {
        let mut random = NumpyRandom::new(1234);
        let mut list: Vec<u32> = (0..12).collect();
        random.shuffle(&mut list);
        assert_eq!(list, [7, 8, 11, 2, 9, 10, 1, 0, 4, 5, 6, 3]);
        assert_eq!(float(&mut random.0), 0.815_162_934_051_002_2);
        let draws: Vec<u64> = (0..5).map(|_| random.interval(9)).collect();
        assert_eq!(draws, [6, 8, 0, 5, 0]);
        assert_eq!(random.interval((1 << 40) + 4), 1_056_983_943_678);
        assert_eq!(random.interval(2), 2);
        let mut list: Vec<u32> = (0..6).collect();
        random.shuffle(&mut list);
        assert_eq!(list, [2, 4, 1, 5, 3, 0]);
        assert_eq!(random.interval((1 << 32) - 1), 1_248_669_606);
        assert_eq!(float(&mut random.0), 0.882_641_190_636_116_6);
    }
}
