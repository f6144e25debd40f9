//! Cues on the surface of a dialogue: words and sentences, names of places, lessons of a tutor, worries.
//! Cues, not understanding: each function finds words of the text, and nothing where it cannot tell.

mod attempt;
mod english;
mod lessons;
mod names;
mod person;
mod talk;
mod vocabulary;
mod worry;

pub use attempt::{Attempt, Slip};
pub(super) use english::has;
pub use english::{fits, sentences, topic_words, words};
pub use lessons::{Lesson, asked_word, taught};
pub use names::{names, subject};
pub use person::{addressed, addressed_zh};
pub use talk::{Subject, Talk, TalkLine};
pub use vocabulary::{Kind, kind_of, translation};
pub use worry::{Topic, clauses, feelings, wants_advice};
