//! The exemplars of the persona cards: what `rolecall data exemplars` makes of training games.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise"
)]

mod binary;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use binary::{rolecall, text};
use rolecall::domain::Begun;
use rolecall::environments::household::tasks;
use rolecall::ports::{ParameterValue, Parameters};
use rolecall::text::household::Command;

const TYPES: [&str; 6] = ["clean", "cool", "examine", "heat", "put", "puttwo"];

/// The exemplars of a folder, by file name.
fn read(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    files.collect()
}

/// Those that come with the crate.
fn shipped(strategy: &str) -> BTreeMap<String, String> {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    read(&agents.join(strategy).join("exemplars"))
}

/// The files that a card names as exemplars.
fn named_by_card(strategy: &str) -> BTreeSet<String> {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let card = fs::read_to_string(agents.join(strategy).join("executor.toml")).unwrap();
    let card: toml::Table = card.parse().unwrap();
    let files = card["exemplars"].as_array().unwrap().iter();
    let name = |file: &toml::Value| {
        let file = file.as_str().unwrap();
        file.strip_prefix("exemplars/").unwrap().to_owned()
    };
    files.map(name).collect()
}

#[test]
fn the_shipped_exemplars_are_those_that_the_command_writes() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["data", "exemplars", "household", "--out", "made"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for strategy in ["respact", "react"] {
        let made = read(&folder.path().join("made").join(strategy).join("exemplars"));
        assert_eq!(made, shipped(strategy), "{strategy}");
        let names: BTreeSet<String> = made.into_keys().collect();
        let expected = TYPES
            .iter()
            .flat_map(|kind| (1..=3).map(move |n| format!("{kind}-{n}.txt")));
        assert_eq!(names, expected.collect(), "{strategy}");
        assert_eq!(named_by_card(strategy), names, "{strategy}");
    }
    // A second call never writes over what is there.
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = text(&output.stderr);
    assert!(said.contains("is there already"), "{said}");
}

#[test]
fn each_has_thoughts_speech_and_replies_and_a_twin_without_speech() {
    let twins = shipped("react");
    for (name, text) in shipped("respact") {
        let moves = |lines: &str| lines.lines().filter(|line| line.starts_with("> ")).count();
        assert!(
            (10..=25).contains(&moves(&text)),
            "{name}: {}",
            moves(&text)
        );
        let spoken = text.matches("\n> speak: ").count();
        assert!(spoken > 0 && text.contains("\n> think: "), "{name}");
        assert_eq!(text.matches("\nHuman: ").count(), spoken, "{name}");
        assert!(!text.contains("Nothing happens."), "{name}");
        let silent = |line: &&str| !line.starts_with("> speak: ") && !line.starts_with("Human: ");
        let without: Vec<&str> = text.lines().filter(silent).collect();
        let twin: Vec<&str> = twins[&name].lines().collect();
        assert_eq!(without, twin, "{name}");
    }
}

#[test]
fn their_types_are_what_their_names_say() {
    for (name, text) in shipped("respact") {
        let task = text.lines().nth(1).unwrap();
        let deeds: Vec<Command<'_>> = text
            .lines()
            .filter_map(|line| Some(Command::read(line.strip_prefix("> ")?)))
            .collect();
        let puts = |deed: &&Command<'_>| matches!(deed, Command::Put { .. });
        let treated = deeds.iter().find_map(|deed| match deed {
            Command::Treat { verb, .. } => Some(*verb),
            _ => None,
        });
        let lights = deeds.iter().any(|deed| matches!(deed, Command::Use(_)));
        let (kind, _) = name.split_once('-').unwrap();
        let found = match (deeds.iter().filter(puts).count(), treated, lights) {
            (2, None, false) => "puttwo",
            (1, Some(verb), false) => verb,
            (1, None, false) => "put",
            (0, None, true) => "examine",
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, kind, "{name}: {task}");
    }
}

/// What the agent reads first in the built-in games of a split.
async fn first_observations(split: &str) -> BTreeSet<String> {
    let split = ParameterValue::Text(split.to_owned());
    let games = tasks::build(&Parameters::new(BTreeMap::from([("split", split)]))).unwrap();
    let mut seen = BTreeSet::new();
    for index in 0..games.len() {
        let begun = Begun {
            trial: 0,
            round: 0,
            keep_world: false,
            seed: rolecall::domain::Seed(0),
        };
        let mut world = (games.open(index).unwrap().environment)();
        seen.insert(world.begin(&begun).await.unwrap().text);
    }
    seen
}

#[tokio::test]
async fn none_is_a_game_of_an_evaluation_split() {
    let mut evaluated = first_observations("unseen").await;
    evaluated.extend(first_observations("seen").await);
    assert!(evaluated.len() > 200);
    for (name, text) in shipped("respact") {
        let beginning: Vec<&str> = text
            .lines()
            .take_while(|line| !line.starts_with("> "))
            .collect();
        assert!(beginning[1].starts_with("Your task is to: "), "{name}");
        assert!(!evaluated.contains(&beginning.join("\n")), "{name}");
    }
}

#[test]
fn the_classic_wording_knows_put_and_no_arrivals() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "data",
        "exemplars",
        "household",
        "--classic",
        "--per-type",
        "1",
    ];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let classic = read(&folder.path().join("exemplars/respact/exemplars"));
    assert_eq!(classic.len(), TYPES.len());
    let put = &classic["put-1.txt"];
    assert!(put.contains("\n> put ") && put.contains(" in/on "), "{put}");
    assert!(
        put.contains("\nYou put the ") && !put.contains("\n> move "),
        "{put}"
    );
    assert!(!put.contains("You arrive at"), "{put}");
}
