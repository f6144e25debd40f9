//! Recognises which dialect a game speaks by what its domain and grammar say.
//!
//! A game is accepted when its own texts mean the same as those of this crate, apart from the
//! differences named in the table of variations in `reference`; each is recognised by itself, so
//! mixed dialects play too.

use std::collections::BTreeMap;

use super::dialect::Dialect;
use super::error::Defect;
use super::grammar::Grammar;
use super::meaning::Meaning;
use super::reference::{REFERENCE, compare_actions, compare_rest, help_text};

impl Dialect {
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
