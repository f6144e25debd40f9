//! The tables that generated products are drawn from: kinds, attributes and options, in files beside this one.

use std::sync::LazyLock;

/// The tables, read once.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

pub(super) struct Tables {
    pub(super) kinds: Vec<Kind>,
}

/// A kind of product.
pub(super) struct Kind {
    pub(super) category: &'static str,
    /// The path of its category.
    pub(super) path: &'static str,
    pub(super) query: &'static str,
    /// What a shopper calls it, without an article.
    pub(super) called: &'static str,
    /// It takes the article `a`.
    pub(super) counted: bool,
    /// What titles call it.
    pub(super) titles: Vec<&'static str>,
    /// Cheapest and dearest, in cents.
    pub(super) cents: (usize, usize),
    pub(super) attributes: Vec<&'static Attribute>,
    pub(super) options: Vec<&'static OptionList>,
}

impl Kind {
    /// It is spoken of as `they`.
    pub(super) fn is_plural(&self) -> bool {
        !self.counted && self.called.ends_with('s')
    }
}

/// An attribute as it is listed, and as people say it.
pub(super) struct Attribute {
    pub(super) phrase: &'static str,
    pub(super) words: Words,
}

/// Where the words of an attribute stand.
#[derive(Clone, Copy)]
pub(super) enum Words {
    /// `gluten free` cookies.
    Before(&'static str),
    /// Boots `with a rubber sole`.
    After(&'static str),
}

/// The values of an option.
pub(super) struct OptionList {
    pub(super) name: &'static str,
    pub(super) values: Vec<&'static str>,
}

impl Attribute {
    /// The last word of what a product has only one of: two attributes that end in it exclude each other.
    pub(super) fn choice(&self) -> Option<&'static str> {
        const CHOICES: &[&str] = &[
            "sleeve", "toe", "fit", "leg", "sole", "waist", "closure", "finish", "spandex",
            "style", "rise",
        ];
        let last = self.phrase.rsplit(' ').next()?;
        CHOICES.iter().copied().find(|choice| *choice == last)
    }
}

impl Tables {
    /// Lines that are not as they should be are left out; a test sees to it that there are none.
    fn read() -> Self {
        let attributes = rows(include_str!("attributes.txt"), 3).filter_map(|row| {
            let [phrase, words, groups] = row[..] else {
                return None;
            };
            let words = match words.strip_prefix('~') {
                Some(before) => Words::Before(before),
                None if words.is_empty() => Words::Before(phrase),
                None => Words::After(words),
            };
            Some((Attribute { phrase, words }, groups))
        });
        // They live as long as the program, once each.
        let attributes: &'static [(Attribute, &str)] = attributes.collect::<Vec<_>>().leak();
        let options = rows(include_str!("options.txt"), 3).filter_map(|row| {
            let [list, name, values] = row[..] else {
                return None;
            };
            let values = parts(values).collect();
            Some((list, OptionList { name, values }))
        });
        let options: &'static [(&str, OptionList)] = options.collect::<Vec<_>>().leak();
        let kinds = rows(include_str!("kinds.txt"), 8);
        let kinds = kinds.filter_map(|row| kind(&row, attributes, options));
        Self {
            kinds: kinds.collect(),
        }
    }
}

fn kind(
    row: &[&'static str],
    attributes: &'static [(Attribute, &str)],
    options: &'static [(&str, OptionList)],
) -> Option<Kind> {
    let [category, path, query, called, titles, price, groups, lists] = *row else {
        return None;
    };
    let article = called.split_once(' ');
    let article = article.filter(|(word, _)| ["a", "an", "some"].contains(word));
    let (least, most) = price.split_once('-')?;
    let dollars = |text: &str| text.parse::<usize>().ok();
    let has = |own: &&'static (Attribute, &str)| {
        let mut own = own.1.split(' ');
        own.any(|group| groups.split(' ').any(|wanted| wanted == group))
    };
    let list = |name: &str| options.iter().find(|(list, _)| *list == name);
    Some(Kind {
        category,
        path,
        query,
        called: article.map_or(called, |(_, noun)| noun),
        counted: article.is_some_and(|(word, _)| word != "some"),
        titles: parts(titles).collect(),
        cents: (dollars(least)? * 100, dollars(most)? * 100),
        attributes: attributes.iter().filter(has).map(|(own, _)| own).collect(),
        options: parts(lists)
            .map(|name| list(name).map(|(_, own)| own))
            .collect::<Option<_>>()?,
    })
}

/// The rows of a table, each of so many columns.
fn rows(table: &'static str, columns: usize) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(move |line| line.splitn(columns, '|').map(str::trim).collect())
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
        let written = rows(include_str!("kinds.txt"), 8).count();
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
        }
        let categories: BTreeSet<&str> = TABLES.kinds.iter().map(|kind| kind.category).collect();
        assert_eq!(categories.len(), 5);
    }

    #[test]
    fn every_attribute_belongs_to_a_kind() {
        for row in rows(include_str!("attributes.txt"), 3) {
            assert_eq!(row.len(), 3, "{row:?}");
            let mut kinds = TABLES.kinds.iter().flat_map(|kind| &kind.attributes);
            assert!(kinds.any(|own| own.phrase == row[0]), "{}", row[0]);
        }
    }
}
