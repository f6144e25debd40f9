//! From what a model wrote to moves. Models add labels, markup, explanations and the rest of the
//! story; what can be understood is understood, and what had to be mended is told (`docs/prompts.md`
//! lists what is accepted).
//!
//! Pure functions: the same text gives the same moves. `lines` cuts a text into labelled pieces,
//! `label` knows the labels, `piece` reads one piece, `speech` what is spoken and its dialogue act,
//! `json` structured answers, `tools` calls of tools, `commands` tells a command from a sentence,
//! `moves` reads what clients and people answer, `natural` what models write without being asked for it.

mod commands;
mod json;
mod label;
mod lines;
mod moves;
mod natural;
mod piece;
mod speech;
mod tools;

#[cfg(test)]
mod tests;

use speech::ask;

use crate::domain::{Answer, DialogueAct, Move, MoveKind, MoveKinds, Repair};
use crate::ports::{Asked, Format, Mended, Unreadable};
use crate::text::{joined, visible};

pub use commands::{Commands, INPUT, TEXT};
pub use json::read_json;
pub use moves::{USUAL, read_move, read_typed, read_words};
pub use natural::{
    labelled, own_thought, own_words, python_call, read_natural, read_natural_format, read_natural_json,
};
pub use speech::said;
pub use tools::{Toolbox, read_tools};

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
    /// Texts that models write without being asked for them are understood, and actions are commands of the world
    /// ([`read_natural`]).
    pub natural: bool,
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
    if reading.natural {
        moves.iter_mut().for_each(|made| answered(made, open, &mut mended));
    }
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

/// Takes a response for the answer at the end, and the other way round, where only the other one is open.
fn answered(made: &mut Move, open: MoveKinds, mended: &mut Mended) {
    let other = match made {
        Move::Speak { text, .. } if !open.contains(MoveKind::Speak) && open.contains(MoveKind::Finish) => {
            Move::Finish { answer: Box::new(text.as_str().into()) }
        }
        Move::Finish { answer } if !open.contains(MoveKind::Finish) && open.contains(MoveKind::Speak) => {
            match answer.as_str() {
                Some(text) => Move::speak(text),
                None => return,
            }
        }
        _ => return,
    };
    mended.insert("label_form", "a label was read that is written in another way than asked for");
    *made = other;
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

fn incomplete(kind: MoveKind, problem: impl Into<String>) -> Unreadable {
    Unreadable::Incomplete { kind: kind.as_str(), problem: problem.into() }
}

/// Takes off marks that are around the whole text.
fn tidy(body: &str, kind: MoveKind, mended: &mut Mended) -> String {
    let mut text = body.trim();
    loop {
        let before = text.len();
        for (open, close) in [("**", "**"), ("`", "`"), ("\"", "\""), ("\u{201c}", "\u{201d}")] {
            if let Some(inner) = around(text, open, close) {
                mended.insert("quoted_text", "marks around a text were left out");
                text = inner.trim();
            }
        }
        let brackets = matches!(kind, MoveKind::Think | MoveKind::Act | MoveKind::Speak);
        if let Some(inner) = around(text, "[", "]").filter(|_| brackets) {
            mended.insert("bracketed_text", "brackets around a text were left out");
            text = inner.trim();
        }
        if kind == MoveKind::Act
            && let Some(rest) = text.strip_prefix('>')
        {
            text = rest.trim();
        }
        if text.len() == before {
            return text.to_owned();
        }
    }
}

/// The text between two marks that enclose the whole text and are nowhere within it.
fn around<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    (!inner.contains(open) && !inner.contains(close)).then_some(inner)
}

/// The most bytes of a text that are read. What models write for one turn has a few thousand; a text
/// without end must not fill the log.
const MOST_BYTES: usize = 32 * 1024;

/// Reads running text.
///
/// # Errors
/// When it is empty, or not of the format: the message says what is wrong and what to write.
pub fn read_format(format: &dyn Format, text: &str, asked: &Asked<'_>) -> Result<Answer, Unreadable> {
    let mut mended = Mended::default();
    // Nothing is taken out of hidden reasoning: it is not written in the format.
    let mut text = lines::clean(text, MoveKinds::default(), &mut mended);
    if text.len() > MOST_BYTES {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        mended.insert("cut_text", "what follows the first 32 KiB was left out");
    }
    let is_blank = |letter: char| letter.is_whitespace() || "`*".contains(letter);
    if text.chars().all(is_blank) {
        if asked.natural || !format.takes_nothing() {
            return Err(Unreadable::Empty);
        }
        text.clear();
    }
    let moves = format.read(&text, asked, &mut mended)?;
    Ok(mended.answer(moves))
}

/// The moves of the format, made of moves that were read from a structured answer.
///
/// # Errors
/// When the move is missing that the format is about, or is not as it has to be.
pub fn of_moves(format: &dyn Format, answer: Answer, asked: &Asked<'_>) -> Result<Answer, Unreadable> {
    let mut mended = Mended::default();
    let moves = format.of_moves(&answer.moves, asked, &mut mended)?;
    let mut repaired = answer.repaired;
    repaired.extend(mended.into_repairs());
    Ok(Answer { moves, repaired })
}

/// The answer in place of one that could not be read: the task ends without a result, which counts as
/// one.
pub fn unreadable(problem: String) -> Answer {
    Answer {
        moves: vec![Move::Finish { answer: Box::default() }],
        repaired: vec![Repair::new(Repair::UNREADABLE, &problem)],
    }
}
