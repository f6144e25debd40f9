//! Goals made of a catalogue while it is read: of the instructions that people wrote, or that rules made.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Goal, GoalOptions, bound, shuffle};
use crate::environments::shop::ShopError;
use crate::environments::shop::catalogue::{ByAsin, Faults, Official, Product, texts};
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
    /// The instructions by people; none for those by rules.
    human: Option<ByAsin>,
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
    /// When the file of instructions by people is missing, cannot be read or is no whole JSON file.
    pub fn of(official: &Official, instructions: Instructions) -> Result<Self, ShopError> {
        let path = &official.files().instructions;
        let human = match instructions {
            Instructions::Human if path.is_file() => Some(ByAsin::read(path)?),
            Instructions::Human => {
                return Err(ShopError::Data {
                    path: path.display().to_string(),
                    problem: "is missing: goals by people need this official file beside the products; or take \
                              `goals = \"synthetic\"`"
                        .to_owned(),
                });
            }
            Instructions::Synthetic => None,
        };
        Ok(Self {
            human,
            drafts: Vec::new(),
            faults: Faults::default(),
        })
    }

    /// Makes the goals of a product; products are to be given in the order of the catalogue.
    pub fn add(&mut self, official: &Official, product: &Product) {
        let made = match &self.human {
            Some(human) => self::human(human, product, &mut self.drafts),
            None => synthetic(official, product, &mut self.drafts),
        };
        let path = match &self.human {
            Some(human) => &human.path,
            None => &official.files().attributes,
        };
        for reason in made.err().unwrap_or_default() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.faults
                .add(format!("goals of `{name}`"), &product.asin, reason);
        }
    }

    /// The goals in the official order, and the entries of which none could be made. `random` is the generator
    /// after all prices were drawn.
    pub fn finish(self, random: &mut PythonRandom) -> (Vec<Goal>, Faults) {
        let mut goals = Vec::new();
        for draft in self.drafts {
            let bound = bound::draw(draft.price, random);
            let clause = bound::clause(bound);
            goals.extend(draft.goals.into_iter().map(|mut goal| {
                goal.price_upper = bound;
                goal.instruction.push_str(&clause);
                goal
            }));
        }
        if self.human.is_none() {
            weigh(&mut goals);
        }
        shuffle(&mut goals);
        (goals, self.faults)
    }
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

/// A goal for each instruction by people that names an attribute; or what is wrong with some of them.
fn human(all: &ByAsin, product: &Product, drafts: &mut Vec<Draft>) -> Result<(), Vec<String>> {
    let entries = match all.of(&product.asin).map_err(|reason| vec![reason])? {
        None => return Ok(()),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err(vec!["its instructions are no list".to_owned()]),
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
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
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

/// A goal for each combination of the product's options, if rules made an instruction for it.
fn synthetic(
    official: &Official,
    product: &Product,
    drafts: &mut Vec<Draft>,
) -> Result<(), Vec<String>> {
    let fault = |reason: &str| Err(vec![reason.to_owned()]);
    let entry = official.attributes_of(&product.asin);
    let mut entry = match entry.map_err(|reason| vec![reason])? {
        Some(Value::Object(entry)) => entry,
        _ => return fault("it is not there"),
    };
    let instruction = match entry.remove("instruction") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::String(instruction)) => instruction,
        Some(_) => return fault("its `instruction` is no text"),
    };
    let attributes = list(&mut entry, "instruction_attributes").map_err(|reason| vec![reason])?;
    if attributes.is_empty() {
        return fault("its instruction has no attributes");
    }
    let mut groups: Vec<_> = product.options.iter().collect();
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    let sizes = groups.iter().map(|group| group.values.len());
    let combinations = sizes.fold(1, usize::saturating_mul);
    if combinations > MOST_COMBINATIONS {
        return fault(&format!(
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
            attributes: attributes.clone(),
            options: GoalOptions::Named(options),
            ..blank(product)
        }
    });
    drafts.push(Draft {
        price: product.price,
        goals: goals.collect(),
    });
    Ok(())
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
