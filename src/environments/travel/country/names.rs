//! Texts that occur often, by numbers; and the days on which one can fly from a city to another one.

use rustc_hash::FxHashMap;

/// Texts in the order in which they first came, each with its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// All texts in their order.
    pub(super) texts: Vec<String>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// Names of these texts.
    pub(super) fn of(texts: &[String]) -> Self {
        let mut names = Self::default();
        for text in texts {
            names.add(text);
        }
        names
    }

    /// The number of a text, which is added if it is new.
    pub(super) fn add(&mut self, text: &str) -> u32 {
        if let Some(number) = self.number(text) {
            return number;
        }
        // There are never as many texts as that: each has several bytes.
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.to_owned());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The number of a text.
    pub(super) fn number(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// The text of a number; empty if there is none.
    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }
}

/// Origin, destination and date, as numbers of their texts.
pub(super) type Key = [u32; 3];

/// Days, each with a number from 0: first by their cities and then by their date, which is twice as fast as by all
/// three at once where there are hundreds of thousands.
#[derive(Debug, Default)]
pub(super) struct Days {
    /// The names of cities and the dates that keys are made of.
    pub(super) names: Names,
    pub(super) dates: Names,
    pairs: FxHashMap<[u32; 2], u32>,
    /// For each pair and date the day's number and one more; 0 if there is none.
    by_date: Vec<Vec<u32>>,
    /// The keys of all days.
    pub(super) keys: Vec<Key>,
}

impl Days {
    /// The days of these names and keys; none if they do not fit together.
    pub(super) fn stored(names: &[String], dates: &[String], keys: &[Key]) -> Option<Self> {
        let mut days = Self { names: Names::of(names), dates: Names::of(dates), ..Self::default() };
        for key in keys {
            if key[2] as usize >= dates.len() {
                return None;
            }
            days.add_key(*key);
        }
        Some(days)
    }

    /// The number of a day, which is added if it is new.
    pub(super) fn add(&mut self, [origin, destination, date]: [&str; 3]) -> u32 {
        let (origin, destination) = (self.names.add(origin), self.names.add(destination));
        let date = self.dates.add(date);
        self.add_key([origin, destination, date])
    }

    fn add_key(&mut self, key: Key) -> u32 {
        let [origin, destination, date] = key;
        let next = self.by_date.len();
        // There are no more pairs and days than rows, whose number fits.
        let pair = self.pairs.entry([origin, destination]);
        let pair = *pair.or_insert(next as u32) as usize;
        if pair == next {
            self.by_date.push(Vec::new());
        }
        let dates = &mut self.by_date[pair];
        if dates.len() <= date as usize {
            dates.resize(date as usize + 1, 0);
        }
        let day = &mut dates[date as usize];
        if *day == 0 {
            self.keys.push(key);
            *day = self.keys.len() as u32;
        }
        *day - 1
    }

    /// The number of a day.
    pub(super) fn number(&self, origin: &str, destination: &str, date: &str) -> Option<u32> {
        let pair = [self.names.number(origin)?, self.names.number(destination)?];
        self.by_date.get(*self.pairs.get(&pair)? as usize)?.get(self.dates.number(date)? as usize)?.checked_sub(1)
    }

    /// Origin, destination and date of a day.
    pub(super) fn texts(&self, day: u32) -> [&str; 3] {
        let [origin, destination, date] = self.keys.get(day as usize).copied().unwrap_or_default();
        [self.names.text(origin), self.names.text(destination), self.dates.text(date)]
    }
}
