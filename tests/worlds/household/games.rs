//! Every official game loads, its walkthrough wins, and plans are never longer.

use std::path::Path;
use std::sync::Arc;

use crate::support::recordings::data;
use rolecall::environments::household::load::{self, Selection};
use rolecall::environments::household::plan::{PlanError, PlanLimits, shortest_plan};
use rolecall::environments::household::{Game, HouseholdError, TaskType, World};

fn selection(split: &str) -> Selection {
    Selection { split: Some(split.to_owned()), ..Selection::default() }
}

/// Plays commands; each must be admissible and only the last may win.
fn wins(game: &Arc<Game>, commands: &[String]) {
    let mut world = World::new(Arc::clone(game));
    for (index, command) in commands.iter().enumerate() {
        assert!(!world.won(), "{}: won before `{command}`", game.name());
        assert!(world.admissible().contains(command), "{}: `{command}`", game.name());
        assert_ne!(world.perform(command), "Nothing happens.");
        assert_eq!(world.won(), index + 1 == commands.len(), "{}: `{command}`", game.name());
    }
    assert!(world.won(), "{}", game.name());
}

fn check(path: &Path) {
    let game = Arc::new(Game::load(path).unwrap());
    let world = World::new(Arc::clone(&game));
    assert!(game.memory_bytes() <= 40_000, "{}: {} bytes", game.name(), game.memory_bytes());
    assert!(world.memory_bytes() <= 4_000, "{}: {} bytes", game.name(), world.memory_bytes());
    let plan = shortest_plan(&world, PlanLimits::default()).unwrap();
    wins(&game, &plan.commands);
    if let Some(walkthrough) = game.walkthrough() {
        wins(&game, walkthrough);
        assert!(plan.commands.len() <= walkthrough.len(), "{}: {:?}", game.name(), plan.commands);
    }
    let folder = path.ancestors().nth(2).and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
    assert_eq!(folder.split('-').next(), Some(game.task_type().prefix()));
}

#[test]
fn official_games_load_and_their_walkthroughs_win() {
    let Some(data) = data("household") else {
        return;
    };
    let root = data.join("json_2.1.1");
    for (split, count) in [("valid_unseen", 134), ("valid_seen", 140), ("train", 24)] {
        let files = load::list(&root, &selection(split)).unwrap();
        assert_eq!(files.len(), count, "{split}");
        files.iter().for_each(|path| check(path));
    }
    let old = load::list(&data.join("old_style"), &Selection::default()).unwrap();
    assert_eq!(old.len(), 12);
    old.iter().for_each(|path| check(path));
    assert!(old.iter().all(|path| Game::load(path).unwrap().dialect().is_old_style()));
}

/// Whether the held object can be put down nowhere: some official games let one take such an object.
fn is_stuck(world: &World) -> bool {
    let mut world = world.clone();
    let places: Vec<String> = world.game().receptacle_names().map(str::to_owned).collect();
    world.holding().is_some()
        && places.iter().all(|place| {
            world.perform(&format!("go to {place}"));
            world.perform(&format!("open {place}"));
            !world.admissible().iter().any(|command| command.starts_with("move "))
        })
}

#[test]
fn plans_start_from_any_state() {
    let Some(data) = data("household") else {
        return;
    };
    let files = load::list(&data.join("json_2.1.1"), &selection("valid_unseen")).unwrap();
    for path in files.iter().step_by(9) {
        let mut world = World::new(Arc::new(Game::load(path).unwrap()));
        let mut pick = 7_usize;
        for _ in 0..60 {
            let commands = world.admissible();
            pick = (pick * 1_103 + 12_345) % 65_521;
            world.perform(&commands[pick % commands.len()]);
            let plan = match shortest_plan(&world, PlanLimits::default()) {
                Ok(plan) => plan,
                Err(fault) => {
                    assert_eq!(fault, PlanError::Unreachable);
                    assert!(is_stuck(&world), "{}: no plan", path.display());
                    break;
                }
            };
            let mut copy = world.clone();
            plan.commands.iter().for_each(|command| assert_ne!(copy.perform(command), "Nothing happens."));
            assert!(copy.won());
        }
    }
}

#[test]
fn selections_keep_to_the_official_rules() {
    let Some(data) = data("household") else {
        return;
    };
    let root = data.join("json_2.1.1");
    let sorted = load::list(&root, &selection("valid_seen")).unwrap();
    assert!(sorted.is_sorted());
    let heat = Selection { task_types: vec![TaskType::PickHeat], ..selection("valid_seen") };
    let heat = load::list(&root, &heat).unwrap();
    assert!(!heat.is_empty() && heat.iter().all(|path| path.to_string_lossy().contains("pick_heat")));
    let shuffled = Selection { shuffle: Some(1234), ..selection("valid_seen") };
    let mut shuffled = load::list(&root, &shuffled).unwrap();
    assert_ne!(shuffled, sorted);
    shuffled.sort();
    assert_eq!(shuffled, sorted);
    let limited = Selection { limit: Some(3), ..selection("valid_seen") };
    assert_eq!(load::list(&root, &limited).unwrap(), sorted[..3]);
    let fault = load::list(&root, &selection("valid_sen")).unwrap_err();
    assert!(matches!(&fault, HouseholdError::NoSplit { available, .. } if available.contains("valid_seen")), "{fault}");
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(load::list(empty.path(), &Selection::default()), Err(HouseholdError::NoGames { .. })));
    assert!(matches!(load::list(&empty.path().join("none"), &Selection::default()), Err(HouseholdError::Read { .. })));
}
