//! The tutor of a student who is to translate a phrase: the student's trouble, the strategies that help, and the
//! words of each.
//!
//! It says only what it knows: a pair of words from the first course (all of which it may use, or only what was
//! taught), and it confirms an answer that is a right translation of a phrase in the dialogue. Where it cannot tell, or
//! does not know the language, it asks and hints.

mod speech;

use super::scene::Scene;
use crate::cues::{
    Attempt, Kind, Language, Lesson, Phrase, Slip, Talk, asked_word, is_known_pair, kind_of, translation, words,
};
use rolecall_core::text::has_word;

/// The trouble of the student.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    /// It asks for words, each with its translation if that is known.
    Words(Vec<(String, Option<Lesson>)>),
    /// It has tried, and this is its first mistake.
    Slipped(Attempt, Slip),
    /// It has tried, and that is right.
    Right(Attempt),
    /// It has tried, and one cannot tell whether that is right.
    Tried(Attempt),
    /// It says thanks.
    Done,
    /// It does not know how to continue; a word of the course that was mentioned and not taught may help.
    Lost(Option<Lesson>),
}

/// A tutor's idea of the student's state.
pub(super) struct Tutor<'a> {
    talk: &'a Talk,
    /// Lessons that were taught and are known to be true.
    lessons: Vec<Lesson>,
    language: Option<Language>,
    /// Lessons of the phrase that is to be translated.
    phrase: Vec<Lesson>,
    course: bool,
    trouble: Trouble,
}

impl<'a> Tutor<'a> {
    pub(super) fn new(scene: &'a Scene<'_>) -> Self {
        let talk = &scene.talk;
        let taught = talk.lessons();
        let language = talk.language();
        let phrase = talk.phrase();
        let teaches = |language| phrase.map(|phrase| phrase.lessons(language));
        let is_true = |lesson: &&Lesson| language.is_some_and(|language| is_known_pair(lesson, language));
        let mut tutor = Self {
            talk,
            lessons: taught.iter().filter(is_true).cloned().collect(),
            language,
            phrase: language.and_then(teaches).unwrap_or_default(),
            course: scene.habits.course,
            trouble: Trouble::Lost(None),
        };
        tutor.trouble = tutor.find_trouble(&taught, phrase.as_ref());
        tutor
    }

    fn find_trouble(&self, taught: &[Lesson], phrase: Option<&Phrase>) -> Trouble {
        let request = self.talk.request();
        let attempt = Attempt::of(request, taught);
        if let Some(word) = asked_word(request)
            && attempt.is_none()
        {
            return Trouble::Words(self.look_up(&word));
        }
        let Some(attempt) = attempt else {
            let thanks = request.to_lowercase().contains("thank");
            return if thanks && !request.contains('?') { Trouble::Done } else { Trouble::Lost(self.untaught()) };
        };
        let Some(language) = self.language else {
            return Trouble::Tried(attempt);
        };
        if phrase.is_some_and(|phrase| attempt.is_right(phrase, language)) {
            return Trouble::Right(attempt);
        }
        let slip = self.disagreement(&attempt).or_else(|| attempt.slips(&self.lessons, language).into_iter().next());
        match slip {
            Some(slip) => Trouble::Slipped(attempt, slip),
            None => Trouble::Tried(attempt),
        }
    }

    /// A quality in the wrong form behind the phrase's thing: `sedia rosso`.
    fn disagreement(&self, attempt: &Attempt) -> Option<Slip> {
        let of = |kind| self.phrase.iter().find(move |lesson| kind_of(&lesson.word) == kind);
        let (thing, quality) = (of(Kind::Thing)?, of(Kind::Quality)?);
        let tried = attempt.behind(thing)?;
        let same_stem = |stem: &str| tried.strip_suffix(['o', 'a']) == Some(stem);
        let stem = quality.translation.strip_suffix(['o', 'a'])?;
        (same_stem(stem) && tried != quality.translation)
            .then(|| Slip::Misspelt { tried: tried.to_owned(), lesson: quality.clone() })
    }

    /// A word of the course that somebody spoke of, last words first, whose translation nobody has said.
    fn untaught(&self) -> Option<Lesson> {
        let said: Vec<String> = self.talk.lines.iter().map(|line| line.text.to_lowercase()).collect();
        let new = |word: &str| {
            let lesson = self.in_course(word)?;
            let small = lesson.translation.to_lowercase();
            (!said.iter().any(|line| line.contains(&small)) && kind_of(word) != Kind::Relation).then_some(lesson)
        };
        said.iter().rev().flat_map(|line| words(line)).find_map(new)
    }

    /// The translation of a word or phrase, or of its words one by one.
    fn look_up(&self, word: &str) -> Vec<(String, Option<Lesson>)> {
        let whole = self.known(word);
        if whole.is_none() && word.contains(char::is_whitespace) {
            let parts = word.split_whitespace().filter(|part| !has_word("the a an of is", part));
            let parts: Vec<_> = parts.map(|part| (part.to_owned(), self.known(part))).collect();
            if parts.iter().any(|(_, known)| known.is_some()) {
                return parts;
            }
        }
        vec![(word.to_owned(), whole)]
    }

    fn known(&self, word: &str) -> Option<Lesson> {
        let same = |lesson: &&Lesson| lesson.word == word;
        let around = |lesson: &&Lesson| {
            kind_of(&lesson.word) == Kind::Relation && format!(" {} ", lesson.word).contains(&format!(" {word} "))
        };
        let phrase = || self.phrase.iter().filter(|_| self.course);
        let all = || phrase().chain(&self.lessons);
        let exact = all().find(same).cloned().or_else(|| self.in_course(word));
        exact.or_else(|| all().find(around).cloned())
    }

    /// A word of the course; a quality in the form that agrees with the thing of the lessons.
    fn in_course(&self, word: &str) -> Option<Lesson> {
        let language = self.language.filter(|_| self.course)?;
        let known = translation(word, language)?;
        let is_feminine = |lesson: &Lesson| kind_of(&lesson.word) == Kind::Thing && lesson.translation.ends_with('a');
        let agrees =
            language != Language::German && kind_of(word) == Kind::Quality && self.lessons.iter().any(is_feminine);
        let translation = match known.strip_suffix('o') {
            Some(stem) if agrees => format!("{stem}a"),
            _ => known.to_owned(),
        };
        // A verb has its own translation, and an article depends on what follows.
        let bare = word.strip_suffix(" the").unwrap_or(word);
        let word = bare.strip_prefix("is ").unwrap_or(bare).to_owned();
        Some(Lesson { word, translation })
    }

    /// All lessons about the sentence: of the phrase, and those taught before.
    fn teachable(&self) -> Vec<&Lesson> {
        let phrase = self.phrase.iter().filter(|_| self.course);
        let taught = self.lessons.iter().rev();
        let other = |lesson: &&Lesson| !self.course || self.phrase.iter().all(|part| part.word != lesson.word);
        phrase.chain(taught.filter(other)).collect()
    }

    /// The first lesson that an attempt lacks.
    fn missing(&self, attempt: &Attempt) -> Option<&Lesson> {
        self.teachable().into_iter().find(|lesson| !attempt.has(lesson))
    }

    /// The strategies that help, in order.
    pub(super) fn strategies(&self) -> Vec<&'static str> {
        match &self.trouble {
            Trouble::Words(words) => {
                let known = words.iter().filter(|(_, known)| known.is_some()).count();
                match known {
                    0 if !words.is_empty() => vec!["Question"],
                    _ if known < words.len() => vec!["Hint", "Question"],
                    _ => vec!["Hint"],
                }
            }
            Trouble::Slipped(_, Slip::Misspelt { .. } | Slip::Order { .. }) => vec!["Correction"],
            Trouble::Slipped(_, Slip::English(word)) => match self.known(word) {
                Some(_) => vec!["Hint"],
                None => vec!["Question"],
            },
            Trouble::Slipped(_, Slip::Missing(_)) => vec!["Hint"],
            Trouble::Tried(attempt) => match self.missing(attempt) {
                Some(_) => vec!["Hint"],
                None => vec!["Question"],
            },
            Trouble::Right(_) | Trouble::Done => vec!["Confirmation"],
            Trouble::Lost(Some(_)) => vec!["Hint"],
            Trouble::Lost(None) if self.asked_for_a_hint() => vec!["Hint"],
            Trouble::Lost(None) if self.lessons.is_empty() => vec!["Question"],
            Trouble::Lost(None) => vec!["Hint", "Question"],
        }
    }

    fn asked_for_a_hint(&self) -> bool {
        words(&self.talk.request().to_lowercase()).any(|word| has_word("hint hints clue", word))
    }
}

#[cfg(test)]
mod tests;
