//! What a good config becomes.

use std::sync::Arc;

use super::support::{GOOD, resolve};
use rolecall::domain::UserSees;

#[test]
fn defaults_are_filled_in() {
    let resolved = resolve(GOOD, &[]).unwrap();
    let plan = resolved.plan;
    assert_eq!((plan.name.as_str(), plan.seed.0, plan.repeats), ("run", 1, 1));
    assert_eq!(plan.tasks, [0, 1, 2]);
    let cell = &plan.cells[0];
    assert_eq!(
        (cell.name.as_str(), cell.environment.as_str(), cell.strategy_name.as_str()),
        ("main", "household", "respact")
    );
    assert_eq!(cell.limits, rolecall::config::Limits::default());
    assert_eq!(cell.users[0].sees, UserSees::DialogueAndObservations);
    assert_eq!(plan.run.logs.to_str(), Some("logs"));
    assert!(resolved.notes.is_empty());
}

#[test]
fn tasks_are_chosen_by_offset_and_limit() {
    let tasks = |sets: &[&str]| resolve(GOOD, sets).unwrap().plan.tasks;
    assert_eq!(tasks(&["tasks.offset=1"]), [1, 2]);
    assert_eq!(tasks(&["tasks.offset=1", "tasks.limit=1"]), [1]);
    assert_eq!(tasks(&["tasks.limit=100"]), [0, 1, 2]);
}

#[test]
fn cells_with_equal_environments_share_their_tasks() {
    let text = format!(
        "{GOOD}[[cells]]\nname = \"a\"\n[[cells]]\nname = \"b\"\nstrategy.name = \"react\"\n[[cells]]\nname = \"c\"\nenvironment.observations = \"classic\"\n"
    );
    let plan = resolve(&text, &[]).unwrap().plan;
    assert!(Arc::ptr_eq(&plan.cells[0].tasks, &plan.cells[1].tasks));
    assert!(!Arc::ptr_eq(&plan.cells[0].tasks, &plan.cells[2].tasks));
}

#[test]
fn roles_come_in_the_order_of_the_strategy_and_may_hide_their_thoughts() {
    let sets = ["strategy.name=relay", "roles.thinker={ implementation = \"rules\", hide_thoughts = true }"];
    let plan = resolve(GOOD, &sets).unwrap().plan;
    let roles: Vec<&str> = plan.cells[0].roles.iter().map(|seat| seat.role.as_str()).collect();
    assert_eq!(roles, ["thinker", "executor"]);
    let hidden: Vec<&str> = plan.cells[0].hidden_thoughts.iter().map(|role| role.as_str()).collect();
    assert_eq!(hidden, ["thinker"]);
}

#[test]
fn the_record_is_toml_and_says_what_was_used() {
    let resolved = resolve(GOOD, &["user.wrong_rate=0.25", "run.arbiters=3"]).unwrap();
    let record: toml::Table = resolved.plan.record.parse().unwrap();
    assert_eq!(record["schema"].as_integer(), Some(1));
    assert_eq!(record["rolecall"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!((record["tasks"].as_integer(), record["episodes"].as_integer()), (Some(3), Some(3)));
    assert_eq!(record["run"]["arbiters"].as_integer(), Some(3));
    let cell = &record["cells"][0];
    assert_eq!(cell["environment"]["data"].as_str(), Some("builtin"));
    assert_eq!(cell["users"][0]["parameters"]["wrong_rate"].as_float(), Some(0.25));
    assert_eq!(cell["roles"][0]["implementation"].as_str(), Some("rules"));
    assert_eq!(record["files"][0]["kind"].as_str(), Some("config"));
    assert_eq!(record["files"][0]["blake3"].as_str().map(str::len), Some(64));
}
