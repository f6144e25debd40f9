//! An utterance as taggers and metrics hear it.

use super::normalise::{holds, normalise};

/// Marks that end a question, in several scripts.
const MARKS: &[char] = &['?', '？', '؟', '¿', '⁇', '❓'];

/// Beginnings of questions that lack their mark.
const BEGINNINGS: &str = include_str!("heard/beginnings.txt");

/// Requests that are questions in other words.
const REQUESTS: &str = include_str!("heard/requests.txt");

/// The words of an utterance, and whether it asks.
#[derive(Clone, Debug)]
pub struct DetectedQuestion {
    words: String,
    asks: bool,
}

impl DetectedQuestion {
    /// Listens to an utterance.
    pub fn new(text: &str) -> Self {
        let words = normalise(text);
        let mut detected = Self { words, asks: false };
        detected.asks =
            text.contains(MARKS) || detected.begins(BEGINNINGS) || detected.has(REQUESTS);
        detected
    }

    /// Whether it is a question or asks for something in other words.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// Whether one of the cues, one a line, stands in it; a cue that ends with a star may go on.
    pub fn has(&self, cues: &str) -> bool {
        cues.lines().any(|cue| holds(&self.words, cue))
    }

    /// Whether it begins with one of the cues.
    pub fn begins(&self, cues: &str) -> bool {
        cues.lines().any(|cue| {
            let rest = self.words.strip_prefix(cue);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    }

    /// Number of its words.
    pub fn length(&self) -> usize {
        self.words.split_whitespace().count()
    }
}
