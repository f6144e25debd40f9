//! Names such as `cabinet 6`, and lists of them.

use crate::text::mention::Mention;

/// Splits `cabinet 6` into class and number.
pub fn split_name(name: &str) -> Option<(&str, u32)> {
    let (class, number) = name.rsplit_once(' ')?;
    Some((class, number.parse().ok()?))
}

/// The class of a name; a text without a number is a class already.
pub fn class_of(name: &str) -> &str {
    split_name(name).map_or(name, |(class, _)| class)
}

/// Whether a mention means the thing of that name; one without numbers means all of the class.
pub fn is_meant(name: &str, mention: &Mention) -> bool {
    let numbers = &mention.numbers;
    match split_name(name) {
        Some((class, number)) => class == mention.class && (numbers.is_empty() || numbers.contains(&number)),
        None => name == mention.class,
    }
}

/// The number of a name; 0 for a text without one.
pub fn number_of(name: &str) -> u32 {
    split_name(name).map_or(0, |(_, number)| number)
}

/// Things by class, in the order in which the classes first came.
pub fn by_class<'a, T>(items: impl IntoIterator<Item = (&'a str, T)>) -> Vec<(&'a str, Vec<T>)> {
    let mut classes: Vec<(&str, Vec<T>)> = Vec::new();
    for (class, thing) in items {
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, members)) => members.push(thing),
            None => classes.push((class, vec![thing])),
        }
    }
    classes
}

/// Objects with their places, in the order of the objects' numbers.
pub fn by_number<'a>(mut placed: Vec<(&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    placed.sort_by_key(|(object, _)| number_of(object));
    placed
}

/// A class with its article: `a mug`, `an egg`.
pub fn indefinite(class: &str) -> String {
    let vowel = class.starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = if vowel { "an" } else { "a" };
    format!("{article} {class}")
}

/// The names of a list such as `a mug 1, a pen 2, and a pen 1`; `nothing` is the empty list.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    rest: &'a str,
}

impl<'a> Items<'a> {
    /// Reads a list; a full stop at its end is ignored.
    pub fn new(list: &'a str) -> Self {
        let rest = list.trim().trim_end_matches('.');
        let rest = if rest == "nothing" { "" } else { rest };
        Self { rest }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (item, rest) = self.rest.split_once(',').unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        let item = item.trim();
        let item = item.strip_prefix("and ").unwrap_or(item);
        let mut articles = ["a ", "an ", "the "].iter();
        let bare = articles.find_map(|article| item.strip_prefix(article));
        Some(bare.unwrap_or(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_article_that_it_is_spoken_with() {
        assert_eq!(indefinite("egg"), "an egg");
        assert_eq!(indefinite("mug"), "a mug");
    }

    #[test]
    fn a_name_is_a_class_and_a_number() {
        assert_eq!(split_name("cabinet 12"), Some(("cabinet", 12)));
        assert_eq!(split_name("cabinet"), None);
        assert_eq!(class_of("side table 3"), "side table");
        assert_eq!(class_of("fridge"), "fridge");
    }

    #[test]
    fn lists_are_read_with_and_without_articles() {
        let read = |list| Items::new(list).collect::<Vec<_>>();
        assert!(read("nothing.").is_empty());
        assert_eq!(read("a apple 1."), ["apple 1"]);
        assert_eq!(read("a pen 2, a pen 1, and a mug 1"), ["pen 2", "pen 1", "mug 1"]);
        assert_eq!(read("the desk 1, drawer 2, and drawer 1"), ["desk 1", "drawer 2", "drawer 1"]);
    }
}
