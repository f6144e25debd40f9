//! Floor plans: which receptacles stand in a room, at which coordinates, and from where they are used.
//!
//! Everything is reckoned in whole centimetres, so that the same plan comes out on every machine.

use std::collections::BTreeSet;

use super::furnish::{Piece, pieces};
use super::{Dice, GenerateError, Height, KINDS, ReceptacleClass, RoomKind, Split, Wishes, dice};

/// Width of the part of a wall that one piece of furniture takes.
const SLOT: i32 = 70;

/// How far before its wall one stands to use a piece of furniture.
const REACH: i32 = 70;

/// The unit of standing points.
const STEP: i32 = 25;

/// How many plans are drawn at most until one belongs to the right splits.
const TRIES: u64 = 200;

/// A point in a room: to the right, up, forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) z: i32,
}

/// A receptacle in its place.
#[derive(Debug)]
pub(super) struct Receptacle {
    pub(super) class: &'static ReceptacleClass,
    pub(super) id: String,
    pub(super) at: Point,
    /// Index of the location from which it is used.
    pub(super) location: usize,
}

/// A room without objects.
#[derive(Debug)]
pub(super) struct FloorPlan {
    pub(super) kind: &'static RoomKind,
    /// Its number: one or two thousand for the splits, the hundreds of its kind, a count from 1; after 99 of a kind
    /// from 1 with ten thousand more.
    pub(super) number: usize,
    pub(super) receptacles: Vec<Receptacle>,
    /// Ids of the locations.
    pub(super) locations: Vec<String>,
    /// The middle of the room.
    middle: (i32, i32),
}

impl FloorPlan {
    /// The floor plan of that index. `train` and `seen` share theirs.
    ///
    /// Which splits a plan belongs to is told by what stands at its locations, whatever the seed: no
    /// plan of `unseen` is ever equal to one of `train`.
    pub(super) fn draw(wishes: &Wishes, index: usize) -> Result<Self, GenerateError> {
        let group = usize::from(wishes.split == Split::Unseen);
        let kind = &KINDS[index % KINDS.len()];
        let impossible = || {
            let (name, wished) = (kind.name, wishes.receptacles.unwrap_or(kind.receptacles));
            let what = format!("no {name} of this split could be drawn with {wished} receptacles");
            GenerateError::at("receptacles", format!("{what}; choose a wider range"))
        };
        let span = match wishes.receptacles {
            None => Some(kind.receptacles),
            Some(wished) => wished.and(kind.bounds()),
        };
        let span = span.ok_or_else(impossible)?;
        for tried in 0..TRIES {
            let parts = [u64::from(wishes.seed), group as u64, index as u64, tried];
            let mut dice = dice("floor plan", &parts);
            let mut plan = Self {
                kind,
                number: 1000 * (group + 1)
                    + kind.hundreds
                    + index / KINDS.len() % 99
                    + 1
                    + index / KINDS.len() / 99 * 10_000,
                receptacles: Vec::new(),
                locations: Vec::new(),
                middle: (dice.offset(200), dice.offset(200)),
            };
            let count = dice.around(span.least(), span.most());
            plan.arrange(&pieces(kind, count, &mut dice), &mut dice);
            if plan.group() == group {
                return Ok(plan);
            }
        }
        Err(impossible())
    }

    /// Receptacles of a class, by index.
    pub(super) fn of_class(&self, class: &str) -> Vec<usize> {
        self.receptacles
            .iter()
            .enumerate()
            .filter(|(_, receptacle)| receptacle.class.name == class)
            .map(|(index, _)| index)
            .collect()
    }

    /// A location near the middle of the room from which no receptacle is used.
    pub(super) fn start(&self, dice: &mut Dice) -> String {
        loop {
            let (x, z) = (self.middle.0 / STEP, self.middle.1 / STEP);
            let id = location_id(x + dice.offset(2), z + dice.offset(2), dice.below(4), "30");
            if !self.locations.contains(&id) {
                return id;
            }
        }
    }

    /// Puts the pieces side by side along the four walls.
    fn arrange(&mut self, pieces: &[Piece], dice: &mut Dice) {
        let along = i32::try_from(pieces.len().div_ceil(4).max(2)).unwrap_or(2);
        let half = along * SLOT / 2 + REACH;
        let mut taken = BTreeSet::new();
        for (index, piece) in (0..).zip(pieces) {
            let (wall, slot) = ((index / along) % 4, index % along);
            let side = (2 * slot + 1 - along) * SLOT / 2 + dice.offset(8);
            let base = if dice.percent(50) { 45 } else { 205 };
            for (level, (class, joins)) in (0..).zip(piece) {
                let stacked = class.height == Height::Stacked;
                let shifted = side + if stacked { 0 } else { 25 * level };
                let place = |depth: i32| match wall {
                    0 => (shifted, depth),
                    1 => (depth, -shifted),
                    2 => (-shifted, -depth),
                    _ => (-depth, shifted),
                };
                let ((x, z), height) = (place(half), height(class.height, level, base));
                let mut at = Point { x: self.middle.0 + x, y: height, z: self.middle.1 + z };
                let mut id = receptacle_id(class, at);
                while !taken.insert(id.to_lowercase()) {
                    at.x += 1;
                    id = receptacle_id(class, at);
                }
                if !*joins || self.locations.is_empty() {
                    let (x, z) = place(half - REACH);
                    self.add_location(x, z, level, wall, tilt(height));
                }
                self.receptacles.push(Receptacle { class, id, at, location: self.locations.len() - 1 });
            }
        }
    }

    /// Adds the location of that standing point, or the nearest one that is free.
    fn add_location(&mut self, x: i32, z: i32, level: i32, wall: i32, tilt: &str) {
        let (x, z) = (self.middle.0 + x, self.middle.1 + z);
        let rotation = usize::try_from(wall).unwrap_or(0);
        let mut step = level;
        loop {
            let (right, forward) = if wall % 2 == 0 { (step, 0) } else { (0, step) };
            let id = location_id(x / STEP + right, z / STEP + forward, rotation, tilt);
            if !self.locations.contains(&id) {
                self.locations.push(id);
                return;
            }
            step += 1;
        }
    }

    /// Which of the two groups of splits the plan belongs to, by its furniture and what shares a
    /// location.
    fn group(&self) -> usize {
        let mut locations: Vec<Vec<&str>> = vec![Vec::new(); self.locations.len()];
        for receptacle in &self.receptacles {
            locations[receptacle.location].push(receptacle.class.name);
        }
        locations.retain(|classes| !classes.is_empty());
        let texts = locations.into_iter().map(|mut classes| {
            classes.sort_unstable();
            classes.join("+")
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        let hash = blake3::hash(texts.join(" ").as_bytes());
        usize::from(hash.as_bytes()[0] & 1)
    }
}

/// How high something stands; `level` counts what is one above the other.
fn height(class: Height, level: i32, base: i32) -> i32 {
    match class {
        Height::Floor => 0,
        Height::Seat => 45,
        Height::Table => 90,
        Height::Stacked => 20 + 30 * level,
        Height::Hung => 110,
        Height::Wall => base,
    }
}

/// How far one looks down, or up, to see something of that height.
fn tilt(height: i32) -> &'static str {
    match height {
        ..40 => "60",
        40..100 => "45",
        100..140 => "30",
        140..180 => "0",
        _ => "_minus_30",
    }
}

fn location_id(x: i32, z: i32, rotation: usize, tilt: &str) -> String {
    let signed = |steps: i32| {
        let sign = if steps < 0 { "_minus_" } else { "" };
        format!("{sign}{}", steps.abs())
    };
    let (x, z) = (signed(x), signed(z));
    format!("loc_bar_{x}_bar_{z}_bar_{rotation}_bar_{tilt}")
}

/// The id of a thing of a class at a point: the coordinates in metres, as ids spell them.
pub(super) fn id_at(class: &str, at: Point) -> String {
    let spelt = |centimetres: i32| {
        let sign = if centimetres < 0 { "minus" } else { "plus" };
        let (metres, rest) = (centimetres.abs() / 100, centimetres.abs() % 100);
        format!("_bar__{sign}_{metres:02}_dot_{rest:02}")
    };
    format!("{class}{}{}{}", spelt(at.x), spelt(at.y), spelt(at.z))
}

/// Basins belong to something larger, which gives them their id.
fn receptacle_id(class: &ReceptacleClass, at: Point) -> String {
    match class.name.strip_suffix("Basin") {
        Some(outer) => format!("{}_bar_{}", id_at(outer, at), class.name),
        None => id_at(class.name, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(split: Split, seed: u32, index: usize) -> FloorPlan {
        FloorPlan::draw(&Wishes::new(split, seed), index).unwrap()
    }

    #[test]
    fn ids_spell_coordinates() {
        let at = Point { x: -136, y: 5, z: 1200 };
        assert_eq!(id_at("Mug", at), "Mug_bar__minus_01_dot_36_bar__plus_00_dot_05_bar__plus_12_dot_00");
        assert_eq!(location_id(-3, 7, 2, "_minus_30"), "loc_bar__minus_3_bar_7_bar_2_bar__minus_30");
    }

    #[test]
    fn seen_shares_the_plans_of_train_and_unseen_has_none_of_them() {
        for seed in 0..5 {
            for index in 0..40 {
                let ids = |plan: FloorPlan| {
                    let ids = plan.receptacles.into_iter().map(|receptacle| receptacle.id);
                    (plan.locations, ids.collect::<Vec<_>>())
                };
                let train = plan(Split::Train, seed, index);
                assert_eq!(train.group(), 0);
                assert_eq!(ids(train), ids(plan(Split::Seen, seed, index)));
                assert_eq!(plan(Split::Unseen, seed, index).group(), 1);
            }
        }
    }

    #[test]
    fn locations_are_distinct_and_some_are_shared() {
        let mut shared = 0;
        for index in 0..40 {
            let plan = plan(Split::Train, 1, index);
            let distinct: BTreeSet<&String> = plan.locations.iter().collect();
            assert_eq!(distinct.len(), plan.locations.len());
            assert!(plan.receptacles.iter().all(|one| one.location < plan.locations.len()));
            shared += usize::from(plan.receptacles.len() > plan.locations.len());
            let mut dice = dice("start", &[index as u64]);
            assert!(!plan.locations.contains(&plan.start(&mut dice)));
        }
        assert!(shared > 20, "{shared}");
    }
}
