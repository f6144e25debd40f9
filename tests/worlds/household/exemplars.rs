//! The exemplars of the persona cards: what `rolecall data exemplars` makes of training games.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::binary::{rolecall, text};
use rolecall::domain::Begun;
use rolecall::environments::household::language::{Command, placements_in};
use rolecall::environments::household::memory::Query;
use rolecall::environments::household::tasks;
use rolecall::ports::{ParameterValue, Parameters};

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

/// The strategies with exemplars, and how many of each task type they have.
const SHIPPED: [(&str, u32); 7] = [
    ("respact", 3),
    ("react", 3),
    ("respact-im", 3),
    ("react-im", 3),
    ("respact-schema", 3),
    ("aba", 2),
    ("aba-ambiguous", 2),
];

/// The folder of the one trajectory of several tasks.
const ROUNDS: &str = "aba-multi-round";

/// The same trajectory without speech.
const ROUNDS_ALONE: &str = "react-multi-round";

#[test]
fn the_shipped_exemplars_are_those_that_the_command_writes() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["data", "exemplars", "household", "--out", "made"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let made = |strategy: &str| read(&folder.path().join("made").join(strategy).join("exemplars"));
    for (strategy, per_type) in SHIPPED {
        let made = made(strategy);
        assert_eq!(made, shipped(strategy), "{strategy}");
        let names: BTreeSet<String> = made.into_keys().collect();
        let expected = TYPES.iter().flat_map(|kind| (1..=per_type).map(move |n| format!("{kind}-{n}.txt")));
        assert_eq!(names, expected.collect(), "{strategy}");
        assert_eq!(named_by_card(strategy), names, "{strategy}");
    }
    for rounds in [ROUNDS, ROUNDS_ALONE] {
        assert_eq!(made(rounds), shipped(rounds));
        let names: BTreeSet<String> = made(rounds).into_keys().collect();
        assert_eq!(names, BTreeSet::from(["rounds.txt".to_owned()]));
        assert_eq!(named_by_card(rounds), names);
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
        assert!((10..=25).contains(&moves(&text)), "{name}: {}", moves(&text));
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
fn the_second_of_each_type_shows_bad_advice_and_a_second_question() {
    for (name, text) in shipped("respact") {
        let lines: Vec<&str> = text.lines().collect();
        let asked = |line: &&str| line.starts_with("> speak: ") && line.contains("here ");
        let misled = lines.iter().position(|line| line.starts_with("> speak: There is no "));
        if !name.ends_with("-2.txt") {
            assert_eq!(misled, None, "{name}");
            continue;
        }
        let again = misled.unwrap_or_else(|| panic!("{name}: {text}"));
        let first = lines.iter().position(asked).unwrap();
        assert!(first < again, "{name}");
        // The place that was named is looked into in vain, and the second question says so.
        let (_, denied) = lines[again].split_once("in/on the ").unwrap();
        let (place, _) = denied.split_once(". ").unwrap();
        assert!(lines[first + 1].contains(place), "{name}: {}", lines[first + 1]);
        assert!(lines[first..again].contains(&&*format!("> go to {place}")), "{name}: {place}");
        // The second answer is right: what is asked for is taken there.
        let taken = lines[again..].iter().find_map(|line| line.strip_prefix("> take "));
        let from = taken.and_then(|taken| taken.split_once(" from ")).unwrap().1;
        assert!(lines[again + 1].contains(from), "{name}: {} {from}", lines[again + 1]);
    }
}

#[test]
fn an_inner_monologue_thinks_after_everything_that_comes_back() {
    for (strategy, sparse) in [("respact-im", "respact"), ("react-im", "react")] {
        let sparse = shipped(sparse);
        for (name, text) in shipped(strategy) {
            let marked: Vec<&str> = text.lines().skip(2).filter(|line| line.starts_with("> ")).collect();
            let is_thought = |line: &str| line.starts_with("> think: ");
            for (place, line) in marked.iter().enumerate() {
                assert_eq!(is_thought(line), place % 2 == 0, "{strategy} {name}: {line}");
                let states = line.contains("Sub-goal now: ");
                assert_eq!(states, place % 2 == 0, "{strategy} {name}: {line}");
            }
            // Besides thoughts and what answers them it is the same trajectory.
            let deeds = |text: &str| -> Vec<String> {
                let inner = |line: &&str| !is_thought(line) && *line != "OK.";
                text.lines().filter(inner).map(str::to_owned).collect()
            };
            assert_eq!(deeds(&text), deeds(&sparse[&name]), "{strategy} {name}");
        }
    }
}

#[test]
fn with_the_schema_everything_that_is_said_declares_its_act() {
    let plain = shipped("respact");
    let acts = rolecall::domain::DialogueAct::SCHEMA;
    for (name, text) in shipped("respact-schema") {
        let mut bare = text.clone();
        for (act, _) in acts {
            bare = bare.replace(&format!("> speak: <{act}>: "), "> speak: ");
        }
        assert_eq!(bare, plain[&name]);
        let spoken = |text: &str| text.matches("\n> speak: ").count();
        assert_eq!(text.matches("\n> speak: <").count(), spoken(&text), "{name}");
        let asks = |act: &str| text.contains(&format!("<{act}>"));
        assert!(asks("ReqForObjLocAndOD"), "{name}");
    }
}

/// What answers the questions of a text, question by question.
fn answers(text: &str) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2);
    let asked = pairs.filter_map(|pair| Some((pair[0].strip_prefix("> ask: ")?, pair[1])));
    asked.collect()
}

#[test]
fn the_owner_says_where_all_things_of_a_kind_are_and_which_is_meant() {
    for strategy in ["aba", "aba-ambiguous", ROUNDS] {
        for (name, text) in shipped(strategy) {
            let answers = answers(&text);
            assert!(!answers.is_empty(), "{strategy} {name}");
            for (question, answer) in &answers {
                let prefers = question.ends_with("do you prefer?");
                assert_eq!(answer.starts_with("I mean "), prefers, "{name}: {answer}");
                let places = placements_in(answer).count();
                assert_eq!(places > 0, !prefers, "{strategy} {name}: {answer}");
            }
            let prefers = answers.iter().any(|(_, answer)| answer.starts_with("I mean "));
            assert_eq!(prefers, strategy == "aba-ambiguous", "{strategy} {name}");
            assert!(!text.contains("Human:") && !text.contains("Nothing happens."));
        }
    }
}

#[test]
fn several_rounds_recall_what_is_known_and_ask_for_the_rest() {
    let text = &shipped(ROUNDS)["rounds.txt"];
    let next = text.lines().filter(|line| line.contains(". Your next task is to: "));
    assert_eq!(next.count(), 3);
    let queries = text.lines().filter_map(Query::read);
    let answers: Vec<&str> = queries.map(|query| query.answer).collect();
    assert_eq!(answers.len(), 4);
    let unknown = answers.iter().filter(|answer| answer.starts_with("I have never seen "));
    let unknown = unknown.count();
    assert!((1..4).contains(&unknown), "{answers:?}");
    assert!((25..=45).contains(&text.matches("\n> ").count()));
}

#[test]
fn several_rounds_have_a_twin_without_speech() {
    let [text, twin] = [ROUNDS, ROUNDS_ALONE].map(|of| shipped(of)["rounds.txt"].clone());
    let mut lines = text.lines();
    let mut silent = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("> ask: ") {
            lines.next();
        } else {
            silent.push(line);
        }
    }
    assert_eq!(silent, twin.lines().collect::<Vec<_>>());
    assert!(silent.len() < text.lines().count());
    assert_eq!(twin.matches(". Your next task is to: ").count(), 3);
}

#[test]
fn their_types_are_what_their_names_say() {
    for (name, text) in shipped("respact") {
        let task = text.lines().nth(1).unwrap();
        let deeds: Vec<Command<'_>> =
            text.lines().filter_map(|line| Some(Command::read(line.strip_prefix("> ")?))).collect();
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
        let begun = Begun { trial: 0, round: 0, keep_world: false, seed: rolecall::domain::Seed(0) };
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
    let all = SHIPPED.map(|(strategy, _)| strategy).into_iter().chain([ROUNDS]);
    for (name, text) in all.flat_map(shipped) {
        let beginning: Vec<&str> = text.lines().take_while(|line| !line.starts_with("> ")).collect();
        assert!(beginning[1].starts_with("Your task is to: "), "{name}");
        assert!(!evaluated.contains(&beginning.join("\n")), "{name}");
    }
}

#[test]
fn the_classic_wording_knows_put_and_no_arrivals() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["data", "exemplars", "household", "--classic", "--per-type", "1"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let classic = read(&folder.path().join("exemplars/respact/exemplars"));
    assert_eq!(classic.len(), TYPES.len());
    let put = &classic["put-1.txt"];
    assert!(put.contains("\n> put ") && put.contains(" in/on "), "{put}");
    assert!(put.contains("\nYou put the ") && !put.contains("\n> move "), "{put}");
    assert!(!put.contains("You arrive at"), "{put}");
}
