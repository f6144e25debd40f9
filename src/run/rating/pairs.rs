//! Pairs of items to be compared: the same task, played by two cells of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::TurnId;
use rolecall_core::domain::{CellName, Seed};
use rolecall_core::evaluation::{CellEpisodes, Pairable, Pairs};

/// An item that may have a partner.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Its name.
    pub(super) id: String,
    /// Where it is.
    pub(super) turn: TurnId,
    /// The task's name in its data set.
    pub(super) task: String,
}

impl Pairable for Candidate {
    fn task(&self) -> &str {
        &self.task
    }

    fn number(&self) -> u32 {
        self.turn.0.task
    }

    fn repeat(&self) -> u32 {
        self.turn.0.repeat
    }

    fn counts(&self) -> bool {
        true
    }
}

/// The pairs of any two cells by a name of their own, each with the names of its items in the order of `cells`.
pub(super) fn pairs(candidates: &[Candidate], cells: &[CellName], seed: Seed) -> BTreeMap<String, [String; 2]> {
    let of = |cell: &CellName| CellEpisodes::new(candidates.iter().filter(|item| item.turn.0.cell == *cell));
    let played: Vec<CellEpisodes<'_, Candidate>> = cells.iter().map(of).collect();
    let mut found = BTreeMap::new();
    for (number, first) in played.iter().enumerate() {
        for second in played.iter().skip(number + 1) {
            for pair in Pairs::of(first, second).pairs {
                let ids = [pair.first, pair.second].map(|item| item.id.clone());
                let hash = seed.labelled("pair to be compared", &ids.join("\n"), 0).0;
                found.insert(format!("p{:014x}", hash >> 8), ids);
            }
        }
    }
    found
}

/// The pairs whose second item a rater sees as A: half of those of any two cells, by chance.
pub(super) fn swapped(pairs: &BTreeMap<String, [TurnId; 2]>, rater: &str, seed: Seed) -> BTreeSet<String> {
    let mut groups: BTreeMap<[&CellName; 2], Vec<&String>> = BTreeMap::new();
    for (id, turns) in pairs {
        groups.entry(turns.each_ref().map(|turn| &turn.0.cell)).or_default().push(id);
    }
    let halves = groups.into_values().flat_map(|mut ids| {
        let side = |label, id: &str| seed.labelled(label, &format!("{rater}\n{id}"), 0).0;
        ids.sort_by_cached_key(|id| side("sides of pairs", id));
        // Of an odd number, which half is the larger one is left to chance as well.
        let odd = ids.first().map_or(0, |id| side("odd side", id) as usize % 2);
        ids.truncate((ids.len() + odd) / 2);
        ids
    });
    halves.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::EpisodeId;

    #[test]
    fn tasks_are_paired_across_cells_and_sides_are_balanced_by_chance() {
        let cells = ["one", "two", "six"].map(|name| CellName::new(name).unwrap());
        let candidates = cells.iter().flat_map(|cell| {
            (0..20).map(move |task| {
                let id: EpisodeId = format!("{cell}:{task}:0").parse().unwrap();
                Candidate { id: format!("u-{id}"), turn: (id, 0), task: format!("t{task}") }
            })
        });
        let candidates: Vec<Candidate> = candidates.collect();
        let found = pairs(&candidates, &cells, Seed(1));
        assert_eq!(found.len(), 60);
        let turn = |id: &str| (id[2..].parse::<EpisodeId>().unwrap(), 0);
        let placed = found.iter().map(|(id, [one, two])| {
            let turns = [turn(one), turn(two)];
            assert_eq!(turns[0].0.task, turns[1].0.task);
            assert!(turns[0].0.cell != turns[1].0.cell);
            (id.clone(), turns)
        });
        let placed: BTreeMap<String, [TurnId; 2]> = placed.collect();
        let anna = swapped(&placed, "anna", Seed(1));
        for second in ["two", "six"] {
            let turned = placed
                .iter()
                .filter(|(_, turns)| turns[0].0.cell.as_str() == "one" && turns[1].0.cell.as_str() == second)
                .filter(|(id, _)| anna.contains(*id))
                .count();
            assert_eq!(turned, 10, "{second}");
        }
        assert_ne!(anna, swapped(&placed, "ben", Seed(1)));
        assert_eq!(anna, swapped(&placed, "anna", Seed(1)));
    }
}
