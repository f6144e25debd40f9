//! From what a model wrote to moves. Models add labels, markup, explanations and the rest of the
//! story; what can be understood is understood, and what had to be mended is told (`docs/prompts.md`
//! lists what is accepted).
//!
//! Pure functions: the same text gives the same moves. `lines` cuts a text into labelled pieces,
//! `label` knows the labels, `piece` reads one piece, `speech` what is spoken and its dialogue act,
//! `json` structured answers, `tools` calls of tools, `commands` tells a command from a sentence, `moves` reads what clients
//! and people answer, `format` has
//! answers read whose method has no labelled moves.

mod commands;
mod format;
mod json;
mod label;
mod lines;
mod moves;
mod piece;
mod speech;
mod tidy;
mod tools;

pub use commands::Commands;
pub use format::{of_moves, read_format, unreadable};
pub use json::read_json;
pub use moves::{USUAL, read_move, read_typed, read_words};
use speech::ask;
pub use speech::said;
pub use tools::{Toolbox, read_tools};

use crate::domain::{Answer, DialogueAct, Move, MoveKind, MoveKinds};
use crate::ports::{Mended, Unreadable};
use crate::text::{joined, visible};

/// The context in which an answer is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The moves that are open.
    pub open: MoveKinds,
    /// The commands that the environment understands.
    pub commands: &'a Commands,
    /// A command without a label is as it should be (the papers' style).
    pub bare_commands: bool,
    /// The dialogue acts of which everything that is spoken declares one; none: speech is free
    /// (ReSpAct Table 20).
    pub acts: &'a [DialogueAct],
}

impl Reading<'_> {
    /// The acts that matter: none where nothing can be spoken.
    fn acts(&self) -> &[DialogueAct] {
        if self.open.contains(MoveKind::Speak) { self.acts } else { &[] }
    }
}

/// Reads what a model wrote: running text with or without labels, or JSON.
///
/// Gives every move that is open, in order; at least one.
pub fn read(text: &str, reading: &Reading<'_>) -> Result<Answer, Unreadable> {
    let mut mended = Mended::default();
    let text = lines::clean(text, reading.open, &mut mended);
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    if text.starts_with(['{', '[']) && text.ends_with(['}', ']']) {
        // A text in brackets that is no JSON may still be a move.
        match json::read_value(&text, reading, mended.clone()) {
            Ok(answer) => return Ok(answer),
            Err(error @ Unreadable::Undeclared(_)) => return Err(error),
            Err(_) => {}
        }
    }
    let pieces = lines::pieces(&text, reading, &mut mended);
    let read = |piece, mended: &mut Mended| piece::read(piece, reading, mended);
    let (moves, problem) = read_each(&pieces, read, &mut mended)?;
    if moves.is_empty() {
        return Err(problem.unwrap_or_else(|| Unreadable::NoMove(shown(&text))));
    }
    only_open(moves, reading, mended)
}

/// The moves that can be read, and why the first of the others cannot. Where something is spoken without
/// its dialogue act, all from there on is left out; nothing can be used if it comes first.
fn read_each<T>(
    items: impl IntoIterator<Item = T>,
    mut read: impl FnMut(T, &mut Mended) -> Result<Move, Unreadable>,
    mended: &mut Mended,
) -> Result<(Vec<Move>, Option<Unreadable>), Unreadable> {
    let (mut moves, mut problem) = (Vec::new(), None);
    for item in items {
        match read(item, mended) {
            Ok(made) => moves.push(made),
            Err(error @ Unreadable::Undeclared(_)) if moves.is_empty() => return Err(error),
            Err(Unreadable::Undeclared(_)) => {
                let mend = "what was spoken without a dialogue act was left out, and what follows it";
                mended.insert("undeclared_speech", mend);
                break;
            }
            Err(error) => problem = problem.or(Some(error)),
        }
    }
    Ok((moves, problem))
}

/// Leaves out moves that are not open, once the word for a question is one. If none is open, says what was found.
fn only_open(mut moves: Vec<Move>, reading: &Reading<'_>, mut mended: Mended) -> Result<Answer, Unreadable> {
    let open = reading.open;
    moves.iter_mut().for_each(|made| ask(made, reading));
    let Some(first) = moves.first().map(Move::kind) else {
        return Err(Unreadable::Empty);
    };
    let all = moves.len();
    moves.retain(|made| open.contains(made.kind()));
    if moves.is_empty() {
        return Err(Unreadable::NotOpen { found: first.as_str(), open: joined(open.iter().map(MoveKind::as_str)) });
    }
    if moves.len() < all {
        mended.insert("closed_move", "moves that are not open now were left out");
    }
    let repaired = mended.into_repairs();
    Ok(Answer { moves, repaired })
}

/// The beginning of a foreign text, for messages.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() {
        start.push_str("...");
    }
    visible(&start).into_owned()
}

#[cfg(test)]
mod tests;
