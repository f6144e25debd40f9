//! Recognises which dialect a game speaks by what its domain and grammar say (spec section 1).
//!
//! The dynamics and texts that this crate plays are stated once, in `builtin/domain.pddl` and
//! `builtin/grammar.twl2`. A game is accepted when its own texts mean the same, apart from the
//! differences named in the table of variations in `reference`; each is recognised by itself, so mixed dialects play too.

use std::collections::BTreeMap;

use super::error::Defect;
use super::grammar::Grammar;
use super::meaning::Meaning;
use super::reference::{REFERENCE, compare_actions, compare_rest, help_text};

/// The domain text of games that this crate writes itself, in the new style.
pub(crate) const DOMAIN: &str = include_str!("builtin/domain.pddl");

/// The grammar text of games that this crate writes itself, in the new style; its `task` rule holds
/// [`TASK_MARK`] where the sentence belongs.
pub(crate) const GRAMMAR: &str = include_str!("builtin/grammar.twl2");

/// Stands for the task sentence in [`GRAMMAR`].
pub(crate) const TASK_MARK: &str = "UNKNOWN GOAL";

/// How objects are put down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutWording {
    /// `move O to R`, answered `You move the O to the R.` (new style).
    MoveTo,
    /// `put O in/on R`, answered `You put the O in/on the R.` (old style).
    PutInOn,
}

/// What an arrival is told with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrivalNaming {
    /// `You arrive at R.`, the receptacle gone to (new style).
    Receptacle,
    /// `You arrive at loc N.`, the location of it (old style).
    Location,
}

/// Which receptacles clean an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// Recognises the dialect of a game by its two texts.
    ///
    /// # Errors
    /// A syntax defect, or the first difference from both dialects.
    pub(crate) fn recognise(domain: &str, grammar: &str) -> Result<Recognised, Defect> {
        let grammar = Grammar::read(grammar)?;
        let game = Meaning::read(domain, &grammar)?;
        let reference = REFERENCE.as_ref().map_err(Clone::clone)?;
        compare_actions(&reference.meaning, &game)?;
        let dialect = Self {
            put: reference.put_wording(&game)?,
            arrival: reference.arrival(&game)?,
            cleaners: reference.cleaners(&game)?,
            help: help_text(&game)?,
        };
        compare_rest(&reference.meaning, &game)?;
        Ok(Recognised {
            dialect,
            task: game.task,
            predicates: game.predicates,
        })
    }
}

/// What the domain and the grammar of a game tell besides the known dynamics.
pub(crate) struct Recognised {
    /// The dialect.
    pub(crate) dialect: Dialect,
    /// The text of the `task` rule.
    pub(crate) task: String,
    /// Declared predicates with the types of their arguments.
    pub(crate) predicates: BTreeMap<String, Vec<String>>,
}
