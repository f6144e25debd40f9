//! The household environment as episodes use it: tasks, wordings, private parts, sharing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tasks::{build, text};
use crate::support::recordings::data;
use rolecall::domain::{Action, Begun, Observation, Seat, Seed};
use rolecall::ports::{Environment, EnvironmentError, OpenTask, ParameterValue, TaskSource};

fn builtin(extra: &[(&'static str, ParameterValue)]) -> Arc<dyn TaskSource> {
    let mut values =
        vec![("data", ParameterValue::Path(PathBuf::from("builtin"))), ("games", ParameterValue::Integer(24))];
    values.extend_from_slice(extra);
    build(&values).unwrap()
}

fn begun(keep_world: bool) -> Begun {
    Begun { trial: 0, round: u32::from(keep_world), keep_world, seed: Seed(0) }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(future)
}

fn plan(task: &OpenTask) -> Vec<String> {
    let mut parts = task.task.private.iter();
    let plan = parts.find(|part| part.label == "oracle_plan").unwrap();
    assert_eq!(plan.audience, Seat::User);
    let commands = plan.value.as_array().unwrap().iter();
    commands.map(|command| command.as_str().unwrap().to_owned()).collect()
}

async fn perform(world: &mut Box<dyn Environment>, command: &str) -> Observation {
    world.perform(&Action::text(command)).await.unwrap()
}

/// Performs the oracle plan; gives back the observations, the first one included.
fn solve(task: &OpenTask) -> Vec<Observation> {
    run(async {
        let mut world = (task.environment)();
        let mut seen = vec![world.begin(&begun(false)).await.unwrap()];
        for command in plan(task) {
            assert!(!seen.last().unwrap().done, "{}", task.task.public.id);
            let answer = perform(&mut world, &command).await;
            assert!(!answer.invalid, "{}: {command}", task.task.public.id);
            seen.push(answer);
        }
        let score = world.assess().await.unwrap();
        assert!(score.success && score.reward == 1.0, "{}", task.task.public.id);
        assert!(seen.last().unwrap().done);
        seen
    })
}

#[test]
fn the_entrusted_plan_solves_every_builtin_game_in_either_wording() {
    for wording in ["as-game", "classic"] {
        let tasks = builtin(&[("commands", text(wording)), ("observations", text(wording))]);
        assert_eq!(tasks.len(), 24);
        for index in 0..tasks.len() {
            let task = tasks.open(index).unwrap();
            let seen = solve(&task);
            let classic = wording == "classic";
            let first = &seen[0].text;
            assert!(first.starts_with("You are in the middle of a room."), "{first}");
            assert!(first.contains(".\nYour task is to: ") && !first.contains("\n\n"), "{first}");
            let arrives = seen.iter().any(|seen| seen.text.starts_with("You arrive at "));
            assert_eq!(arrives, !classic);
            let moves = plan(&task).iter().any(|command| command.starts_with("move "));
            assert!(!(classic && moves), "{:?}", plan(&task));
            let put = task.task.public.data["put"].as_str().unwrap();
            assert_eq!(put.starts_with("put {object}"), classic);
        }
    }
}

#[test]
fn nothing_private_is_public() {
    let tasks = builtin(&[]);
    for index in 0..tasks.len() {
        let task = tasks.open(index).unwrap();
        let public = serde_json::to_string(&task.task.public).unwrap();
        assert!(!plan(&task).is_empty());
        assert!(plan(&task).iter().all(|command| !public.contains(command.as_str())), "{public}");
        assert!(task.task.private.iter().all(|part| part.audience == Seat::User));
    }
}

#[test]
fn a_refused_command_changes_nothing_and_says_so() {
    let task = builtin(&[("list_admissible", ParameterValue::Flag(true))]).open(0).unwrap();
    run(async {
        let mut world = (task.environment)();
        let early = world.perform(&Action::text("look")).await;
        assert!(matches!(early, Err(EnvironmentError::OutOfOrder(_))));
        assert!(world.begin(&begun(true)).await.is_err(), "no world to keep");
        let first = world.begin(&begun(false)).await.unwrap();
        let refused = perform(&mut world, "fly to the moon").await;
        assert_eq!(refused.text, "Nothing happens.");
        assert!(refused.invalid && !refused.done);
        assert_eq!(refused.data, first.data);
        let listed = first.data.unwrap();
        let listed: Vec<&str> =
            listed["admissible"].as_array().unwrap().iter().filter_map(|command| command.as_str()).collect();
        assert!(listed.contains(&"look") && listed.is_sorted());
        assert!(!world.assess().await.unwrap().success);
    });
}

#[test]
fn a_new_go_starts_with_a_new_world() {
    let task = builtin(&[]).open(0).unwrap();
    run(async {
        let mut world = (task.environment)();
        world.begin(&begun(false)).await.unwrap();
        for command in plan(&task) {
            perform(&mut world, &command).await;
        }
        assert!(world.assess().await.unwrap().success);
        assert!(!world.begin(&begun(false)).await.unwrap().done);
        assert!(!world.assess().await.unwrap().success);
    });
}

#[test]
fn wrong_places_are_named() {
    let missing = ParameterValue::Path(PathBuf::from("/no/such/folder"));
    let error = build(&[("data", missing)]).err().unwrap();
    assert_eq!(error.key.as_deref(), Some("data"));
    let error = build(&[("split", text("test"))]).err().unwrap();
    assert_eq!(error.key.as_deref(), Some("split"));
}

#[test]
fn built_in_games_are_as_the_parameters_wish() {
    let ids = |values: &[(&'static str, ParameterValue)]| -> Vec<String> {
        let tasks = builtin(values);
        let tasks = (0..4).map(|index| tasks.open(index).unwrap());
        tasks.map(|task| task.task.public.id.clone()).collect()
    };
    let usual = ids(&[]);
    assert_eq!(usual, ids(&[("split", text("valid_unseen"))]));
    assert!(usual.iter().all(|id| id.starts_with("valid_unseen/")), "{usual:?}");
    let seen = ids(&[("split", text("seen"))]);
    assert!(seen.iter().all(|id| id.starts_with("valid_seen/")), "{seen:?}");
    let others: [(&'static str, ParameterValue); 6] = [
        ("games_seed", ParameterValue::Integer(2)),
        ("rooms", ParameterValue::Integer(8)),
        ("receptacles", text("14..16")),
        ("objects", text("12..14")),
        ("plan", text("8..9")),
        ("shuffle", ParameterValue::Integer(1234)),
    ];
    for wish in others {
        assert_ne!(usual, ids(std::slice::from_ref(&wish)), "{wish:?}");
    }
    assert_eq!(build(&[]).unwrap().len(), 134);
}

#[test]
fn wishes_that_make_no_sense_are_refused_by_name() {
    let wrong = [
        ("receptacles", text("many"), "A..B"),
        ("receptacles", text("2..3"), "12.."),
        ("objects", text("500..600"), "4..120"),
        ("plan", text("60..70"), "3..10"),
    ];
    for (key, value, remedy) in wrong {
        let error = build(&[(key, value)]).err().unwrap();
        assert_eq!(error.key.as_deref(), Some(key));
        assert!(error.problem.contains(remedy), "{}", error.problem);
    }
    let folder = tempfile::tempdir().unwrap();
    let of_builtin = [
        ("games", ParameterValue::Integer(5)),
        ("games_seed", ParameterValue::Integer(5)),
        ("rooms", ParameterValue::Integer(5)),
        ("receptacles", text("14..16")),
        ("objects", text("12..14")),
        ("plan", text("8..9")),
    ];
    for (key, value) in of_builtin {
        let data = ParameterValue::Path(folder.path().to_owned());
        let error = build(&[("data", data), (key, value)]).err().unwrap();
        assert_eq!(error.key.as_deref(), Some(key));
        assert!(error.problem.contains("builtin"), "{}", error.problem);
    }
}

fn copy_game(from: &Path, to: &Path, keep: usize) {
    std::fs::create_dir_all(to).unwrap();
    let bytes = std::fs::read(from.join("game.tw-pddl")).unwrap();
    std::fs::write(to.join("game.tw-pddl"), &bytes[..keep.min(bytes.len())]).unwrap();
}

#[test]
fn official_games_have_stable_ids_and_a_broken_one_hurts_nobody_else() {
    let Some(data) = data("household") else {
        return;
    };
    let root = data.join("json_2.1.1");
    let tree = ("data", ParameterValue::Path(root.clone()));
    let tasks = build(&[tree.clone(), ("split", text("valid_unseen"))]).unwrap();
    assert_eq!(tasks.len(), 134);
    let ids: Vec<String> = (0..3).map(|index| tasks.open(index).unwrap().task.public.id.clone()).collect();
    assert!(
        ids.is_sorted() && ids.iter().all(|id| id.starts_with("valid_unseen/") && id.contains("/trial_")),
        "{ids:?}"
    );
    let shuffled = build(&[tree, ("split", text("valid_unseen")), ("shuffle", ParameterValue::Integer(1234))]).unwrap();
    assert_ne!(shuffled.open(0).unwrap().task.public.id, ids[0]);

    let folder = tempfile::tempdir().unwrap();
    copy_game(&root.join(&ids[0]), &folder.path().join("a"), usize::MAX);
    copy_game(&root.join(&ids[1]), &folder.path().join("b"), 5_000);
    let mixed = build(&[("data", ParameterValue::Path(folder.path().to_owned()))]).unwrap();
    assert_eq!(mixed.len(), 2);
    solve(&mixed.open(0).unwrap());
    let error = mixed.open(1).err().unwrap();
    assert!(matches!(&error, EnvironmentError::Data(text) if text.contains("game.tw-pddl")), "{error}");
    assert!(mixed.open(2).is_err());

    let single = ParameterValue::Path(folder.path().join("a/game.tw-pddl"));
    let single = build(&[("data", single)]).unwrap();
    assert_eq!(single.open(0).unwrap().task.public.id, "a");
}
