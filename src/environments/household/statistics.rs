//! The size and difficulty of games: the figures by which data sets are compared.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::plan::PlanError;
use super::{Game, PlanLimits, World, class_of, shortest_plan, traits};
use rolecall_core::text::unique;

/// The measures of a game, in the order of [`Figures::values`].
pub const MEASURES: [&str; 8] = [
    "receptacles",
    "receptacles that open",
    "locations of receptacles",
    "objects in receptacles",
    "classes of objects",
    "objects of the task's class",
    "commands of the shortest plan",
    "admissible commands at the start",
];

/// The figures of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// A figure for each of [`MEASURES`].
    pub values: [usize; MEASURES.len()],
}

/// Mean, least and most of a measure over games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest figure.
    pub least: usize,
    /// The largest figure.
    pub most: usize,
}

impl Figures {
    /// Measures a game at its start.
    ///
    /// # Errors
    /// When it cannot be solved, or no plan is found.
    pub fn of(game: &Arc<Game>) -> Result<Self, PlanError> {
        let world = World::new(Arc::clone(game));
        let receptacles = &game.orders.receptacles;
        let locations = unique(receptacles.iter().map(|one| game.location(*one)));
        let opening = receptacles.iter().filter(|one| game.has(**one, traits::OPENABLE));
        // Some official games have an object in two receptacles at once.
        let contents = game.start.contents.iter();
        let objects = unique(contents.map(|(_, object)| object));
        let classes: BTreeSet<&str> = objects.iter().map(|object| game.objects.get(*object)).map(class_of).collect();
        let for_goal = |object: &&u16| game.has(**object, traits::GOAL_OBJECT);
        let of_task = objects.iter().filter(for_goal);
        let plan = shortest_plan(&world, PlanLimits::default())?;
        let values = [
            receptacles.len(),
            opening.count(),
            locations.len(),
            objects.len(),
            classes.len(),
            of_task.count(),
            plan.commands.len(),
            world.admissible().len(),
        ];
        Ok(Self { values })
    }
}

impl Spread {
    /// The spread of each measure; none without games.
    pub fn of(games: &[Figures]) -> Option<[Self; MEASURES.len()]> {
        let first = games.first()?.values;
        let mut spreads = first.map(|value| Self { mean: 0.0, least: value, most: value });
        for game in games {
            for (spread, value) in spreads.iter_mut().zip(game.values) {
                spread.mean += value as f64 / games.len() as f64;
                spread.least = spread.least.min(value);
                spread.most = spread.most.max(value);
            }
        }
        Some(spreads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_over_all_games() {
        let game = |value| Figures { values: [value; MEASURES.len()] };
        let spreads = Spread::of(&[game(2), game(6), game(4)]).unwrap();
        let [first, ..] = spreads;
        assert!((first.mean - 4.0).abs() < 1e-9);
        assert_eq!((first.least, first.most), (2, 6));
        assert_eq!(Spread::of(&[]), None);
    }
}
