//! Goals made of a catalogue while it is read: of the instructions that people wrote, or that rules made.

use std::collections::HashMap;

use super::{Goal, GoalOptions, draw_bound, price_clause, shuffle};
use crate::ShopError;
use crate::catalogue::elements::{NO_LIST, NO_TEXT, Object, list};
use crate::catalogue::files::{is_there, name};
use crate::catalogue::{Catalogue, Faults, Files, Product};
use rolecall_core::text::joined_by;
use rolecall_core::text::mt19937::PythonRandom;

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

rolecall_core::names!(Instructions, name: Human => "human", Synthetic => "synthetic");

/// Goals with one bound, which is still to be drawn above this price.
type Draft = (f64, Vec<Goal>);

/// The goals of a catalogue, which are made of one product after the other. Their bounds are drawn when all are
/// there, as the original draws all prices first.
#[derive(Debug, Default)]
pub struct Drafts {
    instructions: Instructions,
    /// Where instructions stand, for messages.
    place: String,
    /// The instructions, or products' attributes with them.
    entries: Object,
    drafts: Vec<Draft>,
    faults: Faults,
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
        if !is_there(path)? {
            let problem = "is missing: goals by people need this official file beside the products; or take \
                           `goals = \"synthetic\"`";
            return Err(ShopError::data(path, problem));
        }
        Ok(Self {
            instructions,
            place: format!("goals of `{}`", name(path)),
            entries: Object::read(path)?,
            ..Self::default()
        })
    }

    /// None yet, of instructions by rules that stand in no file.
    pub fn by_rules() -> Self {
        Self { instructions: Instructions::Synthetic, ..Self::default() }
    }

    /// Makes the goals of a product with an instruction by rules and its attributes, if it has not too many options.
    pub fn combine(&mut self, product: &Product, instruction: &str, attributes: &[String]) {
        self.drafts.extend(combined(product, instruction, attributes));
    }

    /// Makes the goals of a product; products are to be given in the order of the catalogue.
    pub fn add(&mut self, product: &Product) {
        let entry = self.entries.get(&product.asin);
        let made = match self.instructions {
            Instructions::Human => entry.map_or(Vec::new(), |entry| human(entry, product)),
            Instructions::Synthetic => vec![synthetic(entry, product)],
        };
        for draft in made {
            match draft {
                Ok(draft) => self.drafts.extend(draft),
                Err(reason) => self.faults.add(&self.place, &product.asin, &reason),
            }
        }
    }

    /// Makes the goals of a catalogue that was read before.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn add_all(&mut self, catalogue: &dyn Catalogue) -> Result<(), ShopError> {
        let mut ids = Vec::new();
        match self.instructions {
            // Most products have none.
            Instructions::Human => {
                for asin in self.entries.places.keys() {
                    ids.extend(catalogue.find(asin)?);
                }
            }
            Instructions::Synthetic => ids.extend((0..).take(catalogue.len())),
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
        let mut all = Vec::new();
        for (price, mut goals) in self.drafts {
            let bound = draw_bound(price, random);
            for goal in &mut goals {
                goal.price_upper = bound;
                goal.instruction.push_str(&price_clause(bound));
            }
            all.append(&mut goals);
        }
        if self.instructions == Instructions::Synthetic {
            weigh(&mut all);
        }
        shuffle(&mut all);
        (all, self.faults)
    }
}

/// A goal for each instruction by people that names an attribute, or what is wrong with it.
fn human(entry: &[u8], product: &Product) -> Vec<Result<Option<Draft>, String>> {
    let Some(entries) = list(entry) else {
        return vec![Err("its instructions are no list".to_owned())];
    };
    let draft = |entry: Object| {
        let attributes: Vec<String> = entry.field("instruction_attributes", NO_LIST)?;
        if attributes.is_empty() {
            return Ok(None);
        }
        let options = GoalOptions::Values(entry.field("instruction_options", NO_LIST)?);
        let instruction = entry.field::<String>("instruction", NO_TEXT)?.trim_matches('.').to_owned();
        Ok(Some((product.price, vec![Goal::of(product, instruction, attributes, options)])))
    };
    entries
        .iter()
        .enumerate()
        .map(|(number, entry)| {
            let draft = Object::parse(entry).and_then(draft);
            draft.map_err(|reason| format!("instruction {number} (from 0): {reason}"))
        })
        .collect()
}

/// The goals of a product by rules, if they made an instruction for it.
fn synthetic(entry: Option<&[u8]>, product: &Product) -> Result<Option<Draft>, String> {
    let entry = entry.ok_or("it has no entry in the file of attributes")?;
    let entry = Object::parse(entry)?;
    let instruction: Option<Option<String>> = entry.optional("instruction", NO_TEXT)?;
    let Some(instruction) = instruction.flatten() else {
        return Ok(None);
    };
    let attributes: Vec<String> = entry.field("instruction_attributes", NO_LIST)?;
    if attributes.is_empty() {
        return Err("its instruction has no attributes".to_owned());
    }
    combined(product, &instruction, &attributes).map(Some)
}

/// A goal for each combination of a product's options.
fn combined(product: &Product, instruction: &str, attributes: &[String]) -> Result<Draft, String> {
    let mut groups: Vec<_> = product.options.iter().collect();
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    let count = groups.iter().map(|group| group.values.len()).fold(1, usize::saturating_mul);
    if count > MOST_COMBINATIONS {
        return Err(format!("its options have {count} combinations, more than {MOST_COMBINATIONS}"));
    }
    // The last option changes fastest.
    let mut combinations = vec![Vec::new()];
    for group in groups {
        let with_each = |begun: &Vec<(String, String)>| {
            let begun = begun.clone();
            let pairs = group.values.iter().map(|value| (group.name.clone(), value.clone()));
            pairs.map(move |pair| [&begun[..], &[pair]].concat())
        };
        combinations = combinations.iter().flat_map(with_each).collect();
    }
    let goals = combinations.into_iter().map(|options| {
        let named = joined_by(", and ", options.iter().map(|(name, value)| format!("{name}: {value}")));
        let with = if named.is_empty() { "" } else { " with " };
        let instruction = format!("{instruction}{with}{named}");
        Goal::of(product, instruction, attributes.to_vec(), GoalOptions::Named(options))
    });
    Ok((product.price, goals.collect()))
}

/// Weighs each goal by how rare its attributes are: the mean of one by the number of goals with each.
fn weigh(goals: &mut [Goal]) {
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for attribute in goals.iter().flat_map(|goal| &goal.attributes) {
        *counts.entry(attribute).or_default() += 1.0;
    }
    let weight = |goal: &Goal| {
        let rarity: f64 = goal.attributes.iter().map(|it| 1.0 / counts[&**it]).sum();
        rarity / goal.attributes.len().max(1) as f64
    };
    let weights: Vec<f64> = goals.iter().map(weight).collect();
    for (goal, weight) in goals.iter_mut().zip(weights) {
        goal.weight = weight;
    }
}
