//! Names such as `cabinet 6`, lists of them, and sentences about where things are, as ABA's model of a human says them
//! (appendix A): `mug 1 is in countertop 1`.

use rolecall_core::text::mention::Mention;

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

/// `mug 1 is in countertop 1, mug 2 is in microwave 1.`; nothing for no pair.
pub fn placements_answer<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    sentences(pairs, ", ")
}

/// `bowl 2 is in diningtable 2. apple 1 is in fridge 1.`; nothing for no pair.
pub fn placements_paragraph<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    sentences(pairs, ". ")
}

fn sentences<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, between: &str) -> String {
    let said = pairs.into_iter().map(|(object, place)| format!("{object} is in {place}"));
    let said = said.collect::<Vec<_>>().join(between);
    if said.is_empty() { said } else { said + "." }
}

/// The objects and places of all such sentences in a text, in order.
pub fn placements_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split([',', '.', ';', '\n']).flat_map(|part| part.split(" and ")).filter_map(placement)
}

fn placement(part: &str) -> Option<(&str, &str)> {
    let mut links = [" is in/on ", " is in ", " is on "].iter();
    let (object, place) = links.find_map(|link| part.split_once(link))?;
    Some((numbered_at_end(object)?, numbered_at_start(place)?))
}

/// `mug 1` of `I think the mug 1`.
fn numbered_at_end(words: &str) -> Option<&str> {
    let words = words.trim();
    let (before, _) = words.rsplit_once(' ')?;
    let start = before.rfind(' ').map_or(0, |space| space + 1);
    let name = words.get(start..)?;
    split_name(name).map(|_| name)
}

/// `desk 2` of `the desk 2 over there`.
fn numbered_at_start(words: &str) -> Option<&str> {
    let words = words.trim().trim_start_matches("the ");
    let class = words.find(' ')?;
    let space = words.get(class + 1..)?.find(' ').map(|space| class + 1 + space);
    let name = words.get(..space.unwrap_or(words.len()))?;
    split_name(name).map(|_| name)
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

    #[test]
    fn what_is_said_can_be_read() {
        let pairs = [("mug 1", "desk 2"), ("mug 12", "shelf 1")];
        let answer = placements_answer(pairs);
        assert_eq!(answer, "mug 1 is in desk 2, mug 12 is in shelf 1.");
        assert_eq!(placements_in(&answer).collect::<Vec<_>>(), pairs);
        let paragraph = placements_paragraph(pairs);
        assert_eq!(paragraph, "mug 1 is in desk 2. mug 12 is in shelf 1.");
        assert_eq!(placements_in(&paragraph).collect::<Vec<_>>(), pairs);
        assert_eq!(placements_answer([]), "");
    }

    #[test]
    fn models_say_it_in_their_own_way() {
        let table = [
            ("I think the mug 1 is on the desk 2 over there", vec![("mug 1", "desk 2")]),
            ("Sure! mug 1 is in/on desk 2 and mug 2 is in drawer 1.", vec![("mug 1", "desk 2"), ("mug 2", "drawer 1")]),
            ("The mug is in the kitchen.", vec![]),
            ("mug 1 is in", vec![]),
            (" is in ", vec![]),
            ("", vec![]),
        ];
        for (text, pairs) in table {
            assert_eq!(placements_in(text).collect::<Vec<_>>(), pairs, "{text}");
        }
    }
}
