//! Understanding what the owner of the room is asked: where things of which classes are, and which of
//! them are meant, in whatever words. What is not understood is not answered, and nothing is answered
//! that was not asked for.

use super::lexicon::{
    BACK, BETWEEN, COMMON, CUES, DEEDS, FILLERS, FURNITURE, OPENERS, PLACES, PREFERENCES, SEEKS,
    STATES, STOPS, TAKES, TURNS, WHERE, is_of,
};
use crate::text::mention::{Mention, Word, mentions, words};
use crate::text::unique;

/// A question to the owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inquiry {
    /// Classes of objects whose places are asked for, in the order of the question.
    pub(super) places_of: Vec<String>,
    /// The classes of which it is asked which object is meant.
    pub(super) preference: Option<Preference>,
    /// Something is asked, understood or not.
    pub(super) asks: bool,
}

/// Of which classes it is asked what is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// Of these.
    Of(Vec<String>),
    /// No class is named: of whatever is looked for.
    Any,
}

/// Tells of a word whether it is a class of the room.
type IsClass<'a> = &'a dyn Fn(&str) -> bool;

impl Inquiry {
    /// Reads what the owner is told, sentence by sentence.
    pub(super) fn read(text: &str, is_object: IsClass<'_>, is_receptacle: IsClass<'_>) -> Self {
        let mut found = Self {
            asks: text.contains('?'),
            ..Self::default()
        };
        let mut before: Vec<Sentence> = Vec::new();
        for part in text.split_inclusive(['.', ';', ':', '?', '!', '\n']) {
            let sentence = Sentence::read(part, is_object, is_receptacle);
            if sentence.words.is_empty() {
                continue;
            }
            if sentence.asks(part.ends_with('?')) {
                found.asks = true;
                found.take(&sentence, &before);
            }
            before.push(sentence);
        }
        found
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

/// A sentence of a text.
struct Sentence {
    words: Vec<Word>,
    /// The classes of objects that it names.
    objects: Vec<Mention>,
    /// The positions of the words that name receptacles.
    receptacles: Vec<usize>,
}

impl Sentence {
    fn read(text: &str, is_object: IsClass<'_>, is_receptacle: IsClass<'_>) -> Self {
        let mut words = words(text);
        words.retain(|word| *word != Word::Stop);
        let objects = mentions(&words, is_object);
        let receptacles = mentions(&words, |word| is_receptacle(word) || is_of(FURNITURE, word));
        Self {
            receptacles: receptacles.iter().map(|it| it.position).collect(),
            objects,
            words,
        }
    }

    /// The letters at a position; none at a number or pause, and beyond the ends.
    fn at(&self, position: usize) -> &str {
        let word = self.words.get(position);
        word.and_then(Word::letters).unwrap_or_default()
    }

    fn is_any(&self, position: usize, options: &str) -> bool {
        is_of(options, self.at(position))
    }

    fn has(&self, options: &str) -> bool {
        self.find(options).next().is_some()
    }

    fn find(&self, options: &str) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(move |place| self.is_any(*place, options))
    }

    /// Whether the sentence asks: it is marked, begins like a question, or holds one.
    fn asks(&self, marked: bool) -> bool {
        let begins = (0..self.words.len())
            .find(|place| !self.at(*place).is_empty() && !self.is_any(*place, FILLERS));
        let asked_for = |place: usize| {
            let known = self.is_any(place.wrapping_sub(1), "know") && !self.is_known(place);
            known || self.is_any(place.wrapping_sub(1), "wonder wondering me ask sure")
        };
        marked
            || begins.is_some_and(|place| self.is_any(place, OPENERS))
            || self.find("where which what").any(asked_for)
    }

    /// `I know where` is no question.
    fn is_known(&self, position: usize) -> bool {
        let known = "know knew remember saw see";
        let own = "i already now just";
        position > 0
            && self.is_any(position - 1, known)
            && (position == 1 || self.is_any(position - 2, own))
    }

    /// Whether `which` or `what` at a position asks for a place: `in which drawer`, `what room`.
    fn asks_for_place(&self, position: usize) -> bool {
        let inside = "in on at inside under from";
        let after = (position + 1..self.words.len())
            .find(|next| !self.is_any(*next, "of the these those one other"));
        let places = after.is_some_and(|next| {
            self.is_any(next, PLACES)
                || self.receptacles.contains(&next) && self.object_at(next).is_none()
        });
        places || position > 0 && self.is_any(position - 1, inside)
    }

    fn object_at(&self, position: usize) -> Option<&Mention> {
        let mut objects = self.objects.iter();
        objects.find(|object| object.position == position)
    }

    /// The positions of the words that ask for places.
    fn wheres(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.find(WHERE).collect();
        let asking = self.find("which what");
        found.extend(asking.filter(|place| self.asks_for_place(*place)));
        found.retain(|place| !self.is_known(*place));
        found.sort_unstable();
        found
    }

    /// The classes whose places are asked for.
    fn places(&self, before: &[Self]) -> Vec<String> {
        if self.has(DEEDS) && !self.has(SEEKS) {
            return Vec::new();
        }
        let wheres = self.wheres();
        let what_next = self.has("next now proceed do") && wheres.is_empty();
        if what_next && !self.has("look find you") {
            return Vec::new();
        }
        let mut found = Vec::new();
        for start in &wheres {
            let asks = |position: &usize| wheres.contains(position) || self.asks_for_one(*position);
            let mut others = self.find("which what where").filter(asks);
            let end = others.find(|place| place > start);
            found.extend(self.asked_between(*start, end.unwrap_or(self.words.len())));
        }
        if !found.is_empty() {
            return found;
        }
        let own = self.asked_between(0, wheres.first().copied().unwrap_or(self.words.len()));
        let about_which = wheres.is_empty() && self.has("which");
        match own.is_empty() {
            false if about_which && !self.is_somewhere() => Vec::new(),
            false => own,
            true if self.has(BACK) || !wheres.is_empty() && self.receptacles.is_empty() => {
                self.earlier(before)
            }
            true => Vec::new(),
        }
    }

    /// Whether the sentence says that something is somewhere: `which mug is in the drawer`.
    fn is_somewhere(&self) -> bool {
        let mut places = self.find("in on at inside");
        places.any(|place| place > 0 && self.is_any(place - 1, "is are lies lie"))
    }

    /// The classes that a sentence without names is about: with `they` all that was named last, and
    /// else the last of it.
    fn earlier(&self, before: &[Self]) -> Vec<String> {
        let named = before.iter().rfind(|sentence| !sentence.objects.is_empty());
        let objects = named.map_or(&[][..], |sentence| &sentence.objects);
        let all = self.has("they them both these those");
        let last = objects.len().saturating_sub(1);
        let meant = objects.iter().skip(if all { 0 } else { last });
        unique(meant.map(|object| object.class.clone()))
    }

    /// The classes that a part of the sentence asks for.
    fn asked_between(&self, start: usize, end: usize) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut last = start;
        let within = |object: &&Mention| (start..end).contains(&object.position);
        for object in self.objects.iter().filter(within) {
            let between = || last..object.position;
            let has = |options: &str| between().any(|place| self.is_any(place, options));
            if !found.is_empty() && has(STOPS) {
                break;
            }
            let turns = has(TURNS);
            let left_out = "except besides without not";
            let directly = between().rfind(|place| !self.is_any(*place, "the a an my"));
            last = object.position;
            if directly.is_some_and(|place| self.is_any(place, left_out)) {
                continue;
            }
            if turns {
                found.clear();
            }
            found.push(object.class.clone());
        }
        unique(found)
    }

    /// Of what it is asked which is meant; none if it is not asked.
    fn preference(&self, before: &[Self]) -> Option<Preference> {
        let wheres = self.wheres();
        let mut asking = self.find("which what");
        if let Some(which) = asking.find(|place| self.asks_for_one(*place)) {
            let cue = self.has(CUES) || self.says("is are", "it they");
            let apart = wheres.is_empty() || self.begins_clause(which) && cue;
            let about_state = self.is_somewhere() && !self.has("should shall you");
            let asked = apart && !about_state && (cue || !self.has(STATES));
            return asked.then(|| self.meant(Some(which), before)).flatten();
        }
        let asked = wheres.is_empty() && self.asks_for_choice();
        asked.then(|| self.meant(None, before)).flatten()
    }

    /// Whether `which` or `what` at a position asks for one of several: `which one`, `what kind of mug`;
    /// not `which drawer`, and not `the mug which`.
    fn asks_for_one(&self, position: usize) -> bool {
        if self.asks_for_place(position) {
            return false;
        }
        if self.at(position) == "what" {
            let kinds = "kind kinds type types sort sorts one ones";
            return self.is_any(position + 1, kinds) || self.object_at(position + 1).is_some();
        }
        let ends = |back: usize| position >= back && self.object_at(position - back).is_some();
        let relative = ends(1) || ends(2) && !self.at(position.saturating_sub(1)).is_empty();
        !relative || self.begins_clause(position)
    }

    fn begins_clause(&self, position: usize) -> bool {
        let begins = |before| self.at(before).is_empty() || self.is_any(before, FILLERS);
        position.checked_sub(1).is_none_or(begins)
    }

    /// Whether a word of the first is followed by one of the second.
    fn says(&self, first: &str, second: &str) -> bool {
        self.find(first).any(|place| self.is_any(place + 1, second))
    }

    /// Whether it is asked without `which` what is meant: `do you mean mug 1`, `mug 1 or mug 2`.
    fn asks_for_choice(&self) -> bool {
        if self.has(PREFERENCES) {
            return true;
        }
        let for_me = "me us to";
        let wishes = |options: &str| {
            let mut wishes = self.find(options);
            wishes.any(|place| !self.is_any(place + 1, for_me))
        };
        if self.has("you")
            && (wishes("mean meant want need looking") || self.has("would") && wishes("like"))
        {
            return true;
        }
        if self.has("look find search check") {
            return false;
        }
        let numbers: usize = self.objects.iter().map(|object| object.numbers.len()).sum();
        let takes = self.has(TAKES) && self.has("i");
        let named = numbers > 0 && self.has("should shall can may do");
        let open = self.has("what") && self.objects.is_empty();
        takes && (named || open) || numbers > 1 && self.has("or") && !self.has(STATES)
    }

    /// Of which classes it is asked; none if it may be about something that is not in the room.
    fn meant(&self, which: Option<usize>, before: &[Self]) -> Option<Preference> {
        if let Some(which) = which {
            let is_between = |position: &usize| {
                self.is_any(*position, BETWEEN)
                    || matches!(self.words.get(*position), Some(Word::Number(_)))
            };
            let next = (which + 1..self.words.len()).find(|place| !is_between(place));
            if let Some(next) = next {
                if self.object_at(next).is_some() {
                    return Some(Preference::Of(self.joined(next)));
                }
                if !self.at(next).is_empty() && !self.is_common(next) {
                    return None;
                }
            }
        }
        if !self.objects.is_empty() {
            let classes = self.objects.iter().map(|object| object.class.clone());
            return Some(Preference::Of(classes.collect()));
        }
        if !(0..self.words.len()).all(|place| self.is_common(place)) {
            return None;
        }
        let mut named = before.iter().rev();
        match named.find_map(|sentence| sentence.objects.last()) {
            Some(object) => Some(Preference::Of(vec![object.class.clone()])),
            None if before.iter().any(Self::names_a_stranger) => None,
            None => Some(Preference::Any),
        }
    }

    /// The class at a position, and those that follow it in one list.
    fn joined(&self, start: usize) -> Vec<String> {
        let list = "or and the a an which what";
        let mut found = Vec::new();
        let mut end = start;
        let from_start = |object: &&Mention| object.position >= start;
        for object in self.objects.iter().filter(from_start) {
            let mut between = (end..object.position).skip(1);
            let is_list = |place: usize| self.at(place).is_empty() || self.is_any(place, list);
            if object.position > start && !between.all(is_list) {
                break;
            }
            end = object.position;
            found.push(object.class.clone());
        }
        found
    }

    /// Whether the word at a position cannot be the name of something that is asked for.
    fn is_common(&self, position: usize) -> bool {
        let is_receptacle = |place: usize| self.receptacles.contains(&place);
        let of_receptacle = position.checked_sub(1).is_some_and(is_receptacle);
        let known = is_receptacle(position) || of_receptacle;
        if known || self.at(position).is_empty() || self.is_any(position, COMMON) {
            return true;
        }
        // Something that things are put into.
        let articles = "the a an my your";
        let before = (0..position).rfind(|before| !self.is_any(*before, articles));
        before.is_some_and(|before| self.is_any(before, "in on into onto inside"))
    }

    /// Whether something is named with a number that is not in the room.
    fn names_a_stranger(&self) -> bool {
        (1..self.words.len()).any(|place| {
            matches!(self.words.get(place), Some(Word::Number(_))) && !self.is_common(place - 1)
        })
    }
}
