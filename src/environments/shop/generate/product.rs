//! One generated product.

use std::fmt::Write as _;

use super::tables::{Attribute, Kind, TABLES, Words};
use crate::environments::shop::catalogue::{OptionGroup, Product};
use crate::text::Dice;

/// Beginnings and ends of the names of makers.
const BEGINNINGS: &[&str] = &[
    "Bra", "Cor", "Dri", "Elm", "Fen", "Gla", "Hol", "Ivo", "Jun", "Kel", "Lor", "Mav", "Nor",
    "Ost", "Pel", "Quin", "Ros", "Sil", "Tam", "Ulm", "Vel", "Wes", "Yor", "Zan", "Ald", "Bex",
    "Cal", "Dov", "Erd", "Fjo",
];
const ENDS: &[&str] = &[
    "adine", "bury", "cove", "dova", "esk", "ford", "gard", "hart", "ima", "jora", "kind", "lume",
    "mora", "nest", "orra", "pine", "quay", "rell", "sted", "tova", "una", "vane", "wick", "yard",
    "zeno", "able", "brook", "crest",
];
/// Words that titles do not begin with a capital.
const SMALL: &[&str] = &[
    "a", "an", "and", "at", "for", "in", "is", "of", "that", "the", "to", "with", "without",
];
/// What else is said of products of a category.
const REMARKS: &[(&str, [&str; 4])] = &[
    (
        "beauty",
        [
            "a small amount goes a long way in your morning or evening routine",
            "tested by people with very different habits before it left our studio",
            "the lid closes firmly, so nothing is spilled in a bag",
            "use it as often as you like and store it away from the sun",
        ],
    ),
    (
        "fashion",
        [
            "see the size chart before you order, as our cut runs true to size",
            "goes well with what you already have in your wardrobe",
            "made for long days at work as well as for weekends outside",
            "seams are sewn twice where other clothes wear out first",
        ],
    ),
    (
        "garden",
        [
            "gives a room a finished look without much effort",
            "packed in one box with everything that is needed",
            "measured by hand, so please allow for small differences",
            "built for homes with children, guests and pets",
        ],
    ),
    (
        "grocery",
        [
            "made in small batches so that it reaches you fresh",
            "keep it in a cool and dry place and enjoy it at any time of the day",
            "loved at home, at the office and on long drives",
            "we read every letter about the taste and keep improving it",
        ],
    ),
    (
        "electronics",
        [
            "works right out of the box, with a printed guide in plain words",
            "every unit is checked twice before it is shipped",
            "our support answers within one working day",
            "designed to last for years of daily use",
        ],
    ),
];

/// What a product is drawn to be, before it is worded.
pub(super) struct Draft {
    pub(super) kind: &'static Kind,
    /// The first ones stand in the title.
    pub(super) attributes: Vec<&'static Attribute>,
    pub(super) options: Vec<OptionGroup>,
    title: &'static str,
    brand: String,
}

impl Draft {
    pub(super) fn new(dice: &mut Dice) -> Self {
        let kind = &TABLES.kinds[dice.below(TABLES.kinds.len())];
        let mut drawn = kind.attributes.clone();
        dice.shuffle(&mut drawn);
        let wanted = dice.between(3, 6);
        let mut attributes: Vec<&'static Attribute> = Vec::with_capacity(wanted);
        for attribute in drawn {
            let choice = attribute.choice();
            let taken = choice.is_some() && attributes.iter().any(|own| own.choice() == choice);
            if attributes.len() < wanted && !taken {
                attributes.push(attribute);
            }
        }
        let mut options = Vec::new();
        for list in &kind.options {
            if !dice.percent(88) {
                continue;
            }
            let count = dice.between(2.min(list.values.len()), list.values.len().min(8));
            let mut places: Vec<usize> = (0..list.values.len()).collect();
            dice.shuffle(&mut places);
            places.truncate(count);
            places.sort_unstable();
            options.push(OptionGroup {
                name: list.name.to_owned(),
                values: places
                    .iter()
                    .map(|at| list.values[*at].to_owned())
                    .collect(),
            });
        }
        Self {
            kind,
            attributes,
            options,
            title: dice.pick(&kind.titles).unwrap_or(kind.called),
            brand: format!(
                "{}{}",
                dice.pick(BEGINNINGS).unwrap_or_default(),
                dice.pick(ENDS).unwrap_or_default()
            ),
        }
    }

    pub(super) fn product(&self, asin: String, dice: &mut Dice) -> Product {
        let kind = self.kind;
        let title = self.title(dice);
        let (pricing, price_tag, price) = price(kind.cents, dice);
        Product {
            asin,
            title,
            description: self.description(dice),
            bullets: self.bullets(dice),
            category: kind.category.to_owned(),
            query: kind.query.to_owned(),
            product_category: kind.path.to_owned(),
            pricing,
            price_tag,
            price,
            options: self.options.clone(),
            attributes: self
                .attributes
                .iter()
                .map(|own| own.phrase.to_owned())
                .collect(),
        }
    }

    /// The maker, the kind and one or two attributes, in one of several orders.
    fn title(&self, dice: &mut Dice) -> String {
        let (brand, kind) = (&self.brand, self.title);
        let said = self.attributes.iter().take(dice.between(1, 2));
        let (mut before, mut after) = (String::new(), String::new());
        for attribute in said {
            match attribute.words {
                Words::Before(words) => before = format!("{before}{} ", capital(words)),
                Words::After(words) => {
                    after = format!("{after}, {}", capital(&shown(words)));
                }
            }
        }
        let model = || {
            format!(
                "{}{}",
                (b'A' + dice.below(26) as u8) as char,
                100 + dice.below(900)
            )
        };
        let model = (self.kind.category == "electronics").then(model);
        let model = model.map_or(String::new(), |model| format!(" {model}"));
        let packed = self.options.last().filter(|group| group.values.len() < 4);
        let packed = packed.and_then(|group| group.values.first());
        let packed = packed.filter(|_| dice.percent(40));
        let packed = packed.map_or(String::new(), |value| format!(" ({})", capital(value)));
        match dice.below(4) {
            0 => format!("{brand}{model} {before}{kind}{after}{packed}"),
            1 => format!("{before}{kind} by {brand}{model}{after}{packed}"),
            2 => format!("{brand} {kind}{model}, {}{packed}", joined(&before, &after)),
            _ => format!("{brand} {before}{kind}{after}{model}{packed}"),
        }
    }

    /// A few sentences; now and then nothing, as in the official data.
    fn description(&self, dice: &mut Dice) -> String {
        if dice.percent(4) {
            return String::new();
        }
        let (brand, kind) = (&self.brand, self.kind.called);
        let mut text = match dice.below(4) {
            0 => format!(
                "{brand} has made {} for three generations, and it shows.",
                self.kind.query
            ),
            1 => format!("Meet the new {kind} by {brand}."),
            2 => format!(
                "This is what our customers asked {brand} for: {} without fuss.",
                self.kind.query
            ),
            _ => format!(
                "If you look for {} that you will want to keep, {brand} is a good choice.",
                self.kind.query
            ),
        };
        for attribute in &self.attributes {
            if dice.percent(70) {
                let _ = write!(text, " {}.", self.sentence(attribute));
            }
        }
        let _ = write!(text, " {}.", first_capital(self.remark(dice)));
        text
    }

    /// A bullet for each attribute, and a remark. They end with a space, as the official ones do.
    fn bullets(&self, dice: &mut Dice) -> Vec<String> {
        let mut bullets: Vec<String> = Vec::new();
        for attribute in &self.attributes {
            let head = attribute.phrase.to_uppercase();
            let remark = self.remark(dice);
            bullets.push(format!("{head}: {}; {remark}. ", self.sentence(attribute)));
        }
        dice.shuffle(&mut bullets);
        bullets.truncate(dice.between(1, 6));
        bullets
    }

    /// Says that the product has the attribute.
    fn sentence(&self, attribute: &Attribute) -> String {
        let plural = self.kind.is_plural();
        let (it, is, comes) = match plural {
            true => ("They", "are", "come"),
            false => ("It", "is", "comes"),
        };
        let words = match attribute.words {
            Words::Before(words) => return format!("{it} {is} {words}"),
            Words::After(words) => shown(words),
        };
        match words.split_once(' ') {
            Some(("that", rest)) => format!("{it} {}", agreeing(rest, plural)),
            Some(("with" | "in" | "without", _)) => format!("{it} {comes} {words}"),
            _ => format!("{it} {is} {words}"),
        }
    }

    fn remark(&self, dice: &mut Dice) -> &'static str {
        let own = REMARKS
            .iter()
            .find(|(category, _)| *category == self.kind.category);
        own.and_then(|(_, remarks)| dice.pick(remarks))
            .unwrap_or_default()
    }
}

/// The verb that words begin with, made plural if it has to be.
pub(super) fn agreeing(words: &str, plural: bool) -> String {
    match words.split_once(' ') {
        Some(("is", rest)) if plural => format!("are {rest}"),
        Some((verb, rest)) if plural => format!("{} {rest}", verb.trim_end_matches('s')),
        _ => words.to_owned(),
    }
}

/// A shopper's words as the maker writes them.
fn shown(words: &str) -> String {
    words.replace(" my ", " the ")
}

fn joined(before: &str, after: &str) -> String {
    let both = [before.trim(), after.trim_start_matches(", ")];
    let both: Vec<&str> = both.into_iter().filter(|part| !part.is_empty()).collect();
    both.join(", ")
}

/// With capitals as in titles, and without `that is`.
fn capital(words: &str) -> String {
    let words = words.strip_prefix("that is ").unwrap_or(words);
    let words = words.split(' ').map(|word| match SMALL.contains(&word) {
        true => word.to_owned(),
        false => first_capital(word),
    });
    words.collect::<Vec<String>>().join(" ")
}

fn first_capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// One price or a range of two, how it is shown, and what counts, which is drawn from the range.
fn price(cents: (usize, usize), dice: &mut Dice) -> (Vec<f64>, String, f64) {
    let dollars = |cents: usize| cents as f64 / 100.0;
    // Cheap ones are the more usual.
    let first = dice
        .between(cents.0, cents.1)
        .min(dice.between(cents.0, cents.1));
    let first = match dice.percent(60) {
        true => first / 100 * 100 + 99,
        false => first,
    };
    if !dice.percent(12) {
        return (
            vec![dollars(first)],
            format!("${:?}", dollars(first)),
            dollars(first),
        );
    }
    let last = first + first * dice.between(5, 40) / 100;
    let tag = format!("${:?} to ${:?}", dollars(first), dollars(last));
    (
        vec![dollars(first), dollars(last)],
        tag,
        dollars(dice.between(first, last)),
    )
}

/// The number of a product: ten letters and digits, different for every index.
pub(super) fn asin(index: usize, seed: u64) -> String {
    const LETTERS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const ALL: u128 = 36_u128.pow(8);
    // A factor without a divisor in common with `ALL` gives every index a number of its own.
    let mut number = (index as u128 * 1_618_033_988_749 + u128::from(seed) * 2_654_435_761) % ALL;
    let mut asin = *b"B000000000";
    for place in (2..10).rev() {
        asin[place] = LETTERS[(number % 36) as usize];
        number /= 36;
    }
    asin.map(char::from).iter().collect()
}
