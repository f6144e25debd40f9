//! The best places for weighted terms, without looking at all of them (MaxScore by windows of places): in each
//! window, terms that cannot bring a place among the best even together are only asked for places that the others
//! found. Scores are exact, and sums of them as well: double precision holds every sum of these single ones.

use std::ops::Range;
use std::sync::Arc;

use super::list::List;
use crate::environments::shop::search::best::Best;
use crate::text::lucene::Bm25;

/// Places of a window: their sums fit into the nearest cache.
const WINDOW: u32 = 4096;

/// To ask for one place costs about as much as to go through so many entries.
const QUESTION: usize = 16;
/// Sums that are looked at together.
const PART: usize = 16;
/// Tables that are kept for the next query.
const SPARE: usize = 64;

/// A term of a query.
#[derive(Debug)]
struct Term {
    list: Arc<List>,
    /// What each code adds to a score.
    scores: Vec<f32>,
    /// The first block that is not behind the current window or place.
    block: usize,
    /// The most that it adds in the current window.
    bound: f32,
    /// The most entries that it has in the current window.
    entries: usize,
}

/// What ranking needs besides the lists.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    terms: Vec<Term>,
    spare: Vec<Vec<f32>>,
    sums: Vec<f64>,
    /// Places of the window that may be among the best, as distances from its start.
    found: Vec<u32>,
    pub(super) best: Best,
}

impl Ranking {
    /// Begins a query for so many places.
    pub(super) fn start(&mut self, most: usize) {
        self.best.start(most);
        let scores = self.terms.drain(..).map(|term| term.scores);
        self.spare.extend(scores.take(SPARE));
        self.spare.truncate(SPARE);
    }

    /// Adds a term; `presences` are those of the codes.
    pub(super) fn add(&mut self, list: Arc<List>, weight: f32, presences: &[f32]) {
        let mut scores = self.spare.pop().unwrap_or_default();
        scores.clear();
        let used = presences.iter().take(list.top as usize + 1);
        scores.extend(used.map(|presence| Bm25::score(weight, *presence)));
        self.terms.push(Term {
            list,
            scores,
            block: 0,
            bound: 0.0,
            entries: 0,
        });
    }

    /// Ranks the places below `places`.
    pub(super) fn rank(&mut self, places: u32) {
        self.sums.clear();
        self.sums.resize(WINDOW as usize, 0.0);
        let mut start = 0;
        while start < places {
            let window = start..start.saturating_add(WINDOW).min(places);
            start = window.end;
            self.rank_window(&window);
        }
    }

    fn rank_window(&mut self, window: &Range<u32>) {
        let mut all = 0.0;
        for term in &mut self.terms {
            term.enter(window);
            all += f64::from(term.bound);
        }
        let floor = f64::from(self.best.floor());
        if all <= floor {
            return;
        }
        self.terms
            .sort_by(|one, other| one.bound.total_cmp(&other.bound));
        // The terms from here on are gone through; those before it are asked.
        let mut asked = 0;
        let mut of_asked = 0.0;
        while let Some(term) = self.terms.get(asked) {
            let with = of_asked + f64::from(term.bound);
            if with > floor {
                break;
            }
            of_asked = with;
            asked += 1;
        }
        for term in &self.terms[asked..] {
            term.go_through(window, &mut self.sums);
        }
        self.found.clear();
        find(&self.sums, floor - of_asked, &mut self.found);
        let mut left = of_asked;
        // The strongest first.
        for term in self.terms[..asked].iter_mut().rev() {
            if self.found.is_empty() {
                break;
            }
            left -= f64::from(term.bound);
            if term.entries < QUESTION * self.found.len() {
                term.go_through(window, &mut self.sums);
            } else {
                for place in &self.found {
                    self.sums[*place as usize] += term.score_of(window.start + place);
                }
            }
            self.found
                .retain(|place| self.sums[*place as usize] + left > floor);
        }
        for place in &self.found {
            let score = self.sums[*place as usize] as f32;
            self.best.offer(score, window.start + place);
        }
        self.sums.fill(0.0);
    }
}

/// Adds the numbers of all sums that exceed a value.
fn find(sums: &[f64], value: f64, found: &mut Vec<u32>) {
    for (part, numbers) in sums.chunks(PART).zip((0..).step_by(PART)) {
        // Most parts have none, which is seen for several sums at once.
        if part.iter().fold(false, |any, sum| any | (*sum > value)) {
            let exceeding = (numbers..).zip(part).filter(|(_, sum)| **sum > value);
            found.extend(exceeding.map(|(number, _)| number));
        }
    }
}

impl Term {
    /// Goes on to a window.
    fn enter(&mut self, window: &Range<u32>) {
        self.reach(window.start);
        let rest = self.list.blocks()[self.block..].iter();
        (self.bound, self.entries) = (0.0, 0);
        let mut top = None;
        for block in rest.take_while(|block| block.base < window.end) {
            top = top.max(Some(block.top));
            self.entries += block.entries;
        }
        if let Some(score) = top.and_then(|top| self.scores.get(top as usize)) {
            self.bound = *score;
        }
    }

    /// Goes on to the first block that does not end before the place.
    fn reach(&mut self, document: u32) {
        let rest = self.list.blocks()[self.block..].iter();
        self.block += rest.take_while(|block| block.last < document).count();
    }

    /// Adds its scores in the window.
    fn go_through(&self, window: &Range<u32>, sums: &mut [f64]) {
        for block in &self.list.blocks()[self.block..] {
            if block.base >= window.end {
                break;
            }
            self.list.each(block, window, |place, code| {
                let sum = sums.get_mut(place.wrapping_sub(window.start) as usize);
                if let (Some(sum), Some(score)) = (sum, self.scores.get(code as usize)) {
                    *sum += f64::from(*score);
                }
            });
        }
    }

    fn score_of(&mut self, document: u32) -> f64 {
        self.reach(document);
        let block = self.list.blocks().get(self.block);
        let code = block.and_then(|block| self.list.code(block, document));
        let score = code.and_then(|code| self.scores.get(code as usize));
        score.map_or(0.0, |score| f64::from(*score))
    }
}
