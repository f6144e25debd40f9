//! Generated catalogues: products of our own in the official form, drawn from a seed, with instructions as
//! shoppers would write them.
//!
//! Product `k` depends on the seed and on `k` alone, so that a larger catalogue begins with the smaller one. There
//! are many products of each kind, which differ in attributes and options: who knows the kind alone must ask.

mod product;
mod tables;
mod wording;

use super::catalogue::Product;
use super::goal::{self, Goal, GoalOptions};
use rolecall_core::text::Dice;

/// Number of products of the built-in catalogue.
pub const PRODUCTS: usize = 2_000;
/// Its seed.
pub const SEED: u64 = 17;
/// Number of goals that its instructions lead to, known before it is made.
pub const GOALS: usize = 2_498;
/// The products that have instructions are the first ones, as many as the official data has instructions for,
/// about: the goals of the largest catalogue still fit in memory.
pub const INSTRUCTED: usize = 10_000;

/// A product with the instructions that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The product.
    pub product: Product,
    /// Goals as shoppers write them, with the names of their options; none of most products of a large catalogue.
    pub instructions: Vec<Goal>,
    /// The beginning of the instructions of synthetic goals, and the attributes it names.
    pub synthetic: Option<(String, Vec<String>)>,
}

impl Generated {
    /// The goals of its instructions, as official goals by people are: without the names of options.
    pub fn goals(&self) -> impl Iterator<Item = Goal> {
        self.instructions.iter().map(|named| {
            let mut goal = named.clone();
            if let GoalOptions::Named(pairs) = &named.options {
                let values = pairs.iter().map(|(_, value)| value.clone());
                goal.options = GoalOptions::Values(values.collect());
            }
            goal
        })
    }
}

/// The first products of a seed, one after the other.
pub fn products(count: usize, seed: u64) -> impl Iterator<Item = Generated> {
    (0..count).map(move |index| generated(index, seed))
}

/// Such a product by its number.
fn generated(index: usize, seed: u64) -> Generated {
    let mut dice = Dice::new("rolecall shop 1", "product", &[seed, index as u64]);
    let draft = product::Draft::new(&mut dice);
    let product = draft.product(product::asin(index, seed), &mut dice);
    let (mut instructions, mut synthetic) = (Vec::new(), None);
    if index < INSTRUCTED {
        let count = 1 + usize::from(dice.percent(25));
        instructions.extend((0..count).map(|_| wording::goal(&draft, &product, &mut dice)));
        synthetic = Some(wording::synthetic(&draft, &mut dice));
    }
    Generated { product, instructions, synthetic }
}

/// A catalogue in memory, with its goals in the official order.
pub fn catalogue(count: usize, seed: u64) -> (Vec<Product>, Vec<Goal>) {
    let mut goals = Vec::new();
    let products = products(count, seed)
        .map(|generated| {
            goals.extend(generated.goals());
            generated.product
        })
        .collect();
    goal::shuffle(&mut goals);
    (products, goals)
}

/// The catalogue that needs no data: 2,000 products, and goals for each split.
pub fn builtin() -> (Vec<Product>, Vec<Goal>) {
    catalogue(PRODUCTS, SEED)
}

#[cfg(test)]
mod tests;
