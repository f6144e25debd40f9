//! One generated product.

use super::tables::{Attribute, Kind, TABLES};
use crate::catalogue::{OptionGroup, Product, price_tag};
use rolecall_core::text::{Dice, joined_by};

/// Draft of a product, before it is worded.
pub(super) struct Draft {
    pub(super) kind: &'static Kind,
    /// The first ones stand in the title.
    pub(super) attributes: Vec<Attribute>,
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
        let mut attributes: Vec<Attribute> = Vec::with_capacity(wanted);
        for attribute in drawn {
            let choice = attribute.choice();
            let taken = choice.is_some() && attributes.iter().any(|drawn| drawn.choice() == choice);
            if attributes.len() < wanted && !taken {
                attributes.push(attribute);
            }
        }
        let mut options = Vec::new();
        for list in &kind.options {
            if !dice.percent(88) {
                continue;
            }
            let all = list.values.len();
            let count = dice.between(all.min(2), all.min(8));
            let mut places: Vec<usize> = (0..all).collect();
            dice.shuffle(&mut places);
            places.truncate(count);
            places.sort_unstable();
            let values = places.iter().map(|at| list.values[*at].to_owned());
            options.push(OptionGroup { name: list.name.to_owned(), values: values.collect() });
        }
        let title = dice.pick(&kind.titles).unwrap_or(kind.called);
        let maker = ["beginnings", "ends"].map(|part| phrase(part, dice));
        Self { kind, attributes, options, title, brand: maker.concat() }
    }

    pub(super) fn product(&self, asin: String, dice: &mut Dice) -> Product {
        let kind = self.kind;
        let attributes = self.attributes.iter().map(|attribute| attribute.phrase.to_owned());
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
            attributes: attributes.collect(),
        }
    }

    /// The maker, the kind and one or two attributes, in one of several orders.
    fn title(&self, dice: &mut Dice) -> String {
        let (brand, kind) = (&self.brand, self.title);
        let (mut before, mut after) = (String::new(), String::new());
        for attribute in self.attributes.iter().take(dice.between(1, 2)) {
            let words = capital(&attribute.words.replace(" my ", " the "));
            if attribute.is_before { before = format!("{before}{words} ") } else { after = format!("{after}, {words}") }
        }
        let mut model = String::new();
        if self.kind.category == "electronics" {
            let letter = char::from(b'A' + dice.below(26) as u8);
            model = format!(" {letter}{}", 100 + dice.below(900));
        }
        let packed = self
            .options
            .last()
            .filter(|group| group.values.len() < 4)
            .and_then(|group| group.values.first())
            .filter(|_| dice.percent(40))
            .map_or(String::new(), |value| format!(" ({})", capital(value)));
        match dice.below(4) {
            0 => format!("{brand}{model} {before}{kind}{after}{packed}"),
            1 => format!("{before}{kind} by {brand}{model}{after}{packed}"),
            2 => {
                let mut both = vec![before.trim(), after.trim_start_matches(", ")];
                both.retain(|part| !part.is_empty());
                format!("{brand} {kind}{model}, {}{packed}", both.join(", "))
            }
            _ => format!("{brand} {before}{kind}{after}{model}{packed}"),
        }
    }

    /// A few sentences; now and then nothing, as in the official data.
    fn description(&self, dice: &mut Dice) -> String {
        if dice.percent(4) {
            return String::new();
        }
        let begins = phrase("descriptions", dice).replace("{brand}", &self.brand).replace("{kind}", self.kind.called);
        let mut sentences = vec![begins.replace("{query}", self.kind.query)];
        for attribute in &self.attributes {
            if dice.percent(70) {
                sentences.push(self.sentence(*attribute) + ".");
            }
        }
        sentences.push(first_capital(phrase(self.kind.category, dice)) + ".");
        sentences.join(" ")
    }

    /// A bullet for each attribute, and a remark. They end with a space, as the official ones do.
    fn bullets(&self, dice: &mut Dice) -> Vec<String> {
        let bullet = |attribute: &Attribute| {
            let (head, said) = (attribute.phrase.to_uppercase(), self.sentence(*attribute));
            format!("{head}: {said}; {}. ", phrase(self.kind.category, dice))
        };
        let mut bullets: Vec<String> = self.attributes.iter().map(bullet).collect();
        dice.shuffle(&mut bullets);
        bullets.truncate(dice.between(1, 6));
        bullets
    }

    /// Says that the product has the attribute, in the words of its maker.
    fn sentence(&self, attribute: Attribute) -> String {
        let said = if self.kind.is_plural() {
            format!("They {}", attribute.predicate("are", "come"))
        } else {
            format!("It {}", attribute.predicate("is", "comes"))
        };
        said.replace(" my ", " the ")
    }
}

/// One of a list of phrases.
pub(super) fn phrase(list: &str, dice: &mut Dice) -> &'static str {
    dice.pick(TABLES.phrases(list)).unwrap_or_default()
}

/// With capitals as in titles, and without `that is`.
fn capital(words: &str) -> String {
    let words = words.strip_prefix("that is ").unwrap_or(words);
    let small = TABLES.phrases("small");
    let capital = |word: &str| if small.contains(&word) { word.to_owned() } else { first_capital(word) };
    joined_by(" ", words.split(' ').map(capital))
}

fn first_capital(words: &str) -> String {
    let mut words = words.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// One price or a range of two, how it is shown, and what counts, which is drawn from the range.
fn price(cents: (usize, usize), dice: &mut Dice) -> (Vec<f64>, String, f64) {
    let (least, most) = cents;
    let dollars = |cents: usize| cents as f64 / 100.0;
    // Cheap ones are the more usual.
    let drawn = dice.between(least, most).min(dice.between(least, most));
    let first = if dice.percent(60) { drawn / 100 * 100 + 99 } else { drawn };
    let (mut pricing, mut price) = (vec![dollars(first)], dollars(first));
    if dice.percent(12) {
        let last = first + first * dice.between(5, 40) / 100;
        pricing.push(dollars(last));
        price = dollars(dice.between(first, last));
    }
    let tag = price_tag(&pricing);
    (pricing, tag, price)
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
