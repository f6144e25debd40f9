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
        let asks = has_mark(text) || asks_in_words(&words);
        Self { words, asks }
    }

    /// Whether it is a question or asks for something in other words.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// Whether one of the cues, one a line, stands in it; a cue that ends with a star may go on.
    pub fn has(&self, cues: &str) -> bool {
        has(&self.words, cues)
    }

    /// Whether it begins with one of the cues.
    pub fn begins(&self, cues: &str) -> bool {
        begins(&self.words, cues)
    }

    /// Number of its words.
    pub fn length(&self) -> usize {
        self.words.split_whitespace().count()
    }
}

/// Whether an utterance [asks](DetectedQuestion::asks).
pub(super) fn asks(text: &str) -> bool {
    // Nearly every question has its mark: its words need not be looked at.
    has_mark(text) || asks_in_words(&normalise(text))
}

fn has_mark(text: &str) -> bool {
    text.contains('?') || (!text.is_ascii() && text.contains(MARKS))
}

fn asks_in_words(words: &str) -> bool {
    begins(words, BEGINNINGS) || has(words, REQUESTS)
}

fn has(words: &str, cues: &str) -> bool {
    cues.lines().any(|cue| holds(words, cue))
}

fn begins(words: &str, cues: &str) -> bool {
    cues.lines().any(|cue| {
        let rest = words.strip_prefix(cue);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}
