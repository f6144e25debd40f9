//! Sentences about where things are, as ABA's model of a human says them (appendix A): `mug 1 is in
//! countertop 1`.

use crate::environments::household::split_name;

/// `mug 1 is in countertop 1, mug 2 is in microwave 1.`; nothing for no pair.
pub fn placements_answer<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    sentences(pairs, ", ")
}

/// `bowl 2 is in diningtable 2. apple 1 is in fridge 1.`; nothing for no pair.
pub fn placements_paragraph<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    sentences(pairs, ". ")
}

fn sentences<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, between: &str) -> String {
    let pairs = pairs.into_iter();
    let said = pairs.map(|(object, place)| format!("{object} is in {place}"));
    let said = said.collect::<Vec<_>>().join(between);
    if said.is_empty() { said } else { said + "." }
}

/// The objects and places of all such sentences in a text, in order.
pub fn placements_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split([',', '.', ';', '\n']);
    parts.flat_map(|part| part.split(" and ")).filter_map(placement)
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
    let rest = words.get(class + 1..)?;
    let space = rest.find(' ').map(|space| class + 1 + space);
    let name = words.get(..space.unwrap_or(words.len()))?;
    split_name(name).map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
