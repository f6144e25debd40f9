//! What shoppers write: instructions of a product's attributes and options.

use super::Instruction;
use super::product::{Draft, agreeing};
use super::tables::{Attribute, Words};
use crate::environments::shop::catalogue::Product;
use crate::environments::shop::goal::bound;
use crate::text::Dice;
use crate::text::mt19937::PythonRandom;

/// How instructions begin.
const OPENINGS: &[&str] = &[
    "i am looking for",
    "i'm looking for",
    "i need",
    "i want to buy",
    "i would like",
    "find me",
    "can you help me find",
    "i'm shopping for",
    "please show me",
    "i want to order",
    "looking for",
];

/// The values of an option in a sentence, and the word for it in a sentence of its own.
const SAYINGS: &[(&str, &str, &str)] = &[
    ("color", "in {}", "color"),
    ("size", "in size {}", "size"),
    ("flavor name", "in {} flavor", "flavor"),
    ("scent", "with a {} scent", "scent"),
    ("style", "in the {} style", "style"),
    ("shape", "in a {} shape", "shape"),
    ("fit type", "with the {} fit", "fit"),
    ("lights", "with {}", "number of lights"),
    ("item package quantity", "as a {}", "package"),
];

/// An instruction that leads to a product: one to three of its attributes, most of its options, a bound on the price.
pub(super) fn instruction(draft: &Draft, product: &Product, dice: &mut Dice) -> Instruction {
    let mut attributes = draft.attributes.clone();
    dice.shuffle(&mut attributes);
    attributes.truncate(dice.between(1, 3));
    let mut options = Vec::new();
    for group in &draft.options {
        if dice.percent(75) {
            let value = &group.values[dice.below(group.values.len())];
            options.push((group.name.clone(), value.clone()));
        }
    }
    let kind = draft.kind;
    let opening = dice.pick(OPENINGS).unwrap_or_default();
    let plain = article(kind.called, kind.counted);
    Instruction {
        text: whole(draft, opening, &attributes, &options, dice),
        partly: format!("{opening} {plain}"),
        subject: kind.called.to_owned(),
        attributes: attributes.iter().map(|own| own.phrase.to_owned()).collect(),
        options,
        bound: above(product, dice),
    }
}

/// The instruction in one sentence or two.
fn whole(
    draft: &Draft,
    opening: &str,
    attributes: &[&Attribute],
    options: &[(String, String)],
    dice: &mut Dice,
) -> String {
    let plural = draft.kind.is_plural();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // What a second sentence says.
    let mut later = Vec::new();
    for (place, attribute) in attributes.iter().enumerate() {
        let later_too = place > 0 && dice.percent(40);
        match attribute.words {
            Words::Before(words) if later_too => later.push(format!("be {words}")),
            Words::Before(words) => before.push(words),
            Words::After(words) if later_too => later.push(wish(words)),
            Words::After(words) => after.push(clause(words, plural)),
        }
    }
    let and = if dice.percent(50) { " and " } else { " " };
    let mut after: Vec<String> = vec![after.join(and)];
    after.retain(|clause| !clause.is_empty());
    let mut closing = Vec::new();
    for (name, value) in options {
        let saying = SAYINGS.iter().find(|saying| saying.0 == name);
        let (_, said, word) = *saying.unwrap_or(&("", "in {}", "kind"));
        match dice.percent(60) {
            true => after.push(said.replace("{}", value)),
            false => closing.push(format!("the {word} should be {value}")),
        }
    }
    let noun = match before.is_empty() {
        true => draft.kind.called.to_owned(),
        false => format!("{} {}", before.join(" "), draft.kind.called),
    };
    let mut text = format!("{opening} {}", article(&noun, draft.kind.counted));
    for clause in &after {
        text = format!("{text} {clause}");
    }
    if !later.is_empty() {
        let it = if plural { "they" } else { "it" };
        text = format!("{text}. {it} should {}", later.join(" and "));
    }
    if !closing.is_empty() {
        let closing = closing.join(" and ");
        text = match dice.percent(50) {
            true => format!("{text}, and {closing}"),
            false => format!("{text}. {closing}"),
        };
    }
    text
}

/// Words after a noun.
fn clause(words: &str, plural: bool) -> String {
    match words.strip_prefix("that ") {
        Some(rest) => format!("that {}", agreeing(rest, plural)),
        None => words.to_owned(),
    }
}

/// The same after `should`.
fn wish(words: &str) -> String {
    match words.split_once(' ') {
        Some(("that", rest)) => match rest.split_once(' ') {
            Some(("is", rest)) => format!("be {rest}"),
            _ => agreeing(rest, true),
        },
        Some(("with" | "in" | "without", _)) => format!("come {words}"),
        _ => format!("be {words}"),
    }
}

/// With `a` or `an` where one is needed.
fn article(words: &str, counted: bool) -> String {
    let sounds_open = words.starts_with(['a', 'e', 'i', 'o'])
        || words.starts_with("ul") && !words.starts_with("ule")
        || words.starts_with("hdmi");
    match (counted, sounds_open) {
        (false, _) => words.to_owned(),
        (true, true) => format!("an {words}"),
        (true, false) => format!("a {words}"),
    }
}

/// A bound as the official goals have it, above every price of the product.
fn above(product: &Product, dice: &mut Dice) -> f64 {
    let prices = product.pricing.iter().copied();
    bound::draw(
        prices.fold(product.price, f64::max),
        &mut PythonRandom::new(dice.bits()),
    )
}

/// The beginning of the instructions of synthetic goals, with the attributes it names.
pub(super) fn synthetic(draft: &Draft, dice: &mut Dice) -> (String, Vec<String>) {
    let named = draft.attributes.iter().take(dice.between(1, 3));
    let named: Vec<String> = named.map(|own| own.phrase.to_owned()).collect();
    let text = format!("Look for {} {}", named.join(", "), draft.kind.query);
    (text, named)
}
