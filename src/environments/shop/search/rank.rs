//! The places that have one term, and the best places for several terms of some weight, which are found without looking
//! at all of them (MaxScore by windows of places): in each window, terms that cannot bring a place among the best even
//! together are only asked for places that the others found. Scores are exact, and sums of them as well: double
//! precision holds every sum of these single ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use rolecall_core::text::lucene::Bm25;

/// Places of a window: their sums fit into the nearest cache.
const WINDOW: u32 = 4096;
/// To ask for one place costs about as much as to go through so many entries.
const QUESTION: usize = 16;
/// Sums that are looked at together.
const PART: usize = 16;

/// The places that have one term, window by window.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct List {
    /// [`idf`](rolecall_core::text::lucene::idf) of the term.
    rarity: f32,
    blocks: Vec<Block>,
    /// As distances from where their windows begin, in ascending order in each.
    places: Vec<u16>,
    /// [`Bm25::presence`] at each of the places.
    presences: Vec<f32>,
}

/// The places of a list in one window.
#[derive(Debug, Serialize, Deserialize)]
struct Block {
    window: u32,
    entries: Range<usize>,
    /// The greatest presence.
    top: f32,
}

impl List {
    /// The list of a term's places in ascending order, with its presence at each.
    pub(super) fn new(rarity: f32, entries: &[(u32, f32)]) -> Self {
        let mut blocks = Vec::new();
        let mut start = 0;
        for block in entries.chunk_by(|one, other| one.0 / WINDOW == other.0 / WINDOW) {
            let end = start + block.len();
            blocks.push(Block {
                window: block[0].0 / WINDOW,
                entries: start..end,
                top: block.iter().map(|entry| entry.1).fold(0.0, f32::max),
            });
            start = end;
        }
        let distance = |(place, _): &(u32, f32)| (place % WINDOW) as u16;
        Self {
            rarity,
            blocks,
            places: entries.iter().map(distance).collect(),
            presences: entries.iter().map(|entry| entry.1).collect(),
        }
    }

    /// Bytes in memory.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.blocks) + 6 * self.places.len()
    }
}

/// A term of a query.
pub(super) struct Term {
    list: Arc<List>,
    weight: f32,
    /// The block that comes next.
    next: usize,
    /// Its entries in the current window.
    entries: Range<usize>,
    /// The most that it adds there.
    bound: f64,
}

impl Term {
    /// A term that stands in the query so many times.
    pub(super) fn new(list: Arc<List>, count: usize) -> Self {
        Self { weight: list.rarity * count as f32, list, next: 0, entries: 0..0, bound: 0.0 }
    }

    /// Goes on to the next window, and gives the most that the term adds to a score there.
    fn enter(&mut self, window: u32) -> f64 {
        let next = self.list.blocks.get(self.next);
        (self.entries, self.bound) = match next.filter(|block| block.window == window) {
            Some(block) => {
                self.next += 1;
                let bound = Bm25::score(self.weight, block.top);
                (block.entries.clone(), f64::from(bound))
            }
            None => (0..0, 0.0),
        };
        self.bound
    }

    /// Adds its scores in the window.
    fn go_through(&self, sums: &mut [f64]) {
        let places = &self.list.places[self.entries.clone()];
        let presences = &self.list.presences[self.entries.clone()];
        for (place, presence) in places.iter().zip(presences) {
            sums[usize::from(*place)] += f64::from(Bm25::score(self.weight, *presence));
        }
    }

    /// Score that the term adds at one place of the window.
    fn score_at(&self, distance: u16) -> f64 {
        let found = self.list.places[self.entries.clone()].binary_search(&distance);
        found.map_or(0.0, |entry| {
            let presence = self.list.presences[self.entries.start + entry];
            f64::from(Bm25::score(self.weight, presence))
        })
    }
}

/// The best of so many places with their scores: the higher score first, of equal scores the earlier place.
pub(super) fn rank(mut terms: Vec<Term>, places: usize, most: usize) -> impl Iterator<Item = (u32, f32)> {
    let mut best = Best::new(most.min(places));
    let mut sums = vec![0.0; places.min(WINDOW as usize)];
    // Places of the window that may be among the best.
    let mut found = Vec::new();
    for (window, start) in (0..places as u32).step_by(WINDOW as usize).enumerate() {
        let floor = f64::from(best.floor());
        let enter = |term: &mut Term| term.enter(window as u32);
        // The most that the terms that are left can add.
        let mut left: f64 = terms.iter_mut().map(enter).sum();
        if left <= floor {
            continue;
        }
        terms.sort_by(|one, other| other.bound.total_cmp(&one.bound));
        let mut strongest_first = terms.iter();
        while left > floor
            && let Some(term) = strongest_first.next()
        {
            term.go_through(&mut sums);
            left -= term.bound;
        }
        find(&sums, floor - left, &mut found);
        for term in strongest_first {
            if term.entries.len() < QUESTION * found.len() {
                term.go_through(&mut sums);
            } else {
                for place in &found {
                    sums[usize::from(*place)] += term.score_at(*place);
                }
            }
            left -= term.bound;
            found.retain(|place| sums[usize::from(*place)] + left > floor);
        }
        for place in found.drain(..) {
            best.offer(start + u32::from(place), sums[usize::from(place)] as f32);
        }
        sums.fill(0.0);
    }
    best.taken()
}

/// Finds the numbers of all sums that exceed a value.
fn find(sums: &[f64], value: f64, found: &mut Vec<u16>) {
    found.resize(sums.len(), 0);
    let mut count = 0;
    for (part, numbers) in sums.chunks(PART).zip((0..).step_by(PART)) {
        // Most parts have none, which is seen for several sums at once.
        if part.iter().fold(false, |any, sum| any | (*sum > value)) {
            // In the others nobody can foresee which ones do: nothing branches.
            for (number, sum) in (numbers..).zip(part) {
                found[count] = number;
                count += usize::from(*sum > value);
            }
        }
    }
    found.truncate(count);
}

/// The best places of those that were offered.
struct Best {
    most: usize,
    /// The worst one is on top. A key has the bits of the score, which order as positive scores do, and below them those
    /// of the place, turned round.
    kept: BinaryHeap<Reverse<u64>>,
}

impl Best {
    fn new(most: usize) -> Self {
        let kept = BinaryHeap::with_capacity(most);
        Self { most, kept }
    }

    fn offer(&mut self, document: u32, score: f32) {
        let key = Reverse(u64::from(score.to_bits()) << 32 | u64::from(!document));
        if self.kept.len() < self.most {
            self.kept.push(key);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && key < *worst
        {
            *worst = key;
        }
    }

    /// Score that a later place must exceed to be kept.
    fn floor(&self) -> f32 {
        self.kept
            .peek()
            .filter(|_| self.kept.len() >= self.most)
            .map_or(0.0, |Reverse(key)| f32::from_bits((key >> 32) as u32))
    }

    /// The best first.
    fn taken(self) -> impl Iterator<Item = (u32, f32)> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse(key)| (!(key as u32), f32::from_bits((key >> 32) as u32)))
    }
}
