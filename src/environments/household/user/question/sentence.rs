//! A sentence of what somebody says: its words, the things that it names, whether it asks, and of which
//! things it asks where they are.

use std::cell::OnceCell;

use super::super::lexicon::{BACK, DEEDS, FILLERS, OPENERS, PLACES, SEEKS, STOPS, TURNS, WHERE, is_furniture};
use super::IsClass;
use rolecall_core::text::mention::{Mention, Word, mentions, words};
use rolecall_core::text::{has_word, unique};

/// A sentence of a text.
pub(super) struct Sentence {
    pub(super) words: Vec<Word>,
    /// The classes of objects that it names.
    pub(super) objects: Vec<Mention>,
    /// The classes of receptacles that it names.
    pub(super) receptacles: Vec<Mention>,
    /// The first letters of its words.
    initials: u64,
    /// The positions of the words that ask for places, once somebody wants to know.
    wheres: OnceCell<Vec<usize>>,
}

/// A place for a letter, which others may share.
fn bit(letter: u8) -> u64 {
    1 << (letter % 64)
}

impl Sentence {
    pub(super) fn read(text: &str, is_object: IsClass<'_>, is_receptacle: IsClass<'_>) -> Self {
        let mut words = words(text);
        words.retain(|word| *word != Word::Stop);
        let objects = mentions(&words, is_object);
        let mut receptacles = mentions(&words, |word| is_receptacle(word) || is_furniture(word));
        // The desk of a `desk lamp` is none.
        receptacles.retain(|place| !objects.iter().any(|object| object.position == place.position));
        let initials = words.iter().filter_map(Word::letters).filter_map(|word| word.bytes().next());
        Self {
            initials: initials.fold(0, |all, first| all | bit(first)),
            receptacles,
            objects,
            words,
            wheres: OnceCell::new(),
        }
    }

    /// The letters at a position; none at a number or pause, and beyond the ends.
    pub(super) fn at(&self, position: usize) -> &str {
        self.words.get(position).and_then(Word::letters).unwrap_or_default()
    }

    pub(super) fn is_any(&self, position: usize, options: &str) -> bool {
        has_word(options, self.at(position))
    }

    /// Whether one of the options stands in the sentence. Of most no word has the first letter.
    pub(super) fn has(&self, options: &str) -> bool {
        options.as_bytes().split(|letter| *letter == b' ').any(|option| {
            let letters = self.words.iter().filter_map(Word::letters);
            self.may_begin(option) && letters.map(str::as_bytes).any(|word| word == option)
        })
    }

    /// Whether a word of the sentence may begin with the same letter.
    pub(super) fn may_begin(&self, text: &[u8]) -> bool {
        text.first().is_some_and(|first| self.initials & bit(*first) != 0)
    }

    pub(super) fn find(&self, options: &str) -> impl Iterator<Item = usize> {
        let end = if self.has(options) { self.words.len() } else { 0 };
        (0..end).filter(move |place| self.is_any(*place, options))
    }

    /// Whether the sentence asks: it is marked, begins like a question, or holds one.
    pub(super) fn asks(&self, marked: bool) -> bool {
        let begins = self.beginning();
        let asked_for = |place: usize| {
            let known = self.is_any(place.wrapping_sub(1), "know") && !self.is_known(place);
            known || self.is_any(place.wrapping_sub(1), "wonder wondering me ask sure idea clue")
        };
        let turned = |place: usize| {
            self.is_any(place + 1, "is are was can could should do does did might would") && !self.is_known(place)
        };
        marked
            || begins.is_some_and(|place| self.is_any(place, OPENERS) || self.opens_by_two(place))
            || self.find("where").any(turned)
            || self.find("where which what whether if how").any(asked_for)
    }

    /// Whether a question begins with this word and those after it: `am I`, `have you seen`.
    fn opens_by_two(&self, word: usize) -> bool {
        let about = "i it you we they there the that this any";
        let was = self.is_any(word, "am was were will shall has isn't aren't didn't");
        let have = self.is_any(word, "have") && self.is_any(word + 2, "seen opened closed got taken looked");
        (was || have) && self.is_any(word + 1, about)
    }

    /// The first word that is no filler.
    pub(super) fn beginning(&self) -> Option<usize> {
        (0..self.words.len()).find(|place| !self.at(*place).is_empty() && !self.is_any(*place, FILLERS))
    }

    /// Whether the sentence has receptacles at this position.
    pub(super) fn is_place(&self, position: usize) -> bool {
        self.receptacles.iter().any(|place| place.position == position)
    }

    /// `I know where` is no question.
    fn is_known(&self, position: usize) -> bool {
        let known = "know knew remember saw see";
        let before = "i already now just";
        position > 0 && self.is_any(position - 1, known) && (position == 1 || self.is_any(position - 2, before))
    }

    /// Whether `which` or `what` at a position asks for a place: `in which drawer`, `what room`.
    pub(super) fn asks_for_place(&self, position: usize) -> bool {
        let inside = "in on at inside under from";
        let after = (position + 1..self.words.len()).find(|next| !self.is_any(*next, "of the these those one other"));
        let places = after
            .is_some_and(|next| self.is_any(next, PLACES) || self.is_place(next) && self.object_at(next).is_none());
        places || position > 0 && self.is_any(position - 1, inside)
    }

    pub(super) fn object_at(&self, position: usize) -> Option<&Mention> {
        self.objects.iter().find(|object| object.position == position)
    }

    /// The positions of the words that ask for places.
    pub(super) fn wheres(&self) -> &[usize] {
        self.wheres.get_or_init(|| {
            let mut found: Vec<usize> = self.find(WHERE).collect();
            let asking = self.find("which what");
            found.extend(asking.filter(|place| self.asks_for_place(*place)));
            found.retain(|place| !self.is_known(*place));
            found.sort_unstable();
            found
        })
    }

    /// The classes whose places are asked for.
    pub(super) fn places(&self, before: &[Self]) -> Vec<String> {
        if self.has(DEEDS) && !self.has(SEEKS) {
            return Vec::new();
        }
        let wheres = self.wheres();
        let what_next = self.has("next now proceed do") && wheres.is_empty();
        if what_next && !self.has("look find you") {
            return Vec::new();
        }
        let mut found = Vec::new();
        for start in wheres {
            let asks = |position: &usize| wheres.contains(position) || self.asks_for_one(*position);
            let end = self.find("which what where").filter(asks).find(|place| place > start);
            found.extend(self.asked_between(*start, end.unwrap_or(self.words.len())));
        }
        if !found.is_empty() {
            return found;
        }
        let first = self.asked_between(0, wheres.first().copied().unwrap_or(self.words.len()));
        let about_which = wheres.is_empty() && self.has("which");
        match first.is_empty() {
            false if about_which && !self.is_somewhere() => Vec::new(),
            false => first,
            true if self.has(BACK) || !wheres.is_empty() && self.receptacles.is_empty() => self.earlier(before),
            true => Vec::new(),
        }
    }

    /// Whether the sentence says that something is somewhere: `which mug is in the drawer`.
    pub(super) fn is_somewhere(&self) -> bool {
        self.find("in on at inside").any(|place| place > 0 && self.is_any(place - 1, "is are lies lie"))
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
}
