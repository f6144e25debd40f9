//! Generated games: solvable, unsolved at the start, the same everywhere, and as wished.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use rolecall::environments::household::generate::{GeneratedGame, Generator, Span, Split, Wishes};
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Game, TaskType, World};
use serde_json::Value;

fn generator(wishes: Wishes) -> Generator {
    Generator::new(wishes).unwrap()
}

fn games(wishes: Wishes, count: usize) -> Vec<GeneratedGame> {
    let generator = generator(wishes);
    (0..count).map(|index| generator.game(index).unwrap()).collect()
}

fn load(game: &GeneratedGame) -> Arc<Game> {
    Arc::new(Game::from_json(&game.id, game.game.as_bytes()).unwrap())
}

/// The list after the last `you see`, well formed or not.
fn listed(observation: &str) -> Vec<String> {
    let (_, list) = observation.rsplit_once("you see ").unwrap();
    let list = list.split('.').next().unwrap();
    let names = list.replace(", and ", ", ");
    names.split(", ").map(str::to_owned).collect()
}

fn is_name(name: &str) -> bool {
    let mut words = name.split(' ');
    let (article, class, number) = (words.next(), words.next(), words.next());
    article == Some("a")
        && class.is_some_and(|class| class.chars().all(|letter| letter.is_ascii_lowercase()))
        && number.is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number > 0))
        && words.next().is_none()
}

/// Plays the walkthrough: every command is admissible, and the last one wins.
fn replay(game: &GeneratedGame) {
    let compiled = load(game);
    let walkthrough = compiled.walkthrough().unwrap().to_vec();
    let mut world = World::new(Arc::clone(&compiled));
    let first = world.reset_observation();
    assert!(listed(&first).iter().all(|name| is_name(name)), "{first}");
    assert_eq!(world.facing().count(), 0, "{}: the agent stands at a receptacle", game.id);
    assert!(compiled.receptacle_names().all(|name| world.admissible().contains(&format!("go to {name}"))));
    let shortest = shortest_plan(&world, PlanLimits::default()).unwrap();
    assert_eq!(shortest.commands, walkthrough);
    for command in &walkthrough {
        assert!(!world.won(), "{}: won before `{command}`", game.id);
        assert!(world.admissible().contains(command), "{}: `{command}`", game.id);
        let seen = world.perform(command);
        if seen.contains("you see ") {
            let names = listed(&seen);
            assert!(names == ["nothing"] || names.iter().all(|name| is_name(name)), "{seen}");
        }
    }
    assert!(world.won(), "{}", game.id);
}

/// Ranges that every kind of room can fulfil, with anything that may be asked for beside them.
fn any_wishes() -> impl Strategy<Value = Wishes> {
    let split = prop::sample::select(Split::ALL.to_vec());
    let receptacles = prop::option::of((12_usize..50, 0_usize..20));
    let objects = prop::option::of((4_usize..100, 0_usize..20));
    (split, any::<u32>(), 2_usize..200, receptacles, objects).prop_map(|(split, seed, rooms, receptacles, objects)| {
        let span = |(least, more)| Span::new(least, least + more);
        Wishes { rooms, receptacles: receptacles.map(span), objects: objects.map(span), ..Wishes::new(split, seed) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_wished_game_can_be_won(wishes in any_wishes(), index in 0_usize..100_000) {
        let made = generator(wishes.clone()).game(index).unwrap();
        replay(&made);
        let game = load(&made);
        let receptacles = game.receptacle_names().count();
        let objects = World::new(Arc::clone(&game)).placements().count();
        prop_assert!(wishes.receptacles.is_none_or(|span| span.contains(receptacles)), "{receptacles}");
        prop_assert!(wishes.objects.is_none_or(|span| span.contains(objects)), "{objects}");
        prop_assert!(wishes.plan.contains(game.walkthrough().unwrap().len()));
    }
}

#[test]
fn the_same_wishes_give_the_same_bytes_for_ever() {
    let mut hash = blake3::Hasher::new();
    for split in Split::ALL {
        for game in games(Wishes::new(split, 1), 6) {
            for text in [&game.id, &game.game, &game.trajectory, &game.problem] {
                hash.update(text.as_bytes());
                hash.update(b"\n");
            }
        }
    }
    // Whoever changes this on purpose changes every figure that was measured on built-in games: say
    // so in the changelog.
    let known = "183dea1e3eb1d71e2e180e9fdcd536022b5dbbcf9a15920c9953b466d0aa5c65";
    assert_eq!(hash.finalize().to_hex().as_str(), known);
}

#[test]
fn a_set_begins_with_the_shorter_one() {
    let wishes = Wishes::new(Split::Seen, 7);
    let long = games(wishes.clone(), 12);
    assert_eq!(long[..5], games(wishes.clone(), 5));
    assert_eq!(long[11], generator(wishes).game(11).unwrap());
    let ids: BTreeSet<&String> = long.iter().map(|game| &game.id).collect();
    assert_eq!(ids.len(), long.len());
}

/// What a floor plan looks like in the world: its receptacles with their ids.
fn rooms(split: Split, seed: u32) -> BTreeSet<Vec<String>> {
    let games = games(Wishes::new(split, seed), 60);
    let rooms = games.iter().map(|game| {
        let lines = game.problem.lines().filter(|line| line.contains("(receptacleAtLocation"));
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    });
    rooms.collect()
}

#[test]
fn unseen_rooms_are_new_and_seen_rooms_are_known() {
    let (train, seen, unseen) = (rooms(Split::Train, 3), rooms(Split::Seen, 3), rooms(Split::Unseen, 3));
    assert!(train.len() > 20 && unseen.len() > 20);
    assert_eq!(train.intersection(&unseen).count(), 0);
    assert!(train.intersection(&seen).count() > 10);
    let texts = |split| -> BTreeSet<String> {
        let games = games(Wishes::new(split, 3), 60);
        games.into_iter().map(|game| game.problem).collect()
    };
    assert_eq!(texts(Split::Train).intersection(&texts(Split::Seen)).count(), 0);
}

#[test]
fn files_are_as_the_original_reads_them() {
    for game in games(Wishes::new(Split::Unseen, 1), 12) {
        let file: Value = serde_json::from_str(&game.game).unwrap();
        let keys: Vec<&String> = file.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["pddl_domain", "grammar", "pddl_problem", "solvable", "walkthrough"]);
        assert_eq!(file["pddl_problem"], game.problem.as_str());
        assert_eq!(file["solvable"], true);
        let trajectory: Value = serde_json::from_str(&game.trajectory).unwrap();
        let [split, folder, trial] = game.id.split('/').collect::<Vec<_>>()[..] else {
            panic!("{}", game.id);
        };
        assert_eq!(split, "valid_unseen");
        assert_eq!(trajectory["task_id"], trial);
        let parts: Vec<&str> = folder.split('-').collect();
        let [task, object, "None", target, scene] = parts[..] else {
            panic!("{folder}");
        };
        assert_eq!(trajectory["task_type"], task);
        let params = &trajectory["pddl_params"];
        assert_eq!(params["object_target"], object);
        let place = if task.starts_with("look") { "toggle_target" } else { "parent_target" };
        assert_eq!(params[place], target);
        assert_eq!(trajectory["scene"]["scene_num"].to_string(), scene);
        let sentences = trajectory["turk_annotations"]["anns"].as_array().unwrap();
        let said = load(&game).task_sentence().to_owned();
        let annotated = |one: &&Value| one["task_desc"].as_str().unwrap().to_lowercase() == said;
        assert_eq!(sentences.iter().filter(annotated).count(), 1);
    }
}

#[test]
fn rooms_are_rich_and_share_locations() {
    let mut tasks = BTreeSet::new();
    let mut shared = 0;
    let mut first: Vec<String> = Vec::new();
    for made in games(Wishes::new(Split::Unseen, 1), 30) {
        let game = load(&made);
        let mut world = World::new(Arc::clone(&game));
        tasks.insert(game.task_type());
        assert!(game.receptacle_names().any(|name| world.is_closed(name)));
        let several = |name: &str| name.ends_with(" 2");
        assert!(game.receptacle_names().any(several) && world.placements().any(|(name, _)| several(name)));
        let names: Vec<String> = game.receptacle_names().map(str::to_owned).collect();
        let together = names.iter().any(|name| {
            world.perform(&format!("go to {name}"));
            world.facing().count() > 1
        });
        shared += usize::from(together);
        first = names;
    }
    assert_eq!(tasks.len(), TaskType::ALL.len());
    assert!(shared >= 15, "{shared} of 30 rooms have shared locations");
    // Numbers go down in the order of ids.
    let drawers: Vec<&String> = first.iter().filter(|name| name.starts_with("drawer ")).collect();
    let down: Vec<String> = (1..=drawers.len()).rev().map(|number| format!("drawer {number}")).collect();
    assert!(drawers.len() > 1 && drawers.into_iter().eq(&down), "{first:?}");
}

#[test]
fn impossible_wishes_are_refused_by_name() {
    let fault = |change: fn(&mut Wishes)| {
        let mut wishes = Wishes::new(Split::Unseen, 1);
        change(&mut wishes);
        let error = Generator::new(wishes).and_then(|generator| generator.game(0));
        let error = error.unwrap_err();
        (error.knob.unwrap_or_default(), error.to_string())
    };
    let remedies = [
        (fault(|wishes| wishes.rooms = 1), "rooms", "choose 2"),
        (fault(|wishes| wishes.receptacles = Some(Span::new(3, 5))), "receptacles", "12.."),
        (fault(|wishes| wishes.objects = Some(Span::new(1, 2))), "objects", "4.."),
        (fault(|wishes| wishes.plan = Span::new(30, 40)), "plan", "3..10"),
    ];
    for ((knob, text), expected, remedy) in remedies {
        assert_eq!(knob, expected);
        assert!(text.contains("choose") && text.contains(remedy), "{text}");
    }
    assert!(Split::named("valid_seen") == Ok(Split::Seen) && Split::named("test").is_err());
}
