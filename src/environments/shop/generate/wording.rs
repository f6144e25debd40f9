//! Shoppers' instructions, from a product's attributes and options.

use super::product::{Draft, phrase};
use super::tables::Attribute;
use crate::catalogue::Product;
use crate::goal::{Goal, GoalOptions, draw_bound, price_clause};
use rolecall_core::text::Dice;
use rolecall_core::text::mt19937::PythonRandom;

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

/// A goal by people that leads to a product, its options with their names: one to three of the product's attributes,
/// most of its options, a bound on the price.
pub(super) fn goal(draft: &Draft, product: &Product, dice: &mut Dice) -> Goal {
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
    let opening = phrase("openings", dice);
    let text = whole(draft, opening, &attributes, &options, dice);
    let partly = format!("{opening} {}", article(kind.called, kind.counted));
    // As in the official goals, above every price of the product.
    let prices = product.pricing.iter().copied();
    let dearest = prices.fold(product.price, f64::max);
    let price_upper = draw_bound(dearest, &mut PythonRandom::new(dice.bits()));
    let price = price_clause(price_upper);
    let attributes = attributes.iter().map(|attribute| attribute.phrase.to_owned());
    let goal = Goal::of(product, format!("{text}{price}"), attributes.collect(), GoalOptions::Named(options));
    Goal { price_upper, disclosures: Some([text, partly, kind.called.to_owned(), price]), ..goal }
}

/// The instruction in one sentence or two.
fn whole(
    draft: &Draft,
    opening: &str,
    attributes: &[Attribute],
    options: &[(String, String)],
    dice: &mut Dice,
) -> String {
    let plural = draft.kind.is_plural();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // What a second sentence says.
    let mut later = Vec::new();
    let is = if plural { "are" } else { "is" };
    for (place, attribute) in attributes.iter().enumerate() {
        let later_too = place > 0 && dice.percent(40);
        let words = attribute.words;
        if later_too {
            later.push(attribute.predicate("be", "come"));
        } else if attribute.is_before {
            before.push(words);
        } else if words.starts_with("that ") {
            after.push(format!("that {}", attribute.predicate(is, "")));
        } else {
            after.push(words.to_owned());
        }
    }
    let and = if dice.percent(50) { " and " } else { " " };
    let mut after: Vec<String> = vec![after.join(and)];
    after.retain(|clause| !clause.is_empty());
    let mut closing = Vec::new();
    for (name, value) in options {
        let saying = SAYINGS.iter().find(|saying| saying.0 == name);
        let (_, said, word) = *saying.unwrap_or(&("", "in {}", "kind"));
        if dice.percent(60) {
            after.push(said.replace("{}", value));
        } else {
            closing.push(format!("the {word} should be {value}"));
        }
    }
    before.push(draft.kind.called);
    let noun = article(&before.join(" "), draft.kind.counted);
    let mut text = format!("{opening} {noun}");
    for clause in &after {
        text = format!("{text} {clause}");
    }
    if !later.is_empty() {
        let it = if plural { "they" } else { "it" };
        text = format!("{text}. {it} should {}", later.join(" and "));
    }
    if !closing.is_empty() {
        let closing = closing.join(" and ");
        text = if dice.percent(50) { format!("{text}, and {closing}") } else { format!("{text}. {closing}") };
    }
    text
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

/// The beginning of the instructions of synthetic goals, with the attributes it names.
pub(super) fn synthetic(draft: &Draft, dice: &mut Dice) -> (String, Vec<String>) {
    let named: Vec<String> =
        draft.attributes.iter().take(dice.between(1, 3)).map(|attribute| attribute.phrase.to_owned()).collect();
    let text = format!("Look for {} {}", named.join(", "), draft.kind.query);
    (text, named)
}
