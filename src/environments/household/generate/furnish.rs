//! The furniture of a room: how many receptacles of which class, and which of them form one piece.

use super::{Dice, Height, ReceptacleClass, RoomKind, receptacle};

/// Receptacles at the same part of a wall, each with whether it is used from the same location as the
/// one before it.
pub(super) type Piece = Vec<(&'static ReceptacleClass, bool)>;

/// How often a part of a piece is used from the same location as the one before it, in percent.
const STOVE_PAIR: usize = 80;
const CABINET_PAIR: usize = 12;
const STACK: usize = 10;
/// How often a machine is used from where the worktop below it is.
const COFFEE_MACHINE: usize = 60;
const TOASTER: usize = 16;

/// Draws `count` receptacles for a kind of room, in pieces, in a random order along the walls.
pub(super) fn pieces(kind: &RoomKind, count: usize, dice: &mut Dice) -> Vec<Piece> {
    let mut counts: Vec<usize> = kind.furniture.iter().map(|class| class.least).collect();
    let mut left = count.saturating_sub(counts.iter().sum());
    while left > 0 {
        let weights =
            kind.furniture.iter().zip(&counts).map(|(class, count)| if *count < class.most { class.weight } else { 0 });
        let Some(drawn) = dice.weighted(weights) else {
            break;
        };
        counts[drawn] += 1;
        left -= 1;
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for (furniture, count) in kind.furniture.iter().zip(counts) {
        if let Some(class) = receptacle(furniture.class) {
            add(&mut pieces, class, count, dice);
        }
    }
    stand_on_worktops(&mut pieces, dice);
    dice.shuffle(&mut pieces);
    pieces
}

/// Adds the receptacles of a class, in pieces of one or several.
fn add(pieces: &mut Vec<Piece>, class: &'static ReceptacleClass, count: usize, dice: &mut Dice) {
    let mut left = count;
    while left > 0 {
        let (size, shared) = match (class.name, class.height) {
            ("StoveBurner", _) => (2, STOVE_PAIR),
            (_, Height::Wall) => (dice.between(1, 2), CABINET_PAIR),
            (_, Height::Stacked) => (dice.between(1, 4), STACK),
            _ => (1, 0),
        };
        let size = size.min(left);
        left -= size;
        let mut joins = |level| level > 0 && dice.percent(shared);
        pieces.push((0..size).map(|level| (class, joins(level))).collect());
    }
}

/// Machines may be used from where the worktop is on which they stand.
fn stand_on_worktops(pieces: &mut Vec<Piece>, dice: &mut Dice) {
    for (machine, shared) in [("CoffeeMachine", COFFEE_MACHINE), ("Toaster", TOASTER)] {
        let is = |piece: &Piece, name: &str| piece.first().is_some_and(|(class, _)| class.name == name);
        let found = pieces.iter().position(|piece| is(piece, machine));
        if let Some(found) = found
            && dice.percent(shared)
            && pieces.iter().any(|piece| is(piece, "CounterTop"))
        {
            let machine = pieces.remove(found);
            let worktop = pieces.iter_mut().find(|piece| is(piece, "CounterTop"));
            if let Some(worktop) = worktop {
                worktop.extend(machine.into_iter().map(|(class, _)| (class, true)));
            }
        }
    }
}
