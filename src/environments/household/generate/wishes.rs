//! The wishes for generated games, with ranges of whole numbers as configs and the command line write them, and the
//! errors of impossible ones.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::KINDS;

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
            _ => {
                let choices = "`train`, `seen` or `unseen` (also `valid_seen`, `valid_unseen`)";
                let problem = format!("there is no split `{word}`; choose {choices}");
                Err(GenerateError::at("split", problem))
            }
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

/// The games that are wished for. The same wishes always give the same games.
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
    /// The most floor plans: more than anybody trains with.
    pub const MOST_ROOMS: usize = 400_000;
    /// How long plans are unless something else is wished for: any official length.
    pub const PLAN: Span = Span::new(3, 10);
    /// The fewest objects in a room: those of the task, a lamp, and something else.
    const FEWEST_OBJECTS: usize = 4;
    /// The most objects in a room.
    const MOST_OBJECTS: usize = 120;

    /// The usual games of a split.
    pub fn new(split: Split, seed: u32) -> Self {
        Self { split, seed, rooms: Self::ROOMS, receptacles: None, objects: None, plan: Self::PLAN }
    }

    /// Refuses what is impossible in at least one kind of room.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        let (rooms, most) = (self.rooms, Self::MOST_ROOMS);
        if !(2..=most).contains(&rooms) {
            let problem = format!(
                "{rooms} floor plans are not possible; choose 2 (a kitchen and a bedroom, which the \
                 task types need) to {most}"
            );
            return Err(GenerateError::at("rooms", problem));
        }
        for kind in KINDS.iter().take(self.rooms) {
            let possible = kind.bounds();
            if let Some(wished) = self.receptacles
                && wished.and(possible).is_none()
            {
                let problem = format!(
                    "no {} has {wished} receptacles; choose a range that overlaps {possible} (each \
                     kind of room has its own)",
                    kind.name
                );
                return Err(GenerateError::at("receptacles", problem));
            }
        }
        let possible = Span::new(Self::FEWEST_OBJECTS, Self::MOST_OBJECTS);
        match self.objects {
            Some(wished) if wished.and(possible) != Some(wished) => {
                let range = format!("choose a range within {possible}");
                let problem = format!("{wished} objects are not possible; {range}");
                Err(GenerateError::at("objects", problem))
            }
            _ => Ok(()),
        }
    }
}

/// The reason why a game could not be generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct GenerateError {
    /// The wish that has to be changed, if one is to blame.
    pub knob: Option<&'static str>,
    /// The reason, and what to do about it.
    pub problem: String,
}

impl GenerateError {
    /// The error of a wish that cannot be fulfilled.
    pub(super) fn at(knob: &'static str, problem: String) -> Self {
        let knob = Some(knob);
        Self { knob, problem }
    }
}

/// A range of whole numbers, both ends included; written `A..B`, or `A` for one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    least: usize,
    most: usize,
}

impl Span {
    /// From `least` to `most`; an empty range becomes the number `least`.
    pub const fn new(least: usize, most: usize) -> Self {
        Self { least, most: if most < least { least } else { most } }
    }

    /// The smallest number.
    pub const fn least(self) -> usize {
        self.least
    }

    /// The largest number.
    pub const fn most(self) -> usize {
        self.most
    }

    /// Whether the number lies within.
    pub fn contains(self, number: usize) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The range that both have in common.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least <= most).then_some(Self { least, most })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.least, self.most)
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let error = || SpanError { text: text.to_owned() };
        let number = |text: &str| match text.trim().parse::<u16>() {
            Ok(number) => Ok(usize::from(number)),
            Err(_) => Err(error()),
        };
        let (least, most) = match text.split_once("..") {
            Some((least, most)) => (number(least)?, number(most.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        (least <= most).then_some(Self { least, most }).ok_or_else(error)
    }
}

/// A text that is no range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is no range; write A..B with whole numbers, A not above B, both included")]
pub struct SpanError {
    /// The text.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_wishes_name_the_knob() {
        let fault = |change: fn(&mut Wishes)| {
            let mut wishes = Wishes::new(Split::Train, 1);
            change(&mut wishes);
            wishes.check().err().and_then(|error| error.knob)
        };
        assert_eq!(fault(|_| ()), None);
        assert_eq!(fault(|wishes| wishes.rooms = 1), Some("rooms"));
        assert_eq!(fault(|wishes| wishes.rooms = 500_000), Some("rooms"));
        let few = |wishes: &mut Wishes| wishes.receptacles = Some(Span::new(2, 9));
        assert_eq!(fault(few), Some("receptacles"));
        let many = |wishes: &mut Wishes| wishes.receptacles = Some(Span::new(90, 99));
        assert_eq!(fault(many), Some("receptacles"));
        let none = |wishes: &mut Wishes| wishes.objects = Some(Span::new(0, 0));
        assert_eq!(fault(none), Some("objects"));
    }

    #[test]
    fn ranges_are_read_and_written() {
        assert_eq!("3..9".parse(), Ok(Span::new(3, 9)));
        assert_eq!(" 3 ..=9".parse(), Ok(Span::new(3, 9)));
        assert_eq!("7".parse(), Ok(Span::new(7, 7)));
        assert_eq!(Span::new(3, 9).to_string(), "3..9");
        for wrong in ["", "..", "3..", "9..3", "-1..3", "a..b", "1..99999"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}
