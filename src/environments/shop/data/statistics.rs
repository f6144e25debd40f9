//! `rolecall data statistics shop`: what a catalogue and its goals hold (ChatShop, Table 4).

use std::collections::{BTreeMap, HashSet};
use std::iter;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use super::official;
use super::words::{is_stop_word, words};
use crate::catalogue::Product;
use crate::goal::{Goal, Split};
use crate::simplify::disclosures;
use crate::store::Goals;
use crate::tasks::BUILTIN;
use rolecall_core::ports::Parameters;
use rolecall_core::reports::Table;
use rolecall_core::world::Desk;

/// The first goals, test and development together, that ChatShop's Table 4 is about.
const TABLE_4: Range<usize> = 0..1500;
/// Published figures: size of the vocabulary and mean length, of the whole instructions and of the simplified ones.
const PUBLISHED: [&str; 5] = ["1500", "2871", "15.1", "1166", "2.3"];
const ROWS: [&str; 5] = ["goals", "vocabulary, whole", "length, whole", "vocabulary, kind alone", "length, kind alone"];

/// The figures of products, and of the goals of each split.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let mut products = Products::default();
    let goals = Goals::ChatShop(Some(disclosures));
    let (goals, faults) = official::read(data, goals, &mut |product| products.add(product))?;
    let all = goals.len();
    let parts = Split::ALL.into_iter().map(|split| (split.name(), split.range(all)));
    let together = [("test + dev", 0..TABLE_4.end.min(all)), ("all", 0..all)];
    let parts: Vec<(&str, Texts)> =
        parts.chain(together).map(|(name, range)| (name, Texts::of(&goals[range]))).collect();
    let counted = products.count;
    let figures = products.figures();
    if parameters.flag("json") {
        let goals = parts.iter().map(|(name, texts)| (*name, texts.json()));
        let figures = figures.into_iter().collect::<Value>();
        let goals = goals.collect::<Value>();
        let shown = json!({ "products": figures, "goals": goals, "left_out": faults.total });
        return Ok(format!("{shown:#}\n"));
    }
    let mut text = String::new();
    if counted > 0 {
        let mut table = Table::new("Products").key("").numbers(["figure"]);
        for (name, figure) in figures {
            let places = if figure.fract() == 0.0 { 0 } else { 2 };
            table.row(vec![name, format!("{figure:.places$}")]);
        }
        text = table.text(&desk.layout()) + "\n";
    }
    let heads = parts.iter().map(|(name, _)| *name);
    let title = "Goals: words without stop words, and mean length in words (ChatShop, Table 4)";
    let mut table = Table::new(title).key("").numbers(heads.chain(["paper, test + dev"]));
    let columns = parts.iter().map(|(_, texts)| texts.cells());
    let columns = [ROWS.map(str::to_owned)].into_iter().chain(columns);
    let columns: Vec<[String; 5]> = columns.chain([PUBLISHED.map(str::to_owned)]).collect();
    for row in 0..ROWS.len() {
        table.row(columns.iter().map(|cells| cells[row].clone()).collect());
    }
    text += &table.text(&desk.layout());
    if !faults.is_empty() {
        text += &format!("Left out: {faults}\n");
    }
    Ok(text)
}

/// The number of goals; different words and the mean number of words, of whole instructions and of the kind of product
/// alone.
struct Texts(usize, [(usize, f64); 2]);

impl Texts {
    fn of(goals: &[Goal]) -> Self {
        let told = || goals.iter().filter_map(|goal| goal.disclosures.as_ref());
        let words = [0, 2].map(|which| richness(told().map(|texts| &*texts[which])));
        Self(goals.len(), words)
    }

    fn cells(&self) -> [String; 5] {
        let Self(goals, [whole, kind]) = self;
        let numbers = [*goals, whole.0, kind.0].map(|number| number.to_string());
        let [goals, of_whole, of_kind] = numbers;
        let [whole, kind] = [whole.1, kind.1].map(|length| format!("{length:.1}"));
        [goals, of_whole, whole, of_kind, kind]
    }

    fn json(&self) -> Value {
        let [whole, kind] = self.1.map(|(vocabulary, length)| json!({ "vocabulary": vocabulary, "length": length }));
        json!({ "goals": self.0, "whole": whole, "kind": kind })
    }
}

/// How many different words texts have, stop words left out, and how many words in the mean.
fn richness<'t>(texts: impl Iterator<Item = &'t str>) -> (usize, f64) {
    let (mut vocabulary, mut all, mut count) = (HashSet::new(), 0, 0_usize);
    for text in texts {
        let words = words(text);
        all += words.len();
        count += 1;
        vocabulary.extend(words.into_iter().filter(|word| !is_stop_word(word)));
    }
    (vocabulary.len(), all as f64 / count.max(1) as f64)
}

/// Counts over the products.
#[derive(Default)]
struct Products {
    count: usize,
    by_category: BTreeMap<String, usize>,
    /// Attributes, and the different ones.
    attributes: usize,
    different: HashSet<String>,
    /// Products with options, their groups, and the values of these.
    with_options: usize,
    groups: usize,
    values: usize,
    /// The lowest price of each product, in dollars.
    prices: Vec<f64>,
    ranges: usize,
}

impl Products {
    fn add(&mut self, product: &Product) {
        self.count += 1;
        let category = self.by_category.entry(product.category.clone());
        *category.or_default() += 1;
        self.attributes += product.attributes.len();
        for attribute in &product.attributes {
            if !self.different.contains(attribute) {
                self.different.insert(attribute.clone());
            }
        }
        let values = product.options.iter().map(|group| group.values.len());
        self.with_options += usize::from(!product.options.is_empty());
        self.groups += product.options.len();
        self.values += values.sum::<usize>();
        self.prices.extend(product.pricing.first());
        self.ranges += usize::from(product.pricing.len() > 1);
    }

    /// Each figure with its name.
    fn figures(mut self) -> Vec<(String, f64)> {
        let mean = |all: usize, of: usize| all as f64 / of.max(1) as f64;
        self.prices.sort_by(f64::total_cmp);
        let price = |at: usize| self.prices.get(at).copied().unwrap_or_default();
        let (options, prices) = (self.with_options, self.prices.len());
        let others = [
            ("different attributes", self.different.len() as f64),
            ("attributes of a product", mean(self.attributes, self.count)),
            ("products with options", options as f64),
            ("options of such a product", mean(self.groups, options)),
            ("values of an option", mean(self.values, self.groups)),
            ("products with a range of prices", self.ranges as f64),
            ("lowest price in dollars", price(0)),
            ("median price in dollars", price(prices / 2)),
            ("highest price in dollars", price(prices.saturating_sub(1))),
        ];
        let categories = self.by_category.iter().map(|(name, count)| (format!("of {name}"), *count as f64));
        iter::once(("products".to_owned(), self.count as f64))
            .chain(categories)
            .chain(others.map(|(name, figure)| (name.to_owned(), figure)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vocabulary_leaves_stop_words_out_and_length_does_not() {
        let texts = ["i want a red sofa", "a Red sofa, please"];
        assert_eq!(richness(texts.into_iter()), (6, 5.0));
        assert_eq!(richness([].into_iter()), (0, 0.0));
    }

    #[test]
    fn official_goals_have_the_words_of_table_4() {
        let Some(data) = std::env::var_os("ROLECALL_DATA") else {
            return;
        };
        let file = Path::new(&data).join("shop/real").join(official::CHATSHOP);
        let goals = official::read(&file, Goals::ChatShop(None), &mut |_| {}).unwrap().0;
        let [_, whole, length, kind, kind_length] = Texts::of(&goals[TABLE_4]).cells();
        println!("{whole} {length} {kind} {kind_length}");
        assert_eq!([&*length, &*kind, &*kind_length], ["15.1", "1166", "2.3"]);
        // The paper says 2871: NLTK keeps the full stop of abbreviations within a sentence.
        assert!(whole.parse::<usize>().unwrap().abs_diff(2871) <= 6, "{whole}");
    }
}
