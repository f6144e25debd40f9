//! Utterances, and the dialogue acts that they declare (ReSpAct Table 20): `<Affirm>: Yes.`,
//! `[Affirm]: Yes.`, `Affirm: Yes.`

use super::{Mended, Reading, Unreadable, incomplete, tidy};
use crate::domain::{DialogueAct, Move, MoveKind};
use crate::text::answer_line;

/// Marks that may stand before the name of an act.
const OPENING: &[char] = &['<', '[', '(', '*'];

/// Marks that may stand after it.
const CLOSING: &[char] = &['>', ']', ')', '*'];

/// The action by which agents ask for whatever is missing where that is a command (arXiv 2606.19559).
const REQUEST: &str = "request_clarification";

/// Words of that question.
const QUESTION: &str = "Is anything missing? Please tell me what exactly is wanted.";

/// Makes a question of that action where something can be said, with the first of the acts that can be declared.
pub(super) fn ask(made: &mut Move, reading: &Reading<'_>) {
    let text = match made {
        Move::Act { action } => &action.text,
        Move::Think { text } => text,
        _ => return,
    };
    let bare = text.trim_matches(|letter: char| !letter.is_ascii_alphabetic());
    let is_request = bare.eq_ignore_ascii_case(REQUEST);
    if is_request && reading.open.contains(MoveKind::Speak) {
        *made = Move::Speak { text: QUESTION.to_owned(), act: reading.acts.first().cloned() };
    }
}

/// The move of an answer that can be nothing but speech, such as a text that was generated after the
/// label.
pub fn said(text: &str, reading: &Reading<'_>) -> Result<Move, Unreadable> {
    spoken(&answer_line(text), None, reading)
}

/// The move that speaks, with the act that stands beside the text or before it.
pub(super) fn spoken(text: &str, beside: Option<&str>, reading: &Reading<'_>) -> Result<Move, Unreadable> {
    let acts = reading.acts();
    if acts.is_empty() {
        return Ok(Move::speak(text));
    }
    let before = declared(text, acts);
    let beside = beside.and_then(|act| known_act(act, acts));
    let (act, text) = match (beside, before) {
        (Some(act), Some((_, rest))) => (act, rest),
        (Some(act), None) => (act, text),
        (None, Some(found)) => found,
        (None, None) => return Err(Unreadable::Undeclared(acts.to_vec())),
    };
    let text = bare(text);
    if text.is_empty() {
        let problem = "says nothing besides its dialogue act";
        return Err(incomplete(MoveKind::Speak, problem));
    }
    let act = Some(act.clone());
    Ok(Move::Speak { text, act })
}

/// The act of that name, with or without marks around it.
pub(super) fn known_act<'a>(name: &str, acts: &'a [DialogueAct]) -> Option<&'a DialogueAct> {
    let mark = |letter: char| OPENING.contains(&letter) || CLOSING.contains(&letter);
    let name = name.trim_matches(|letter: char| mark(letter) || letter == ':' || letter == ' ');
    acts.iter().find(|act| act.as_str().eq_ignore_ascii_case(name))
}

/// The act that a text declares at its beginning, and what follows.
fn declared<'a, 't>(text: &'t str, acts: &'a [DialogueAct]) -> Option<(&'a DialogueAct, &'t str)> {
    let start = text.trim_start_matches(OPENING);
    let is_marked = start.len() < text.len();
    acts.iter().find_map(|act| {
        let (word, rest) = start.split_at_checked(act.as_str().len())?;
        let after = rest.trim_start_matches(CLOSING).trim_start();
        let is_closed = rest.starts_with(CLOSING);
        let is_act = word.eq_ignore_ascii_case(act.as_str());
        // Without marks a colon tells the name of an act from a word of the sentence.
        (is_act && (after.starts_with(':') || (is_marked && is_closed))).then_some((act, after))
    })
}

/// The text without the colon before it and marks around it.
fn bare(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let start = text.trim_start_matches([':', ' ']);
        let tidied = tidy(start, MoveKind::Speak, &mut Mended::default());
        if tidied == text {
            return text;
        }
        text = tidied;
    }
}

/// The utterance in a line that has its act where the label should be, or has no colon between the two:
/// `<Affirm>: Yes.`, `Speak[Affirm]: Yes.`
pub(super) fn declared_line<'t>(line: &'t str, acts: &[DialogueAct]) -> Option<&'t str> {
    if acts.is_empty() {
        return None;
    }
    let start = line.trim_start_matches(['>', '*', ' ', '\t']);
    let word = ["speak", "ask", "say"].iter().find_map(|word| {
        let (first, rest) = start.split_at_checked(word.len())?;
        let rest = rest.trim_start();
        (first.eq_ignore_ascii_case(word) && rest.starts_with(OPENING)).then_some(rest)
    });
    let said = word.unwrap_or(start);
    declared(said, acts).map(|_| said)
}
