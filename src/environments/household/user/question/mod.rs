//! Understanding what a user is asked, in whatever words: the one reader of all users by rules. A sentence that
//! asks is of one [`Asked`]; what each user does with it is its own affair. What is not understood is not guessed.

mod preference;
mod sentence;
mod state;
mod subject;

use sentence::Sentence;

use rolecall_core::text::mention::{Mention, Word, mentions, words};
use rolecall_core::text::unique;

/// The subject of a sentence that asks. Things are named by class, and by number where numbers were said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Where things are; without one, whatever is needed next.
    Where {
        /// The things.
        things: Vec<Mention>,
        /// Another one of the class than before is meant.
        another: bool,
    },
    /// Where a receptacle stands.
    WherePlace(Mention),
    /// Where or with what to clean, heat or cool, or where to put something.
    WhereToDo {
        /// The verb: `clean`, `heat`, `cool` or `put`.
        verb: &'static str,
    },
    /// Which of several objects is meant.
    Which {
        /// Their class; none: of whatever is looked for.
        class: Option<String>,
        /// Their numbers, in the order of the question.
        numbers: Vec<u32>,
        /// How many are needed, 1 or 2.
        count: usize,
    },
    /// The next step.
    Next,
    /// The whole task.
    Task,
    /// Whether all is done.
    Done,
    /// Whether receptacles are open.
    IsOpen {
        /// The receptacles; without one, it is asked which are.
        places: Vec<Mention>,
        /// It is asked whether they are closed.
        closed: bool,
    },
    /// The contents of receptacles.
    Contents(Vec<Mention>),
    /// Whether things are in receptacles.
    IsThere {
        /// The things; without one, what is needed next.
        things: Vec<Mention>,
        /// The receptacles; without one, the whole room.
        places: Vec<Mention>,
    },
    /// How many of a class there are, in receptacles if some are named.
    Count {
        /// Whose number is asked for.
        thing: Mention,
        /// The receptacles.
        places: Vec<Mention>,
    },
    /// The things in the agent's hands, or whether these are.
    Held(Vec<Mention>),
    /// Whether a thing was cleaned, heated or cooled.
    Treated {
        /// The thing.
        thing: Mention,
        /// The verb: `clean`, `heat` or `cool`.
        verb: &'static str,
    },
    /// Something that no user knows: the time, a colour, a reason.
    Unknowable,
    /// Something that there is not in the room.
    Stranger(String),
    /// Something is asked, and what is not understood.
    NotUnderstood,
}

/// Of which classes it is asked what is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    /// Of these.
    Of(Vec<String>),
    /// No class is named: of whatever is looked for.
    Any,
}

/// Something said to a user, as it is understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// The subjects of the sentences that ask, each once; empty where nothing is asked.
    pub(crate) asked: Vec<Asked>,
    /// Classes of objects whose places are asked for in any way, in the order of the question.
    pub(crate) places_of: Vec<String>,
    /// The classes of which it is asked which object is meant.
    pub(crate) preference: Option<Preference>,
    /// Receptacles of which it is said that what is sought is not there.
    pub(super) ruled_out: Vec<Mention>,
}

/// Tells of a word whether it is a class of the room.
type IsClass<'a> = &'a dyn Fn(&str) -> bool;

impl Question {
    /// Reads what was said, sentence by sentence. `is_object` and `is_receptacle` know the classes of the room.
    pub(crate) fn read(text: &str, is_object: IsClass<'_>, is_receptacle: IsClass<'_>) -> Self {
        let mut found = Self { ruled_out: ruled_out(text, is_object, is_receptacle), ..Self::default() };
        let mut asked = Vec::new();
        let mut before: Vec<Sentence> = Vec::new();
        for part in text.split_inclusive(['.', ';', ':', '?', '!', '\n']) {
            let sentence = Sentence::read(part, is_object, is_receptacle);
            if sentence.words.is_empty() {
                continue;
            }
            if sentence.asks(part.ends_with('?')) {
                found.take(&sentence, &before);
                asked.push(sentence.subject(&before));
            }
            before.push(sentence);
        }
        if asked.is_empty() && text.contains('?') {
            asked.push(Asked::NotUnderstood);
        }
        found.asked = unique(asked);
        // `Please help. Where is the mug?` asks for the mug.
        let understood = |asked: &Asked| *asked != Asked::NotUnderstood;
        let named = |asked: &Asked| !matches!(asked, Asked::Where { things, .. } if things.is_empty());
        found.prefer(understood);
        found.prefer(named);
        found
    }

    /// Leaves out what is not so, unless nothing else is asked.
    fn prefer(&mut self, is_so: impl Fn(&Asked) -> bool) {
        if self.asked.iter().any(&is_so) {
            self.asked.retain(is_so);
        }
    }

    fn take(&mut self, sentence: &Sentence, before: &[Sentence]) {
        let preference = sentence.preference(before);
        // A question what is meant names classes; only with a `where` of its own it asks for places.
        if preference.is_none() || !sentence.wheres().is_empty() {
            let known = std::mem::take(&mut self.places_of).into_iter();
            self.places_of = unique(known.chain(sentence.places(before)));
        }
        if let Some(preference) = preference {
            self.preference = Some(preference);
        }
    }
}

/// Receptacles of which a clause says that something is not there.
fn ruled_out(text: &str, is_object: IsClass<'_>, is_receptacle: IsClass<'_>) -> Vec<Mention> {
    let words = words(text);
    if !words.iter().any(denies) {
        return Vec::new();
    }
    let mentioned = mentions(&words, |word| is_object(word) || is_receptacle(word)).into_iter();
    let denied = |mention: &Mention| is_receptacle(&mention.class) && is_denied(&words, mention.position);
    mentioned.filter(denied).collect()
}

/// Whether the clause before a word says that something is not there.
fn is_denied(words: &[Word], position: usize) -> bool {
    let before = words.get(..position).unwrap_or_default();
    before.rsplit(|word| *word == Word::Stop).next().unwrap_or_default().iter().any(denies)
}

fn denies(word: &Word) -> bool {
    let contracted = word.letters().is_some_and(|word| word.ends_with("n't"));
    contracted || word.is_any(&["no", "not", "nothing", "none"])
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
