//! The private parts of a task: what the user, the agent or metrics alone may know.

use std::sync::Arc;

use serde_json::{Value, json};

use super::variant::likely_places;
use super::wish::alternatives;
use super::{Hints, Phrasing, PlanLimits, Variant, Wish, World, shortest_plan};
use crate::domain::{PrivateInfo, RoleName, Seat};
use crate::ports::EnvironmentError;

/// The role that is told of likely places.
const EXECUTOR: &str = "executor";

/// The parts of a task whose room is at its start; in ambiguous games with what is meant.
pub(super) fn private_parts(
    world: &World,
    wish: Option<&Wish>,
    phrasing: Phrasing,
    variant: Variant,
    hints: Hints,
) -> Result<Vec<PrivateInfo>, EnvironmentError> {
    let commands = wish.map_or_else(|| oracle_plan(world), |wish| wish.plan.clone());
    let worded = commands.iter().map(|command| phrasing.command_to_agent(command));
    let plan = worded.map(|command| Value::from(command.into_owned())).collect();
    let placements = world.placements();
    let placements = placements.map(|(object, receptacle)| json!([object, receptacle]));
    let mut parts = vec![part(Seat::User, "oracle_plan", plan), part(Seat::User, "placements", placements.collect())];
    if let Some(wish) = wish {
        parts.push(part(Seat::User, "wish", json!(wish.objects)));
        let alternatives = json!(alternatives(world));
        parts.push(part(Seat::Conductor, "alternatives", alternatives));
    }
    if hints != Hints::None {
        let executor = RoleName::new(EXECUTOR).map_err(|error| EnvironmentError::Failed(error.to_string()))?;
        let places = likely_places(world, variant, hints).into();
        parts.push(part(Seat::Role(executor), "likely_places", places));
    }
    Ok(parts)
}

fn part(audience: Seat, label: &str, value: Value) -> PrivateInfo {
    PrivateInfo { audience, label: label.to_owned(), value: Arc::new(value) }
}

/// The commands that solve the game: the shortest, or where the search gives up those that the file
/// carries.
fn oracle_plan(world: &World) -> Vec<String> {
    let found = shortest_plan(world, PlanLimits::default()).map(|plan| plan.commands);
    let carried = || world.game().walkthrough().map(<[String]>::to_vec);
    found.ok().or_else(carried).unwrap_or_default()
}
