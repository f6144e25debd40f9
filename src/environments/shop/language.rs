//! The words of wishes, products and questions: which of them say the same. Shoppers and agents by rules read with
//! this, whoever wrote what they read.

use std::cell::RefCell;

use rolecall_core::text::overlap::stem;
use rolecall_core::text::{has_word, joined_by, unique};
use rustc_hash::FxHashMap;

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
    /// Sort of the option that a value belongs to.
    pub(super) fn of_value(value: &str) -> Self {
        let small = value.to_lowercase();
        let any = |list| pieces(&small).any(|word| has_word(list, word));
        let has_digit = small.contains(|letter: char| letter.is_ascii_digit());
        let is_number = has_digit && !pieces(&small).any(is_long_word);
        if any(COLORS) {
            Self::Color
        } else if any(SIZES) || small.ends_with("large") || small.ends_with("small") || is_number {
            Self::Size
        } else {
            Self::Other
        }
    }

    /// Sorts of options that a question asks for: by their names, or by values to choose from. By words that may
    /// mean something else too only if it is `open`, one that begins with `what`, `which` or `how`.
    pub(super) fn asked_by(question: &str, open: bool) -> Vec<Self> {
        const NAMES: [(Sort, &str, &str); 3] = [
            (Sort::Color, "color colors colour colours", "shade hue"),
            (
                Sort::Size,
                "size sizes quantity dimensions",
                "sized big length width height long wide count pack many much inches ounces",
            ),
            (
                Sort::Other,
                "style styles flavor flavors flavour scent scents fragrance",
                "pattern material shape print fit type design edition model",
            ),
        ];
        let small = question.to_lowercase();
        let before = small.split(':').next().unwrap_or_default();
        let any = |list: &str| pieces(before).any(|word| has_word(list, word));
        let mut sorts = Vec::new();
        for (sort, names, others) in NAMES {
            if any(names) || open && any(others) {
                sorts.push(sort);
            }
        }
        let values = alternatives(&small);
        if sorts.is_empty() && values.len() > 1 {
            sorts.extend(values.into_iter().map(Self::of_value));
            sorts.retain(|sort| *sort != Self::Other);
        }
        sorts
    }
}

fn is_long_word(word: &str) -> bool {
    word.len() > 3 && word.chars().all(char::is_alphabetic)
}

/// Runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// Runs of letters and digits, with what holds a number or a word together (`7.5`, `i'm`).
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let within = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '\'');
    let runs = text.split(move |letter| !within(letter)).map(|run| run.trim_matches(['.', '\'']));
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
        joins = match part.as_bytes() {
            [measure @ .., b'x', b'-'] => measure.iter().all(|sign| b"0123456789x".contains(sign)),
            _ => false,
        };
    }
    terms
}

fn term(word: &str) -> String {
    /// Words whose stems a thread keeps: the same few come again and again.
    const MOST_KEPT: usize = 10_000;
    thread_local! {
        static STEMS: RefCell<FxHashMap<String, String>> = RefCell::default();
    }
    let word = word.strip_suffix("'s").unwrap_or(word);
    if !word.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|stems| {
        if let Some(known) = stems.get(word) {
            return known.clone();
        }
        let stem = stem(word);
        if stems.len() < MOST_KEPT {
            stems.insert(word.to_owned(), stem.clone());
        }
        stem
    })
}

/// The words of a text that say something of a product, as they are written.
pub(super) fn telling(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.filter(|word| !word.is_empty() && !has_word(FILLER, &word.to_lowercase()))
}

/// The terms of these words.
pub(super) fn content(text: &str) -> Vec<String> {
    terms(&joined_by(" ", telling(text)))
}

/// A request without its bound on the price, and the bound in dollars.
pub(super) fn bounded(request: &str) -> (String, Option<f64>) {
    let (words, bound) = request.split_once(", and price lower than ").unwrap_or((request, ""));
    let mut numbers = bound.split_whitespace().map(|number| number.parse().ok());
    (words.to_owned(), numbers.next().flatten())
}

/// Whether something costs more than it may, both in dollars and where they are known.
pub(super) fn is_dear(price: Option<f64>, most: Option<f64>) -> bool {
    most.is_some() && price > most
}

/// The items with what they are worth, the best first, equal ones in their order.
pub(super) fn ranked<T>(items: impl IntoIterator<Item = T>, worth: impl Fn(&T) -> f64) -> Vec<(f64, T)> {
    let mut valued: Vec<(f64, T)> = items.into_iter().map(|item| (worth(&item), item)).collect();
    valued.sort_by(|one, other| other.0.total_cmp(&one.0));
    valued
}

/// Whether both say the same but for an ending (`wash`, `washabl`).
fn alike(one: &str, other: &str) -> bool {
    let begins = |short: &str, long: &str| short.len() >= 4 && long.starts_with(short);
    one == other || begins(one, other) || begins(other, one)
}

/// The share of the wanted terms that are offered; 0 where nothing is wanted.
pub(super) fn share(wanted: &[String], offered: &[String]) -> f64 {
    let has = |term: &&String| offered.iter().any(|other| alike(other, term));
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

/// Whether two texts say nearly the same.
pub(super) fn is_close(one: &str, other: &str) -> bool {
    similarity(&terms(one), &terms(other)) > 0.7
}

/// Whether a text has all the words of another, which has some.
pub(super) fn names(text: &str, part: &str) -> bool {
    share(&terms(part), &terms(text)) == 1.0
}

/// The parts of a list in words: `red, blue or green?`.
pub(super) fn alternatives(text: &str) -> Vec<&str> {
    let list = text.rsplit_once(':').map_or(text, |(_, list)| list);
    let parts = list.split([',', ';', '?', '.', '!']).flat_map(|part| part.split(" or ")).map(str::trim);
    parts
        .map(|part| {
            let without = part.strip_prefix("or ").or(part.strip_prefix("and "));
            without.unwrap_or(part)
        })
        .filter(|part| !part.is_empty())
        .collect()
}

/// Words that a search takes as they are: the service reads some signs otherwise.
pub(super) fn searchable(text: &str) -> String {
    let plain = text.replace(['#', '&', '+', '%', '[', ']'], " ");
    unique(telling(&plain)).join(" ")
}

/// A list in words.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_whatever_their_endings_and_marks() {
        assert_eq!(terms("XX-Large, non-slip"), ["xxlarge", "non", "slip"]);
        assert_eq!(terms("7.5 men’s"), ["7.5", "men"]);
        assert_eq!(share(&terms("machine wash"), &terms("it is Machine-Washable.")), 1.0);
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
        assert_eq!(Sort::asked_by("What Size, and which shade?", true), [Sort::Color, Sort::Size]);
        assert!(Sort::asked_by("Has it long sleeves?", false).is_empty());
    }

    #[test]
    fn lists_in_words_are_taken_apart() {
        let listed = alternatives("Which color do you want: red, dark blue, or green?");
        assert_eq!(listed, ["red", "dark blue", "green"]);
        assert_eq!(alternatives("Do you prefer red or black?"), ["Do you prefer red", "black"]);
    }
}
