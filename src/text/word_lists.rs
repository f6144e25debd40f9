//! Lists of words and phrases, which stand in files: a list a line, its name, a bar, and its words with semicolons
//! between them.

use rustc_hash::FxHashMap;

use super::Dice;

/// Lists of words by their names.
#[derive(Debug)]
pub struct WordLists(FxHashMap<&'static str, Vec<&'static str>>);

impl WordLists {
    /// Reads the lists of a file.
    pub fn read(text: &'static str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let lists = lines.filter_map(|line| {
            let (name, words) = line.split_once('|')?;
            Some((name.trim(), words.split(';').map(str::trim).collect()))
        });
        Self(lists.collect())
    }

    /// The words of a list; none of one that is not there.
    pub fn words(&self, list: &str) -> &[&'static str] {
        self.0.get(list).map_or(&[], Vec::as_slice)
    }

    /// The phrase of something, by the list of one `kind` of it or by that of any; none if there is neither.
    pub fn phrase(&self, list: &str, of: &str, kind: &str) -> Option<&'static str> {
        let lists = [format!("{list} {of} {kind}"), format!("{list} {of}")];
        let mut phrases = lists.iter().filter_map(|list| self.words(list).first());
        phrases.next().copied()
    }

    /// How the value of a slot is put: the phrase of that value, or that of any with the value in place of `{}`.
    pub fn put(&self, list: &str, slot: &str, value: &str) -> Option<String> {
        let phrase = self.phrase(list, slot, value);
        phrase.map(|phrase| phrase.replace("{}", value))
    }

    /// One of the words of a list.
    pub fn pick(&self, list: &str, dice: &mut Dice) -> &'static str {
        dice.pick(self.words(list)).unwrap_or_default()
    }

    /// One of the words of a list that have weights.
    pub fn weighted(&self, list: &str, dice: &mut Dice) -> &'static str {
        let words = self.words(list).iter();
        let mut words = words.filter_map(|word| word.split_once(' '));
        let weights = words.clone().map(|(weight, _)| weight.parse().unwrap_or(0));
        let drawn = dice.weighted(weights).and_then(|drawn| words.nth(drawn));
        drawn.map_or("", |(_, word)| word)
    }

    /// The words of a list in an order that is drawn.
    pub fn shuffled(&self, list: &str, dice: &mut Dice) -> Vec<&'static str> {
        let mut words = self.words(list).to_vec();
        dice.shuffle(&mut words);
        words
    }
}
