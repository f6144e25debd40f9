//! Which of several things is meant: `which one`, `do you prefer`, `mug 1 or mug 2`.

use super::super::lexicon::{ARTICLES, BETWEEN, COMMON, CUES, FILLERS, PREFERENCES, STATES, TAKES};
use super::Preference;
use super::sentence::Sentence;
use rolecall_core::text::mention::{Mention, Word};

impl Sentence {
    /// Of what it is asked which is meant; none if it is not asked.
    pub(super) fn preference(&self, before: &[Self]) -> Option<Preference> {
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
    pub(super) fn asks_for_one(&self, position: usize) -> bool {
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
    pub(super) fn says(&self, first: &str, second: &str) -> bool {
        self.find(first).any(|place| self.is_any(place + 1, second))
    }

    /// Whether it is asked without `which` what is meant: `do you mean mug 1`, `mug 1 or mug 2`.
    fn asks_for_choice(&self) -> bool {
        if self.has(PREFERENCES) {
            return true;
        }
        let for_me = "me us to";
        let wishes = |options: &str| self.find(options).any(|place| !self.is_any(place + 1, for_me));
        if self.has("you") && (wishes("mean meant want need looking") || self.has("would") && wishes("like")) {
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
                self.is_any(*position, BETWEEN) || matches!(self.words.get(*position), Some(Word::Number(_)))
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
        let is_receptacle = |place: usize| self.is_place(place);
        let of_receptacle = position.checked_sub(1).is_some_and(is_receptacle);
        let known = is_receptacle(position) || of_receptacle;
        if known || self.at(position).is_empty() || self.is_any(position, COMMON) {
            return true;
        }
        // Something that things are put into.
        let before = (0..position).rfind(|before| !self.is_any(*before, ARTICLES));
        before.is_some_and(|before| self.is_any(before, "in on into onto inside"))
    }

    /// Whether something is named with a number that is not in the room.
    fn names_a_stranger(&self) -> bool {
        (1..self.words.len())
            .any(|place| matches!(self.words.get(place), Some(Word::Number(_))) && !self.is_common(place - 1))
    }
}
