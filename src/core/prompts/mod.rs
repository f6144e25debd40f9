//! Prompts: the text that a model reads in one turn of a role or user, filled in from what its seat may see
//! (`docs/prompts.md`). Roles and users share it. Imports the domain, the ports and text.
//!
//! A [`Script`] keeps the running text of an episode between turns, as a cache that is rebuilt from
//! the view; a [`Scene`] holds what else a seat knows; a [`Prompter`] fills a persona's prompt in from
//! both and sees to it that the prompt fits the model.

mod cue;
mod exemplars;
mod line;
mod messages;
mod prompter;
mod scene;
mod script;
mod summary;
mod variables;

pub use exemplars::{Exemplars, PERMUTATIONS, spelled};
pub use line::{LineNotation, Speech, Style, block, shown_text, written};
pub use messages::{SAME_SPEAKER, TurnOptions, corrected, prompt};
pub use prompter::{Context, Knowledge, Prompter, Room};
pub use scene::{Forms, Scene};
pub use script::{EntryKind, Script, ScriptEntry};
pub use summary::Summarising;
pub use variables::{lines, utterances};
