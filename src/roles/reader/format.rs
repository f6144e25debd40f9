//! Answers in an answer format ([`Format`]): what all formats have in common.

use super::{Mended, Unreadable, lines};
use crate::domain::{Answer, Move, MoveKinds, Repair};
use crate::ports::{Asked, Format};

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
        if !format.takes_nothing() {
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
pub fn unreadable(problem: &Unreadable) -> Answer {
    Answer {
        moves: vec![Move::Finish { answer: Box::default() }],
        repaired: vec![Repair::new(Repair::UNREADABLE, &problem.with_remedy())],
    }
}
