//! The tables that generated products are drawn from: kinds, attributes, options and phrases, in files beside this one.

use std::sync::LazyLock;

use rolecall_core::text::has_word;

/// The tables, read once.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

pub(super) struct Tables {
    pub(super) kinds: Vec<Kind>,
    phrases: Vec<(&'static str, Vec<&'static str>)>,
}

/// A kind of product.
pub(super) struct Kind {
    pub(super) category: &'static str,
    /// The path of its category.
    pub(super) path: &'static str,
    pub(super) query: &'static str,
    /// Shoppers' word for it, without an article.
    pub(super) called: &'static str,
    /// It takes the article `a`.
    pub(super) counted: bool,
    /// Titles' words for it.
    pub(super) titles: Vec<&'static str>,
    /// Cheapest and dearest, in cents.
    pub(super) cents: (usize, usize),
    pub(super) attributes: Vec<Attribute>,
    pub(super) options: Vec<OptionList>,
}

/// An attribute as it is listed, and as people say it.
#[derive(Clone, Copy)]
pub(super) struct Attribute {
    pub(super) phrase: &'static str,
    pub(super) words: &'static str,
    /// The words stand before the noun, as in `gluten free` cookies; else behind it: boots `with a rubber sole`.
    pub(super) is_before: bool,
}

/// The values of an option.
#[derive(Clone)]
pub(super) struct OptionList {
    pub(super) name: &'static str,
    pub(super) values: Vec<&'static str>,
}

impl Kind {
    /// It is spoken of as `they`.
    pub(super) fn is_plural(&self) -> bool {
        !self.counted && self.called.ends_with('s')
    }

    /// None of a line that is not as it should be.
    fn read(row: [&'static str; 8], attributes: &[(Attribute, &str)], options: &[(&str, OptionList)]) -> Option<Self> {
        let [category, path, query, called, titles, price, groups, lists] = row;
        let (called, counted) = match called.split_once(' ') {
            Some(("a" | "an", noun)) => (noun, true),
            Some(("some", noun)) => (noun, false),
            _ => (called, false),
        };
        let (least, most) = price.split_once('-')?;
        let cents = |dollars: &str| Some(dollars.parse::<usize>().ok()? * 100);
        let is_of = |tags: &str| tags.split(' ').any(|tag| has_word(groups, tag));
        let attributes = attributes.iter().filter(|(_, tags)| is_of(tags));
        let list = |name: &str| options.iter().find(|(list, _)| *list == name);
        let options = parts(lists).map(|name| Some(list(name)?.1.clone()));
        Some(Self {
            category,
            path,
            query,
            called,
            counted,
            titles: parts(titles).collect(),
            cents: (cents(least)?, cents(most)?),
            attributes: attributes.map(|(attribute, _)| *attribute).collect(),
            options: options.collect::<Option<_>>()?,
        })
    }
}

impl Attribute {
    fn new(phrase: &'static str, said: &'static str) -> Self {
        let words = said.strip_prefix('~').unwrap_or(said);
        Self {
            phrase,
            words: if said.is_empty() { phrase } else { words },
            is_before: said.is_empty() || words != said,
        }
    }

    /// Says of something that it has the attribute, with these forms of `be` and `come`: verbs agree with them.
    pub(super) fn predicate(self, is: &str, comes: &str) -> String {
        let words = self.words;
        match words.split_once(' ') {
            _ if self.is_before => format!("{is} {words}"),
            Some(("that", rest)) => match rest.split_once(' ') {
                Some(("is", rest)) => format!("{is} {rest}"),
                Some((verb, rest)) if is != "is" => {
                    format!("{} {rest}", verb.trim_end_matches('s'))
                }
                _ => rest.to_owned(),
            },
            Some(("with" | "in" | "without", _)) => format!("{comes} {words}"),
            _ => format!("{is} {words}"),
        }
    }

    /// The last word of what a product has only one of: two attributes that end in it exclude each other.
    pub(super) fn choice(&self) -> Option<&'static str> {
        const CHOICES: &str = "sleeve toe fit leg sole waist closure finish spandex style rise";
        let last = self.phrase.rsplit(' ').next();
        last.filter(|last| has_word(CHOICES, last))
    }
}

impl Tables {
    /// Lines that are not as they should be are left out; a test sees to it that there are none.
    fn read() -> Self {
        let attributes: Vec<_> = rows::<3>(include_str!("attributes.txt"))
            .map(|[phrase, words, groups]| (Attribute::new(phrase, words), groups))
            .collect();
        let options: Vec<_> = rows::<3>(include_str!("options.txt"))
            .map(|[list, name, values]| {
                let values = parts(values).collect();
                (list, OptionList { name, values })
            })
            .collect();
        let kinds = rows(include_str!("kinds.txt"));
        let phrases = rows::<2>(include_str!("phrases.txt"));
        Self {
            kinds: kinds.filter_map(|row| Kind::read(row, &attributes, &options)).collect(),
            phrases: phrases.map(|[list, phrases]| (list, parts(phrases).collect())).collect(),
        }
    }

    /// The phrases of a list.
    pub(super) fn phrases(&self, list: &str) -> &[&'static str] {
        self.phrases.iter().find(|(name, _)| *name == list).map_or(&[], |(_, phrases)| phrases)
    }
}

/// The rows of a table that have so many columns.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let row: Vec<&str> = line.splitn(N, '|').map(str::trim).collect();
        row.try_into().ok()
    })
}

fn parts(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(';').map(str::trim)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_line_of_the_tables_is_read_and_every_kind_leaves_a_choice() {
        let written = |table: &str| table.lines().filter(|line| !line.starts_with('#')).count();
        let phrases = written(include_str!("phrases.txt"));
        assert_eq!(TABLES.phrases.len(), phrases);
        let options = written(include_str!("options.txt"));
        assert_eq!(rows::<3>(include_str!("options.txt")).count(), options);
        let written = written(include_str!("kinds.txt"));
        assert_eq!(TABLES.kinds.len(), written);
        assert!((60..=100).contains(&written), "{written} kinds");
        for kind in &TABLES.kinds {
            assert!(kind.attributes.len() >= 6, "{}", kind.called);
            assert!(!kind.options.is_empty() && kind.cents.0 < kind.cents.1);
            let names: BTreeSet<&str> = kind.options.iter().map(|list| list.name).collect();
            assert_eq!(names.len(), kind.options.len(), "{}", kind.called);
            let values = kind.options.iter().flat_map(|list| &list.values);
            let different: BTreeSet<&&str> = values.clone().collect();
            assert_eq!(different.len(), values.count(), "{}", kind.called);
            let title = kind.titles.join(" ").to_lowercase();
            let noun = kind.called.rsplit(' ').next().unwrap();
            assert!(title.contains(noun), "{title}");
            assert_eq!(TABLES.phrases(kind.category).len(), 4);
        }
        let categories: BTreeSet<&str> = TABLES.kinds.iter().map(|kind| kind.category).collect();
        assert_eq!(categories.len(), 5);
    }

    #[test]
    fn every_attribute_belongs_to_a_kind() {
        for line in include_str!("attributes.txt").lines().skip(2) {
            let row: Vec<&str> = line.split('|').map(str::trim).collect();
            assert_eq!(row.len(), 3, "{row:?}");
            let mut kinds = TABLES.kinds.iter().flat_map(|kind| &kind.attributes);
            assert!(kinds.any(|attribute| attribute.phrase == row[0]), "{}", row[0]);
        }
    }
}
