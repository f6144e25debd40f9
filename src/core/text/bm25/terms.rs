//! The distinct tokens of an index, numbered in the order in which they first occur.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// No token.
const NONE: u32 = u32::MAX;

/// Tokens by number and numbers by token: one text for all tokens, so that a new one needs no memory of
/// its own.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    text: String,
    terms: Vec<Term>,
    /// Numbers of tokens, where their hash says or behind; a power of two of them, half of them unused.
    table: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    hash: u64,
    from: usize,
    to: usize,
}

impl Terms {
    /// Room for tokens with so many bytes in all.
    pub(super) fn with_capacity(terms: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            terms: Vec::with_capacity(terms),
            table: vec![NONE; (2 * terms).next_power_of_two().max(8)],
        }
    }

    /// The number of a token.
    pub(super) fn number(&self, token: &str) -> Option<usize> {
        self.find(token, hash(token)).ok()
    }

    /// The number of a token, which gets the next one if it is new.
    pub(super) fn number_or_new(&mut self, token: &str) -> usize {
        let hash = hash(token);
        let place = match self.find(token, hash) {
            Ok(number) => return number,
            Err(place) => place,
        };
        let number = self.terms.len();
        let from = self.text.len();
        self.text.push_str(token);
        let to = self.text.len();
        self.terms.push(Term { hash, from, to });
        if let Some(slot) = self.table.get_mut(place) {
            *slot = u32::try_from(number).unwrap_or(NONE);
        }
        if 2 * self.terms.len() > self.table.len() {
            self.grow();
        }
        number
    }

    /// The number of a token, or the unused place where it belongs.
    fn find(&self, token: &str, hash: u64) -> Result<usize, usize> {
        let mut place = first(hash, self.table.len());
        loop {
            let number = self.table.get(place).copied().unwrap_or(NONE) as usize;
            let Some(term) = self.terms.get(number) else {
                return Err(place);
            };
            if term.hash == hash && self.text.get(term.from..term.to) == Some(token) {
                return Ok(number);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let mut table = vec![NONE; 2 * self.table.len()];
        for (number, term) in (0..).zip(&self.terms) {
            let mut place = first(term.hash, table.len());
            while table.get(place).is_some_and(|slot| *slot != NONE) {
                place = (place + 1) & (table.len() - 1);
            }
            if let Some(slot) = table.get_mut(place) {
                *slot = number;
            }
        }
        self.table = table;
    }
}

fn hash(token: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(token.as_bytes());
    hasher.finish()
}

/// Where the search for a hash begins in a table of that size, a power of two.
fn first(hash: u64, size: usize) -> usize {
    hash as usize & (size - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_the_number_of_their_first_occurrence() {
        let mut terms = Terms::with_capacity(1, 0);
        let tokens: Vec<String> = (0..500).map(|number| format!("t{number}")).collect();
        for _ in 0..2 {
            for (number, token) in tokens.iter().enumerate() {
                assert_eq!(terms.number_or_new(token), number);
                assert_eq!(terms.number(token), Some(number));
            }
        }
        assert_eq!(terms.number("t500"), None);
        assert_eq!(Terms::with_capacity(0, 0).number(""), None);
    }
}
