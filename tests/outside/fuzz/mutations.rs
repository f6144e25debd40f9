//! Inputs like others, with a few places changed: a function of the seeds, the words and the target.

use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The longest input, as in `run.sh`.
const LONGEST: usize = 4096;

/// Words of a file in the form of libFuzzer's dictionaries: one in double quotes a line, with `\\`, `\"`
/// and `\xAB`.
pub(crate) fn words(file: &str) -> Vec<Vec<u8>> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(word).collect()
}

fn word(line: &str) -> Vec<u8> {
    let inner = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    let mut rest = inner.unwrap().bytes();
    let mut word = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            word.push(byte);
            continue;
        }
        word.push(match rest.next().unwrap() {
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                let digits = std::str::from_utf8(&digits).unwrap();
                u8::from_str_radix(digits, 16).unwrap()
            }
            plain @ (b'\\' | b'"') => plain,
            other => panic!("`\\{}` in {line}", char::from(other)),
        });
    }
    word
}

pub(crate) struct Mutations {
    dice: ChaCha8Rng,
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Mutations {
    pub(crate) fn new(target: &str, seeds: Vec<Vec<u8>>, words: Vec<Vec<u8>>) -> Self {
        let dice = ChaCha8Rng::from_seed(*blake3::hash(target.as_bytes()).as_bytes());
        Self { dice, seeds, words }
    }

    /// The next one.
    pub(crate) fn one(&mut self) -> Vec<u8> {
        let mut input = self.seed();
        for _ in 0..self.dice.random_range(1..=5) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn seed(&mut self) -> Vec<u8> {
        self.seeds.choose(&mut self.dice).unwrap().clone()
    }

    /// A piece of so many bytes at most: where it begins and ends.
    fn piece(&mut self, input: &[u8], most: usize) -> (usize, usize) {
        let start = self.dice.random_range(0..=input.len());
        let end = input.len().min(start + self.dice.random_range(0..=most));
        (start, end)
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (start, end) = self.piece(input, 16);
        match self.dice.random_range(0..9) {
            0 => {
                if let Some(byte) = input.get_mut(start) {
                    *byte ^= 1 << self.dice.random_range(0..8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(start) {
                    *byte = self.dice.random();
                }
            }
            2 => {
                let letter: char = self.dice.random();
                input.splice(start..start, letter.to_string().into_bytes());
            }
            3 => {
                input.drain(start..end);
            }
            4 => input.truncate(start),
            5 => {
                let times = self.dice.random_range(2..=100);
                let repeated = input[start..end].repeat(times);
                input.splice(start..end, repeated);
            }
            6 => {
                let other = self.seed();
                let (from, to) = self.piece(&other, 200);
                input.splice(start..end, other[from..to].iter().copied());
            }
            // Mostly words: they lead farther into a format than bytes do.
            kind => {
                let word = self.words.choose(&mut self.dice).unwrap().clone();
                let end = if kind == 7 { start } else { end };
                input.splice(start..end, word);
            }
        }
    }
}
