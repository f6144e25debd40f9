//! Official files as they are measured and written.

use std::path::Path;

use serde_json::json;

use crate::catalogue::{Faults, Files, Official, Product};
use crate::generate;
use crate::goal::{Goal, GoalOptions, read_chatshop};
use crate::store::{Goals, StoreOptions};
use crate::tasks::BUILTIN;
use rolecall_core::world::Listing;

/// The official name of the file of ChatShop's goals.
pub(super) const CHATSHOP: &str = "chatshop_goals.json";

/// Writes `chatshop_goals.json`, with the fields in their official order.
pub(super) fn write_goals(path: &Path, goals: &[Goal]) -> anyhow::Result<()> {
    let mut file = Listing::create(path, false)?;
    for goal in goals {
        let options = match &goal.options {
            GoalOptions::Values(values) => json!(values),
            GoalOptions::Named(pairs) => pairs.iter().cloned().collect(),
        };
        file.add(&json!({
            "asin": goal.asin,
            "category": goal.category,
            "query": goal.query,
            "name": goal.name,
            "product_category": goal.product_category,
            "instruction_text": goal.instruction,
            "attributes": goal.attributes,
            "price_upper": goal.price_upper,
            "goal_options": options,
            "weight": goal.weight,
            "instructions": goal.disclosures,
        }))?;
    }
    Ok(file.end()?)
}

/// The goals of the built-in data set, of a folder of official files, or of a file of ChatShop's goals alone, and what
/// was left out. It is read once, and no product is held: `each` gets every one.
pub(super) fn read(data: &Path, goals: Goals, each: &mut dyn FnMut(&Product)) -> anyhow::Result<(Vec<Goal>, Faults)> {
    if data == Path::new(BUILTIN) {
        let (products, goals) = generate::builtin();
        products.iter().for_each(each);
        return Ok((goals, Faults::default()));
    }
    if data.is_file() && data.file_name().is_some_and(|name| name == CHATSHOP) {
        return Ok((read_chatshop(data)?, Faults::default()));
    }
    let options = StoreOptions { goals, ..StoreOptions::default() };
    let official = Official::open(Files::find(data)?)?;
    let mut drafts = options.drafts(official.files())?;
    let loaded = official.each_product(&options.load, &(), |product| {
        if let Some(drafts) = &mut drafts {
            drafts.add(&product);
        }
        each(&product);
        Ok(())
    })?;
    let (mut faults, mut random) = (loaded.faults, loaded.random);
    let (goals, others) = options.goals(official.files(), drafts, &mut random)?;
    faults.extend(others);
    Ok((goals, faults))
}
