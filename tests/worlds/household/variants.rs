//! The variants of the household (ABA section 4.2) and what executors are told of likely places.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::tasks::{Parameter, build, text};
use crate::support::recordings::data;
use rolecall::domain::{Action, Begun, Observation, Score, Seat, Seed};
use rolecall::environments::household::generate::{Generator, Split, Wishes};
use rolecall::environments::household::language::class_of;
use rolecall::environments::household::next_task::next_task;
use rolecall::environments::household::plan::{PlanLimits, shortest_plan};
use rolecall::environments::household::{Game, World};
use rolecall::ports::{Environment, EnvironmentError, OpenTask, ParameterValue, TaskSource};
use serde_json::Value;

/// So many built-in games of a variant.
fn builtin(games: i64, variant: &str, extra: &[Parameter]) -> Arc<dyn TaskSource> {
    let mut values = vec![("games", ParameterValue::Integer(games)), ("variant", text(variant))];
    values.extend_from_slice(extra);
    build(&values).unwrap()
}

/// Every task of a source.
fn all(tasks: &Arc<dyn TaskSource>) -> Vec<OpenTask> {
    (0..tasks.len()).map(|index| tasks.open(index).unwrap()).collect()
}

/// A private part of a task, and for whom it is.
fn part<'t>(task: &'t OpenTask, label: &str) -> Option<(&'t Value, &'t Seat)> {
    let mut parts = task.task.private.iter();
    let part = parts.find(|part| part.label == label)?;
    Some((&part.value, &part.audience))
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn plan(task: &OpenTask) -> Vec<String> {
    texts(part(task, "oracle_plan").unwrap().0)
}

fn wish(task: &OpenTask) -> Vec<String> {
    let (wish, audience) = part(task, "wish").unwrap();
    assert_eq!(*audience, Seat::User);
    texts(wish)
}

fn alternatives(task: &OpenTask) -> u64 {
    let (count, audience) = part(task, "alternatives").unwrap();
    assert_eq!(*audience, Seat::Conductor);
    count.as_u64().unwrap()
}

fn begun(round: u32, seed: u64) -> Begun {
    Begun { trial: 0, round, keep_world: round > 0, seed: Seed(seed) }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

/// A live room of a task, asked without waiting.
struct Room(Box<dyn Environment>);

impl Room {
    fn new(task: &OpenTask) -> Self {
        let mut room = Self((task.environment)());
        run(room.0.begin(&begun(0, 7))).unwrap();
        room
    }

    fn go_on(&mut self, round: u32, seed: u64) -> Result<Observation, EnvironmentError> {
        run(self.0.begin(&begun(round, seed)))
    }

    /// Performs commands; gives the last observation.
    fn perform(&mut self, commands: &[String]) -> Observation {
        let mut last = None;
        for command in commands {
            let seen = run(self.0.perform(&Action::text(command.as_str()))).unwrap();
            assert!(!seen.invalid, "{command}");
            last = Some(seen);
        }
        last.unwrap()
    }

    fn score(&mut self) -> Score {
        run(self.0.assess()).unwrap()
    }
}

#[test]
fn an_ambiguous_game_has_one_specific_object_and_its_plan_reaches_it() {
    let mut types = BTreeSet::new();
    let standard = all(&builtin(24, "standard", &[]));
    for (task, plain) in all(&builtin(24, "ambiguous", &[])).iter().zip(&standard) {
        let public = &task.task.public;
        types.insert(public.kind.clone());
        assert_eq!(public.data["variant"], "ambiguous");
        assert_eq!((&public.id, &public.text), (&plain.task.public.id, &plain.task.public.text));
        let wish = wish(task);
        let two = public.kind == "puttwo";
        assert_eq!(wish.len(), 1 + usize::from(two), "{}", public.id);
        let classes: BTreeSet<&str> = wish.iter().map(|name| class_of(name)).collect();
        assert_eq!(classes.len(), 1);
        assert!(public.text.contains(classes.first().unwrap()), "{}", public.text);
        assert!(alternatives(task) >= wish.len() as u64);
        assert!(plan(task).len() >= plan(plain).len(), "{}", public.id);
        let mut room = Room::new(task);
        let before = plan(task).len() - 1;
        assert!(!room.perform(&plan(task)[..before]).done);
        assert!(room.perform(&plan(task)[before..]).done);
        assert!(room.score().success);
        let placed = plan(task).join("\n");
        assert!(wish.iter().all(|name| placed.contains(name.as_str())), "{placed}");
    }
    assert_eq!(types.len(), 6, "{types:?}");
}

#[test]
fn other_objects_of_the_class_do_not_solve_an_ambiguous_game() {
    let one = all(&builtin(40, "ambiguous", &[]));
    let standard = builtin(40, "standard", &[]);
    let mut types = BTreeSet::new();
    for seed in 2..8 {
        let others = builtin(40, "ambiguous", &[("wish_seed", ParameterValue::Integer(seed))]);
        for (task, other) in one.iter().zip(all(&others)) {
            if wish(task) == wish(&other) {
                continue;
            }
            assert!(alternatives(task) > wish(task).len() as u64);
            types.insert(task.task.public.kind.clone());
            let mut room = Room::new(task);
            assert!(!room.perform(&plan(&other)).done, "{}", task.task.public.id);
            assert!(!room.score().success);
            // Somebody who means anything of the class is content.
            let index = one.iter().position(|same| same.task.public.id == task.task.public.id);
            let mut room = Room::new(&standard.open(index.unwrap()).unwrap());
            assert!(room.perform(&plan(&other)).done);
        }
    }
    assert_eq!(types.len(), 6, "{types:?}");
}

#[test]
fn the_wish_is_a_function_of_its_seed_and_the_game() {
    let wishes = |seed| -> Vec<Vec<String>> {
        let seed = ("wish_seed", ParameterValue::Integer(seed));
        all(&builtin(24, "ambiguous", &[seed])).iter().map(wish).collect()
    };
    let usual: Vec<_> = all(&builtin(24, "ambiguous", &[])).iter().map(wish).collect();
    assert_eq!(usual, wishes(1));
    assert_ne!(usual, wishes(2));
}

#[test]
fn a_standard_game_knows_nothing_of_variants() {
    for (index, task) in all(&builtin(12, "standard", &[])).into_iter().enumerate() {
        assert!(task.task.public.data.get("variant").is_none());
        let labels: Vec<&str> = task.task.private.iter().map(|part| part.label.as_str()).collect();
        assert_eq!(labels, ["oracle_plan", "placements"]);
        let plain = build(&[("games", ParameterValue::Integer(12))]).unwrap().open(index).unwrap();
        assert_eq!(plain.task, task.task);
    }
}

#[test]
fn only_a_room_of_many_rounds_goes_on() {
    for variant in ["standard", "ambiguous"] {
        let task = builtin(1, variant, &[]).open(0).unwrap();
        let mut room = Room::new(&task);
        room.perform(&plan(&task));
        let error = room.go_on(1, 3).err().unwrap();
        let said = error.to_string();
        assert!(said.contains("environment.variant = \"multi-round\""), "{said}");
    }
}

/// The forms of the six task types' sentences.
const FORMS: [&str; 13] = [
    "put a clean ",
    "put a hot ",
    "put a cool ",
    "put a ",
    "put some ",
    "put two ",
    "find two ",
    "clean some ",
    "heat some ",
    "cool some ",
    "look at ",
    "examine the ",
    "There is nothing more to do",
];

/// Plays a task and the next ones with a room beside the environment; gives the sentences.
fn play_rounds(task: &OpenTask, game: &Arc<Game>, rounds: u32, drawn: u64) -> Vec<String> {
    let mut room = Room::new(task);
    let mut beside = World::new(Arc::clone(game));
    let mut asked = vec![task.task.public.text.clone()];
    for round in 1..=rounds {
        let commands = shortest_plan(&beside, PlanLimits::default()).unwrap().commands;
        assert!(!commands.is_empty(), "{asked:?}");
        let last = room.perform(&commands);
        commands.iter().for_each(|command| drop(beside.perform(command)));
        assert!(last.done && beside.won());
        assert_eq!(room.score(), Score::all_or_nothing(true));
        let seed = 1000 * u64::from(round) + drawn;
        let begin = room.go_on(round, seed).unwrap();
        let Some(next) = next_task(&beside, Seed(seed)) else {
            assert!(begin.done);
            break;
        };
        // What is held stays held, and what was done stays done.
        assert!(!begin.done && !room.score().success, "{}", begin.text);
        let sentence = begin.text.strip_prefix("Your next task is to: ").unwrap();
        assert_eq!(sentence, next.task_sentence());
        assert!(FORMS.iter().any(|form| sentence.starts_with(form)), "{sentence}");
        asked.push(sentence.to_owned());
        beside.pursue(next);
    }
    asked
}

#[test]
fn rounds_are_solvable_new_and_a_function_of_the_seed() {
    let tasks = builtin(12, "multi-round", &[]);
    let generator = Generator::new(Wishes::new(Split::Unseen, 1)).unwrap();
    let mut seen = BTreeSet::new();
    for index in 0..tasks.len() {
        let task = tasks.open(index).unwrap();
        assert_eq!(task.task.public.data["variant"], "multi-round");
        let made = generator.game(index).unwrap();
        let game = Arc::new(Game::from_json(&made.id, made.game.as_bytes()).unwrap());
        let asked = play_rounds(&task, &game, 8, index as u64);
        assert!(asked.len() > 2, "{asked:?}");
        assert_eq!(asked, play_rounds(&task, &game, 8, index as u64));
        seen.extend(
            asked.into_iter().skip(1).filter_map(|sentence| FORMS.iter().position(|form| sentence.starts_with(form))),
        );
    }
    // Every sentence form but the end came up.
    assert_eq!(seen, (0..FORMS.len() - 1).collect(), "{seen:?}");
}

#[test]
fn another_seed_asks_for_something_else_and_a_new_go_starts_over() {
    let task = builtin(1, "multi-round", &[]).open(0).unwrap();
    let next = |seed| {
        let mut room = Room::new(&task);
        room.perform(&plan(&task));
        room.go_on(1, seed).unwrap().text
    };
    let asked: BTreeSet<String> = (0..10).map(next).collect();
    assert!(asked.len() > 5, "{asked:?}");
    let mut room = Room::new(&task);
    room.perform(&plan(&task));
    room.go_on(1, 1).unwrap();
    let again = room.go_on(0, 7).unwrap();
    assert!(again.text.ends_with(&task.task.public.text), "{}", again.text);
    assert!(room.perform(&plan(&task)).done);
}

#[test]
fn likely_places_are_for_the_executor_and_true() {
    assert!(all(&builtin(6, "standard", &[])).iter().all(|task| part(task, "likely_places").is_none()));
    for word in ["classes", "places"] {
        for task in all(&builtin(24, "standard", &[("hints", text(word))])) {
            let (told, audience) = part(&task, "likely_places").unwrap();
            assert_eq!(audience.as_str(), "executor");
            let told = texts(told);
            let lamp = task.task.public.kind == "examine";
            assert_eq!(told.len(), 1 + usize::from(lamp), "{told:?}");
            let placements = part(&task, "placements").unwrap().0.as_array().unwrap();
            for line in &told {
                let (class, places) = line.split_once(": ").unwrap();
                let mut expected = Vec::new();
                for pair in placements {
                    let (object, place) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
                    let place = if word == "classes" { class_of(place) } else { place };
                    if class_of(object) == class && !expected.contains(&place) {
                        expected.push(place);
                    }
                }
                assert_eq!(places, expected.join(", "));
            }
            assert!(task.task.public.text.contains(told[0].split(':').next().unwrap()));
        }
    }
    // Later tasks of a room may be about anything.
    let rounds = builtin(1, "multi-round", &[("hints", text("classes"))]).open(0).unwrap();
    assert!(texts(part(&rounds, "likely_places").unwrap().0).len() > 3);
}

#[test]
fn every_official_game_can_be_played_in_every_variant() {
    let Some(data) = data("household") else {
        return;
    };
    let root = data.join("json_2.1.1");
    for (split, games) in [("valid_seen", 140), ("valid_unseen", 134)] {
        for variant in ["ambiguous", "multi-round"] {
            let tasks = build(&[
                ("data", ParameterValue::Path(root.clone())),
                ("split", text(split)),
                ("variant", text(variant)),
                ("hints", text("places")),
            ])
            .unwrap();
            assert_eq!(tasks.len(), games);
            let mut several = 0;
            for task in all(&tasks) {
                let id = &task.task.public.id;
                assert!(!texts(part(&task, "likely_places").unwrap().0).is_empty(), "{id}");
                let mut room = Room::new(&task);
                assert!(room.perform(&plan(&task)).done, "{id}");
                if variant == "multi-round" {
                    let begin = room.go_on(1, 5).unwrap();
                    assert!(begin.text.starts_with("Your next task is to: ") && !begin.done, "{id}");
                } else {
                    several += usize::from(alternatives(&task) > wish(&task).len() as u64);
                }
            }
            println!("{split}, {variant}: {several} games with a choice");
        }
    }
}
