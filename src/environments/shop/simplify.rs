//! Shorter instructions for ChatShop's agents (appendices B.1, D.3 and D.4), by rules: the same without attributes
//! and options, and the kind of product alone. The original asks a model; `rolecall data simplify shop` tells how
//! near these rules come to what it answered.

use std::collections::HashSet;

use super::goal::{Goal, GoalOptions, bound};

/// Words that may stand between those of an attribute: easy `to` clean.
const LINKS: &str = "to of for and with in the a an is on from by or as - that are my be";
/// Before these, or at the end, a removed part leaves nothing that its beginning could belong to.
const BREAKS: &str = "and which that with for in to from , . ; ! ? ( ) or but of on - made is are has have comes \
                      come it its also about at by who where can without i want need";
/// Words that go with what they introduce: `with a` rubber sole, `the color should be` red.
const DANGLING: &str = "and which that with for in to from , ; or but of on - made is are has have having comes \
                        come it its also at by should be would will must please i want need prefer like choose \
                        looking a an the my color colored colour size sized flavor style they them one ones make \
                        sure pick get features feature needs as about preferably something it's i'd that's i'm \
                        scent shape fit number package";
/// Words that go with the option before them: navy blue `color`.
const AFTER: &str = "color colored colour size sized flavor flavored scent one ones style colors sizes flavors shape \
                     fit";
/// Words with which instructions begin.
const OPENING: &str = "i i'm am im i'd looking want need would like to buy find me please a an some the of get \
                       purchase can could you help show for searching order pair pairs set pack us shopping we're \
                       we let's my in interested search seeking trying shop purchasing buying do have bundle \
                       choose give new wanted hello hi is there any you're look";
/// Words that end the name of a product.
const ENDS: &str = "which that with for in to from , . ; ! ? ( ) or but on - | made is are has have comes it by who \
                    at and that's suitable compatible so as we they measuring it's i've need";
/// Words of a product's name that tell of its size, colour or number.
const MEASURES: &str = "a an the my of size sized sizes color colored colors count pack packs ounce ounces oz fl inch \
                        inches foot feet ft fluid pound lb some new single small large medium x-large xx-large any \
                        easy dual high quality good";

/// The most words of a product's name.
const MOST_WORDS: usize = 3;

/// ChatShop's four texts of a goal, by these rules: the whole instruction, the same without attributes, the kind of
/// product alone, and the bound on the price.
pub fn disclosures(goal: &Goal) -> [String; 4] {
    let wish = goal.wish();
    let options: Vec<&str> = match &goal.options {
        GoalOptions::Values(values) => values.iter().map(String::as_str).collect(),
        GoalOptions::Named(pairs) => pairs.iter().map(|(_, value)| value.as_str()).collect(),
    };
    let attributes: Vec<&str> = goal.attributes.iter().map(String::as_str).collect();
    [
        wish.to_owned(),
        without_attributes(wish, &attributes, &options),
        subject(wish, &attributes, &options),
        bound::clause(goal.price_upper),
    ]
}

/// The instruction without attributes and options, and without the words that only introduce them. Where nothing would
/// be left, its beginning with the kind of product.
pub fn without_attributes(instruction: &str, attributes: &[&str], options: &[&str]) -> String {
    let tokens = tokens(instruction);
    let mut gone = marked(&tokens, attributes, options);
    let mut start = 0;
    while start < tokens.len() {
        if !gone[start] {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < tokens.len() && (gone[end] || is(tokens[end], AFTER)) {
            gone[end] = true;
            end += 1;
        }
        if tokens.get(end).is_none_or(|next| is(next, BREAKS)) {
            drop_introduction(&tokens, &mut gone, start, end);
        }
        start = end + 1;
    }
    let kept = tokens.iter().zip(&gone).filter(|(_, gone)| !**gone);
    let mut kept: Vec<&str> = kept.map(|(token, _)| *token).collect();
    while kept
        .pop_if(|last| is_stop(last) || is(last, DANGLING))
        .is_some()
    {}
    match kept.is_empty() {
        true => {
            let opening = tokens
                .iter()
                .copied()
                .take_while(|token| is(token, OPENING));
            let subject = subject(instruction, attributes, options);
            joined(&opening.chain([&*subject]).collect::<Vec<&str>>())
        }
        false => joined(&kept),
    }
}

/// Removes the words before a removed part that only introduce it, but nothing of the beginning of the instruction.
fn drop_introduction(tokens: &[&str], gone: &mut [bool], start: usize, end: usize) {
    let opening = tokens.iter().take_while(|token| is(token, OPENING)).count();
    let mut first = start;
    while first > opening && !is_stop(tokens[first - 1]) {
        let before = first - 1;
        if !gone[before] && !is(tokens[before], DANGLING) {
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
pub fn subject(instruction: &str, attributes: &[&str], options: &[&str]) -> String {
    let tokens = tokens(instruction);
    let gone = marked(&tokens, attributes, options);
    let mut start = tokens.iter().take_while(|token| is(token, OPENING)).count();
    // `easy to clean` and the like stand before the name.
    while start + 2 < tokens.len() && is(tokens[start], "easy ready") && is(tokens[start + 1], "to")
    {
        start += 3;
    }
    let mut end = start;
    loop {
        let ended = tokens.get(end).is_none_or(|token| is(token, ENDS));
        let is_named = (start..end).any(|at| !gone[at] && is_named(tokens[at]));
        if end >= tokens.len() || ended && is_named {
            break;
        }
        end += 1;
    }
    let named = &tokens[start.min(end)..end];
    let named_gone = &gone[start.min(end)..end];
    let kept = |from: usize| {
        let words = named[from..].iter().zip(&named_gone[from..]);
        let words = words.filter(|(word, gone)| !**gone && is_named(word) && !is(word, ENDS));
        words.map(|(word, _)| *word).collect::<Vec<&str>>()
    };
    // A bundle of crackers is crackers, but shoes of size 7 are shoes.
    let of = named
        .iter()
        .rposition(|word| is(word, "of"))
        .map_or(0, |at| at + 1);
    let (whole, last) = (kept(0), kept(of));
    let mut words = if last.is_empty() { whole } else { last };
    let head_is_gone = named_gone.last() == Some(&true) && of == 0;
    if words.is_empty() || head_is_gone {
        // The product's name is an attribute itself: hair extensions.
        words = named
            .iter()
            .copied()
            .filter(|word| !is(word, ENDS))
            .collect();
        words.drain(..words.len().saturating_sub(2));
    }
    if words.is_empty() {
        words = tokens
            .iter()
            .copied()
            .filter(|word| !is_stop(word))
            .collect();
    }
    words[words.len().saturating_sub(MOST_WORDS)..].join(" ")
}

fn is_named(word: &str) -> bool {
    !is(word, MEASURES) && !is(word, ENDS) && !word.contains(|letter: char| letter.is_ascii_digit())
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

/// Which words belong to attributes or options.
fn marked(tokens: &[&str], attributes: &[&str], options: &[&str]) -> Vec<bool> {
    let mut gone = vec![false; tokens.len()];
    for attribute in attributes {
        let words: Vec<String> = attribute.split([' ', '-']).map(stem).collect();
        let reversed: Vec<String> = words.iter().rev().cloned().collect();
        let mut is_found = false;
        for start in 0..tokens.len() {
            for words in [&words, &reversed] {
                if let Some(end) = end_of(&tokens[start..], words) {
                    gone[start..start + end].fill(true);
                    is_found = true;
                }
            }
        }
        // Sulfate and paraben free: the first word stands alone.
        let shared = ["free", "wash", "clean", "washable", "friendly"];
        if let ([first, _], Some(last)) = (&words[..], attribute.rsplit(' ').next())
            && !is_found
            && shared.contains(&last)
        {
            let alone = tokens
                .iter()
                .enumerate()
                .filter(|(_, token)| stem(token) == *first);
            alone.for_each(|(at, _)| gone[at] = true);
        }
    }
    for option in options {
        let words: HashSet<String> = pieces(option, "#\"'./*-_").map(stem).collect();
        for (at, token) in tokens.iter().enumerate() {
            let mut parts = pieces(token, "#\"'./*_").map(stem).peekable();
            let all = parts.peek().is_some() && parts.all(|part| words.contains(&part));
            gone[at] |= !is(token, LINKS) && (all || words.contains(&stem(token)));
        }
    }
    gone
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
            if at == 0 || links > 2 || !is(token, LINKS) {
                return None;
            }
        }
    }
    None
}

fn pieces<'t>(text: &'t str, also: &'static str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(move |letter: char| !letter.is_alphanumeric() && !also.contains(letter));
    parts.filter(|part| !part.is_empty())
}

/// A word without its ending, roughly: `washing` and `washable` are as `wash`.
fn stem(word: &str) -> String {
    let word = word.trim_matches(['\'', '"']).to_lowercase();
    let endings = ["ing", "ed", "es", "s", "er", "ly", "able", "e", "y"];
    let mut stems = endings
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    let stem = stems.find(|stem| stem.chars().count() >= 3);
    stem.map_or(word.clone(), str::to_owned)
}

/// Whether a token is one of the words of a list.
fn is(token: &str, list: &str) -> bool {
    let token = token.to_lowercase();
    list.split_ascii_whitespace().any(|word| word == token)
}

fn is_stop(token: &str) -> bool {
    is(token, ". ! ? ;")
}

/// The tokens as a text again, with the article that fits.
fn joined(tokens: &[&str]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let sticks = is(token, ", . ; ! ? )") || at > 0 && tokens[at - 1] == "(";
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
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn attributes_and_options_go_with_the_words_that_introduce_them() {
        type Case = (
            &'static str,
            &'static [&'static str],
            &'static [&'static str],
            &'static str,
            &'static str,
        );
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
            (
                "i want hair extensions",
                &["hair extensions"],
                &[],
                "i want hair extensions",
                "hair extensions",
            ),
            (
                "i am looking for shoes of size 10 in red color",
                &[],
                &["10", "red"],
                "i am looking for shoes",
                "shoes",
            ),
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
            assert_eq!(without_attributes(instruction, attributes, options), partly);
            assert_eq!(subject(instruction, attributes, options), kind);
        }
    }

    #[test]
    fn any_text_is_simplified() {
        let texts = [
            "...",
            "(",
            "free free free",
            "a",
            "é-è, «ü»?!",
            "-",
            "easy to",
            "of of of",
            "i need 5 | 6",
        ];
        for text in texts {
            for attribute in ["", "-", "free free", "a b c"] {
                let partly = without_attributes(text, &[attribute], &[text, attribute]);
                let kind = subject(text, &[attribute], &["5"]);
                let has_words = text.contains(char::is_alphanumeric);
                assert_eq!(partly.trim().is_empty(), text == "...", "{text}");
                assert!(!has_words || !kind.is_empty(), "{text}");
            }
        }
    }
}
