//! ChatShop's own goals (`chatshop_goals.json`).

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Goal, GoalOptions};
use crate::environments::shop::ShopError;
use crate::files;
use crate::text::json;

/// The largest file of goals that is read, in bytes. The official one has 3 MB.
const LARGEST: u64 = 1 << 30;

/// A goal as it stands in the file.
#[derive(Deserialize)]
struct Entry {
    asin: String,
    category: String,
    query: String,
    name: String,
    product_category: String,
    instruction_text: String,
    attributes: Vec<String>,
    price_upper: f64,
    goal_options: Options,
    #[serde(default = "one")]
    weight: f64,
    #[serde(default)]
    instructions: Option<[String; 4]>,
}

fn one() -> f64 {
    1.0
}

/// Options of a goal by people, or by rules.
#[derive(Deserialize)]
#[serde(untagged)]
enum Options {
    Values(Vec<String>),
    Named(Map<String, Value>),
}

/// The goals of a file of ChatShop, in its order; each has its four texts.
///
/// # Errors
/// When the file cannot be read, or an entry is no such goal. None is left out: their numbers are what episodes
/// are known by.
pub fn read_chatshop(path: &Path) -> Result<Vec<Goal>, ShopError> {
    let bytes = files::read(path, LARGEST).map_err(|source| ShopError::Io {
        path: path.display().to_string(),
        source,
    })?;
    let wrong = |problem: String| ShopError::Data {
        path: path.display().to_string(),
        problem: format!("{problem}; repair it, or take the official file of ChatShop"),
    };
    let entries: Vec<Value> = serde_json::from_slice(&bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        wrong(format!(
            "line {line}, column {column}: {}",
            json::reason(&error)
        ))
    })?;
    let mut goals = Vec::with_capacity(entries.len());
    for (number, entry) in entries.into_iter().enumerate() {
        let goal = from_json(entry)
            .and_then(|goal| match goal.disclosures {
                Some(_) => Ok(goal),
                None => Err("`instructions` with four texts are missing".to_owned()),
            })
            .map_err(|reason| wrong(format!("goal {number} (from 0) cannot be used: {reason}")))?;
        goals.push(goal);
    }
    Ok(goals)
}

/// A goal as WebShop and ChatShop write it.
///
/// # Errors
/// When a field is missing or of another type; the text says which.
pub fn from_json(goal: Value) -> Result<Goal, String> {
    let entry: Entry = serde_json::from_value(goal).map_err(|error| json::reason(&error))?;
    let options = match entry.goal_options {
        Options::Values(values) => GoalOptions::Values(values),
        Options::Named(pairs) => GoalOptions::Named(
            pairs
                .into_iter()
                .map(|(name, value)| match value {
                    Value::String(value) => Ok((name, value)),
                    _ => Err(format!("option `{name}` is no text")),
                })
                .collect::<Result<_, _>>()?,
        ),
    };
    Ok(Goal {
        asin: entry.asin,
        category: entry.category,
        query: entry.query,
        name: entry.name,
        product_category: entry.product_category,
        instruction: entry.instruction_text,
        attributes: entry.attributes,
        price_upper: entry.price_upper,
        options,
        weight: entry.weight,
        disclosures: entry.instructions,
    })
}
