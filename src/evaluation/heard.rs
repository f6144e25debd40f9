//! An utterance as taggers and metrics hear it.

use super::plain::{holds, plain};

/// Marks that end a question, in several scripts.
const MARKS: &[char] = &['?', '？', '؟', '¿', '⁇', '❓'];

/// Beginnings of questions that lack their mark.
const BEGINNINGS: &[&str] = &[
    "where",
    "what",
    "which",
    "who",
    "whose",
    "how",
    "when",
    "why",
    "can you",
    "could you",
    "would you",
    "will you",
    "should i",
    "shall i",
    "may i",
    "can i",
    "do you",
    "did you",
    "have you",
    "is there",
    "are there",
    "is it",
    "is the",
    "do i",
    "am i",
];

/// Requests that are questions in other words.
const REQUESTS: &[&str] = &[
    "please tell me",
    "tell me where",
    "tell me what",
    "tell me which",
    "tell me how",
    "tell me if",
    "let me know where",
    "let me know which",
    "let me know what",
    "let me know if you prefer",
    "i need to know",
    "i would like to know",
    "please specify",
    "please clarify",
    "please confirm",
    "please provide",
    "please advise",
    "please suggest",
    "please guide me",
];

/// The words of an utterance, and whether it asks.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    words: String,
    asks: bool,
}

impl Heard {
    /// Listens to an utterance.
    pub(super) fn new(text: &str) -> Self {
        let words = plain(text);
        let begins = |start: &&str| {
            let rest = words.strip_prefix(*start);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let asks = text.contains(MARKS)
            || BEGINNINGS.iter().any(begins)
            || REQUESTS.iter().any(|request| holds(&words, request));
        Self { words, asks }
    }

    /// Whether it is a question or asks for something in other words.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// Whether one of the cues stands in it; a cue that ends with a star may go on.
    pub(super) fn has(&self, cues: &[&str]) -> bool {
        cues.iter().any(|cue| holds(&self.words, cue))
    }

    /// Whether it begins with one of the cues.
    pub(super) fn begins(&self, cues: &[&str]) -> bool {
        cues.iter().any(|cue| {
            let rest = self.words.strip_prefix(cue);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    }

    /// Number of its words.
    pub(super) fn length(&self) -> usize {
        self.words
            .split(' ')
            .filter(|word| !word.is_empty())
            .count()
    }
}
