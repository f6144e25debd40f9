//! The words that generated cities are made of, in a file beside this one.

use std::sync::LazyLock;

use crate::text::Dice;

/// The lists, read once.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

pub(super) struct Tables(Vec<(&'static str, Vec<&'static str>)>);

impl Tables {
    fn read() -> Self {
        let lines = include_str!("words.txt").lines();
        let lines = lines.filter(|line| !line.starts_with('#'));
        let lists = lines.filter_map(|line| {
            let (name, words) = line.split_once('|')?;
            Some((name.trim(), words.split(';').map(str::trim).collect()))
        });
        Self(lists.collect())
    }

    /// The words of a list; none of one that is not there.
    pub(super) fn words(&self, list: &str) -> &[&'static str] {
        let found = self.0.iter().find(|(name, _)| *name == list);
        found.map_or(&[], |(_, words)| words)
    }

    /// One of the words of a list.
    pub(super) fn pick(&self, list: &str, dice: &mut Dice) -> &'static str {
        dice.pick(self.words(list)).unwrap_or_default()
    }

    /// One of the words of a list that have weights.
    pub(super) fn weighted(&self, list: &str, dice: &mut Dice) -> &'static str {
        let words = self.words(list).iter().copied();
        let mut words = words.filter_map(|word| word.split_once(' '));
        let drawn = dice.weighted(words.clone().map(|(weight, _)| weight.parse().unwrap_or(0)));
        let drawn = drawn.and_then(|drawn| words.nth(drawn));
        drawn.map_or("", |(_, word)| word)
    }

    /// The words of a list in an order that is drawn.
    pub(super) fn shuffled(&self, list: &str, dice: &mut Dice) -> Vec<&'static str> {
        let mut words = self.words(list).to_vec();
        dice.shuffle(&mut words);
        words
    }

    /// How something is put, by the list for its value or by the list for any value; none if there is neither.
    pub(super) fn put(&self, list: &str, slot: &str, value: &str) -> Option<String> {
        let lists = [format!("{list} {slot} {value}"), format!("{list} {slot}")];
        let form = lists.iter().find_map(|list| self.words(list).first())?;
        Some(form.replace("{}", value))
    }
}
