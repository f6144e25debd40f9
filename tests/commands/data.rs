//! `rolecall data`: games that it writes can be played, and measured.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::binary::{rolecall, text};

/// `rolecall data generate household` with options written in one text.
fn generate(folder: &Path, options: &str) -> Output {
    let arguments = format!("data generate household {options}");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    rolecall(folder, &arguments).output().unwrap()
}

/// Every file below a folder with its bytes, sorted.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn generated_games_are_official_in_form_and_playable() {
    let folder = tempfile::tempdir().unwrap();
    let output = generate(folder.path(), "--out games --count 8 --seed 5");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = text(&output.stdout);
    assert!(printed.contains("games/valid_unseen"), "{printed}");
    let found = files(&folder.path().join("games"));
    assert_eq!(found.len(), 3 * 8);
    for (name, _) in &found {
        let parts: Vec<&str> = name.split('/').collect();
        let [split, task, trial, file] = parts[..] else {
            panic!("{name}");
        };
        assert_eq!(split, "valid_unseen");
        assert_eq!(task.split('-').count(), 5, "{name}");
        assert!(trial.starts_with("trial_T"), "{name}");
        assert!(["game.tw-pddl", "initial_state.pddl", "traj_data.json"].contains(&file));
    }

    // The line that it prints plays them.
    let (_, line) = printed.lines().find_map(|line| line.split_once("rolecall run ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join(words[0]);
    let mut arguments = vec!["run", config.to_str().unwrap(), "--quiet", "--json"];
    arguments.extend(&words[1..]);
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results["episodes"], 8);
    assert_eq!(results["broken"], 0);
    assert!(results["success"]["rate"].as_f64() > Some(0.5), "{results}");
}

#[test]
fn splits_stand_side_by_side_and_are_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    for split in ["train", "seen"] {
        let output = generate(folder.path(), &format!("--out g --count 3 --split {split}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let before = files(folder.path());
    assert_eq!(before.len(), 2 * 3 * 3);
    let output = generate(folder.path(), "--out g --count 2 --split train");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains("g/train") && message.contains("--out"), "{message}");
    assert_eq!(files(folder.path()), before);

    let again = generate(folder.path(), "--out h --count 2 --split train");
    assert_eq!(again.status.code(), Some(0));
    let again = files(&folder.path().join("h"));
    let mut first = files(&folder.path().join("g"));
    first.retain(|file| again.contains(file));
    assert_eq!(first, again, "two games are the first of three");
}

#[test]
fn impossible_wishes_write_nothing_and_name_the_option() {
    let folder = tempfile::tempdir().unwrap();
    for (wish, option) in [
        ("--rooms 1", "--rooms"),
        ("--receptacles 2..5", "--receptacles"),
        ("--receptacles 5..2", "--receptacles"),
        ("--objects 1..2", "--objects"),
        ("--plan 50..60", "--plan"),
        ("--split test", "--split"),
    ] {
        let output = generate(folder.path(), &format!("--out g {wish}"));
        assert_eq!(output.status.code(), Some(2), "{wish}");
        let message = text(&output.stderr);
        assert!(message.contains(option) && message.contains("error"), "{message}");
        assert!(!folder.path().join("g").exists(), "{wish}");
    }
    let output = rolecall(folder.path(), &["data", "generate", "chess", "--out", "g"]);
    let output = { output }.output().unwrap();
    assert!(text(&output.stderr).contains("`chess`"));
}

#[test]
fn games_are_measured_by_split() {
    let folder = tempfile::tempdir().unwrap();
    for split in ["train", "unseen"] {
        let wishes = "--receptacles 20..22 --objects 30..31";
        generate(folder.path(), &format!("--out g --count 4 --split {split} {wishes}"));
    }
    let measure = |more: &[&str]| {
        let arguments = [&["data", "statistics", "household", "--data", "g"], more].concat();
        let output = rolecall(folder.path(), &arguments).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, table, _) = measure(&[]);
    assert_eq!(code, Some(0));
    let figures: serde_json::Value = serde_json::from_str(&measure(&["--json"]).1).unwrap();
    for split in ["train", "valid_unseen"] {
        assert!(table.contains(split), "{table}");
        let own = &figures[split];
        assert_eq!(own["games"], 4, "{own}");
        for (measure, wished) in [("receptacles", 20.0..=22.0), ("objects in receptacles", 30.0..=31.0)] {
            let [least, most] = ["least", "most"].map(|end| own[measure][end].as_f64().unwrap());
            assert!(least <= *wished.end() && most >= *wished.start(), "{measure}: {own}");
        }
    }
    let (_, one, _) = measure(&["--split", "train"]);
    assert!(one.contains("train") && !one.contains("valid_unseen"), "{one}");
    let (code, _, message) = measure(&["--split", "test"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("`test`") && message.contains("`train`"), "{message}");
}

#[test]
fn what_an_interrupted_call_left_does_not_mix_with_later_games() {
    let folder = tempfile::tempdir().unwrap();
    let stale = folder.path().join("g/.valid_unseen.unfinished");
    let game = stale.join("valid_unseen/pick_clean_then_place_in_recep-Mug-None-Shelf-2001/trial");
    fs::create_dir_all(&game).unwrap();
    fs::write(game.join("game.tw-pddl"), "{}").unwrap();
    let output = generate(folder.path(), "--out g --count 2");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(files(&folder.path().join("g")).len(), 3 * 2);
    assert!(!stale.exists());
}

#[test]
fn two_calls_at_once_never_mix_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let call = |seed| generate(folder.path(), &format!("--out g --count 60 --seed {seed}"));
    let outputs = std::thread::scope(|scope| {
        let first = scope.spawn(|| call(1));
        [call(2), first.join().unwrap()]
    });
    let worked = outputs.iter().filter(|output| output.status.success());
    assert_eq!(worked.count(), 1, "{outputs:?}");
    assert_eq!(files(&folder.path().join("g")).len(), 3 * 60);
}

#[test]
fn no_games_at_all_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = generate(folder.path(), "--out g --count 0");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("--count: `0`"));
    assert!(!folder.path().join("g").exists());
}

#[test]
fn options_may_stand_before_the_environment_and_are_only_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        rolecall(folder.path(), &words).output().unwrap()
    };
    let before = run("data generate --split train --count 1 household --out g");
    assert_eq!(before.status.code(), Some(0), "{before:?}");
    assert!(text(&before.stdout).contains("g/train"));
    for (line, problem) in [
        ("data statistics dialogue --data builtin --split x", "no option --split"),
        ("data exemplars dialogue", "`dialogue`; there is `household`"),
        ("data generate household", "--out"),
        ("data generate household --out h --seed x", "--seed: `x`"),
        ("data trajectories household --out h --setting odd", "multi-round"),
        ("data nothing household", "nothing"),
    ] {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let told = text(&output.stderr);
        assert!(told.contains(problem), "{line}: {told}");
    }
    let help = text(&run("data statistics --help").stdout);
    for part in ["household", "dialogue", "--data", "--split"] {
        assert!(help.contains(part), "{part} in {help}");
    }
}

#[test]
fn samples_of_dialogue_are_counted_by_first_responses_and_by_all() {
    let folder = tempfile::tempdir().unwrap();
    let cima = serde_json::json!({"prepDataset": {"0": {
        "past_convo": ["Name it.", "Rosso?"],
        "tutorResponses": ["Yes.", "Almost there."],
        "tutorActions": [[false, false, false, true, false], [true, true, false, false, true]],
    }}, "shapeDataset": {}});
    fs::write(folder.path().join("dataset.json"), cima.to_string()).unwrap();
    let arguments = ["data", "statistics", "dialogue", "--data", "dataset.json", "--json"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let own = figures.as_object().unwrap().values().next().unwrap();
    assert_eq!((&own["samples"], &own["responses"]), (&1.into(), &2.into()));
    for (name, expected) in [
        ("used by the first response", [1.0, 1.0, 1.0]),
        ("used by a response, of all", [2.0, 1.0, 3.0]),
        ("letters of the first response", [4.0, 4.0, 4.0]),
        ("letters of a response, of all", [8.5, 4.0, 13.0]),
    ] {
        let found = ["mean", "least", "most"].map(|end| own[name][end].as_f64());
        assert_eq!(found, expected.map(Some), "{name}");
    }
}

#[test]
fn a_generated_shop_is_measured_and_its_instructions_simplified() {
    let folder = tempfile::tempdir().unwrap();
    let data = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        rolecall(folder.path(), &[&["data"], &arguments[..]].concat()).output().unwrap()
    };
    for out in ["one", "two"] {
        let output = data(&format!("generate shop --count 60 --seed 3 --out {out}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(text(&output.stdout).contains("60"), "{output:?}");
    }
    let [one, two] = ["one", "two"].map(|out| files(&folder.path().join(out)));
    assert_eq!(one, two, "the same options, the same files");
    let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
    let official = ["chatshop_goals.json", "items_human_ins.json", "items_ins_v2.json", "items_shuffle.json"];
    assert_eq!(names, official);
    let again = data("generate shop --count 60 --out one");
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"), "{again:?}");
    let rooms = data("generate shop --rooms 3 --out three");
    assert!(text(&rooms.stderr).contains("no option --rooms for `shop`"), "{rooms:?}");

    let measured = data("statistics shop --data one --json");
    let measured: serde_json::Value = serde_json::from_slice(&measured.stdout).unwrap();
    assert_eq!(measured["products"]["products"], 60.0);
    let goals = measured["goals"]["all"]["goals"].as_u64().unwrap();
    assert!(goals >= 60, "{measured}");
    assert!(
        measured["goals"]["test"]["whole"]["length"].as_f64() > measured["goals"]["test"]["kind"]["length"].as_f64()
    );
    let table = data("statistics shop --data builtin");
    let table = text(&table.stdout);
    assert!(table.contains("2871"), "{table}");

    let simplified = data("simplify shop --data one --out short.json");
    assert_eq!(simplified.status.code(), Some(0), "{simplified:?}");
    let short = fs::read(folder.path().join("short.json")).unwrap();
    let short: Vec<serde_json::Value> = serde_json::from_slice(&short).unwrap();
    assert_eq!(short.len() as u64, goals);
    for goal in &short {
        let [whole, partly, kind] = [0, 1, 2].map(|at| goal["instructions"][at].as_str().unwrap());
        assert!(partly.len() < whole.len() && whole.contains(kind), "{goal}");
    }
    let missing = data("statistics shop --data nowhere");
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("nowhere"), "{missing:?}");
}

#[test]
fn a_generated_city_is_written_once_and_always_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for out in ["one", "two"] {
        let output = data_in(folder.path(), &generate_city(out));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = text(&output.stdout);
        for part in [out, "12", "10"] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
    }
    let [one, two] = ["one", "two"].map(|out| files(&folder.path().join(out)));
    assert_eq!(one, two, "the same options, the same files");
    let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
    let official = [
        "data.json",
        "db/attraction.json",
        "db/hotel.json",
        "db/restaurant.json",
        "db/taxi.json",
        "db/train.json",
        "testListFile.json",
        "valListFile.json",
    ];
    assert_eq!(names, official);
    let again = data_in(folder.path(), &generate_city("one"));
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"), "{again:?}");
}

fn generate_city(out: &str) -> String {
    format!("data generate booking --count 12 --seed 3 --out {out}")
}

/// Gives a command in a folder.
fn data_in(folder: &Path, arguments: &str) -> std::process::Output {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    rolecall(folder, &arguments).output().unwrap()
}

#[test]
fn a_generated_city_is_played_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let call = |arguments: &str| data_in(folder.path(), arguments);
    // The line that it prints plays them.
    let printed = call(&generate_city("one"));
    let printed = text(&printed.stdout);
    let (_, line) = printed.lines().find_map(|line| line.split_once("rolecall run ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join(words[0]);
    let mut arguments = vec!["run", config.to_str().unwrap(), "--quiet", "--json", "--limit", "2"];
    arguments.extend(&words[1..]);
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&results["episodes"], &results["broken"]), (&2.into(), &0.into()), "{results}");

    let measured = |split: &str| {
        let measured = call(&format!("data statistics booking --data one --split {split} --json"));
        serde_json::from_slice::<serde_json::Value>(&measured.stdout).unwrap()
    };
    for (split, count) in [("all", 12), ("test", 10), ("dev", 2), ("respact-100", 10)] {
        assert_eq!(measured(split)["conversations"], count, "{split}");
    }
    let all = measured("all");
    assert!(all["domains"]["train"]["records"].as_u64() >= Some(600), "{all}");
    let mixes = all["mixes"].as_object().unwrap().values();
    assert_eq!(mixes.filter_map(serde_json::Value::as_u64).sum::<u64>(), 12);
    let table = call("data statistics booking --data builtin");
    let table = text(&table.stdout);
    assert!(table.contains("120"), "{table}");
    let missing = call("data statistics booking --data nowhere");
    assert_eq!(missing.status.code(), Some(2));
    let message = text(&missing.stderr);
    assert!(message.contains("nowhere") && message.contains("it is not there"), "{message}");
}

#[test]
fn details_that_are_taken_out_are_labelled_by_search() {
    let folder = tempfile::tempdir().unwrap();
    let run = |options: &str| {
        let arguments = format!("data underspecify household --limit 12 {options}");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        rolecall(folder.path(), &arguments).output().unwrap()
    };
    let output = run("--out details.jsonl");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = text(&output.stdout);
    let lines = fs::read_to_string(folder.path().join("details.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 24, "{printed}");
    assert!(printed.contains(&rows.len().to_string()), "{printed}");
    for row in &rows {
        let others = row["others"].as_array().unwrap();
        let fulfil = others.iter().filter(|other| other["fulfils"] == true).count();
        let expected = match fulfil {
            _ if fulfil == others.len() => "benign",
            0 => "critical",
            _ => "divergent",
        };
        assert_eq!(row["label"], expected, "{row}");
        assert_ne!(row["text"], row["goal"]);
    }
    // Nothing is written over, and the table alone needs no file.
    let output = run("--out details.jsonl");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let table = text(&run("").stdout);
    assert_eq!(printed.split("\n\n").next(), Some(table.trim_end()));
    let paper = run("--as-paper");
    assert_eq!(paper.status.code(), Some(0), "{paper:?}");
    assert_ne!(text(&paper.stdout), table);
    let output = run("--split nowhere");
    assert!(text(&output.stderr).contains("--split"), "{output:?}");
}
