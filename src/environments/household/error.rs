//! Errors of household games and folders of games.

use std::io;

use thiserror::Error;

/// Why a household game, a folder of games or a plan could not be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HouseholdError {
    /// A file or folder could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not a game this crate can play; says where and why.
    #[error("`{name}` is not a playable household game: {defect}")]
    NotPlayable {
        /// The file, or the name given with the bytes.
        name: String,
        /// The defect.
        defect: Defect,
    },
    /// The game file says `"solvable": false`; selections of games leave such files out.
    #[error("`{name}` is marked `\"solvable\": false` and is not played; choose another game")]
    NotSolvable {
        /// The file.
        name: String,
    },
    /// A folder holds no game.
    #[error("no game was found below `{path}`; expected files named `game.tw-pddl`{hint}")]
    NoGames {
        /// The folder searched.
        path: String,
        /// The files that were left out, if any.
        hint: String,
    },
    /// The tree has no folder of that split.
    #[error("`{path}` has no split `{split}`; it has {available}")]
    NoSplit {
        /// The root of the tree.
        path: String,
        /// The split asked for.
        split: String,
        /// The folders it has instead.
        available: String,
    },
}

/// A defect of one game file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// The file is not the JSON object it should be.
    #[error("not the JSON object of a game: {reason} (line {line}, column {column}); is the file complete?")]
    Json {
        /// Line in the file, from 1.
        line: usize,
        /// Column in the file, from 1.
        column: usize,
        /// The reason that the JSON reader gives.
        reason: String,
    },
    /// A key every game file has is absent.
    #[error("the key `{key}` is missing; a game has `pddl_domain`, `grammar`, `pddl_problem` and `solvable`")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// One of the texts in the file does not follow its syntax.
    #[error("`{part}` line {line}: {reason}")]
    Syntax {
        /// Key of the text: `pddl_domain`, `grammar` or `pddl_problem`.
        part: &'static str,
        /// Line within that text, from 1.
        line: u32,
        /// The text expected and the text found.
        reason: String,
    },
    /// The facts together describe no room this crate can play.
    #[error("`pddl_problem`: {reason}")]
    Room {
        /// The fact that is missing or contradictory.
        reason: String,
    },
    /// The domain and the grammar are none of the known ones.
    #[error(
        "its rules are unknown: `pddl_domain` and `grammar` have the digest {digest} (white space and the task \
         sentence aside); only if they play as the official ones do, set environment.rules = \"new-style\" (`move X \
         to Y`) or \"old-style\" (`put X in/on Y`)"
    )]
    Rules {
        /// Their digest.
        digest: String,
    },
    /// The goal is none of the six official forms.
    #[error("unsupported goal: {reason}; supported are the goals of the six official task types")]
    Goal {
        /// The unsupported part of it.
        reason: String,
    },
    /// The room has more entities than 16-bit indices can name.
    #[error("too large: {count} {what}, at most {limit} are supported")]
    TooLarge {
        /// The kind of entity that there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}
