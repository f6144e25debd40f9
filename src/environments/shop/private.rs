//! The private parts of a task: what the user knows of its goal, and the product that it is judged by.

use std::sync::Arc;

use serde_json::json;

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
    let fields = "instruction attributes options price_upper";
    part(goal, Seat::User, GOAL, fields)
}

/// What ChatShop's shopper knows of the product that it wants.
pub fn target(goal: &Goal) -> PrivateInfo {
    let fields = "name attributes options budget instruction";
    part(goal, Seat::User, TARGET, fields)
}

/// The goal and its product, for metrics.
pub fn goal_product(goal: &Goal) -> PrivateInfo {
    let fields = "asin name category attributes options price_upper instruction";
    part(goal, Seat::Conductor, GOAL_PRODUCT, fields)
}

/// A private part with these fields of a goal, in this order.
fn part(goal: &Goal, audience: Seat, label: &str, fields: &str) -> PrivateInfo {
    let options: Vec<&String> = match &goal.options {
        GoalOptions::Values(values) => values.iter().collect(),
        GoalOptions::Named(pairs) => pairs.iter().map(|(_, value)| value).collect(),
    };
    let all = json!({
        "asin": goal.asin,
        "name": goal.name,
        "category": goal.category,
        "attributes": goal.attributes,
        "options": options,
        "price_upper": goal.price_upper,
        "budget": goal.price_upper,
        "instruction": goal.instruction,
    });
    let fields = fields.split(' ');
    let fields = fields.map(|field| (field.to_owned(), all[field].clone()));
    PrivateInfo { audience, label: label.to_owned(), value: Arc::new(fields.collect()) }
}
