//! Things that a question names and that the room has not got, and questions that nobody can answer.

use super::super::lexicon::{ARTICLES, COMMON, HINTS, UNKNOWABLE, VERBS, is_furniture};
use super::Asked;
use super::sentence::Sentence;
use crate::text::has_word;
use crate::text::mention::Word;

impl Sentence {
    /// Nothing that a user could tell.
    pub(super) fn rest(&self) -> Asked {
        let named = !self.objects.is_empty() || !self.receptacles.is_empty();
        let sought = || self.has("find look looking search seen see locate get have has need want which");
        match self.stranger().filter(|_| sought()) {
            _ if named || self.has(UNKNOWABLE) => Asked::Unknowable,
            Some(stranger) => Asked::Stranger(stranger),
            None => Asked::NotUnderstood,
        }
    }

    /// A thing that is named and that the room has not got: what follows an article, or a word of seeking, and is no
    /// word that questions consist of.
    pub(super) fn stranger(&self) -> Option<String> {
        (0..self.words.len()).find_map(|place| {
            let leads = self.is_any(place, ARTICLES)
                || self.is_any(place, "is are for find get locate where's need which seen have any some to see");
            leads.then(|| self.stranger_at(place + 1)).flatten()
        })
    }

    pub(super) fn stranger_after(&self, position: usize) -> Option<String> {
        (position + 1..self.words.len()).find_map(|place| self.stranger_at(place))
    }

    fn stranger_at(&self, position: usize) -> Option<String> {
        /// Longer words are shown to nobody.
        const LONGEST: usize = 30;
        let word = self.words.get(position).and_then(Word::letters)?;
        let of_receptacle = self.receptacles.iter().any(|place| place.position == position);
        let known = of_receptacle || self.object_at(position).is_some();
        let mut lists = [COMMON, VERBS, UNKNOWABLE, HINTS].iter();
        let common = is_furniture(word) || lists.any(|list| has_word(list, word));
        (!known && !common && word.len() <= LONGEST && word.chars().all(char::is_alphabetic)).then(|| word.to_owned())
    }
}
