//! Goals made of a catalogue while it is read: of the instructions that people wrote, or that rules made.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Goal, GoalOptions, bound, shuffle};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{ByAsin, Catalogue, Faults, Files, Product, texts};
use crate::text::mt19937::PythonRandom;

/// The most combinations of options of one product of which goals are made. The original would make them until
/// its memory is used up.
const MOST_COMBINATIONS: usize = 100_000;

/// Where the instructions of goals come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// People wrote them (`items_human_ins.json`).
    #[default]
    Human,
    /// Rules made them (`items_ins_v2.json`): a goal for each combination of options.
    Synthetic,
}

names!(Instructions, name: Human => "human", Synthetic => "synthetic");

/// The goals of a catalogue, which are made of one product after the other. Their bounds are drawn when all are
/// there, as the original draws all prices first.
#[derive(Debug)]
pub struct Drafts {
    instructions: Instructions,
    /// The instructions, or products' attributes with them.
    entries: ByAsin,
    drafts: Vec<Draft>,
    faults: Faults,
}

/// Goals with one bound, which is still to be drawn.
#[derive(Debug)]
struct Draft {
    price: f64,
    goals: Vec<Goal>,
}

impl Drafts {
    /// Reads the instructions that belong to a catalogue.
    ///
    /// # Errors
    /// When the file of instructions is missing, cannot be read or is no whole JSON file.
    pub fn of(files: &Files, instructions: Instructions) -> Result<Self, ShopError> {
        let path = match instructions {
            Instructions::Human => &files.instructions,
            Instructions::Synthetic => &files.attributes,
        };
        if !path.is_file() {
            return Err(ShopError::Data {
                path: path.display().to_string(),
                problem: "is missing: goals by people need this official file beside the products; or take \
                          `goals = \"synthetic\"`"
                    .to_owned(),
            });
        }
        Ok(Self {
            instructions,
            entries: ByAsin::read(path)?,
            drafts: Vec::new(),
            faults: Faults::default(),
        })
    }

    /// Makes the goals of a product; products are to be given in the order of the catalogue.
    pub fn add(&mut self, product: &Product) {
        let drafts = &mut self.drafts;
        let made = self
            .entries
            .of(&product.asin)
            .and_then(|entry| match self.instructions {
                Instructions::Human => human(entry, product, drafts),
                Instructions::Synthetic => {
                    drafts.extend(synthetic(entry, product)?);
                    Ok(Vec::new())
                }
            });
        for reason in made.unwrap_or_else(|reason| vec![reason]) {
            let name = self.entries.path.file_name().unwrap_or_default();
            let place = format!("goals of `{}`", name.to_string_lossy());
            self.faults.add(place, &product.asin, reason);
        }
    }

    /// Makes the goals of a catalogue that was read before: of those of its products that have an entry.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn add_all(&mut self, catalogue: &dyn Catalogue) -> Result<(), ShopError> {
        let mut ids = Vec::new();
        for asin in self.entries.asins() {
            ids.extend(catalogue.find(asin)?);
        }
        ids.sort_unstable();
        for id in ids {
            self.add(&*catalogue.product(id)?);
        }
        Ok(())
    }

    /// The goals in the official order, and the entries of which none could be made. `random` is the generator
    /// after all prices were drawn.
    pub fn finish(self, random: &mut PythonRandom) -> (Vec<Goal>, Faults) {
        (
            finished(self.drafts, self.instructions, random),
            self.faults,
        )
    }
}

/// The goals in the official order, each with its bound.
fn finished(
    drafts: Vec<Draft>,
    instructions: Instructions,
    random: &mut PythonRandom,
) -> Vec<Goal> {
    let mut goals = Vec::new();
    for draft in drafts {
        let bound = bound::draw(draft.price, random);
        let clause = bound::clause(bound);
        goals.extend(draft.goals.into_iter().map(|mut goal| {
            goal.price_upper = bound;
            goal.instruction.push_str(&clause);
            goal
        }));
    }
    if instructions == Instructions::Synthetic {
        weigh(&mut goals);
    }
    shuffle(&mut goals);
    goals
}

/// The goals of products with an instruction and attributes each, by rules, in the official order; products whose
/// options have too many combinations have none.
pub fn synthetic_goals<'a>(
    instructed: impl IntoIterator<Item = (&'a Product, &'a str, &'a [String])>,
    random: &mut PythonRandom,
) -> Vec<Goal> {
    let drafts = instructed.into_iter();
    let drafts =
        drafts.filter_map(|(product, text, attributes)| combined(product, text, attributes).ok());
    finished(drafts.collect(), Instructions::Synthetic, random)
}

/// A goal for a product without what comes of an instruction.
fn blank(product: &Product) -> Goal {
    Goal {
        asin: product.asin.clone(),
        category: product.category.clone(),
        query: product.query.clone(),
        name: product.title.clone(),
        product_category: product.product_category.clone(),
        instruction: String::new(),
        attributes: Vec::new(),
        price_upper: bound::NO_BOUND,
        options: GoalOptions::Values(Vec::new()),
        weight: 1.0,
        disclosures: None,
    }
}

/// A goal for each instruction by people that names an attribute; what is wrong with others is returned.
fn human(
    entries: Option<Value>,
    product: &Product,
    drafts: &mut Vec<Draft>,
) -> Result<Vec<String>, String> {
    let entries = match entries {
        None => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err("its instructions are no list".to_owned()),
    };
    let mut faults = Vec::new();
    for (number, entry) in entries.into_iter().enumerate() {
        match wanted(entry) {
            Ok((_, attributes, _)) if attributes.is_empty() => {}
            Ok((instruction, attributes, options)) => drafts.push(Draft {
                price: product.price,
                goals: vec![Goal {
                    instruction: instruction.trim_matches('.').to_owned(),
                    attributes,
                    options: GoalOptions::Values(options),
                    ..blank(product)
                }],
            }),
            Err(reason) => faults.push(format!("instruction {number} (from 0) {reason}")),
        }
    }
    Ok(faults)
}

/// Instruction, attributes and options of an entry by people.
fn wanted(entry: Value) -> Result<(String, Vec<String>, Vec<String>), String> {
    let Value::Object(mut entry) = entry else {
        return Err("is no object".to_owned());
    };
    let attributes = list(&mut entry, "instruction_attributes")?;
    if attributes.is_empty() {
        return Ok((String::new(), attributes, Vec::new()));
    }
    let options = list(&mut entry, "instruction_options")?;
    match entry.remove("instruction") {
        Some(Value::String(instruction)) => Ok((instruction, attributes, options)),
        _ => Err("has no text `instruction`".to_owned()),
    }
}

fn list(entry: &mut Map<String, Value>, field: &str) -> Result<Vec<String>, String> {
    let list = entry.remove(field).and_then(texts);
    list.ok_or_else(|| format!("has no list of texts `{field}`"))
}

/// The goals of a product by rules, if they made an instruction for it.
fn synthetic(entry: Option<Value>, product: &Product) -> Result<Option<Draft>, String> {
    let Some(Value::Object(mut entry)) = entry else {
        return Err("it has no entry in the file of attributes".to_owned());
    };
    let instruction = match entry.remove("instruction") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(instruction)) => instruction,
        Some(_) => return Err("its `instruction` is no text".to_owned()),
    };
    let attributes = list(&mut entry, "instruction_attributes")?;
    if attributes.is_empty() {
        return Err("its instruction has no attributes".to_owned());
    }
    combined(product, &instruction, &attributes).map(Some)
}

/// A goal for each combination of a product's options.
fn combined(product: &Product, instruction: &str, attributes: &[String]) -> Result<Draft, String> {
    let mut groups: Vec<_> = product.options.iter().collect();
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    let sizes = groups.iter().map(|group| group.values.len());
    let combinations = sizes.fold(1, usize::saturating_mul);
    if combinations > MOST_COMBINATIONS {
        return Err(format!(
            "its options have {combinations} combinations, more than {MOST_COMBINATIONS}"
        ));
    }
    let goals = (0..combinations).map(|number| {
        // The last option changes fastest.
        let mut rest = number;
        let pairs = groups.iter().rev().filter_map(|group| {
            let value = group.values.get(rest % group.values.len().max(1))?;
            rest /= group.values.len();
            Some((group.name.clone(), value.clone()))
        });
        let mut options: Vec<_> = pairs.collect();
        options.reverse();
        let named = options
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        let named = named.collect::<Vec<_>>().join(", and ");
        let with = if named.is_empty() { "" } else { " with " };
        Goal {
            instruction: format!("{instruction}{with}{named}"),
            attributes: attributes.to_vec(),
            options: GoalOptions::Named(options),
            ..blank(product)
        }
    });
    Ok(Draft {
        price: product.price,
        goals: goals.collect(),
    })
}

/// Weighs each goal by how rare its attributes are: the mean of one by the number of goals with each.
fn weigh(goals: &mut [Goal]) {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for attribute in goals.iter().flat_map(|goal| &goal.attributes) {
        match counts.get_mut(attribute) {
            Some(count) => *count += 1,
            None => _ = counts.insert(attribute.clone(), 1),
        }
    }
    for goal in goals {
        let count = |attribute| f64::from(counts.get(attribute).copied().unwrap_or(1));
        let rarity: f64 = goal
            .attributes
            .iter()
            .map(|attribute| 1.0 / count(attribute))
            .sum();
        goal.weight = rarity / goal.attributes.len().max(1) as f64;
    }
}
