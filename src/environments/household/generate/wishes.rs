//! What can be wished for when games are generated, and what is wrong with impossible wishes.

use thiserror::Error;

use super::{KINDS, Span};

/// Which part of a data set games belong to. `seen` uses the floor plans of `train` with other
/// contents and tasks; `unseen` uses floor plans that `train` never has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Split {
    /// For learning.
    Train,
    /// For evaluation in known rooms.
    Seen,
    /// For evaluation in new rooms.
    Unseen,
}

impl Split {
    /// All splits.
    pub const ALL: [Self; 3] = [Self::Train, Self::Seen, Self::Unseen];

    /// The split of that name, which may be the official one.
    ///
    /// # Errors
    /// For any other word.
    pub fn named(word: &str) -> Result<Self, GenerateError> {
        match word {
            "train" => Ok(Self::Train),
            "seen" | "valid_seen" => Ok(Self::Seen),
            "unseen" | "valid_unseen" => Ok(Self::Unseen),
            _ => Err(GenerateError::Split {
                word: word.to_owned(),
            }),
        }
    }

    /// The name of the split's folder in official data.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Seen => "valid_seen",
            Self::Unseen => "valid_unseen",
        }
    }
}

/// What games are wished for. The same wishes always give the same games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wishes {
    /// The split.
    pub split: Split,
    /// The seed of everything: floor plans, contents, tasks.
    pub seed: u32,
    /// How many different floor plans there are; kinds of rooms take turns.
    pub rooms: usize,
    /// Receptacles in a room; none: as is usual in its kind of room.
    pub receptacles: Option<Span>,
    /// Objects in a room; none: as is usual in its kind of room.
    pub objects: Option<Span>,
    /// Commands of the shortest plan.
    pub plan: Span,
}

impl Wishes {
    /// How many floor plans there are unless more or fewer are wished for.
    pub const ROOMS: usize = 40;
    /// The most floor plans: their numbers have three digits in each kind of room.
    pub const MOST_ROOMS: usize = 4 * 99;
    /// How long plans are unless something else is wished for: any official length.
    pub const PLAN: Span = Span::new(3, 10);
    /// The fewest objects in a room: those of the task, a lamp, and something else.
    const FEWEST_OBJECTS: usize = 4;
    /// The most objects in a room.
    const MOST_OBJECTS: usize = 120;

    /// The usual games of a split.
    pub fn new(split: Split, seed: u32) -> Self {
        Self {
            split,
            seed,
            rooms: Self::ROOMS,
            receptacles: None,
            objects: None,
            plan: Self::PLAN,
        }
    }

    /// Refuses what is impossible in at least one kind of room.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        if !(2..=Self::MOST_ROOMS).contains(&self.rooms) {
            return Err(GenerateError::Rooms { rooms: self.rooms });
        }
        for kind in KINDS.iter().take(self.rooms) {
            let possible = kind.bounds();
            if let Some(wished) = self.receptacles
                && wished.and(possible).is_none()
            {
                return Err(GenerateError::Receptacles {
                    wished,
                    kind: kind.name,
                    possible,
                });
            }
        }
        let possible = Span::new(Self::FEWEST_OBJECTS, Self::MOST_OBJECTS);
        match self.objects {
            Some(wished) if wished.and(possible) != Some(wished) => {
                Err(GenerateError::Objects { wished, possible })
            }
            _ => Ok(()),
        }
    }
}

/// Why a game could not be generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No such split.
    #[error(
        "there is no split `{word}`; choose `train`, `seen` or `unseen` (also `valid_seen`, `valid_unseen`)"
    )]
    Split {
        /// The word.
        word: String,
    },
    /// Too few or too many floor plans.
    #[error(
        "{rooms} floor plans are not possible; choose 2 (a kitchen and a bedroom, which the task types need) to {most}",
        most = Wishes::MOST_ROOMS
    )]
    Rooms {
        /// How many were wished for.
        rooms: usize,
    },
    /// A kind of room cannot have so many receptacles.
    #[error(
        "no {kind} has {wished} receptacles; choose a range that overlaps {possible} (each kind of room has its own)"
    )]
    Receptacles {
        /// What was wished for.
        wished: Span,
        /// The kind of room.
        kind: &'static str,
        /// What it can have.
        possible: Span,
    },
    /// No room can have so few or so many objects.
    #[error("{wished} objects are not possible; choose a range within {possible}")]
    Objects {
        /// What was wished for.
        wished: Span,
        /// What is possible.
        possible: Span,
    },
    /// No task type has plans of that length.
    #[error("no task has a plan of {wished} commands; choose a range that overlaps {possible}")]
    Plan {
        /// What was wished for.
        wished: Span,
        /// What is possible.
        possible: Span,
    },
    /// The range is so narrow that floor plans of this split cannot be told from the others.
    #[error(
        "no {kind} of this split could be drawn with {wished} receptacles; choose a wider range"
    )]
    FloorPlan {
        /// What was wished for.
        wished: Span,
        /// The kind of room.
        kind: &'static str,
    },
    /// Games were drawn again and again, and none fitted.
    #[error(
        "game {index} could not be had: {tries} games were drawn, and no plan had {wished} commands; \
         choose a wider range"
    )]
    NoGame {
        /// The number of the game, from 0.
        index: usize,
        /// How many were drawn.
        tries: u32,
        /// The length wished for.
        wished: Span,
    },
    /// The game that was written cannot be read: a fault of this crate.
    #[error("a generated game cannot be played, which is a fault of rolecall: {reason}")]
    Unplayable {
        /// What is wrong with it.
        reason: String,
    },
}

impl GenerateError {
    /// The wish that has to be changed, if one is to blame.
    pub fn knob(&self) -> Option<&'static str> {
        match self {
            Self::Split { .. } => Some("split"),
            Self::Rooms { .. } => Some("rooms"),
            Self::Receptacles { .. } | Self::FloorPlan { .. } => Some("receptacles"),
            Self::Objects { .. } => Some("objects"),
            Self::Plan { .. } | Self::NoGame { .. } => Some("plan"),
            Self::Unplayable { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_wishes_name_the_knob() {
        let fault = |change: fn(&mut Wishes)| {
            let mut wishes = Wishes::new(Split::Train, 1);
            change(&mut wishes);
            wishes.check().err().and_then(|error| error.knob())
        };
        assert_eq!(fault(|_| ()), None);
        assert_eq!(fault(|wishes| wishes.rooms = 1), Some("rooms"));
        assert_eq!(fault(|wishes| wishes.rooms = 5_000), Some("rooms"));
        let few = |wishes: &mut Wishes| wishes.receptacles = Some(Span::new(2, 9));
        assert_eq!(fault(few), Some("receptacles"));
        let many = |wishes: &mut Wishes| wishes.receptacles = Some(Span::new(90, 99));
        assert_eq!(fault(many), Some("receptacles"));
        let none = |wishes: &mut Wishes| wishes.objects = Some(Span::new(0, 0));
        assert_eq!(fault(none), Some("objects"));
    }
}
