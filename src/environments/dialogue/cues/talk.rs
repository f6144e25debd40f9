//! A dialogue, and the cues that its utterances give together.

use super::english::{sentences, words};
use super::lessons::{Lesson, taught};
use super::names::{names, subject};

/// The subject of a dialogue, on which the expected answers depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A place that a visitor asks about; sources tell of it (FoCus).
    Landmark,
    /// A phrase that a student is to translate (CIMA).
    Tutoring,
    /// A worry, told in Chinese (PsyQA).
    Counselling,
    /// Anything else, known only from the data.
    Other,
}

/// One utterance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkLine {
    /// Whether the user (visitor, student or client) said it; else the agent did.
    pub user: bool,
    /// The words.
    pub text: String,
}

/// A dialogue, oldest utterance first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Talk {
    /// Its subject.
    pub subject: Subject,
    /// The utterances.
    pub lines: Vec<TalkLine>,
}

impl Talk {
    /// The dialogue of a data set's sample. Unknown data sets are about places.
    pub fn new(dataset: &str, lines: Vec<TalkLine>) -> Self {
        let subject = match dataset {
            "cima" => Subject::Tutoring,
            "psyqa" => Subject::Counselling,
            _ => Subject::Landmark,
        };
        Self { subject, lines }
    }

    /// The user's utterances, newest first.
    pub fn of_user(&self) -> impl Iterator<Item = &str> {
        self.newest(true)
    }

    /// The agent's utterances, newest first.
    pub fn of_agent(&self) -> impl Iterator<Item = &str> {
        self.newest(false)
    }

    fn newest(&self, user: bool) -> impl Iterator<Item = &str> {
        self.lines.iter().rev().filter(move |line| line.user == user).map(|line| line.text.as_str())
    }

    /// The user's last words; empty if there are none.
    pub fn request(&self) -> &str {
        self.of_user().next().unwrap_or_default()
    }

    /// Whether the agent has said these words in this order, whatever the marks between them.
    pub fn has_told(&self, text: &str) -> bool {
        let words = padded_words(text);
        let mut said = self.of_agent().map(padded_words);
        !words.trim().is_empty() && said.any(|said| said.contains(&words))
    }

    /// The agent's lessons, in the order in which they came up; of several translations of a word the last.
    pub fn lessons(&self) -> Vec<Lesson> {
        let mut lessons: Vec<Lesson> = Vec::new();
        for line in self.lines.iter().filter(|line| !line.user) {
            for lesson in taught(&line.text) {
                match lessons.iter_mut().find(|known| known.word == lesson.word) {
                    Some(known) => *known = lesson,
                    None => lessons.push(lesson),
                }
            }
        }
        lessons
    }

    /// The name of the place: as the agent introduced it last, or else the name that is used most.
    pub fn landmark(&self) -> Option<String> {
        let by_agent = |text| sentences(text).into_iter().find_map(introduced);
        self.of_agent().find_map(by_agent).or_else(|| self.most_named())
    }

    /// The name that is used most, the first of equal ones.
    fn most_named(&self) -> Option<String> {
        let all: Vec<String> = self.lines.iter().flat_map(|line| names(&line.text)).collect();
        let count = |name: &String| all.iter().filter(|other| *other == name).count();
        // `max_by_key` takes the last of equal ones.
        all.iter().rev().max_by_key(|name| count(name)).cloned()
    }
}

/// The words in small letters, with a blank around each.
fn padded_words(text: &str) -> String {
    " ".to_owned() + &words(text).map(|word| word.to_lowercase() + " ").collect::<String>()
}

/// The name in a sentence that says what a place is.
fn introduced(sentence: &str) -> Option<String> {
    #[rustfmt::skip]
    const OPENINGS: &[&str] = &[
        "this is", "this place is", "it is the", "it's the", "it's called", "it is called", "that is",
        "you are looking at", "the place is", "the name of", "its name is", "this landmark is", "you are at",
        "this must be",
    ];
    let small = sentence.to_lowercase();
    if OPENINGS.iter().any(|opening| small.starts_with(opening)) {
        return names(sentence).into_iter().next();
    }
    subject(sentence).filter(|name| name.split_whitespace().count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::Language;

    fn talk(dataset: &str, lines: &[(bool, &str)]) -> Talk {
        let line = |(user, text): &(bool, &str)| TalkLine { user: *user, text: (*text).to_owned() };
        Talk::new(dataset, lines.iter().map(line).collect())
    }

    #[test]
    fn the_place_is_what_the_agent_introduced() {
        let lines = [
            (true, "I know this place, but I don't remember its name."),
            (false, "This is the Orsa Lighthouse, which you hope to visit."),
            (true, "Is it near Veldmark?"),
        ];
        assert_eq!(talk("focus", &lines).landmark().as_deref(), Some("Orsa Lighthouse"));
        assert_eq!(talk("focus", &lines[..1]).landmark(), None);
        let asked = talk("focus", &[(true, "Who built Warragamba Dam?")]);
        assert_eq!(asked.landmark().as_deref(), Some("Warragamba Dam"));
    }

    #[test]
    fn what_was_told_is_known_by_its_words() {
        let lines = [(true, "I like maps."), (false, "As you like ships, the tower is old.")];
        let talk = talk("focus", &lines);
        assert!(talk.has_told("The tower is old!") && talk.has_told("you like ships"));
        assert!(!talk.has_told("I like maps.") && !talk.has_told("The tower is older."));
        assert!(!talk.has_told("...") && !talk.has_told(""));
    }

    #[test]
    fn a_later_lesson_replaces_an_earlier_one() {
        let lines = [(false, "\"red\" is \"rossa\""), (true, "red is roja"), (false, "\"red\" is \"rosso\"")];
        let talk = talk("cima", &lines);
        assert_eq!(talk.lessons().len(), 1);
        assert_eq!((talk.lessons()[0].translation.as_str(), talk.language()), ("rosso", Some(Language::Italian)));
        assert_eq!(talk.request(), "red is roja");
    }
}
