//! The words of wishes, products and questions: which of them say the same. Shoppers and agents by rules read with
//! this, whoever wrote what they read.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::text::overlap::stem;
use crate::text::{has_word, unique};

/// Words that say nothing of a product.
const FILLER: &str = "a an the of in on at to for with without and or not no is are be am i i'm me my we it its this \
    that these those there do does did you your yours would should could can will must may have has need needs want \
    wants wanted like prefer preferred preference looking look find searching search buy get which what whether how \
    who one ones any some something anything please color colour colored size sized kind type style option options \
    matter matters important from as so if than then just also price lower dollars show help feature features";

/// Words that name colours, beside those that only begin with one.
const COLORS: &str = "black white red blue green yellow pink purple orange brown grey gray beige gold golden silver \
    ivory navy tan teal turquoise burgundy wine khaki cream charcoal rose olive coral lavender violet maroon magenta \
    bronze copper multicolor multi nude aqua mint blonde taupe walnut espresso lilac peach champagne mustard rust sage";

/// Words that name sizes and amounts.
const SIZES: &str = "small medium large big wide narrow inch inches ft feet foot cm mm oz ounce ounces fl ml lb pound \
    pounds count pack packs pcs piece pieces set twin full queen king size gallon quart liter mini xs s m l xl xxl";

/// The sort of thing that the value of an option says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Color,
    Size,
    Other,
}

impl Sort {
    /// That of a value.
    pub(super) fn of_value(value: &str) -> Self {
        let small = value.to_lowercase();
        let any = |list| pieces(&small).any(|word| has_word(list, word));
        let has_digit = small.contains(|letter: char| letter.is_ascii_digit());
        match (any(COLORS), any(SIZES)) {
            (true, _) => Self::Color,
            (false, true) => Self::Size,
            (false, false) if small.ends_with("large") || small.ends_with("small") => Self::Size,
            (false, false) if has_digit && !pieces(&small).any(is_long_word) => Self::Size,
            (false, false) => Self::Other,
        }
    }

    /// Those that a question asks for by their names; by words that may mean something else too only if it is `open`,
    /// one that begins with `what`, `which` or `how`.
    pub(super) fn asked_by(question: &str, open: bool) -> Vec<Self> {
        const NAMES: &[(&str, &str, Sort)] = &[
            ("color colors colour colours", "shade hue", Sort::Color),
            (
                "size sizes quantity dimensions",
                "sized big length width height long wide count pack many much inches ounces",
                Sort::Size,
            ),
            (
                "style styles flavor flavors flavour scent scents fragrance",
                "pattern material shape print fit type design edition model",
                Sort::Other,
            ),
        ];
        let small = question.to_lowercase();
        let any = |list: &str| pieces(&small).any(|word| has_word(list, word));
        let asks = |(names, others, _): &&(&str, &str, Self)| any(names) || open && any(others);
        NAMES
            .iter()
            .filter(asks)
            .map(|(_, _, sort)| *sort)
            .collect()
    }
}

fn is_long_word(word: &str) -> bool {
    word.len() > 3 && word.chars().all(char::is_alphabetic)
}

/// Runs of letters and digits, with what holds a number or a word together (`7.5`, `i'm`), in the letters of the text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let within = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '\'');
    let runs = text.split(move |letter| !within(letter));
    let runs = runs.map(|run| run.trim_matches(['.', '\'']));
    runs.filter(|run| !run.is_empty())
}

/// The terms of a text: its words in small letters without their endings. `xx-large` is one, `non-slip` two.
pub(super) fn terms(text: &str) -> Vec<String> {
    let small = text.to_lowercase().replace('’', "'");
    let mut terms: Vec<String> = Vec::new();
    let mut joins = false;
    for part in small.split_inclusive(['-', ' ']) {
        for word in pieces(part) {
            match terms.last_mut() {
                Some(last) if joins => last.push_str(word),
                _ => terms.push(term(word)),
            }
        }
        let measure = part.strip_suffix("x-");
        joins = measure.is_some_and(|rest| {
            rest.chars()
                .all(|sign| sign.is_ascii_digit() || sign == 'x')
        });
    }
    terms
}

fn term(word: &str) -> String {
    /// Words whose stems a thread keeps: the same few come again and again.
    const MOST_KEPT: usize = 10_000;
    thread_local! {
        static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
    }
    let word = word.strip_suffix("'s").unwrap_or(word);
    if !word.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        if stems.len() >= MOST_KEPT {
            stems.clear();
        }
        let stem = stem(word);
        stems.insert(word.to_owned(), stem.clone());
        stem
    })
}

/// The words of a text that say something of a product, as they are written.
pub(super) fn telling(text: &str) -> impl Iterator<Item = &str> {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.filter(|word| !word.is_empty() && !has_word(FILLER, &word.to_lowercase()))
}

/// The terms of these words.
pub(super) fn content(text: &str) -> Vec<String> {
    terms(&telling(text).collect::<Vec<&str>>().join(" "))
}

/// A request without its bound on the price, and the bound in dollars.
pub(super) fn bounded(request: &str) -> (&str, Option<f64>) {
    let Some((before, after)) = request.split_once(", and price lower than ") else {
        return (request, None);
    };
    let bound = after
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok());
    (before, bound)
}

/// Whether both say the same but for an ending (`wash`, `washabl`).
fn alike(one: &str, other: &str) -> bool {
    let begins = |short: &str, long: &str| short.len() >= 4 && long.starts_with(short);
    one == other || begins(one, other) || begins(other, one)
}

/// The share of the wanted terms that are offered; 0 where nothing is wanted.
pub(super) fn share(wanted: &[String], offered: &[String]) -> f64 {
    let has = |term: &&String| offered.iter().any(|own| alike(own, term));
    match wanted.len() {
        0 => 0.0,
        all => wanted.iter().filter(has).count() as f64 / all as f64,
    }
}

/// How much two texts say the same, from 0 to 1.
pub(super) fn similarity(one: &[String], other: &[String]) -> f64 {
    let (there, back) = (share(one, other), share(other, one));
    (there + back) / 2.0
}

/// The parts of a list in words: `red, blue or green?`.
pub(super) fn alternatives(text: &str) -> Vec<&str> {
    let list = text.rsplit_once(':').map_or(text, |(_, list)| list);
    let parts = list
        .split([',', ';', '?', '.', '!'])
        .flat_map(|part| part.split(" or "));
    let parts = parts.map(|part| {
        let part = part.trim();
        part.strip_prefix("or ")
            .or(part.strip_prefix("and "))
            .unwrap_or(part)
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Words that a search takes as they are: the service reads some signs otherwise.
pub(super) fn searchable(text: &str) -> String {
    let plain = text.replace(['#', '&', '+', '%', '[', ']'], " ");
    let words: Vec<&str> = telling(&plain).collect();
    unique(words).join(" ")
}

/// A list in words.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_whatever_their_endings_and_marks() {
        assert_eq!(terms("XX-Large, non-slip"), ["xxlarge", "non", "slip"]);
        assert_eq!(terms("7.5 men’s"), ["7.5", "men"]);
        assert_eq!(
            share(&terms("machine wash"), &terms("it is Machine-Washable.")),
            1.0
        );
        assert_eq!(share(&terms("large"), &terms("x-large")), 0.0);
        assert_eq!(content("Which color do you want: red?"), ["red"]);
        assert!(similarity(&terms("blue"), &terms("light blue")) > 0.7);
    }

    #[test]
    fn values_and_questions_say_what_they_are_about() {
        let values = [
            ("black a34", Sort::Color),
            ("redwood finish", Sort::Other),
            ("xx-large", Sort::Size),
            ("4 ounce (pack of 2)", Sort::Size),
            ("7.5", Sort::Size),
            ("vegetarian smoked", Sort::Other),
        ];
        for (value, expected) in values {
            assert_eq!(Sort::of_value(value), expected, "{value}");
        }
        assert_eq!(
            Sort::asked_by("What Size, and which shade?", true),
            [Sort::Color, Sort::Size]
        );
        assert!(Sort::asked_by("Has it long sleeves?", false).is_empty());
    }

    #[test]
    fn lists_in_words_are_taken_apart() {
        let listed = alternatives("Which color do you want: red, dark blue, or green?");
        assert_eq!(listed, ["red", "dark blue", "green"]);
        assert_eq!(
            alternatives("Do you prefer red or black?"),
            ["Do you prefer red", "black"]
        );
    }
}
