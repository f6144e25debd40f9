//! The private parts of a task: what the user knows of its goal, and the product that it is judged by.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::domain::{PrivateInfo, Seat};
use crate::environments::shop::goal::{Goal, GoalOptions};

/// The label of what ChatShop's shopper knows.
pub const TARGET: &str = "target";

/// The label of what only metrics and judges see.
pub const GOAL_PRODUCT: &str = "goal_product";

/// The label of what WebShop's user knows.
pub const GOAL: &str = "goal";

/// What WebShop's user knows: all but the product.
pub fn goal(goal: &Goal) -> PrivateInfo {
    part(
        Seat::User,
        GOAL,
        json!({
            "instruction": goal.instruction,
            "attributes": goal.attributes,
            "options": options(goal),
            "price_upper": goal.price_upper,
        }),
    )
}

/// What ChatShop's shopper knows of the product that it wants.
pub fn target(goal: &Goal) -> PrivateInfo {
    part(
        Seat::User,
        TARGET,
        json!({
            "name": goal.name,
            "attributes": goal.attributes,
            "options": options(goal),
            "budget": goal.price_upper,
            "instruction": goal.instruction,
        }),
    )
}

/// The goal and its product, for metrics.
pub fn goal_product(goal: &Goal) -> PrivateInfo {
    part(
        Seat::Conductor,
        GOAL_PRODUCT,
        json!({
            "asin": goal.asin,
            "name": goal.name,
            "category": goal.category,
            "attributes": goal.attributes,
            "options": options(goal),
            "price_upper": goal.price_upper,
            "instruction": goal.instruction,
        }),
    )
}

/// The values of the options that are wanted.
pub fn options(goal: &Goal) -> Vec<&str> {
    match &goal.options {
        GoalOptions::Values(values) => values.iter().map(String::as_str).collect(),
        GoalOptions::Named(pairs) => pairs.iter().map(|(_, value)| value.as_str()).collect(),
    }
}

fn part(audience: Seat, label: &str, value: Value) -> PrivateInfo {
    PrivateInfo {
        audience,
        label: label.to_owned(),
        value: Arc::new(value),
    }
}
