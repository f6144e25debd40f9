//! `rolecall data generate shop`: writes a generated catalogue in the official format, one product after the other.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::official::{self, CHATSHOP};
use crate::environments::shop::catalogue::{OptionGroup, Product};
use crate::environments::shop::generate::{self, Generated, PRODUCTS, SEED};
use crate::environments::shop::goal::{self, Goal};
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Parameters};
use crate::text::{harmless, shell_path, shell_word};
use crate::world::{DataTool, Desk, Unfinished};

pub(super) const TOOL: DataTool = DataTool {
    name: "generate",
    summary: "Generate a catalogue in the official format; the same options always give the same files",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

/// The most products, so that every one has a number of ten letters.
const MOST: i64 = 100_000_000;

const PARAMETERS: &[Parameter] = parameters![
    integer("count", Some(PRODUCTS as i64), 1..=MOST),
        "How many products, 2000 if nothing is said; fewer products are the first of more products";
    integer("seed", Some(SEED as i64), 0..=u32::MAX as i64), "The seed that everything is drawn from, 17 for shops";
    path("out", None, &[]), "The folder to which the files go";
];

const EXAMPLES: &str = "\
  rolecall data generate shop --count 1000 --seed 7 --out shop
      Write 1,000 products with their goals.";

/// The files, in the order in which they are written.
const FILES: [&str; 4] = [
    "items_shuffle.json",
    "items_ins_v2.json",
    "items_human_ins.json",
    CHATSHOP,
];

/// Writes the files beside their places and moves them there when all are written.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(PRODUCTS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    let places = FILES.map(|file| out.join(file));
    let unfinished = Unfinished::make(out.join(".shop.unfinished"), &places)?;
    let goals = write_all(unfinished.path(), count, seed, desk)
        .with_context(|| format!("`{}` cannot be written", out.display()))?;
    for (file, place) in FILES.iter().zip(&places) {
        fs::rename(unfinished.path().join(file), place)
            .with_context(|| format!("`{}` cannot be made", place.display()))?;
    }
    let data = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{count} products with {goals} goals in {}\n\
         Play them:    rolecall run configs/shop/webshop-respact.toml --set {data}\n\
         Measure them: rolecall data statistics shop --data {}\n",
        harmless(&out.display().to_string()),
        shell_path(out),
    ))
}

/// Writes the files into a folder; tells how many goals there are.
fn write_all(folder: &Path, count: usize, seed: u64, desk: &dyn Desk) -> anyhow::Result<usize> {
    let [mut products, mut attributes, mut instructions] = [
        Listing::begin(folder.join(FILES[0]), ('[', ']'))?,
        Listing::begin(folder.join(FILES[1]), ('{', '}'))?,
        Listing::begin(folder.join(FILES[2]), ('{', '}'))?,
    ];
    let mut goals: Vec<Goal> = Vec::new();
    let mut written = desk.progress(count, "products");
    for (index, generated) in generate::products(count, seed).enumerate() {
        let asin = &*generated.product.asin;
        products.add(None, &Item::of(&generated.product, index))?;
        attributes.add(Some(asin), &attributes_of(&generated))?;
        if !generated.instructions.is_empty() {
            instructions.add(Some(asin), &instructions_of(&generated))?;
        }
        goals.extend(generated.goals());
        written();
    }
    products.end()?;
    attributes.end()?;
    instructions.end()?;
    goal::shuffle(&mut goals);
    official::write_goals(&folder.join(FILES[3]), &goals)?;
    Ok(goals.len())
}

/// A file of JSON that is written entry by entry, each on a line of its own.
struct Listing {
    file: BufWriter<File>,
    end: char,
    is_empty: bool,
}

impl Listing {
    fn begin(path: PathBuf, brackets: (char, char)) -> anyhow::Result<Self> {
        let (begin, end) = brackets;
        let mut file = BufWriter::new(File::create(path)?);
        write!(file, "{begin}")?;
        let is_empty = true;
        Ok(Self {
            file,
            end,
            is_empty,
        })
    }

    fn add(&mut self, key: Option<&str>, entry: &impl Serialize) -> anyhow::Result<()> {
        self.file
            .write_all(if self.is_empty { b"\n" } else { b",\n" })?;
        self.is_empty = false;
        if let Some(key) = key {
            serde_json::to_writer(&mut self.file, key)?;
            self.file.write_all(b": ")?;
        }
        Ok(serde_json::to_writer(&mut self.file, entry)?)
    }

    fn end(mut self) -> anyhow::Result<()> {
        writeln!(self.file, "\n{}", self.end)?;
        Ok(self.file.flush()?)
    }
}

/// An entry of the file of products: all official keys in their order. What no product of ours has is empty.
#[derive(Serialize)]
struct Item<'a> {
    name: &'a str,
    product_information: serde_json::Value,
    brand: &'a str,
    brand_url: &'a str,
    full_description: &'a str,
    pricing: String,
    list_price: &'a str,
    availability_quantity: &'a str,
    availability_status: &'a str,
    images: [String; 1],
    product_category: &'a str,
    average_rating: &'a str,
    small_description: &'a [String],
    total_reviews: &'a str,
    total_answered_questions: &'a str,
    #[serde(serialize_with = "options")]
    customization_options: &'a [OptionGroup],
    seller_id: &'a str,
    seller_name: &'a str,
    fulfilled_by_amazon: &'a str,
    fast_track_message: &'a str,
    aplus_present: &'a str,
    asin: &'a str,
    category: &'a str,
    query: &'a str,
    page: usize,
    small_description_old: &'a str,
}

impl<'a> Item<'a> {
    fn of(product: &'a Product, index: usize) -> Self {
        let prices = product.pricing.iter().map(|price| format!("${price:.2}"));
        Self {
            name: &product.title,
            product_information: json!({ "ASIN": product.asin }),
            brand: "",
            brand_url: "",
            full_description: &product.description,
            pricing: prices.collect::<Vec<_>>().join(" - "),
            list_price: "",
            availability_quantity: "",
            availability_status: "In Stock.",
            images: [format!("https://example.invalid/{}.jpg", product.asin)],
            product_category: &product.product_category,
            average_rating: "",
            small_description: &product.bullets,
            total_reviews: "",
            total_answered_questions: "",
            customization_options: &product.options,
            seller_id: "",
            seller_name: "",
            fulfilled_by_amazon: "",
            fast_track_message: "",
            aplus_present: "",
            asin: &product.asin,
            category: &product.category,
            query: &product.query,
            page: index % 400 + 1,
            small_description_old: "",
        }
    }
}

/// Options as the file has them: their values have a slash where the shop shows a bar.
fn options<S: Serializer>(groups: &&[OptionGroup], serializer: S) -> Result<S::Ok, S::Error> {
    if groups.is_empty() {
        return serializer.serialize_str("");
    }
    let value = |(place, value): (usize, &String)| {
        json!({
            "is_selected": place == 0,
            "is_available": true,
            "value": value.replace(" | ", "/"),
            "price_string": null,
            "price": null,
            "image": null,
            "asin": null,
        })
    };
    let values = |group: &OptionGroup| {
        group
            .values
            .iter()
            .enumerate()
            .map(value)
            .collect::<Vec<_>>()
    };
    serializer.collect_map(groups.iter().map(|group| (&group.name, values(group))))
}

/// The entry of the file of attributes.
fn attributes_of(generated: &Generated) -> serde_json::Value {
    let mut entry = json!({ "attributes": generated.product.attributes });
    if let Some((instruction, attributes)) = &generated.synthetic {
        entry["instruction"] = json!(instruction);
        entry["instruction_attributes"] = json!(attributes);
    }
    entry
}

/// The entry of the file of instructions.
fn instructions_of(generated: &Generated) -> serde_json::Value {
    let entry = |instruction: &generate::Instruction| {
        let mut options: Vec<String> = instruction
            .options
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        if options.is_empty() {
            options.push(String::new());
        }
        let values = instruction.options.iter().map(|(_, value)| value);
        json!({
            "asin": generated.product.asin,
            "instruction": instruction.text,
            "attributes": generated.product.attributes,
            "options": options,
            "instruction_attributes": instruction.attributes,
            "instruction_options": values.collect::<Vec<_>>(),
            "assignment_id": "generated",
            "worker_id": "generated",
        })
    };
    generated.instructions.iter().map(entry).collect()
}

#[cfg(test)]
mod tests;
