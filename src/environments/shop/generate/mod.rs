//! Generated catalogues: products of our own in the official form, drawn from a seed, with instructions as
//! shoppers would write them.
//!
//! Product `k` depends on the seed and on `k` alone, so that a larger catalogue begins with the smaller one. There
//! are many products of each kind, which differ in attributes and options: who knows the kind alone must ask.

mod product;
mod tables;
mod wording;

use super::catalogue::Product;
use super::goal::{self, Goal, GoalOptions, bound};
use crate::text::Dice;

/// Number of products of the built-in catalogue.
pub const PRODUCTS: usize = 2_000;
/// Its seed.
pub const SEED: u64 = 17;
/// The products that have instructions are the first ones, as many as the official data has instructions for,
/// about: the goals of the largest catalogue still fit in memory.
pub const INSTRUCTED: usize = 10_000;

/// A product with the instructions that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The product.
    pub product: Product,
    /// Instructions as shoppers write them; none of most products of a large catalogue.
    pub instructions: Vec<Instruction>,
    /// The beginning of the instructions of synthetic goals, and the attributes it names.
    pub synthetic: Option<(String, Vec<String>)>,
}

/// What a shopper wants, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// The whole instruction, without the price.
    pub text: String,
    /// The same without attributes and options.
    pub partly: String,
    /// The kind of product alone.
    pub subject: String,
    /// The attributes it names.
    pub attributes: Vec<String>,
    /// The options it names, as names and values.
    pub options: Vec<(String, String)>,
    /// The most that it may cost, in dollars, above every price of the product.
    pub bound: f64,
}

impl Instruction {
    /// The goal that the instruction states of a product.
    fn goal(&self, product: &Product) -> Goal {
        let price = bound::clause(self.bound);
        let values = self.options.iter().map(|(_, value)| value.clone());
        Goal {
            asin: product.asin.clone(),
            category: product.category.clone(),
            query: product.query.clone(),
            name: product.title.clone(),
            product_category: product.product_category.clone(),
            instruction: format!("{}{price}", self.text),
            attributes: self.attributes.clone(),
            price_upper: self.bound,
            options: GoalOptions::Values(values.collect()),
            weight: 1.0,
            disclosures: Some([
                self.text.clone(),
                self.partly.clone(),
                self.subject.clone(),
                price,
            ]),
        }
    }
}

impl Generated {
    /// The goals of its instructions.
    pub fn goals(&self) -> impl Iterator<Item = Goal> {
        let goal = |instruction: &Instruction| instruction.goal(&self.product);
        self.instructions.iter().map(goal)
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
    if index >= INSTRUCTED {
        return Generated {
            product,
            instructions: Vec::new(),
            synthetic: None,
        };
    }
    let count = 1 + usize::from(dice.percent(25));
    let instructions = (0..count).map(|_| wording::instruction(&draft, &product, &mut dice));
    Generated {
        instructions: instructions.collect(),
        synthetic: Some(wording::synthetic(&draft, &mut dice)),
        product,
    }
}

/// A catalogue in memory, with its goals in the official order.
pub fn catalogue(count: usize, seed: u64) -> (Vec<Product>, Vec<Goal>) {
    let mut goals = Vec::new();
    let products = products(count, seed).map(|generated| {
        goals.extend(generated.goals());
        generated.product
    });
    let products = products.collect();
    goal::shuffle(&mut goals);
    (products, goals)
}

/// The catalogue that needs no data: 2,000 products, and goals for each split.
pub fn builtin() -> (Vec<Product>, Vec<Goal>) {
    catalogue(PRODUCTS, SEED)
}

#[cfg(test)]
mod tests;
