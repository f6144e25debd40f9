//! Underspecified instructions: a goal's without its options and attributes (WebShop-Clarification of "Uncertainty
//! Decomposition for Clarification Seeking in LLM Agents", arXiv 2606.19559).

use super::goal::{Goal, GoalOptions};
use rolecall_core::ports::Parameter;
use rolecall_core::text::joined_by;
use rolecall_core::world::underspecified::{NOTHING, WHAT};

/// The word for instructions without options and attributes.
pub(super) const DETAILS: &str = "details";

/// The parameter, besides those that worlds share.
pub const PARAMETER: Parameter = Parameter::choice(
    WHAT,
    &[NOTHING, DETAILS],
    "WebShop: what the instructions of labelled tasks leave out, and the user `revealer` tells: options and \
     attributes. Meant for `goals = \"synthetic\"`: of instructions by people only attributes in the very same words \
     are left out, and one that loses nothing counts as specified (WebShop-Clarification)",
);

/// Where the bound on the price begins.
const PRICE: &str = " and price lower than ";

/// The instruction of a goal without its options and attributes; the bound on the price stays.
pub fn stripped(goal: &Goal) -> String {
    let (wish, price) = goal.instruction.split_at(price_clause(&goal.instruction));
    let mut text = wish.to_owned();
    if let GoalOptions::Named(options) = &goal.options {
        for before in [", and ", " with "] {
            for (name, value) in options {
                text = replaced(&text, &format!("{before}{name}: {value}"), "", |_, _| true);
            }
        }
    }
    for attribute in &goal.attributes {
        text = replaced(&text, attribute, "", is_border);
    }
    one_blank(&format!("{} {price}", tidied(&text))).replace(" ,", ",")
}

/// Where the clause with the bound on the price begins, which ends an instruction; its length without one.
fn price_clause(instruction: &str) -> usize {
    let end = instruction.len();
    let small = instruction.to_ascii_lowercase();
    let Some((wish, bound)) = small.rsplit_once(PRICE) else {
        return end;
    };
    let number = bound.strip_suffix(" dollars");
    if number.is_some_and(|number| number.parse::<f64>().is_ok()) {
        wish.strip_suffix(',').unwrap_or(wish).len()
    } else {
        end
    }
}

/// Tidies a text after words were removed: no dangling joints, and one blank at a time.
fn tidied(text: &str) -> String {
    const JOINTS: [(&str, &str); 9] = [
        (", ,", ","),
        (",,", ","),
        ("with ,", "with"),
        ("with for", "for"),
        ("with and", ""),
        ("for ,", "for"),
        ("find me ,", "Find me"),
        ("i need ,", "I need"),
        ("i want ,", "I want"),
    ];
    let mut text = one_blank(text);
    for (joint, instead) in JOINTS {
        // Each replacement may bring the next one about.
        loop {
            let next = one_blank(&replaced(&text, joint, instead, is_between_words));
            if next == text {
                break;
            }
            text = next;
        }
    }
    loop {
        let ends = ["with", "for", ","].iter().find_map(|end| {
            let kept = text.len().checked_sub(end.len())?;
            let (before, last) = text.split_at_checked(kept)?;
            let is_whole = *end == "," || before.ends_with(' ');
            (is_whole && last.eq_ignore_ascii_case(end)).then(|| before.trim_end().to_owned())
        });
        match ends {
            Some(shorter) => text = shorter,
            None => return text,
        }
    }
}

fn one_blank(text: &str) -> String {
    joined_by(" ", text.split_whitespace())
}

/// The text with each occurrence of a part replaced, whatever the case of its ASCII letters, that has `borders` to
/// what stands before and after it.
fn replaced(text: &str, part: &str, instead: &str, borders: impl Fn(&str, &str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = rest.split_at_checked(part.len()).filter(|(here, after)| {
            let is_it = !part.is_empty() && here.eq_ignore_ascii_case(part);
            is_it && borders(&out, here) && borders(here, after)
        });
        match found {
            Some((_, after)) => {
                out.push_str(instead);
                rest = after;
            }
            None => {
                out.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Whether a text ends within a word, and another one begins so.
fn word_ends(before: &str, after: &str) -> (bool, bool) {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let ends = before.chars().next_back().is_some_and(is_of_word);
    let begins = after.chars().next().is_some_and(is_of_word);
    (ends, begins)
}

/// Whether a word begins or ends between two texts: `\b` of regular expressions.
fn is_border(before: &str, after: &str) -> bool {
    let (ends, begins) = word_ends(before, after);
    ends != begins
}

/// Whether no word goes on from one text to the other.
fn is_between_words(before: &str, after: &str) -> bool {
    word_ends(before, after) != (true, true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn goal(instruction: &str, attributes: &[&str], options: &[(&str, &str)]) -> Goal {
        let named = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Goal {
            asin: String::new(),
            category: String::new(),
            query: String::new(),
            name: String::new(),
            product_category: String::new(),
            instruction: instruction.to_owned(),
            attributes: attributes.iter().map(|text| (*text).to_owned()).collect(),
            price_upper: 40.0,
            options: GoalOptions::Named(named.collect()),
            weight: 1.0,
            disclosures: None,
        }
    }

    #[test]
    fn options_and_attributes_are_left_out_and_the_price_stays() {
        let price = ", and price lower than 40.00 dollars";
        for (wish, attributes, options, expected) in [
            (
                "Find me easy clean, Machine Washable rugs with color: red, and size: 3 ft",
                &["easy clean", "machine washable"][..],
                &[("color", "red"), ("size", "3 ft")][..],
                "Find me rugs",
            ),
            (
                "Find me anti slip, light weight loafers for men with arch support with color: blue",
                &["anti slip", "light weight", "arch support"],
                &[("color", "blue")],
                "Find me loafers for men",
            ),
            ("I need lamps for living room", &["living room"], &[], "I need lamps"),
            ("Find me cleaners", &["clean"], &[], "Find me cleaners"),
            ("I want steel, with red and blue", &["steel", "red"], &[], "I want blue"),
        ] {
            let goal = goal(&format!("{wish}{price}"), attributes, options);
            assert_eq!(stripped(&goal), format!("{expected}{price}"), "{wish}");
        }
        // Without a bound there is nothing to keep.
        assert_eq!(stripped(&goal("I need red shoes", &["red"], &[])), "I need shoes");
    }

    #[test]
    fn the_price_is_found_at_the_end_only() {
        let with = "a lamp AND PRICE lower than 30 dollars";
        assert_eq!(&with[price_clause(with)..], " AND PRICE lower than 30 dollars");
        for text in ["a lamp", "a lamp and price lower than 3 dollars or so", ""] {
            assert_eq!(price_clause(text), text.len(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_stripped(
            instruction in "(with |for |, |and |red |\\PC{0,6}){0,12}",
            attributes in prop::collection::vec("(red|\\PC{0,4})", 0..4),
        ) {
            let attributes: Vec<&str> = attributes.iter().map(String::as_str).collect();
            let text = stripped(&goal(&instruction, &attributes, &[]));
            prop_assert!(!text.contains("  ") && text.trim() == text, "{text:?}");
            prop_assert!(text.len() <= instruction.len() + 1);
        }
    }
}
