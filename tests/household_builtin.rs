//! The games that ship with the crate are playable and not trivial.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test or bench may stop and tell"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Game, World, builtin};

#[test]
fn built_in_games_can_be_won() {
    let games = builtin::games();
    let mut by_task: BTreeMap<&str, usize> = BTreeMap::new();
    assert_eq!(games.len(), 12);
    for (name, json) in &games {
        let game = Arc::new(Game::from_json(name, json.as_bytes()).unwrap());
        assert!(name.starts_with(game.task_type().prefix()), "{name}");
        *by_task.entry(game.task_type().short()).or_default() += 1;
        let mut world = World::new(Arc::clone(&game));
        let receptacles = game.receptacle_names().count();
        let objects = world.placements().count();
        assert!(
            (15..=30).contains(&receptacles),
            "{name}: {receptacles} receptacles"
        );
        assert!((20..=40).contains(&objects), "{name}: {objects} objects");
        let plan = shortest_plan(&world, PlanLimits::default()).unwrap();
        assert!(plan.commands.len() >= 4, "{name}: {:?}", plan.commands);
        for command in &plan.commands {
            assert!(!world.won());
            assert!(world.admissible().contains(command), "{name}: {command}");
            world.perform(command);
        }
        assert!(world.won(), "{name}");
    }
    assert!(by_task.values().all(|count| *count == 2), "{by_task:?}");
}

#[test]
fn names_count_up_in_the_order_of_the_room() {
    let (name, json) = builtin::games().swap_remove(0);
    let world = World::new(Arc::new(Game::from_json(&name, json.as_bytes()).unwrap()));
    let first = world.reset_observation();
    assert!(
        first.contains("you see a cabinet 5, a cabinet 4"),
        "{first}"
    );
    assert!(
        first.ends_with("Your task is to: put some peppershaker on shelf."),
        "{first}"
    );
    assert!(
        world
            .placements()
            .any(|pair| pair == ("bowl 1", "cabinet 1"))
    );
}
