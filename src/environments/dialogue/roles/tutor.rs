//! The tutor of a student who is to translate a phrase: the student's trouble, the strategies that help, and the
//! words of each. Translations come from the tutor's lessons, and from a first course if the tutor may use one.

use super::scene::Scene;
use crate::environments::dialogue::cues::{
    Attempt, Kind, Lesson, Slip, Talk, asked_word, has, kind_of, translation, words,
};

/// The trouble of the student.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    /// It asks for words, each with its translation if that is known.
    Words(Vec<(String, Option<String>)>),
    /// It has tried, and this is its first mistake.
    Slipped(Attempt, Slip),
    /// It has tried, and nothing is wrong as far as one can tell.
    Right(Attempt),
    /// It says thanks.
    Done,
    /// It does not know how to go on; a word of the course that was spoken of and not taught may help.
    Lost(Option<Lesson>),
}

/// A tutor's idea of the student's state.
pub(super) struct Tutor<'a> {
    talk: &'a Talk,
    lessons: Vec<Lesson>,
    language: &'static str,
    course: bool,
    trouble: Trouble,
}

impl<'a> Tutor<'a> {
    pub(super) fn new(scene: &'a Scene<'_>) -> Self {
        let mut tutor = Self {
            talk: &scene.talk,
            lessons: scene.talk.lessons(),
            language: scene.talk.language(),
            course: scene.habits.course,
            trouble: Trouble::Lost(None),
        };
        tutor.trouble = tutor.find_trouble();
        tutor
    }

    fn find_trouble(&self) -> Trouble {
        let request = self.talk.request();
        let attempt = Attempt::of(request, &self.lessons);
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
        let slips = attempt.slips(&self.lessons, self.language != "German");
        match slips.into_iter().next() {
            Some(slip) => Trouble::Slipped(attempt, slip),
            None => Trouble::Right(attempt),
        }
    }

    /// A word of the course that somebody spoke of, last words first, whose translation nobody has said.
    fn untaught(&self) -> Option<Lesson> {
        let lines = self.talk.lines.iter();
        let said: Vec<String> = lines.map(|line| line.text.to_lowercase()).collect();
        let new = |word: &str| {
            let translation = translation(word, self.language).filter(|_| self.course)?;
            let small = translation.to_lowercase();
            let known = said.iter().any(|line| line.contains(&small));
            (!known && kind_of(word) != Kind::Relation).then(|| Lesson {
                translation: self.agreeing(word, translation),
                word: word.to_owned(),
            })
        };
        said.iter().rev().flat_map(|line| words(line)).find_map(new)
    }

    /// The translation of a word or phrase, or of its words one by one.
    fn look_up(&self, word: &str) -> Vec<(String, Option<String>)> {
        let whole = self.known(word);
        if whole.is_none() && word.contains(char::is_whitespace) {
            let parts = word.split_whitespace();
            let parts = parts.filter(|part| !has("the a an of is", part));
            let parts = parts.map(|part| (part.to_owned(), self.known(part)));
            let parts: Vec<_> = parts.collect();
            if parts.iter().any(|(_, known)| known.is_some()) {
                return parts;
            }
        }
        vec![(word.to_owned(), whole)]
    }

    fn known(&self, word: &str) -> Option<String> {
        let same = |lesson: &&Lesson| lesson.word == word;
        let around = |lesson: &&Lesson| {
            kind_of(&lesson.word) == Kind::Relation
                && format!(" {} ", lesson.word).contains(&format!(" {word} "))
        };
        let lessons = || self.lessons.iter();
        let taught = lessons().find(same).or_else(|| lessons().find(around));
        if let Some(lesson) = taught {
            return Some(lesson.translation.clone());
        }
        let known = translation(word, self.language).filter(|_| self.course)?;
        Some(self.agreeing(word, known))
    }

    /// A quality in the form that agrees with the thing of the lessons: `rossa` with `scatola`.
    fn agreeing(&self, word: &str, known: &str) -> String {
        let is_feminine = |lesson: &Lesson| {
            kind_of(&lesson.word) == Kind::Thing && lesson.translation.ends_with('a')
        };
        let agrees = self.language != "German"
            && kind_of(word) == Kind::Quality
            && self.lessons.iter().any(is_feminine);
        match known.strip_suffix('o') {
            Some(stem) if agrees => format!("{stem}a"),
            _ => known.to_owned(),
        }
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
            Trouble::Slipped(_, Slip::Missing(_)) => vec!["Confirmation", "Hint"],
            Trouble::Right(_) | Trouble::Done => vec!["Confirmation"],
            Trouble::Lost(Some(_)) => vec!["Hint"],
            Trouble::Lost(None) if self.asked_for_a_hint() => vec!["Hint"],
            Trouble::Lost(None) if self.lessons.is_empty() => vec!["Question"],
            Trouble::Lost(None) => vec!["Hint", "Question"],
        }
    }

    fn asked_for_a_hint(&self) -> bool {
        let request = self.talk.request().to_lowercase();
        words(&request).any(|word| has("hint hints clue", word))
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
                let mut hints: Vec<String> = self.lessons.iter().rev().map(reminder).collect();
                if self.language != "German" {
                    hints.push(self.order_of_colours());
                }
                hints.push("Say first where it is, then what it is.".to_owned());
                hints.push("Leave a gap for each word that you are missing.".to_owned());
                return hints;
            }
            "Question" => [
                "Which words of it do you know already?",
                "What would you say first?",
            ],
            "Correction" => [
                "Compare your words with mine once more.",
                "Something in it is still not as it should be.",
            ],
            "Confirmation" => ["That is right, well done!", "Yes, good."],
            _ => ["Try it once more.", "Begin with the words that you know."],
        };
        others.map(str::to_owned).to_vec()
    }

    fn order_of_colours(&self) -> String {
        let language = self.language;
        format!("In {language} a colour follows the thing that has it.")
    }

    fn hint(&self) -> String {
        match &self.trouble {
            Trouble::Words(words) => {
                let words = words.iter();
                let known = words.filter_map(|(word, known)| Some(pair(word, known.as_ref()?)));
                match known.collect::<Vec<_>>().join(" and ").as_str() {
                    "" => "Say first what you know, and leave a gap for that word.".to_owned(),
                    known => format!("{known}."),
                }
            }
            Trouble::Slipped(_, Slip::English(word)) => match self.known(word) {
                Some(known) => format!("{}.", pair(word, &known)),
                None => format!("\"{word}\" is still English."),
            },
            Trouble::Slipped(_, Slip::Missing(lesson) | Slip::Misspelt { lesson, .. }) => {
                reminder(lesson)
            }
            Trouble::Slipped(_, Slip::Order { .. }) => self.order_of_colours(),
            Trouble::Lost(Some(lesson)) => format!("{}.", pair(&lesson.word, &lesson.translation)),
            Trouble::Right(_) | Trouble::Done | Trouble::Lost(None) => match self.lessons.last() {
                Some(lesson) => reminder(lesson),
                None => "Start with the words that you know.".to_owned(),
            },
        }
    }

    fn question(&self) -> String {
        let language = self.language;
        match &self.trouble {
            Trouble::Words(words) => match words.iter().find(|(_, known)| known.is_none()) {
                Some((word, _)) => format!("What would be your best guess for \"{word}\"?"),
                None => "Can you put that into your sentence?".to_owned(),
            },
            Trouble::Slipped(_, Slip::English(word)) => {
                format!("Do you know the {language} word for \"{word}\"?")
            }
            Trouble::Slipped(_, Slip::Missing(lesson) | Slip::Misspelt { lesson, .. }) => {
                let word = &lesson.word;
                format!("Do you remember how to say \"{word}\" in {language}?")
            }
            Trouble::Slipped(_, Slip::Order { .. }) => {
                format!("Where does a colour stand in {language}, before the thing or behind it?")
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
                "Almost! In {} the colour comes behind the thing: \"{} {}\".",
                self.language, thing.translation, quality.translation
            ),
            Trouble::Slipped(_, Slip::English(word)) => {
                format!("Not quite: \"{word}\" is English.")
            }
            Trouble::Slipped(_, Slip::Missing(lesson)) => {
                format!("Not quite: \"{}\" is missing.", lesson.word)
            }
            Trouble::Right(_) | Trouble::Done => "There is nothing to mend.".to_owned(),
            Trouble::Words(_) | Trouble::Lost(_) => "Look at your words once more.".to_owned(),
        }
    }

    fn confirmation(&self) -> String {
        match &self.trouble {
            Trouble::Right(attempt) => format!("Yes, that is correct: \"{}\".", attempt.text),
            Trouble::Slipped(..) => "You are getting closer.".to_owned(),
            Trouble::Done => "You are welcome, well done!".to_owned(),
            Trouble::Words(_) | Trouble::Lost(_) => "It is good that you ask.".to_owned(),
        }
    }

    /// The student's trouble, and the direction to lead it.
    pub(super) fn thought(&self) -> String {
        let status = match &self.trouble {
            Trouble::Words(words) => {
                let words = words.iter().map(|(word, _)| format!("\"{word}\""));
                let words = words.collect::<Vec<_>>().join(" and ");
                let language = self.language;
                format!("The student does not know how to say {words} in {language}.")
            }
            Trouble::Slipped(Attempt { text, .. }, slip) => {
                format!("The student has tried \"{text}\", {}.", correction(slip))
            }
            Trouble::Right(Attempt { text, .. }) => {
                format!("The student has tried \"{text}\", and I see no mistake in it.")
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

fn pair(word: &str, known: &str) -> String {
    format!("\"{word}\" is \"{known}\"")
}

fn reminder(lesson: &Lesson) -> String {
    format!("Remember that {}.", pair(&lesson.word, &lesson.translation))
}
