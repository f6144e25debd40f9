//! Shorter instructions for ChatShop's agents (appendices B.1, D.3 and D.4), by rules: the same without attributes
//! and options, and the kind of product alone. The original asks a model, as `rolecall data simplify shop` can;
//! it tells how near these rules come to what was recorded.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::goal::{Goal, price_clause};
use rolecall_core::text::has_word;

/// Lists of words, in the file beside this one.
static LISTS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| include_str!("simplify.txt").lines().filter_map(|line| line.split_once(" | ")).collect());

/// The most words of a product's name.
const MOST_WORDS: usize = 3;

/// ChatShop's four texts of a goal, by these rules: the whole instruction, the same without attributes, the kind of
/// product alone, and the bound on the price.
pub fn disclosures(goal: &Goal) -> [String; 4] {
    let attributes: Vec<&str> = goal.attributes.iter().map(String::as_str).collect();
    let wish = Wish::new(goal.wish(), &attributes, &goal.options.values());
    [goal.wish().to_owned(), wish.without_attributes(), wish.subject(), price_clause(goal.price_upper)]
}

/// An instruction in words and marks.
struct Wish<'t> {
    tokens: Vec<&'t str>,
    /// Which of them belong to attributes or options.
    marked: Vec<bool>,
    /// How many of them begin it.
    opening: usize,
}

impl<'t> Wish<'t> {
    fn new(instruction: &'t str, attributes: &[&str], options: &[&str]) -> Self {
        let tokens = tokens(instruction);
        let opening = tokens.iter().take_while(|token| is(token, "opening"));
        let mut wish = Self { marked: vec![false; tokens.len()], opening: opening.count(), tokens };
        for attribute in attributes {
            wish.mark_attribute(attribute);
        }
        for option in options {
            wish.mark_option(option);
        }
        wish
    }

    fn mark_attribute(&mut self, attribute: &str) {
        let words: Vec<String> = attribute.split([' ', '-']).map(stem).collect();
        let reversed: Vec<String> = words.iter().rev().cloned().collect();
        let mut is_found = false;
        for start in 0..self.tokens.len() {
            for words in [&words, &reversed] {
                if let Some(end) = end_of(&self.tokens[start..], words) {
                    self.marked[start..start + end].fill(true);
                    is_found = true;
                }
            }
        }
        // Sulfate and paraben free: the first word stands alone.
        let last = attribute.rsplit(' ').next().unwrap_or_default();
        if let [first, _] = &words[..]
            && !is_found
            && has_word("free wash clean washable friendly", last)
        {
            for (token, marked) in self.tokens.iter().zip(&mut self.marked) {
                *marked |= stem(token) == *first;
            }
        }
    }

    fn mark_option(&mut self, option: &str) {
        let words: HashSet<String> = pieces(option, "#\"'./*-_").map(stem).collect();
        for (token, marked) in self.tokens.iter().zip(&mut self.marked) {
            let mut parts = pieces(token, "#\"'./*_").map(stem).peekable();
            let all = parts.peek().is_some() && parts.all(|part| words.contains(&part));
            *marked |= !is(token, "links") && (all || words.contains(&stem(token)));
        }
    }

    /// The instruction without attributes and options, and without the words that only introduce them. Where nothing
    /// would be left, its beginning with the kind of product.
    fn without_attributes(&self) -> String {
        let tokens = &self.tokens;
        let mut gone = self.marked.clone();
        let mut start = 0;
        while start < tokens.len() {
            let mut end = start;
            while end < tokens.len() && (gone[end] || end > start && is(tokens[end], "after")) {
                gone[end] = true;
                end += 1;
            }
            if end > start && tokens.get(end).is_none_or(|next| is(next, "breaks")) {
                self.drop_introduction(&mut gone, start, end);
            }
            start = end + 1;
        }
        let mut kept: Vec<&str> =
            tokens.iter().zip(&gone).filter(|(_, gone)| !**gone).map(|(token, _)| *token).collect();
        let introduces = |last: &mut &str| is_stop(last) || is(last, "dangling");
        while kept.pop_if(introduces).is_some() {}
        let subject = self.subject();
        if kept.is_empty() {
            kept = tokens[..self.opening].to_vec();
            kept.push(&subject);
        }
        joined(&kept)
    }

    /// Removes the words before a removed part that only introduce it, but nothing of the beginning of the instruction.
    fn drop_introduction(&self, gone: &mut [bool], start: usize, end: usize) {
        let tokens = &self.tokens;
        let mut first = start;
        while first > self.opening && !is_stop(tokens[first - 1]) {
            let before = first - 1;
            if !gone[before] && !is(tokens[before], "dangling") {
                break;
            }
            gone[before] = true;
            first = before;
        }
        // Of a sentence that has gone the full stop goes too.
        let begins = first > 0 && is_stop(tokens[first - 1]);
        if begins && tokens.get(end).is_some_and(|next| is_stop(next)) {
            gone[end] = true;
        }
    }

    /// The kind of product that the instruction asks for, in at most three words; never empty for an instruction with
    /// words.
    fn subject(&self) -> String {
        let Self { tokens, marked, .. } = self;
        let mut start = self.opening;
        // `easy to clean` and the like stand before the name.
        while start + 2 < tokens.len() && is(tokens[start], "ready") && tokens[start + 1].eq_ignore_ascii_case("to") {
            start += 3;
        }
        let mut end = start;
        let mut is_found = false;
        while end < tokens.len() && !(is_found && is(tokens[end], "ends")) {
            is_found |= !marked[end] && is_named(tokens[end]);
            end += 1;
        }
        let (named, marked) = (&tokens[start..end], &marked[start..end]);
        let kept = |from: usize| {
            let words = named.iter().zip(marked).skip(from).filter(|(word, marked)| !**marked && is_named(word));
            words.map(|(word, _)| *word).collect::<Vec<&str>>()
        };
        // A bundle of crackers is crackers, but shoes of size 7 are shoes.
        let is_of = |word: &&str| word.eq_ignore_ascii_case("of");
        let of = named.iter().rposition(is_of).map_or(0, |at| at + 1);
        let mut words = kept(of);
        if words.is_empty() {
            words = kept(0);
        }
        let head_is_gone = marked.last() == Some(&true) && of == 0;
        if words.is_empty() || head_is_gone {
            // The product's name is an attribute itself: hair extensions.
            words = named.to_vec();
            words.retain(|word| !is(word, "ends"));
            words.drain(..words.len().saturating_sub(2));
        }
        if words.is_empty() {
            words.clone_from(tokens);
            words.retain(|word| !is_stop(word));
        }
        words[words.len().saturating_sub(MOST_WORDS)..].join(" ")
    }
}

fn is_named(word: &str) -> bool {
    !is(word, "measures") && !is(word, "ends") && !word.contains(|letter: char| letter.is_ascii_digit())
}

/// Words and marks: a mark within a number or a name belongs to it.
fn tokens(text: &str) -> Vec<&str> {
    const MARKS: [char; 7] = [',', '.', ';', '!', '?', '(', ')'];
    let mut tokens = Vec::new();
    for part in text.split_whitespace() {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let mut end = first.len_utf8();
            if !MARKS.contains(&first) {
                let last = rest.trim_end_matches(MARKS).len();
                let split = rest.find([';', '!', '?', '(', ')']).unwrap_or(last);
                end = split.min(last);
            }
            tokens.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    tokens
}

/// How many tokens from the first on say all the words in their order, with at most two links between.
fn end_of(tokens: &[&str], words: &[String]) -> Option<usize> {
    let (mut said, mut links) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        let before = said;
        for part in token.split('-').filter(|part| !part.is_empty()) {
            said += usize::from(words.get(said) == Some(&stem(part)));
        }
        if said == words.len() {
            return Some(at + 1);
        }
        if said == before {
            links += 1;
            if at == 0 || links > 2 || !is(token, "links") {
                return None;
            }
        }
    }
    None
}

fn pieces<'t>(text: &'t str, also: &'static str) -> impl Iterator<Item = &'t str> {
    text.split(move |letter: char| !letter.is_alphanumeric() && !also.contains(letter)).filter(|part| !part.is_empty())
}

/// A word without its ending, roughly: `washing` and `washable` are as `wash`.
fn stem(word: &str) -> String {
    let word = word.trim_matches(['\'', '"']).to_lowercase();
    let endings = ["ing", "ed", "es", "s", "er", "ly", "able", "e", "y"];
    let stem = endings.iter().filter_map(|end| word.strip_suffix(end)).find(|stem| stem.chars().count() >= 3);
    stem.map_or(word.clone(), str::to_owned)
}

/// Whether a token is one of the words of a list.
fn is(token: &str, list: &str) -> bool {
    has_word(LISTS.get(list).unwrap_or(&""), &token.to_lowercase())
}

fn is_stop(token: &str) -> bool {
    [".", "!", "?", ";"].contains(&token)
}

/// The tokens as a text again, with the article that fits.
fn joined(tokens: &[&str]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let sticks = has_word(", . ; ! ? )", token) || at > 0 && tokens[at - 1] == "(";
        if at > 0 && !sticks {
            text.push(' ');
        }
        let opens = tokens.get(at + 1).and_then(|next| next.chars().next());
        text.push_str(match (*token, opens) {
            ("a", Some('a' | 'e' | 'i' | 'o')) => "an",
            ("an", Some(first)) if !"aeiouh8".contains(first) => "a",
            _ => token,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_options_go_with_the_words_that_introduce_them() {
        type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static str, &'static str);
        let cases: [Case; 8] = [
            (
                "i want a noise cancelling cosycost usb microphone",
                &["noise cancelling"],
                &[],
                "i want a cosycost usb microphone",
                "cosycost usb microphone",
            ),
            (
                "find me sneakers that are easy to clean with a rubber sole, in size 8.5",
                &["easy clean", "rubber sole"],
                &["8.5"],
                "find me sneakers",
                "sneakers",
            ),
            (
                "i'm looking for a space-saving ottoman bench to match my sofa. the color should be blue",
                &["space saving"],
                &["blue"],
                "i'm looking for an ottoman bench to match my sofa",
                "ottoman bench",
            ),
            (
                "i need treatments that are sulfate and paraben free",
                &["sulfate free", "paraben free"],
                &[],
                "i need treatments",
                "treatments",
            ),
            ("i want hair extensions", &["hair extensions"], &[], "i want hair extensions", "hair extensions"),
            ("i am looking for shoes of size 10 in red color", &[], &["10", "red"], "i am looking for shoes", "shoes"),
            (
                "i want a 2.5 ounce bag of chips. they should be gluten free",
                &["gluten free"],
                &["2.5 ounce (pack of 1)"],
                "i want a bag of chips",
                "chips",
            ),
            ("", &[], &[], "", ""),
        ];
        for (instruction, attributes, options, partly, kind) in cases {
            let wish = Wish::new(instruction, attributes, options);
            assert_eq!(wish.without_attributes(), partly);
            assert_eq!(wish.subject(), kind);
        }
    }

    #[test]
    fn any_text_is_simplified() {
        let texts = ["...", "(", "free free free", "a", "é-è, «ü»?!", "-", "easy to", "of of of", "i need 5 | 6"];
        for text in texts {
            for attribute in ["", "-", "free free", "a b c"] {
                let partly = Wish::new(text, &[attribute], &[text, attribute]).without_attributes();
                let kind = Wish::new(text, &[attribute], &["5"]).subject();
                let has_words = text.contains(char::is_alphanumeric);
                assert_eq!(partly.trim().is_empty(), text == "...", "{text}");
                assert!(!has_words || !kind.is_empty(), "{text}");
            }
        }
    }
}
