//! Underspecified games: labels, texts, who is told what, and casts by rules that ask or do not.

use std::fs;
use std::sync::Arc;

use super::tasks::{Parameter, build, text};
use crate::support::recordings::oracle;
use crate::support::{shipped, toy};
use rolecall::domain::{Event, Message, Seat};
use rolecall::environments::household::underspecified::Detail;
use rolecall::environments::household::underspecified::search::{Readings, Weight};
use rolecall::environments::household::{Game, TaskType, World};
use rolecall::evaluation::EpisodeResult;
use rolecall::ports::{OpenTask, ParameterValue, TaskSource};
use rolecall::world::underspecified::Labels;
use serde_json::Value;

/// So many built-in games that leave this out.
fn games(games: i64, what: &str, extra: &[Parameter]) -> Arc<dyn TaskSource> {
    let mut values = vec![("games", ParameterValue::Integer(games)), ("underspecified", text(what))];
    values.extend_from_slice(extra);
    build(&values).unwrap()
}

fn part<'t>(task: &'t OpenTask, audience: &Seat, label: &str) -> Option<&'t Value> {
    let mut parts = task.task.private.iter();
    let part = parts.find(|part| part.label == label && part.audience == *audience);
    part.map(|part| &*part.value)
}

/// What a task leaves out; none if nothing.
fn dropped(task: &OpenTask) -> Option<String> {
    let label = part(task, &Seat::Conductor, "clarification").unwrap();
    let dropped = label["dropped"].as_str().map(str::to_owned);
    assert_eq!(label["needed"].as_bool(), Some(dropped.is_some()));
    dropped
}

#[test]
fn labels_are_those_of_the_original_program() {
    let file = "../specs/platform/examples/clarification_vectors.json";
    let Some(Ok(vectors)) = oracle(file).map(fs::read) else {
        return;
    };
    let vectors: Value = serde_json::from_slice(&vectors).unwrap();
    for (world, coins) in [("household", true), ("shop", false)] {
        for (key, letters) in vectors[world].as_object().unwrap() {
            let (tasks, seed) = key.split_once('/').unwrap();
            let (tasks, seed) = (tasks.parse().unwrap(), seed.parse().unwrap());
            let labels = Labels::draw(tasks, 0.5, seed, coins);
            let letter = |index| {
                let drawn = labels.task(index).unwrap();
                match (drawn.underspecified, drawn.heads, coins) {
                    (false, _, true) => 'S',
                    (true, true, true) => 'o',
                    (true, false, true) => 'r',
                    (underspecified, _, false) => {
                        if underspecified {
                            '1'
                        } else {
                            '0'
                        }
                    }
                }
            };
            let drawn: String = (0..tasks).map(letter).collect();
            assert_eq!(&*drawn, letters.as_str().unwrap(), "{world} {key}");
        }
    }
}

#[test]
fn the_user_knows_what_the_task_leaves_out_and_nobody_else() {
    let whole = games(24, "none", &[]);
    let tasks = games(24, "object-or-receptacle", &[]);
    let mut seen = Vec::new();
    for index in 0..24 {
        let (full, task) = (whole.open(index).unwrap(), tasks.open(index).unwrap());
        assert!(part(&full, &Seat::Conductor, "clarification").is_none());
        let (full, public) = (&full.task.public.text, &task.task.public);
        let goal = part(&task, &Seat::User, "full_goal").unwrap();
        assert_eq!(goal.as_str(), Some(full.as_str()));
        let dropped = dropped(&task);
        assert_eq!(dropped.is_none(), public.text == *full, "{full}");
        assert!(!public.data.to_string().contains("clarification"));
        assert_eq!(task.task.private.iter().filter(|part| part.audience == Seat::Conductor).count(), 1);
        seen.extend(dropped);
    }
    assert_eq!(seen.len(), 12);
    for what in ["object", "receptacle"] {
        assert!(seen.iter().any(|dropped| dropped == what), "{seen:?}");
    }
}

#[test]
fn one_thing_may_be_left_out_of_all_tasks_and_tasks_without_a_label_are_refused() {
    let all = [("underspecified_share", ParameterValue::Number(1.0)), ("label_tasks", ParameterValue::Integer(6))];
    let tasks = games(8, "receptacle", &all);
    for index in 0..6 {
        let task = tasks.open(index).unwrap();
        let is_light = task.task.public.kind == "examine";
        let expected = if is_light { "lamp" } else { "receptacle" };
        assert_eq!(dropped(&task).as_deref(), Some(expected));
        let end = if is_light { " somehow" } else { " somewhere" };
        assert!(task.task.public.text.ends_with(end));
    }
    let error = tasks.open(6).err().unwrap().to_string();
    assert!(error.contains("environment.label_tasks"), "{error}");
    let ambiguous = build(&[("underspecified", text("object")), ("variant", text("ambiguous"))]);
    let error = ambiguous.err().unwrap();
    assert_eq!(error.key.as_deref(), Some("underspecified"));
}

fn world(number: usize) -> World {
    let (id, game) = shipped::household_games(number + 1).pop().unwrap();
    World::new(Arc::new(Game::from_json(&id, game.as_bytes()).unwrap()))
}

#[test]
fn a_missing_detail_is_benign_where_nothing_else_can_be_meant() {
    let mut found = Vec::new();
    for number in 0..24 {
        let world = world(number);
        let task = world.game().task_type();
        for detail in Detail::ALL.into_iter().filter(|detail| detail.is_part_of(task)) {
            let readings = Readings::of(&world, &[detail]);
            let own = world.game().goal();
            for (goal, _) in &readings.others {
                let same = |class: &str, is_same| goal.contains(class) == is_same;
                assert!(detail == Detail::Object || same(own.object_class(), true), "{goal}");
            }
            if readings.others.is_empty() {
                assert_eq!(readings.weight(), Weight::Benign);
            }
            found.push((task, detail, readings.weight()));
        }
    }
    let is = |task, detail, weight| found.contains(&(task, detail, weight));
    assert!(is(TaskType::PickHeat, Detail::State, Weight::Critical));
    assert!(is(TaskType::PickTwo, Detail::Count, Weight::Critical));
    assert!(is(TaskType::LookInLight, Detail::Lamp, Weight::Benign));
    assert!(is(TaskType::PickAndPlace, Detail::Object, Weight::Critical));
    // The same room and text give the same readings.
    let (world, object) = (world(0), [Detail::Object]);
    assert_eq!(Readings::of(&world, &object), Readings::of(&world, &object));
}

#[test]
fn labels_by_search_leave_out_what_does_not_matter() {
    let sets = [("underspecified_share", ParameterValue::Number(1.0)), ("label", text("critical"))];
    let tasks = games(24, "receptacle", &sets);
    let mut needed = Vec::new();
    for index in 0..24 {
        let task = tasks.open(index).unwrap();
        let label = part(&task, &Seat::Conductor, "clarification").unwrap();
        needed.push((task.task.public.kind.clone(), label["needed"].as_bool().unwrap()));
    }
    assert!(needed.iter().any(|(kind, needed)| kind == "examine" && !needed));
    assert!(needed.iter().any(|(kind, needed)| kind != "examine" && *needed));
}

type Episode = (EpisodeResult, Vec<Event>);

/// The episodes of a cell of the shipped config.
fn cell(episodes: &[Episode], name: &str) -> Vec<Episode> {
    let own = episodes.iter();
    let own = own.filter(|(result, _)| result.episode.cell.as_str() == name);
    own.cloned().collect()
}

fn asked(events: &[Event]) -> Vec<&str> {
    let said = events.iter().filter_map(|event| match &event.message {
        Message::Told(said) => Some(said.text.as_str()),
        _ => None,
    });
    said.collect()
}

fn solved(episodes: &[Episode], stripped: bool) -> (usize, usize) {
    let of = episodes.iter().filter(|(_, events)| {
        let label = events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part) if part.label == "clarification" => Some(part.value["needed"] == true),
            _ => None,
        });
        label == Some(stripped)
    });
    let of: Vec<_> = of.collect();
    (of.iter().filter(|(result, _)| result.success).count(), of.len())
}

#[test]
fn who_asks_what_is_meant_solves_what_others_guess() {
    let sets = ["environment.games=24"];
    let episodes = toy::play(shipped::plan("household/clarification", &sets)).in_order();
    for (result, events) in &episodes {
        let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
        assert_eq!(faults.count(), 0, "{}", result.episode);
    }
    let [what, anything, never] = ["asks-what", "asks-anything", "never-asks"].map(|name| cell(&episodes, name));
    for stripped in [true, false] {
        println!(
            "{stripped}: what {:?} anything {:?} never {:?}",
            solved(&what, stripped),
            solved(&anything, stripped),
            solved(&never, stripped)
        );
    }
    // The whole goal is told once, and the task is solved as if it had been said at once.
    for (result, events) in &what {
        let questions = asked(events);
        assert!(questions.len() <= 1, "{} {questions:?}", result.episode);
    }
    let (told, of) = solved(&what, true);
    assert!(of == 12 && told >= 9, "{told} of {of}");
    let (guessed, _) = solved(&never, true);
    assert!(guessed < told / 2, "{guessed}");
    assert!(never.iter().all(|(_, events)| asked(events).is_empty()));
    // Who asks where things are, too, asks nearly always.
    let asks = anything.iter().filter(|(_, events)| !asked(events).is_empty()).count();
    assert!(asks > 20, "{asks}");
}
