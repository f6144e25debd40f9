//! Attempts of a student in the language it learns, and their mistakes as far as the lessons tell.

use super::english::{is_common, words};
use super::grammar::Phrase;
use super::lessons::Lesson;
use super::vocabulary::{self, Kind, Language, SMALL, is_small, kind_of, pieces};
use rolecall_core::text::has_word;

/// Words of a student in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The attempt as it was written, without the words before it.
    pub text: String,
    /// Its words as [`pieces`] cuts them.
    pieces: Vec<String>,
    /// Only a few words that lead to it were said with it.
    whole: bool,
}

/// Words that lead to an attempt and change nothing of it.
const AROUND: &str = "is it so then ok okay well oh hmm thanks thank you now let me try i think maybe i'm would be \
    a how about say the answer my guess yes please i'd it's and got";

/// One mistake or gap in an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A word that is close to a taught one.
    Misspelt {
        /// As the student wrote it.
        tried: String,
        /// The taught word.
        lesson: Lesson,
    },
    /// A quality stands before its thing where it belongs behind it.
    Order {
        /// The quality.
        quality: Lesson,
        /// The thing.
        thing: Lesson,
    },
    /// An English word stands for its translation, which nobody has taught.
    English(String),
    /// A taught word that is missing.
    Missing(Lesson),
}

/// Whether a text has the words of a sentence in a row, whatever their case and the marks between them.
pub fn says_in_a_row(text: &str, sentence: &str) -> bool {
    let (said, wanted) = (pieces(text), pieces(sentence));
    !wanted.is_empty() && said.windows(wanted.len()).any(|window| window == wanted)
}

/// The pieces of the translations of all lessons.
fn taught(lessons: &[Lesson]) -> Vec<String> {
    lessons.iter().map(|lesson| &lesson.translation).flat_map(|text| pieces(text)).collect()
}

/// Whether two words differ by so few letters that one was meant for the other.
fn close(one: &str, other: &str) -> bool {
    let length = one.chars().count().max(other.chars().count());
    length >= 3 && strsim::levenshtein(one, other) <= (length / 3).max(1)
}

impl Attempt {
    /// Finds an attempt in a text of a student: words among which at least two are taught, nearly so, or of the
    /// language; one alone if nothing else is said.
    pub fn of(text: &str, lessons: &[Lesson]) -> Option<Self> {
        let taught = taught(lessons);
        let foreign = |word: &str| {
            let parts = pieces(word);
            let known = |part: &String| {
                let near = !is_common(part) && taught.iter().any(|word| close(word, part));
                taught.contains(part) || near || has_word(SMALL, part) || vocabulary::is_foreign(part, None)
            };
            !parts.is_empty() && parts.iter().all(known)
        };
        let all: Vec<&str> = words(text).collect();
        let from = all.iter().position(|word| foreign(word))?;
        let known = |word: &&str| foreign(word) || vocabulary::is_known(word);
        let to = all.iter().rposition(known)?.max(from);
        let tried = all.get(from..=to)?;
        let hits = tried.iter().filter(|word| foreign(word)).count();
        let is_english = |word: &&&str| is_common(word) && !foreign(word);
        let common = tried.iter().filter(is_english);
        let alone = hits == 1 && all.len() <= 3 && tried.iter().all(|word| !is_small(&word.to_lowercase()));
        let text = tried.join(" ");
        let whole =
            all.iter().take(from).chain(all.iter().skip(to + 1)).all(|word| has_word(AROUND, &word.to_lowercase()));
        ((hits >= 2 && common.count() * 3 <= tried.len()) || alone).then(|| Self { pieces: pieces(&text), text, whole })
    }

    /// The words before the first taught one, if they are a few: the subject of the sentence.
    pub fn lead(&self, lessons: &[Lesson]) -> String {
        let taught = taught(lessons);
        let is_taught = |piece: &String| taught.contains(piece) && !has_word(SMALL, piece);
        // A copula belongs to the words behind it.
        let ends = |word: &str| has_word("e è est es ist está", word) || pieces(word).iter().any(is_taught);
        let lead: Vec<&str> = self.text.split_whitespace().take_while(|word| !ends(word)).collect();
        if lead.len() > 3 || lead.iter().all(|word| has_word(SMALL, word)) { String::new() } else { lead.join(" ") }
    }

    /// The place of the words, if they stand in a row.
    fn position(&self, words: &[String]) -> Option<usize> {
        self.pieces.windows(words.len().max(1)).position(|window| window == words)
    }

    /// Whether it is, with the words before it, a right translation of the phrase.
    pub fn is_right(&self, phrase: &Phrase, language: Language) -> bool {
        self.whole && phrase.is_said_by(&self.pieces, language)
    }

    /// The word right behind a thing's, if there is one.
    pub fn behind(&self, thing: &Lesson) -> Option<&str> {
        let words = pieces(&thing.translation);
        let place = self.position(&words)? + words.len();
        self.pieces.get(place).map(String::as_str)
    }

    /// Whether the attempt holds the lesson's translation.
    pub fn has(&self, lesson: &Lesson) -> bool {
        self.position(&pieces(&lesson.translation)).is_some()
    }

    /// The mistakes as far as the lessons of that language tell, most telling first.
    pub fn slips(&self, lessons: &[Lesson], language: Language) -> Vec<Slip> {
        let misspelt = |lesson: &Lesson| self.misspelt(lesson, lessons, language);
        let mut slips: Vec<Slip> = lessons.iter().filter_map(misspelt).collect();
        if language != Language::German {
            slips.extend(self.order(lessons));
        }
        let is_english = |word: &&String| {
            let is_taught = lessons.iter().any(|lesson| lesson.word == **word);
            vocabulary::is_known(word) && !is_taught && !vocabulary::is_foreign(word, Some(language))
        };
        slips.extend(self.pieces.iter().filter(is_english).cloned().map(Slip::English));
        let is_missing = |lesson: &&Lesson| !self.has(lesson) && misspelt(lesson).is_none();
        slips.extend(lessons.iter().filter(is_missing).cloned().map(Slip::Missing));
        slips
    }

    fn misspelt(&self, lesson: &Lesson, lessons: &[Lesson], language: Language) -> Option<Slip> {
        let words = pieces(&lesson.translation);
        let longest = words.iter().max_by_key(|word| word.chars().count())?;
        if self.has(lesson) || self.pieces.contains(longest) {
            return None;
        }
        let taught = taught(lessons);
        // Another word of the language is no slip of the pen.
        let is_word =
            |piece: &String| taught.contains(piece) || is_small(piece) || vocabulary::is_foreign(piece, Some(language));
        let wrong = |piece: &&String| close(piece, longest) && !is_word(piece);
        let tried = self.pieces.iter().find(wrong)?.clone();
        Some(Slip::Misspelt { tried, lesson: lesson.clone() })
    }

    fn order(&self, lessons: &[Lesson]) -> Option<Slip> {
        let of = |kind| lessons.iter().filter(move |lesson: &&Lesson| kind_of(&lesson.word) == kind);
        // Other qualities than colours may stand before their thing.
        of(Kind::Quality).filter(|lesson| vocabulary::is_colour(&lesson.word)).find_map(|quality| {
            let words = pieces(&quality.translation);
            let after = self.position(&words)? + words.len();
            let next = |thing: &&Lesson| {
                let place = self.position(&pieces(&thing.translation));
                // An article may stand between them.
                place.is_some_and(|place| place == after || place == after + 1)
            };
            let thing = of(Kind::Thing).find(next)?.clone();
            Some(Slip::Order { quality: quality.clone(), thing })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lessons() -> Vec<Lesson> {
        let pairs = [("is behind the", "e dietro il"), ("tree", "l'albero"), ("green", "verde")];
        let lesson =
            |(word, translation): (&str, &str)| Lesson { word: word.to_owned(), translation: translation.to_owned() };
        pairs.map(lesson).to_vec()
    }

    #[test]
    fn an_attempt_is_what_is_not_english() {
        let of = |text: &str| Attempt::of(text, &lessons()).map(|attempt| attempt.text);
        assert_eq!(of("Is it \"il cane è dietro il verde tree\"?").as_deref(), Some("il cane è dietro il verde tree"));
        assert_eq!(of("verde?").as_deref(), Some("verde"));
        // `in` is part of `ein`, and a word of its own.
        let inside = [Lesson::new("inside", "in")];
        assert!(Attempt::of("in?", &inside).is_some() && Attempt::of("ein?", &inside).is_none());
        for english in ["What is tree again?", "Can you elaborate?", "I am not sure at all", "", "?"] {
            assert_eq!(of(english), None, "{english}");
        }
    }

    #[test]
    fn slips_are_told_by_the_lessons() {
        let lessons = lessons();
        let slips = |text: &str| Attempt::of(text, &lessons).unwrap().slips(&lessons, Language::Italian);
        assert_eq!(slips("il cane è dietro il l'albero verde"), []);
        let swapped = slips("il cane e dietro il verde l'albero");
        assert!(matches!(&swapped[..], [Slip::Order { quality, .. }] if quality.word == "green"), "{swapped:?}");
        let misspelt = slips("e dietro il l'albro verde");
        assert!(matches!(&misspelt[..], [Slip::Misspelt { tried, .. }] if tried == "albro"), "{misspelt:?}");
        let missing = slips("e dietro il box verde");
        assert_eq!(missing[0], Slip::English("box".to_owned()));
        assert_eq!(missing[1], Slip::Missing(lessons[1].clone()));
    }
}
