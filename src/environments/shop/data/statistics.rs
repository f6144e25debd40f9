//! `rolecall data statistics shop`: what a catalogue and its goals hold (ChatShop, Table 4).

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use super::official::{BUILTIN, Goals};
use super::words::{is_stop_word, words};
use crate::environments::shop::catalogue::Product;
use crate::environments::shop::goal::{Goal, Split};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters};
use crate::reports::Table;
use crate::world::{DataTool, Desk};

pub(super) const TOOL: DataTool = DataTool {
    name: "statistics",
    summary: "Print how much there is in a catalogue and its goals",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = parameters![
    path("data", None, &[BUILTIN]),
        "A folder of WebShop's official files, a file chatshop_goals.json, or builtin";
    flag("json", false), "Print the figures as JSON";
];

const EXAMPLES: &str = "\
  rolecall data statistics shop --data webshop/data
      Print how many products and goals there are, and how rich their instructions are (ChatShop Table 4).";

/// The first goals, test and development together, that ChatShop's Table 4 is about.
const TABLE_4: Range<usize> = 0..1500;
/// What it says: size of the vocabulary and mean length, of the whole instructions and of the simplified ones.
const PUBLISHED: [&str; 5] = ["1500", "2871", "15.1", "1166", "2.3"];

fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let mut products = Products::default();
    let read = Goals::read(data, true, &mut |product| products.add(product))?;
    let all = read.goals.len();
    let parts: Vec<(&str, Texts)> = Split::ALL
        .iter()
        .map(|split| (split.name(), split.range(all)))
        .chain([("test + dev", 0..TABLE_4.end.min(all)), ("all", 0..all)])
        .map(|(name, range)| (name, Texts::of(&read.goals[range])))
        .collect();
    if parameters.flag("json") {
        let goals = parts
            .iter()
            .map(|(name, texts)| ((*name).to_owned(), texts.json()));
        let goals = Value::Object(goals.collect());
        let left_out = read.faults.total;
        let shown = json!({ "products": products.json(), "goals": goals, "left_out": left_out });
        return Ok(format!("{shown:#}\n"));
    }
    let heads = parts
        .iter()
        .map(|(name, _)| *name)
        .chain(["paper, test + dev"]);
    let title = "Goals: words without stop words, and mean length in words (ChatShop, Table 4)";
    let mut table = Table::new(title).key("").numbers(heads);
    for (row, head) in ROWS.iter().enumerate() {
        let cells = parts.iter().map(|(_, texts)| texts.cells()[row].clone());
        let cells = cells.chain([PUBLISHED[row].to_owned()]);
        table.row(std::iter::once((*head).to_owned()).chain(cells).collect());
    }
    let mut text = table.text(&desk.layout());
    if products.count > 0 {
        text = format!("{}\n{text}", products.table().text(&desk.layout()));
    }
    if !read.faults.is_empty() {
        text = format!("{text}Left out: {}\n", read.faults);
    }
    Ok(text)
}

const ROWS: [&str; 5] = [
    "goals",
    "vocabulary, whole",
    "length, whole",
    "vocabulary, kind alone",
    "length, kind alone",
];

/// The words of some goals.
struct Texts {
    goals: usize,
    /// Different words, and the mean number of words, of whole instructions and of the kind of product alone.
    whole: (usize, f64),
    kind: (usize, f64),
}

impl Texts {
    fn of(goals: &[Goal]) -> Self {
        let disclosed = |which: usize| {
            let texts = goals
                .iter()
                .filter_map(move |goal| goal.disclosures.as_ref());
            richness(texts.map(move |texts| &*texts[which]))
        };
        Self {
            goals: goals.len(),
            whole: disclosed(0),
            kind: disclosed(2),
        }
    }

    fn cells(&self) -> [String; 5] {
        let length = |length: f64| format!("{length:.1}");
        [
            self.goals.to_string(),
            self.whole.0.to_string(),
            length(self.whole.1),
            self.kind.0.to_string(),
            length(self.kind.1),
        ]
    }

    fn json(&self) -> Value {
        let part = |(vocabulary, length): (usize, f64)| json!({ "vocabulary": vocabulary, "length": length });
        json!({ "goals": self.goals, "whole": part(self.whole), "kind": part(self.kind) })
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

/// What is counted of products.
#[derive(Default)]
struct Products {
    count: usize,
    by_category: BTreeMap<String, usize>,
    /// How often each attribute is there.
    attributes: BTreeMap<String, usize>,
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
        *self
            .by_category
            .entry(product.category.clone())
            .or_default() += 1;
        for attribute in &product.attributes {
            match self.attributes.get_mut(attribute) {
                Some(count) => *count += 1,
                None => drop(self.attributes.insert(attribute.clone(), 1)),
            }
        }
        self.with_options += usize::from(!product.options.is_empty());
        self.groups += product.options.len();
        self.values += product
            .options
            .iter()
            .map(|group| group.values.len())
            .sum::<usize>();
        self.prices.extend(product.pricing.first());
        self.ranges += usize::from(product.pricing.len() > 1);
    }

    /// Each figure with its name.
    fn figures(&self) -> Vec<(String, f64)> {
        let mean = |all: usize, of: usize| all as f64 / of.max(1) as f64;
        let mut prices = self.prices.clone();
        prices.sort_by(f64::total_cmp);
        let price = |at: usize| prices.get(at).copied().unwrap_or_default();
        let categories = self.by_category.iter();
        let categories = categories.map(|(name, count)| (format!("of {name}"), *count as f64));
        let mut figures = vec![("products".to_owned(), self.count as f64)];
        figures.extend(categories);
        let others = [
            ("different attributes", self.attributes.len() as f64),
            (
                "attributes of a product",
                mean(self.attributes.values().sum(), self.count),
            ),
            ("products with options", self.with_options as f64),
            (
                "options of such a product",
                mean(self.groups, self.with_options),
            ),
            ("values of an option", mean(self.values, self.groups)),
            ("products with a range of prices", self.ranges as f64),
            ("lowest price in dollars", price(0)),
            ("median price in dollars", price(prices.len() / 2)),
            (
                "highest price in dollars",
                price(prices.len().saturating_sub(1)),
            ),
        ];
        figures.extend(others.map(|(name, figure)| (name.to_owned(), figure)));
        figures
    }

    fn table(&self) -> Table {
        let mut table = Table::new("Products").key("").numbers(["figure"]);
        for (name, figure) in self.figures() {
            let shown = match figure.fract() == 0.0 {
                true => format!("{figure:.0}"),
                false => format!("{figure:.2}"),
            };
            table.row(vec![name, shown]);
        }
        table
    }

    fn json(&self) -> Value {
        let figures = self.figures().into_iter();
        Value::Object(
            figures
                .map(|(name, figure)| (name, json!(figure)))
                .collect(),
        )
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
        let file = Path::new(&data)
            .join("shop/real")
            .join(super::super::official::CHATSHOP);
        let goals = Goals::read(&file, true, &mut |_| {}).unwrap().goals;
        let [_, whole, length, kind, kind_length] = Texts::of(&goals[TABLE_4]).cells();
        println!("{whole} {length} {kind} {kind_length}");
        assert_eq!([&*length, &*kind, &*kind_length], ["15.1", "1166", "2.3"]);
        // The paper says 2871: NLTK keeps the full stop of abbreviations within a sentence.
        assert!(
            whole.parse::<usize>().unwrap().abs_diff(2871) <= 6,
            "{whole}"
        );
    }
}
