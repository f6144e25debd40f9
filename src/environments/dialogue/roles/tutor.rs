//! The tutor of a student who is to translate a phrase: the student's trouble, the strategies that help, and the
//! words of each.
//!
//! It says nothing that it cannot know: a pair of words is one of the first course (all of which it may use, or only what
//! was taught), and an answer is confirmed if it is a right translation of a phrase that the dialogue says. Where it cannot
//! tell, or not in which language, it asks and hints.

use super::scene::Scene;
use crate::environments::dialogue::cues::{
    Attempt, Kind, Language, Lesson, Phrase, Slip, Talk, asked_word, is_known_pair, kind_of,
    translation, words,
};
use crate::text::has_word;

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
    /// It does not know how to go on; a word of the course that was spoken of and not taught may help.
    Lost(Option<Lesson>),
}

/// A tutor's idea of the student's state.
pub(super) struct Tutor<'a> {
    talk: &'a Talk,
    /// What was taught and is known to be true.
    lessons: Vec<Lesson>,
    language: Option<Language>,
    /// What it can teach of the phrase that is to be translated.
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
        let is_true = |lesson: &&Lesson| language.is_some_and(|own| is_known_pair(lesson, own));
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
            return match thanks && !request.contains('?') {
                true => Trouble::Done,
                false => Trouble::Lost(self.untaught()),
            };
        };
        let Some(language) = self.language else {
            return Trouble::Tried(attempt);
        };
        if phrase.is_some_and(|phrase| attempt.is_right(phrase, language)) {
            return Trouble::Right(attempt);
        }
        let slip = self.disagreement(&attempt);
        let slip = slip.or_else(|| attempt.slips(&self.lessons, language).into_iter().next());
        match slip {
            Some(slip) => Trouble::Slipped(attempt, slip),
            None => Trouble::Tried(attempt),
        }
    }

    /// A quality in the wrong form behind the phrase's thing: `sedia rosso`.
    fn disagreement(&self, attempt: &Attempt) -> Option<Slip> {
        let of = |kind| {
            self.phrase
                .iter()
                .find(move |own| kind_of(&own.word) == kind)
        };
        let (thing, quality) = (of(Kind::Thing)?, of(Kind::Quality)?);
        let tried = attempt.behind(thing)?;
        let same_stem = |stem: &str| tried.strip_suffix(['o', 'a']) == Some(stem);
        let stem = quality.translation.strip_suffix(['o', 'a'])?;
        (same_stem(stem) && tried != quality.translation).then(|| Slip::Misspelt {
            tried: tried.to_owned(),
            lesson: quality.clone(),
        })
    }

    /// A word of the course that somebody spoke of, last words first, whose translation nobody has said.
    fn untaught(&self) -> Option<Lesson> {
        let lines = self.talk.lines.iter();
        let said: Vec<String> = lines.map(|line| line.text.to_lowercase()).collect();
        let new = |word: &str| {
            let lesson = self.in_course(word)?;
            let small = lesson.translation.to_lowercase();
            let known = said.iter().any(|line| line.contains(&small));
            (!known && kind_of(word) != Kind::Relation).then_some(lesson)
        };
        said.iter().rev().flat_map(|line| words(line)).find_map(new)
    }

    /// The translation of a word or phrase, or of its words one by one.
    fn look_up(&self, word: &str) -> Vec<(String, Option<Lesson>)> {
        let whole = self.known(word);
        if whole.is_none() && word.contains(char::is_whitespace) {
            let parts = word.split_whitespace();
            let parts = parts.filter(|part| !has_word("the a an of is", part));
            let parts = parts.map(|part| (part.to_owned(), self.known(part)));
            let parts: Vec<_> = parts.collect();
            if parts.iter().any(|(_, known)| known.is_some()) {
                return parts;
            }
        }
        vec![(word.to_owned(), whole)]
    }

    fn known(&self, word: &str) -> Option<Lesson> {
        let same = |lesson: &&Lesson| lesson.word == word;
        let around = |lesson: &&Lesson| {
            kind_of(&lesson.word) == Kind::Relation
                && format!(" {} ", lesson.word).contains(&format!(" {word} "))
        };
        let phrase = || self.phrase.iter().filter(|_| self.course);
        let all = || phrase().chain(&self.lessons);
        let exact = all().find(same).cloned();
        let exact = exact.or_else(|| self.in_course(word));
        exact.or_else(|| all().find(around).cloned())
    }

    /// A word of the course; a quality in the form that agrees with the thing of the lessons.
    fn in_course(&self, word: &str) -> Option<Lesson> {
        let language = self.language.filter(|_| self.course)?;
        let known = translation(word, language)?;
        let is_feminine = |lesson: &Lesson| {
            kind_of(&lesson.word) == Kind::Thing && lesson.translation.ends_with('a')
        };
        let agrees = language != Language::German
            && kind_of(word) == Kind::Quality
            && self.lessons.iter().any(is_feminine);
        let translation = match known.strip_suffix('o') {
            Some(stem) if agrees => format!("{stem}a"),
            _ => known.to_owned(),
        };
        // A verb has its own translation, and an article depends on what follows.
        let bare = word.strip_suffix(" the").unwrap_or(word);
        let bare = bare.strip_prefix("is ").unwrap_or(bare);
        let word = bare.to_owned();
        Some(Lesson { word, translation })
    }

    /// All that it can teach of the sentence: of the phrase, and what was taught before.
    fn teachable(&self) -> Vec<&Lesson> {
        let phrase = self.phrase.iter().filter(|_| self.course);
        let taught = self.lessons.iter().rev();
        let other = |lesson: &&Lesson| {
            !self.course || self.phrase.iter().all(|own| own.word != lesson.word)
        };
        phrase.chain(taught.filter(other)).collect()
    }

    /// The first of what it can teach that an attempt does not have.
    fn missing(&self, attempt: &Attempt) -> Option<&Lesson> {
        self.teachable()
            .into_iter()
            .find(|lesson| !attempt.has(lesson))
    }

    /// ` in Italian`; nothing if nobody knows the language.
    fn in_language(&self) -> String {
        let name = self
            .language
            .map(|language| format!(" in {}", language.name()));
        name.unwrap_or_default()
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
        let request = self.talk.request().to_lowercase();
        words(&request).any(|word| has_word("hint hints clue", word))
    }

    /// The words of a strategy for the student's state: the best ones, or if the tutor has just said them, or is
    /// asked for another hint, others, if possible new ones.
    pub(super) fn says(&self, strategy: &str) -> String {
        let best = match strategy {
            "Hint" => self.hint(),
            "Question" => self.question(),
            "Correction" => self.correction(),
            "Confirmation" => self.confirmation(),
            _ => "Take your time, and try the whole sentence.".to_owned(),
        };
        let last = self.talk.of_agent().next().unwrap_or_default();
        let another = strategy == "Hint" && self.asked_for_a_hint() && self.talk.has_told(&best);
        if !last.contains(&best) && !another {
            return best;
        }
        let others = self.others_of(strategy);
        let new = others.iter().find(|text| !self.talk.has_told(text));
        let new = new.or_else(|| others.iter().find(|text| !last.contains(text.as_str())));
        new.cloned().unwrap_or(best)
    }

    /// The words of a strategy that fit anywhere.
    fn others_of(&self, strategy: &str) -> Vec<String> {
        let others = match strategy {
            "Hint" => {
                let mut hints: Vec<String> = self.teachable().into_iter().map(reminder).collect();
                hints.extend(self.order_of_colours());
                hints.push("Say first where it is, then what it is.".to_owned());
                hints.push("Leave a gap for each word that you are missing.".to_owned());
                return hints;
            }
            "Question" => [
                "Which words of it do you know already?",
                "What would you say first?",
                "Which word of it are you least sure of?",
            ],
            "Correction" => [
                "Compare your words with mine once more.",
                "Look at every word of it, and at the order of them.",
                "Say it aloud, word by word.",
            ],
            "Confirmation" if matches!(self.trouble, Trouble::Right(_)) => {
                ["That is right, well done!", "Yes, it is right.", "Right!"]
            }
            "Confirmation" => [
                "You are working well.",
                "Thank you for going on.",
                "Take the time that you need.",
            ],
            _ => [
                "Try it once more.",
                "Begin with the words that you know.",
                "Go on when you are ready.",
            ],
        };
        others.map(str::to_owned).to_vec()
    }

    fn order_of_colours(&self) -> Option<String> {
        let language = self.language.filter(|own| *own != Language::German)?.name();
        Some(format!(
            "In {language} a colour follows the thing that has it."
        ))
    }

    fn hint(&self) -> String {
        match &self.trouble {
            Trouble::Words(words) => {
                let words = words.iter();
                let known = words.filter_map(|(_, known)| known.as_ref().map(pair));
                match known.collect::<Vec<_>>().join(" and ").as_str() {
                    "" => "Say first what you know, and leave a gap for that word.".to_owned(),
                    known => format!("{known}."),
                }
            }
            Trouble::Slipped(_, Slip::English(word)) => match self.known(word) {
                Some(known) => format!("{}.", pair(&known)),
                None => format!("\"{word}\" is still English."),
            },
            Trouble::Slipped(_, Slip::Missing(lesson) | Slip::Misspelt { lesson, .. }) => {
                reminder(lesson)
            }
            Trouble::Slipped(_, Slip::Order { .. }) => self.order_of_colours().unwrap_or_default(),
            Trouble::Lost(Some(lesson)) => format!("{}.", pair(lesson)),
            Trouble::Tried(attempt) => match self.missing(attempt) {
                Some(lesson) => reminder(lesson),
                None => "Say each word of it once more.".to_owned(),
            },
            Trouble::Right(_) | Trouble::Done | Trouble::Lost(None) => match self.lessons.last() {
                Some(lesson) => reminder(lesson),
                None => "Start with the words that you know.".to_owned(),
            },
        }
    }

    fn question(&self) -> String {
        let language = self.in_language();
        match &self.trouble {
            Trouble::Words(words) => match words.iter().find(|(_, known)| known.is_none()) {
                Some((word, _)) => format!("What would be your best guess for \"{word}\"?"),
                None => "Can you put that into your sentence?".to_owned(),
            },
            Trouble::Slipped(_, Slip::English(word)) => {
                format!("Do you know the word for \"{word}\"{language}?")
            }
            Trouble::Slipped(_, Slip::Missing(lesson) | Slip::Misspelt { lesson, .. }) => {
                let word = &lesson.word;
                format!("Do you remember how to say \"{word}\"{language}?")
            }
            Trouble::Slipped(_, Slip::Order { .. }) => {
                format!("Where does a colour stand{language}, before the thing or after it?")
            }
            Trouble::Tried(_) => {
                "Does it say all that it should, each word in its place?".to_owned()
            }
            Trouble::Right(_) | Trouble::Done => {
                "Can you say the whole sentence once more?".to_owned()
            }
            Trouble::Lost(_) => "Which word of the sentence are you missing?".to_owned(),
        }
    }

    fn correction(&self) -> String {
        match &self.trouble {
            Trouble::Slipped(_, Slip::Misspelt { tried, lesson }) => {
                format!("Almost! It is \"{}\", not \"{tried}\".", lesson.translation)
            }
            Trouble::Slipped(_, Slip::Order { quality, thing }) => format!(
                "Almost!{} the colour follows the thing: first \"{}\", then \"{}\".",
                self.in_language().replacen(" in", " In", 1),
                thing.word,
                quality.word
            ),
            Trouble::Slipped(_, Slip::English(word)) => {
                format!("Not quite: \"{word}\" is English.")
            }
            Trouble::Slipped(_, Slip::Missing(lesson)) => {
                format!("Have a look at \"{}\" once more.", lesson.word)
            }
            Trouble::Tried(_) => "Look at each of your words once more.".to_owned(),
            Trouble::Right(_) | Trouble::Done => "There is nothing to mend.".to_owned(),
            Trouble::Words(_) | Trouble::Lost(_) => "Look at your words once more.".to_owned(),
        }
    }

    fn confirmation(&self) -> String {
        match &self.trouble {
            Trouble::Right(attempt) => format!("Yes, that is correct: \"{}\".", attempt.text),
            Trouble::Slipped(..) | Trouble::Tried(_) => "Thank you for trying.".to_owned(),
            Trouble::Done => "You are welcome.".to_owned(),
            Trouble::Words(_) | Trouble::Lost(_) => "It is good that you ask.".to_owned(),
        }
    }

    /// The student's trouble, and the direction to lead it.
    pub(super) fn thought(&self) -> String {
        let status = match &self.trouble {
            Trouble::Words(words) => {
                let words = words.iter().map(|(word, _)| format!("\"{word}\""));
                let words = words.collect::<Vec<_>>().join(" and ");
                let language = self.in_language();
                format!("The student does not know how to say {words}{language}.")
            }
            Trouble::Slipped(Attempt { text, .. }, slip) => {
                format!("The student has tried \"{text}\", {}.", correction(slip))
            }
            Trouble::Right(Attempt { text, .. }) => {
                format!("The student has tried \"{text}\", and I see no mistake in it.")
            }
            Trouble::Tried(Attempt { text, .. }) => {
                format!(
                    "The student has tried \"{text}\", and I cannot tell whether that is right."
                )
            }
            Trouble::Done => "The student is content.".to_owned(),
            Trouble::Lost(_) => "The student seems unsure how to go on.".to_owned(),
        };
        let direction = self.strategies().join(", then ");
        format!("{status} The direction: {direction}.")
    }
}

fn correction(slip: &Slip) -> String {
    match slip {
        Slip::Misspelt { tried, lesson } => {
            format!("where \"{tried}\" should be \"{}\"", lesson.translation)
        }
        Slip::Order { quality, thing } => {
            format!("with \"{}\" before \"{}\"", quality.word, thing.word)
        }
        Slip::English(word) => format!("where \"{word}\" is still English"),
        Slip::Missing(lesson) => format!("without \"{}\"", lesson.word),
    }
}

fn pair(lesson: &Lesson) -> String {
    format!("\"{}\" is \"{}\"", lesson.word, lesson.translation)
}

fn reminder(lesson: &Lesson) -> String {
    format!("Remember that {}.", pair(lesson))
}

#[cfg(test)]
#[path = "tutor_tests.rs"]
mod tests;
