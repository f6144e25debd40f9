//! Cues on the surface of a dialogue, for rules that answer without a model. Nothing is understood: each
//! function looks for certain words, and finds nothing where it cannot tell.
//!
//! - `english`: words and sentences, first person to second; `names`: names of places and people.
//! - `talk`: a whole dialogue, and what its utterances show.
//! - `lessons`, `attempt`, `phrase`: a tutor's lessons, a student's attempts, the phrase to be translated (CIMA);
//!   `vocabulary`, `grammar`: the words of the course, and what is right.
//! - `worry`: topics and feelings of somebody who seeks help, in Chinese (PsyQA).

mod attempt;
mod english;
mod grammar;
mod lessons;
mod names;
mod phrase;
mod talk;
mod vocabulary;
mod worry;

pub use attempt::{Attempt, Slip, says_in_a_row};
pub use english::{addressed, addressed_zh, fits, sentences, topic_words, words};
pub use grammar::{Phrase, is_known_pair};
pub use lessons::{Lesson, asked_word, taught};
pub use names::{names, subject};
pub use talk::{Subject, Talk, TalkLine};
pub use vocabulary::{Kind, Language, kind_of, translation};
pub use worry::{Topic, clauses, feelings, wants_advice};
