//! `rolecall data generate shop`: writes a generated catalogue in the official format, one product after the other.

use std::path::Path;

use serde_json::{Value, json};

use super::official::{self, CHATSHOP};
use crate::catalogue::{OptionGroup, Product};
use crate::generate::{self, Generated, PRODUCTS, SEED};
use crate::goal::{self, Goal, GoalOptions};
use rolecall_core::ports::Parameters;
use rolecall_core::text::{harmless, joined_by, shell_path, shell_word};
use rolecall_core::world::{Desk, Listing, Unfinished};

/// The files, in the order in which they are written.
const FILES: [&str; 4] = ["items_shuffle.json", "items_ins_v2.json", "items_human_ins.json", CHATSHOP];

/// Writes the files beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(PRODUCTS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    let goals = Unfinished::parts(out, ".shop.unfinished", &FILES, |folder| write_all(folder, count, seed, desk))?;
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
    let mut products = Listing::create(&folder.join(FILES[0]), false)?;
    let mut attributes = Listing::create(&folder.join(FILES[1]), true)?;
    let mut instructions = Listing::create(&folder.join(FILES[2]), true)?;
    let mut goals: Vec<Goal> = Vec::new();
    let mut written = desk.progress(count, "products");
    for (index, generated) in generate::products(count, seed).enumerate() {
        let asin = &*generated.product.asin;
        products.add(&item(&generated.product, index))?;
        attributes.add_under(asin, &attributes_of(&generated))?;
        if !generated.instructions.is_empty() {
            instructions.add_under(asin, &instructions_of(&generated))?;
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

/// An entry of the file of products: all official keys in their order. Fields that generated products lack are empty.
fn item(product: &Product, index: usize) -> Value {
    let prices = product.pricing.iter().map(|price| format!("${price:.2}"));
    json!({
        "name": product.title,
        "product_information": { "ASIN": product.asin },
        "brand": "",
        "brand_url": "",
        "full_description": product.description,
        "pricing": joined_by(" - ", prices),
        "list_price": "",
        "availability_quantity": "",
        "availability_status": "In Stock.",
        "images": [format!("https://example.invalid/{}.jpg", product.asin)],
        "product_category": product.product_category,
        "average_rating": "",
        "small_description": product.bullets,
        "total_reviews": "",
        "total_answered_questions": "",
        "customization_options": options(&product.options),
        "seller_id": "",
        "seller_name": "",
        "fulfilled_by_amazon": "",
        "fast_track_message": "",
        "aplus_present": "",
        "asin": product.asin,
        "category": product.category,
        "query": product.query,
        "page": index % 400 + 1,
        "small_description_old": "",
    })
}

/// Options as the file has them: their values have a slash where the shop shows a bar.
fn options(groups: &[OptionGroup]) -> Value {
    if groups.is_empty() {
        return json!("");
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
    groups
        .iter()
        .map(|group| {
            let values = group.values.iter().enumerate().map(value);
            (group.name.clone(), values.collect::<Value>())
        })
        .collect()
}

/// The entry of the file of attributes.
fn attributes_of(generated: &Generated) -> Value {
    let mut entry = json!({ "attributes": generated.product.attributes });
    if let Some((instruction, attributes)) = &generated.synthetic {
        entry["instruction"] = json!(instruction);
        entry["instruction_attributes"] = json!(attributes);
    }
    entry
}

/// The entry of the file of instructions.
fn instructions_of(generated: &Generated) -> Value {
    let entry = |goal: &Goal| {
        let pairs: &[(String, String)] = match &goal.options {
            GoalOptions::Named(pairs) => pairs,
            GoalOptions::Values(_) => &[],
        };
        let mut named: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        if named.is_empty() {
            named.push(String::new());
        }
        json!({
            "asin": goal.asin,
            "instruction": goal.wish(),
            "attributes": generated.product.attributes,
            "options": named,
            "instruction_attributes": goal.attributes,
            "instruction_options": goal.options.values(),
            "assignment_id": "generated",
            "worker_id": "generated",
        })
    };
    generated.instructions.iter().map(entry).collect()
}

#[cfg(test)]
mod tests;
