//! The words that generated cities are made of, in a file beside this one.

use std::sync::LazyLock;

use crate::text::Dice;

/// The lists, read once.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

pub(super) struct Tables(Vec<(&'static str, Vec<&'static str>)>);

impl Tables {
    fn read() -> Self {
        let lines = include_str!("words.txt")
            .lines()
            .filter(|line| !line.starts_with('#'));
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

    /// The words of a list in an order that is drawn.
    pub(super) fn shuffled(&self, list: &str, dice: &mut Dice) -> Vec<&'static str> {
        let mut words = self.words(list).to_vec();
        dice.shuffle(&mut words);
        words
    }

    /// The city.
    pub(super) fn city(&self) -> &'static str {
        self.words("city").first().copied().unwrap_or_default()
    }
}
