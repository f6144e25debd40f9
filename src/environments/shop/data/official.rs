//! Goals as ChatShop's file holds them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::json;

use crate::environments::shop::goal::{Goal, GoalOptions};

/// The official name of the file.
pub(super) const CHATSHOP: &str = "chatshop_goals.json";

/// Writes `chatshop_goals.json`, with the fields in their official order, a goal on each line.
pub(super) fn write_goals(path: &Path, goals: &[Goal]) -> anyhow::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut before = "[\n";
    for goal in goals {
        let options = match &goal.options {
            GoalOptions::Values(values) => json!(values),
            GoalOptions::Named(pairs) => {
                let pairs = pairs.iter().map(|(name, value)| (name.clone(), json!(value)));
                serde_json::Value::Object(pairs.collect())
            }
        };
        let entry = json!({
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
        });
        file.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut file, &entry)?;
        before = ",\n";
    }
    file.write_all(if goals.is_empty() { b"[]\n" } else { b"\n]\n" })?;
    Ok(file.flush()?)
}
