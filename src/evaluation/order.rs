//! The canonical order of results: cells as in the config, then task, then repeat.

use super::EpisodeResult;
use crate::domain::{CellName, EpisodeId};
use crate::log::position;

/// Results in canonical order, given the cells of the run.
pub fn in_order<'a>(results: &'a [EpisodeResult], cells: &[CellName]) -> Vec<&'a EpisodeResult> {
    let order = Order::of(results, cells);
    let mut ordered: Vec<&EpisodeResult> = results.iter().collect();
    ordered.sort_by_cached_key(|result| order.key(result));
    ordered
}

/// The cells of results in their order, so that a result's place among a million takes few bytes.
pub(super) struct Order(Vec<CellName>);

impl Order {
    /// Cells that are not listed come after those that are, by name.
    pub(super) fn of<'a>(
        results: impl IntoIterator<Item = &'a EpisodeResult>,
        cells: &[CellName],
    ) -> Self {
        let mut found: Vec<CellName> = Vec::new();
        for result in results {
            let cell = &result.episode.cell;
            if !found.contains(cell) {
                found.push(cell.clone());
            }
        }
        found.sort_by_key(|cell| (position(cells, cell), cell.clone()));
        Self(found)
    }

    /// The place of a result, which is one of those.
    pub(super) fn key(&self, result: &EpisodeResult) -> (u32, u32, u32) {
        let EpisodeId { cell, task, repeat } = &result.episode;
        let place = position(&self.0, cell);
        (u32::try_from(place).unwrap_or(u32::MAX), *task, *repeat)
    }
}
