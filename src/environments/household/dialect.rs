//! How games speak and play, where the data releases differ; and the rules that all share.
//!
//! The dynamics and texts that this crate plays are stated once, in `generate/domain.pddl` and
//! `generate/grammar.twl2`; `recognise` compares every game with them.

/// The domain text of games that this crate writes itself, in the new style.
pub(crate) const DOMAIN: &str = include_str!("generate/domain.pddl");

/// The grammar text of games that this crate writes itself, in the new style; its `task` rule holds
/// [`TASK_MARK`] where the sentence belongs.
pub(crate) const GRAMMAR: &str = include_str!("generate/grammar.twl2");

/// Stands for the task sentence in [`GRAMMAR`].
pub(crate) const TASK_MARK: &str = "UNKNOWN GOAL";

/// How objects are put down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PutWording {
    /// `move O to R`, answered `You move the O to the R.` (new style).
    MoveTo,
    /// `put O in/on R`, answered `You put the O in/on the R.` (old style).
    PutInOn,
}

/// What an arrival is told with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrivalNaming {
    /// `You arrive at R.`, the receptacle gone to (new style).
    Receptacle,
    /// `You arrive at loc N.`, the location of it (old style).
    Location,
}

/// Which receptacles clean an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cleaners {
    /// Receptacles of type `SinkType` or `SinkBasinType`, as the official domains say.
    SinkAndSinkBasin,
    /// Only those of type `SinkBasinType`.
    SinkBasin,
}

/// How a game speaks and plays, where the data releases differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The wording of putting down.
    pub put: PutWording,
    /// The naming in arrivals.
    pub arrival: ArrivalNaming,
    /// What cleans.
    pub cleaners: Cleaners,
    /// The answer to `help`; none when the game has no such command.
    pub help: Option<Box<str>>,
}

impl Dialect {
    /// Whether this is the old style of game files: `put`, arrivals at locations, no help.
    pub fn is_old_style(&self) -> bool {
        self.put == PutWording::PutInOn
            && self.arrival == ArrivalNaming::Location
            && self.help.is_none()
    }
}
