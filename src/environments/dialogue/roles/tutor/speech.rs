//! The words of the tutor: of each strategy, for each trouble of the student.

use super::{Trouble, Tutor};
use crate::cues::{Attempt, Language, Lesson, Slip};

impl Tutor<'_> {
    /// The words of a strategy for the student's state: the best ones, or others, if possible new ones, if the tutor
    /// has just said them or is asked for another hint.
    pub(in super::super) fn says(&self, strategy: &str) -> String {
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
        let new = others
            .iter()
            .find(|text| !self.talk.has_told(text))
            .or_else(|| others.iter().find(|text| !last.contains(text.as_str())));
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
            "Confirmation" => ["You are working well.", "Thank you for going on.", "Take the time that you need."],
            _ => ["Try it once more.", "Begin with the words that you know.", "Go on when you are ready."],
        };
        others.map(str::to_owned).to_vec()
    }

    fn order_of_colours(&self) -> Option<String> {
        let language = self.language.filter(|language| *language != Language::German)?.name();
        Some(format!("In {language} a colour follows the thing that has it."))
    }

    fn hint(&self) -> String {
        match &self.trouble {
            Trouble::Words(words) => {
                let known = words.iter().filter_map(|(_, known)| known.as_ref().map(pair));
                match known.collect::<Vec<_>>().join(" and ").as_str() {
                    "" => "Say first what you know, and leave a gap for that word.".to_owned(),
                    known => format!("{known}."),
                }
            }
            Trouble::Slipped(_, Slip::English(word)) => match self.known(word) {
                Some(known) => format!("{}.", pair(&known)),
                None => format!("\"{word}\" is still English."),
            },
            Trouble::Slipped(_, Slip::Missing(lesson) | Slip::Misspelt { lesson, .. }) => reminder(lesson),
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
            Trouble::Tried(_) => "Does it say all that it should, each word in its place?".to_owned(),
            Trouble::Right(_) | Trouble::Done => "Can you say the whole sentence once more?".to_owned(),
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

    /// ` in Italian`; empty if the language is unknown.
    fn in_language(&self) -> String {
        self.language.map(|language| format!(" in {}", language.name())).unwrap_or_default()
    }

    /// The student's trouble, and the direction to lead it.
    pub(in super::super) fn thought(&self) -> String {
        let status = match &self.trouble {
            Trouble::Words(words) => {
                let words = words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(" and ");
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
                format!("The student has tried \"{text}\", and I cannot tell whether that is right.")
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
