//! Texts of an agent in a form in which values are searched: case, blanks and marks do not count.

use std::ops::Range;

/// Mark where a word begins.
const START: u8 = 1;
/// Mark where a word ends.
const END: u8 = 2;
/// Mark of a word with a capital that begins no sentence.
const CAPITAL: u8 = 4;

/// Endings that do not change a word's meaning: `museums`, `moderately`.
const ENDINGS: [&str; 3] = ["s", "es", "ly"];

/// Words with two spellings of the same length.
const SPELLINGS: [(&str, &str); 2] = [("center", "centre"), ("theater", "theatre")];

/// Words that deny.
const DENYING: [&str; 9] = ["no", "not", "without", "lacks", "lack", "neither", "nor", "none", "cannot"];

/// Replies, one after the other, without blanks and marks.
#[derive(Clone, Debug, Default)]
pub struct Said<'a> {
    /// Each reply, and where it begins in the letters.
    replies: Vec<(usize, &'a str)>,
    /// Letters and digits in lower case, and a line end between replies.
    letters: String,
    /// Marks of each byte of the letters, and of their end.
    marks: Vec<u8>,
}

impl<'a> Said<'a> {
    /// Reads these replies.
    pub fn new(replies: impl IntoIterator<Item = &'a str>) -> Self {
        let mut said = Self::default();
        for reply in replies {
            said.replies.push((said.letters.len(), reply));
            said.push(reply);
        }
        said
    }

    fn push(&mut self, text: &str) {
        let (mut word, mut ends_sentence) = (None, true);
        for letter in text.chars() {
            if letter.is_alphanumeric() {
                if word.is_none() {
                    word = Some(self.letters.len());
                    self.mark(START | if letter.is_uppercase() && !ends_sentence { CAPITAL } else { 0 });
                }
                self.letters.extend(letter.to_lowercase());
                ends_sentence = false;
                continue;
            }
            self.end(word.take());
            match letter {
                '&' => self.alone("and"),
                '£' => self.alone("£"),
                '.' | '!' | '?' | ':' | '\n' => ends_sentence = true,
                _ => {}
            }
        }
        self.end(word);
        self.letters.push('\n');
        self.mark(0);
    }

    fn alone(&mut self, word: &str) {
        self.mark(START);
        self.letters.push_str(word);
        self.mark(END);
    }

    fn end(&mut self, begun: Option<usize>) {
        let Some(begun) = begun else {
            return;
        };
        let word = self.letters.get(begun..).unwrap_or_default();
        let other = SPELLINGS.iter().find(|(spelled, _)| *spelled == word);
        if let Some((_, other)) = other {
            self.letters.replace_range(begun.., other);
        }
        self.mark(END);
    }

    /// Marks the end of the letters so far.
    fn mark(&mut self, mark: u8) {
        self.marks.resize(self.letters.len() + 1, 0);
        if let Some(last) = self.marks.last_mut() {
            *last |= mark;
        }
    }

    fn is_marked(&self, at: usize, mark: u8) -> bool {
        self.marks.get(at).is_some_and(|marks| marks & mark != 0)
    }

    /// The letters of a stretch.
    pub(super) fn letters(&self, of: Range<usize>) -> &str {
        self.letters.get(of).unwrap_or_default()
    }

    /// Positions at which words begin.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        (0..self.marks.len()).filter(|at| self.is_marked(*at, START))
    }

    /// Positions behind this one at which words end, at most so many bytes away.
    pub(super) fn ends(&self, from: usize, most: usize) -> impl Iterator<Item = usize> {
        (from + 1..=from + most).filter(|at| self.is_marked(*at, END))
    }

    /// Whether a word in this stretch has a capital other than at the beginning of a sentence.
    pub(super) fn has_capital(&self, mut of: Range<usize>) -> bool {
        of.any(|at| self.is_marked(at, CAPITAL))
    }

    /// Position at which the reply begins that contains this one.
    pub(super) fn reply_at(&self, position: usize) -> usize {
        self.replies.iter().map(|(begin, _)| *begin).take_while(|begin| *begin <= position).last().unwrap_or(0)
    }

    /// Positions of a text in the replies, from one on: the same words, however they are divided.
    pub fn places(&self, text: &str, from: usize) -> impl Iterator<Item = usize> {
        let wanted = squashed(text);
        let mut at = from;
        std::iter::from_fn(move || {
            while !wanted.is_empty() {
                let place = at + self.letters.get(at..)?.find(&wanted)?;
                at = place + wanted.chars().next().map_or(1, char::len_utf8);
                if self.is_marked(place, START) && self.is_end(place + wanted.len()) {
                    return Some(place);
                }
            }
            None
        })
    }

    /// Whether the replies contain a text.
    pub fn has(&self, text: &str) -> bool {
        self.places(text, 0).next().is_some()
    }

    fn is_end(&self, at: usize) -> bool {
        let (before, after) = self.letters.split_at(at);
        let is_word = before.ends_with(char::is_alphabetic);
        let mut endings = ENDINGS.iter().filter(|ending| after.starts_with(**ending));
        self.is_marked(at, END) || is_word && endings.any(|ending| self.is_marked(at + ending.len(), END))
    }

    /// Whether a value of a slot is told from a position on.
    pub(super) fn tells(&self, slot: &str, value: &str, from: usize) -> bool {
        if matches!(slot, "internet" | "parking") {
            return self.last_word(slot, from) == Some(value.eq_ignore_ascii_case("yes"));
        }
        forms(slot, value).into_iter().any(|form| self.places(&form, from).next().is_some())
    }

    /// Answer of the last clause about a facility: that there is one, or that there is none. Questions do not
    /// count.
    fn last_word(&self, slot: &str, from: usize) -> Option<bool> {
        let names: &[&str] = match slot {
            "internet" => &["internet", "wifi", "wi-fi"],
            _ => &["parking"],
        };
        let mut replies = self.replies.iter().rev().take_while(|(begin, _)| *begin >= from);
        replies.find_map(|(_, reply)| {
            let lower = reply.to_lowercase();
            lower.split_inclusive(['.', ',', ';', '!', '?', '\n']).rev().find_map(|clause| {
                let about = names.iter().any(|name| clause.contains(name));
                let mut words = clause.split(|letter: char| !letter.is_alphabetic());
                let denies =
                    ["n't", "n’t"].iter().any(|end| clause.contains(end)) || words.any(|word| DENYING.contains(&word));
                (about && !clause.ends_with('?')).then_some(!denies)
            })
        })
    }
}

/// The letters and digits of a text, as replies have them.
pub(super) fn squashed(text: &str) -> String {
    let mut said = Said::new([text]);
    said.letters.pop();
    said.letters
}

/// The ways in which a value is told.
fn forms(slot: &str, value: &str) -> Vec<String> {
    let number = value.split(' ').next().unwrap_or_default();
    let patterns = match slot {
        "price" | "entrance fee" if value.contains("pound") => "£N, N pound, N gbp, gbp N",
        "duration" => "N minute, N min",
        "stars" => "N star, stars N, star rating N, rating of N, rated N",
        "leaveAt" | "arriveBy" => {
            return vec![value.to_owned(), value.trim_start_matches('0').to_owned()];
        }
        "type" => return vec![value.to_owned(), value.replace("mutliple", "multiple")],
        _ => return vec![value.to_owned()],
    };
    patterns.split(", ").map(|form| form.replace('N', number)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_told_however_they_are_written() {
        for (slot, value, reply, told) in [
            ("phone", "01223362054", "Call 01223 362-054.", true),
            ("phone", "01223362054", "Call 01223 3620541", false),
            ("postcode", "cb21uw", "at CB2 1UW", true),
            ("area", "east", "at least", false),
            ("area", "centre", "in the city Center", true),
            ("type", "museum", "two Museums", true),
            ("type", "swimmingpool", "a swimming pool", true),
            ("type", "mutliple sports", "for multiple sports", true),
            ("pricerange", "moderate", "moderately priced", true),
            ("pricerange", "expensive", "inexpensive", false),
            ("price", "23.60 pounds", "It costs £23.60.", true),
            ("price", "23.60 pounds", "It costs 23.60 GBP", true),
            ("price", "23.60 pounds", "It costs 23.61 pounds", false),
            ("entrance fee", "5 pounds", "for 5 people", false),
            ("entrance fee", "free", "Entrance is free", true),
            ("duration", "51 minutes", "51 min", true),
            ("duration", "51 minutes", "151 minutes", false),
            ("stars", "4", "a 4-star hotel", true),
            ("stars", "4", "for 4 people", false),
            ("leaveAt", "05:17", "at 5:17", true),
            ("leaveAt", "05:17", "at 15:17", false),
            ("internet", "yes", "It has free WiFi", true),
            ("internet", "yes", "Do you need internet?", false),
            ("internet", "no", "It has no internet, but parking", true),
            ("parking", "yes", "It has no internet, but parking", true),
            ("parking", "yes", "There isn't any parking.", false),
            ("address", "12 bridge st. park & ride", "12 Bridge St, Park and Ride", true),
        ] {
            assert_eq!(Said::new([reply]).tells(slot, value, 0), told, "{slot} {value}: {reply}");
        }
        // Texts do not continue from one reply to the next, and earlier replies do not count.
        let said = Said::new(["in the east", "wing"]);
        assert!(said.tells("area", "east", 0) && !said.tells("name", "east wing", 0));
        assert!(!said.tells("area", "east", said.reply_at(12)));
    }

    #[test]
    fn capitals_count_where_no_sentence_begins() {
        let said = Said::new(["Place it. The Place"]);
        let places: Vec<usize> = said.places("place", 0).collect();
        let capitals: Vec<bool> = places.iter().map(|at| said.has_capital(*at..at + 5)).collect();
        assert_eq!(capitals, [false, true]);
    }

    proptest! {
        #[test]
        fn any_text_is_found_in_itself(text in "\\PC{0,12}", other in "\\PC{0,12}", slot in "stars|area|parking|price") {
            let said = Said::new([text.as_str(), other.as_str()]);
            said.tells(&slot, &other, 0);
            let squashed = squashed(&text);
            prop_assert_eq!(said.places(&text, 0).next().is_some(), !squashed.is_empty());
        }
    }
}
