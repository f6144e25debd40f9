//! A turn that waits for a person, and how what the person answers is read.

use std::time::Duration;

use super::sheet::Sheet;
use crate::domain::{Answer, Brief, MoveKind, Seat, Utterance};
use crate::ports::{Turn, World};
use crate::roles::reader::{read_move, read_typed};
use crate::users::length::Length;

/// A turn that a person is to take.
#[derive(Clone, Debug)]
pub struct Question {
    /// The turn.
    pub turn: Turn,
    /// The world that it is played in.
    pub world: World,
    /// This person was asked nothing in the episode so far, in this process.
    pub first: bool,
    /// The time within which the person is to answer; none waits for ever.
    pub patience: Option<Duration>,
    /// How long the words of a user may be.
    pub(super) length: Length,
}

/// Answer of a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Moves of a role.
    Moves(Answer),
    /// Words of the user.
    Words(Utterance),
    /// The role gives up.
    GivesUp,
}

/// The command by which a person leaves.
const QUIT: &str = "/quit";

/// The command by which a person leaves with what it came for.
const DONE: &str = "/done";

impl Question {
    /// Sheet for the person: everything, or what is new since its last turn.
    pub fn sheet(&self, whole: bool) -> Sheet {
        Sheet::of(&self.turn, &self.world, whole)
    }

    /// The limit of the user's words, in words; none where there is none.
    pub fn limit(&self) -> Option<String> {
        self.length.limit().filter(|_| self.turn.seat == Seat::User)
    }

    /// Reads what a person wrote as a text.
    ///
    /// # Errors
    /// Why it is no answer, and what would be one; the person may try again.
    pub fn read(&self, text: &str) -> Result<Said, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("nothing was written".to_owned());
        }
        match self.brief() {
            Ok(brief) => self.read_role(text, brief),
            Err(_) => self.words(text),
        }
    }

    /// Reads moves or words in JSON, as logs write them: `{"moves": [...]}`, a move, `{"text": ...}`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_json(&self, data: &serde_json::Value) -> Result<Said, String> {
        if let Some(text) = data.get("text").and_then(serde_json::Value::as_str)
            && data.get("kind").is_none()
        {
            return self.read(text);
        }
        let brief = self.brief()?;
        let answer = read_move(data.clone(), brief, self.turn.task(), &self.world)?;
        // It is held to the same rules as what is typed.
        let written = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
        self.read_role(&written, brief)
    }

    fn brief(&self) -> Result<&Brief, String> {
        self.turn
            .brief()
            .filter(|_| self.turn.seat != Seat::User)
            .ok_or_else(|| "the user answers with words".to_owned())
    }

    fn read_role(&self, text: &str, brief: &Brief) -> Result<Said, String> {
        match text {
            QUIT => Ok(Said::GivesUp),
            DONE if brief.open.contains(MoveKind::Finish) => {
                read_typed("finish:", brief, self.turn.task(), &self.world).map(Said::Moves)
            }
            DONE => Err(format!("this task ends by itself; {QUIT} gives it up")),
            text => read_typed(text, brief, self.turn.task(), &self.world).map(Said::Moves),
        }
    }

    fn words(&self, line: &str) -> Result<Said, String> {
        let left = left(line);
        let text = left.map_or(line, |(text, _)| text);
        if let Some(limit) = self.limit().filter(|_| self.length.asks)
            && self.length.cut(text).is_some()
        {
            return Err(format!("that is longer than {limit}"));
        }
        Ok(Said::Words(self.length.held(match left {
            Some((text, satisfied)) => Utterance::leaving(text, satisfied),
            None => Utterance::text(text),
        })))
    }
}

/// The last words of a person who leaves with this line, and whether they have what they came for: a command stands at
/// its end, as a word of its own.
fn left(line: &str) -> Option<(&str, bool)> {
    let (before, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
    match last {
        QUIT => Some((before.trim(), false)),
        DONE => Some((before.trim(), true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_at_the_end_of_a_line_leaves() {
        let table = [
            ("/quit", Some(("", false))),
            ("Bye, and thanks! /quit", Some(("Bye, and thanks!", false))),
            ("Grazie\t/done", Some(("Grazie", true))),
            ("I would /quit now", None),
            ("and/or/quit", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(left(line), expected, "{line}");
        }
    }
}
