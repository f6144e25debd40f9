//! Official files as they are measured and written.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::json;

use crate::environments::shop::catalogue::{Faults, Files, LoadOptions, Official, Product};
use crate::environments::shop::generate;
use crate::environments::shop::goal::{Drafts, Goal, GoalOptions, Instructions, read_chatshop};
use crate::environments::shop::simplify::disclosures;

/// The word for the data set that needs no files.
pub(super) const BUILTIN: &str = "builtin";
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
                let pairs = pairs
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)));
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

/// A data set as it is measured: it is read once, and no product is held.
pub(super) struct Goals {
    pub(super) goals: Vec<Goal>,
    pub(super) faults: Faults,
}

impl Goals {
    /// The goals of the built-in data set, of a folder of official files, or of a file of ChatShop's goals alone.
    /// `each` gets every product. With `recorded` ChatShop's goals are taken where a folder has them; else those by
    /// people, with their four texts by rules.
    pub(super) fn read(
        data: &Path,
        recorded: bool,
        each: &mut dyn FnMut(&Product),
    ) -> anyhow::Result<Self> {
        if data == Path::new(BUILTIN) {
            let (products, goals) = generate::builtin();
            products.iter().for_each(each);
            let faults = Faults::default();
            return Ok(Self { goals, faults });
        }
        if data.is_file() && data.file_name().is_some_and(|name| name == CHATSHOP) {
            let goals = read_chatshop(data)?;
            let faults = Faults::default();
            return Ok(Self { goals, faults });
        }
        let official = Official::open(Files::find(data)?)?;
        let chatshop = &official.files().chatshop;
        let recorded = recorded && chatshop.is_file();
        let mut drafts = match recorded {
            true => None,
            false => Some(Drafts::of(official.files(), Instructions::Human)?),
        };
        let loaded = official.each_product(&LoadOptions::default(), &(), |product| {
            if let Some(drafts) = &mut drafts {
                drafts.add(&product);
            }
            each(&product);
            Ok(())
        })?;
        let (mut faults, mut random) = (loaded.faults, loaded.random);
        let goals = match drafts {
            None => read_chatshop(chatshop)?,
            Some(drafts) => {
                let (mut goals, others) = drafts.finish(&mut random);
                faults.extend(others);
                for goal in &mut goals {
                    goal.disclosures = Some(disclosures(goal));
                }
                goals
            }
        };
        Ok(Self { goals, faults })
    }
}
