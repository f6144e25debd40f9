//! The episodes that are worth a look: a report holds their transcripts.

use std::cmp::Reverse;

use super::Table;
use super::figures::or_none;
use crate::domain::{CellName, EpisodeId};
use crate::evaluation::{EpisodeResult, Group, Standing, Summary};
use crate::log::Timing;

/// Episodes of each list.
const EACH: usize = 5;
/// Rows of which examples and failures are picked.
const ROWS: usize = 12;
/// Most episodes of one list.
const MOST: usize = 24;

/// Lists of episodes, by their places among the results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picks {
    /// The lists that are not empty.
    pub lists: Vec<Pick>,
}

/// One list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The reason for which its episodes are in it.
    pub title: &'static str,
    /// Their places.
    pub places: Vec<usize>,
    /// The number of others, where that says something.
    pub more: usize,
}

/// An episode with its wall time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Its place among the results.
    pub place: usize,
    /// Milliseconds from beginning to end.
    pub wall_ms: f64,
}

impl Picks {
    /// Picks from results in canonical order.
    pub(super) fn of(results: &[&EpisodeResult], summary: &Summary) -> Self {
        let unsolved = |result: &EpisodeResult| result.standing() == Standing::Counted && !result.success;
        let broken = |result: &EpisodeResult| result.standing() == Standing::Broken;
        let lists = [
            by_row("The first of each cell", 1, results, summary, |_| true),
            by_row("Not solved", EACH, results, summary, unsolved),
            by_row("Broken", EACH, results, summary, broken),
            most("The longest", results, |result| result.counts.steps),
            most("The most talkative", results, |result| result.counts.questions),
        ];
        let lists = lists.into_iter().filter(|list| !list.places.is_empty()).collect();
        Self { lists }
    }

    /// The places of all lists.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.lists.iter().flat_map(|list| list.places.iter().copied())
    }
}

/// The first episodes of each row for which something is so.
fn by_row(
    title: &'static str,
    each: usize,
    results: &[&EpisodeResult],
    summary: &Summary,
    so: impl Fn(&EpisodeResult) -> bool,
) -> Pick {
    let mut places = Vec::new();
    let mut found = vec![0_usize; summary.rows.len()];
    let mut all = 0;
    for (place, result) in results.iter().enumerate().filter(|(_, result)| so(result)) {
        all += 1;
        let of_row = |row: &Group| row.cell.as_ref() == Some(&result.episode.cell) && row.user == result.user;
        let row = summary.rows.iter().take(ROWS).position(of_row);
        if let Some(count) = row.and_then(|row| found.get_mut(row))
            && *count < each
            && places.len() < MOST
        {
            *count += 1;
            places.push(place);
        }
    }
    // That there are more than one episode of a cell goes without saying.
    let more = if each == 1 { 0 } else { all - places.len() };
    Pick { title, places, more }
}

/// The episodes with the most of something; none has nothing of it. Equal ones come in order.
fn most(title: &'static str, results: &[&EpisodeResult], figure: fn(&EpisodeResult) -> u32) -> Pick {
    let mut places: Vec<usize> = (0..results.len()).collect();
    let amount = |position: &usize| results.get(*position).map_or(0, |result| figure(result));
    places.retain(|place| amount(place) > 0);
    places.sort_by_key(|place| Reverse(amount(place)));
    places.truncate(EACH);
    Pick { title, places, more: 0 }
}

impl Timed {
    /// The slowest of the results, which are in canonical order.
    pub(super) fn slowest(timings: Vec<Timing>, results: &[&EpisodeResult]) -> Vec<Self> {
        let mut cells: Vec<&CellName> = results.iter().map(|result| &result.episode.cell).collect();
        cells.dedup();
        // Found without a table of all: there may be a million.
        let timed = |timing: &Timing| {
            let wanted = order(&cells, &timing.episode);
            let place = results.binary_search_by(|result| order(&cells, &result.episode).cmp(&wanted)).ok()?;
            let wall_ms = timing.wall_ms;
            Some(Self { place, wall_ms })
        };
        let mut all: Vec<Self> = timings.iter().filter_map(timed).collect();
        all.sort_by(|one, other| {
            let slower = other.wall_ms.total_cmp(&one.wall_ms);
            slower.then(one.place.cmp(&other.place))
        });
        all.truncate(EACH);
        all
    }
}

/// By what canonical order compares episodes, given the cells in their order.
fn order<'a>(cells: &[&CellName], id: &'a EpisodeId) -> (Option<usize>, &'a EpisodeId) {
    (cells.iter().position(|cell| **cell == id.cell), id)
}

/// The episodes at the places, one a row. `wall` holds their wall times, if they are known.
pub(super) fn table(title: &str, results: &[&EpisodeResult], places: &[usize], wall: &[f64]) -> Table {
    let timed = !wall.is_empty();
    let mut table = Table::new(title)
        .key("episode")
        .texts(["type", "user", "ending"])
        .numbers(["steps", "questions", "refused", "faults"])
        .numbers(timed.then_some("seconds"))
        .texts(["task"]);
    let results = places.iter().filter_map(|place| results.get(*place));
    for (row, result) in results.enumerate() {
        let counts = &result.counts;
        let (episode, user) = (result.episode.to_string(), or_none(result.user.clone()));
        let mut texts = vec![episode, result.kind.clone(), user, result.ending_label()];
        texts.extend([counts.steps, counts.questions].map(|count| count.to_string()));
        texts.extend([counts.invalid, counts.faults].map(|count| count.to_string()));
        let seconds = wall.get(row).map(|wall_ms| format!("{:.3}", wall_ms / 1e3));
        texts.extend(timed.then(|| or_none(seconds)));
        texts.push(result.task.clone());
        table.row(texts);
    }
    table
}
