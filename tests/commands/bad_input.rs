//! Bad input through the binary: the message says what is wrong, and only what is broken breaks.

use crate::support::shipped::household_games;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const CONFIG: &str = r#"
name = "x"
[environment]
name = "household"
data = "games"
[strategy]
name = "respact"
[roles.executor]
implementation = "rules"
[user]
kind = "helpful"
"#;

/// A folder with a config and so many good games below `games`.
fn folder(games: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), CONFIG).unwrap();
    for number in 0..games {
        add(folder.path(), &format!("good{number}"), &good(number));
    }
    folder
}

fn good(number: usize) -> String {
    household_games(number + 1).swap_remove(number).1
}

fn add(folder: &Path, name: &str, game: &str) {
    let place = folder.join("games").join(name);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("game.tw-pddl"), game).unwrap();
}

fn rolecall(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).env_remove("RUST_LOG");
    command.output().unwrap()
}

fn run(folder: &Path, more: &[&str]) -> Output {
    rolecall(folder, &[&["run", "x.toml", "--quiet"], more].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a run of three good games and one bad one says about the bad one. It comes first.
fn fault_of(folder: &Path) -> String {
    let output = run(folder, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&printed["episodes"], &printed["broken"]), (&json!(4), &json!(1)), "{printed}");
    let shown = rolecall(folder, &["show", "x", "main:0:0"]);
    out(&shown).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_file_that_is_no_game_breaks_its_own_episode_only() {
    let cut = good(3);
    let foreign = json!({"pddl_domain": "(", "grammar": "", "solvable": true, "pddl_problem": "("});
    let mut deep: Value = serde_json::from_str(&cut).unwrap();
    deep["pddl_problem"] = "(".repeat(100_000).into();
    let bad = [
        (&cut[..cut.len() / 2], "is the file complete?"),
        (r#"{"name": "a", "version": 1}"#, "the key `pddl_domain` is missing"),
        ("", "is the file complete?"),
        (&foreign.to_string(), "its rules are unknown"),
        (&deep.to_string(), "`pddl_problem` line 1"),
        (&"x".repeat(20 << 20), "larger than 16 MiB"),
    ];
    for (text, expected) in bad {
        let folder = folder(3);
        add(folder.path(), "bad", text);
        let fault = fault_of(folder.path());
        assert!(fault.contains(expected), "{expected}: {fault}");
        assert!(fault.contains("bad/game.tw-pddl"), "{fault}");
        assert!(!fault.contains("line 1 column"), "{fault}");
    }
}

#[test]
fn changed_rules_are_refused_until_the_config_names_those_to_play_by() {
    let folder = folder(3);
    let game = good(3);
    let mut game: Value = serde_json::from_str(&game).unwrap();
    let domain = game["pddl_domain"].as_str().unwrap();
    game["pddl_domain"] = domain.replacen("(openable ?r)", "(checked ?r)", 1).into();
    add(folder.path(), "bad", &game.to_string());
    let fault = fault_of(folder.path());
    assert!(fault.contains("its rules are unknown") && fault.contains("environment.rules = \"new-style\""), "{fault}");
}

#[test]
fn a_game_without_the_solvable_key_is_left_out_as_in_the_original() {
    let folder = folder(1);
    let mut game: Value = serde_json::from_str(&good(1)).unwrap();
    game.as_object_mut().unwrap().remove("solvable");
    add(folder.path(), "unmarked", &game.to_string());
    let printed: Value = serde_json::from_slice(&run(folder.path(), &["--json"]).stdout).unwrap();
    assert_eq!(printed["episodes"], 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_breaks_its_own_episode_only() {
    let kinds = [
        ("mkdir -p", "is a directory"),
        ("ln -s /nowhere/at/all", "No such file"),
        ("ln -s /dev/zero", "no regular file"),
        ("mkfifo", "no regular file"),
    ];
    for (make, expected) in kinds {
        let folder = folder(3);
        let bad = folder.path().join("games/bad");
        fs::create_dir(&bad).unwrap();
        let script = format!("{make} game.tw-pddl");
        let mut shell = Command::new("sh");
        let made = shell.current_dir(&bad).args(["-c", &script]).status();
        assert!(made.unwrap().success());
        let fault = fault_of(folder.path());
        assert!(fault.contains(expected), "{make}: {fault}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_do_not_multiply_games() {
    use std::os::unix::fs::symlink;
    let folder = folder(2);
    let games = folder.path().join("games");
    symlink("..", games.join("good0/up")).unwrap();
    symlink(".", games.join("good0/here")).unwrap();
    symlink("../good0", games.join("good1/across")).unwrap();
    let printed: Value = serde_json::from_slice(&run(folder.path(), &["--json"]).stdout).unwrap();
    assert_eq!(printed["episodes"], 3, "two games, one of them by two ways");
}

#[test]
fn a_broken_episode_is_named_below_the_table() {
    let folder = folder(1);
    add(folder.path(), "bad", "{");
    let output = run(folder.path(), &[]);
    assert!(out(&output).contains("logs/x main:0:0"), "{output:?}");
}

#[test]
fn a_folder_that_is_no_run_is_told() {
    let folder = folder(0);
    for command in [&["show", "y"][..], &["report", "y"], &["logs", "canonical", "y"]] {
        let output = rolecall(folder.path(), command);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains("`y` is no run"), "{output:?}");
    }
    fs::create_dir(folder.path().join("y")).unwrap();
    for (record, expected) in [("", "empty"), ("name = \"a\"\nfoo\n", "not TOML: line 2: ")] {
        fs::write(folder.path().join("y/run.toml"), record).unwrap();
        let output = rolecall(folder.path(), &["report", "y"]);
        assert_eq!(output.status.code(), Some(2));
        let text = complaint(&output);
        assert!(text.contains(expected) && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn a_log_that_was_cut_off_is_read_with_a_note() {
    let folder = folder(2);
    run(folder.path(), &[]);
    let events = folder.path().join("logs/x/events.jsonl");
    let whole = fs::read(&events).unwrap();
    fs::write(&events, &whole[..whole.len() - 30]).unwrap();
    for command in [&["show", "x"][..], &["report", "x"], &["report", "x", "--json"], &["logs", "canonical", "x"]] {
        let output = rolecall(folder.path(), command);
        let note = complaint(&output);
        assert!(note.contains("line"), "{note}");
        assert!(!output.stdout.is_empty());
    }
    fs::write(&events, "").unwrap();
    let output = rolecall(folder.path(), &["report", "x"]);
    assert_eq!(complaint(&output).lines().count(), 1, "{output:?}");
    fs::write(&events, [&whole[..], b"what?\n"].concat()).unwrap();
    let output = rolecall(folder.path(), &["report", "x"]);
    assert_eq!(output.status.code(), Some(2));
    let text = complaint(&output);
    let last = format!("line {}: not an event", whole.iter().filter(|b| **b == b'\n').count() + 1);
    assert!(text.contains(&last) && !text.contains("at line 1"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_log_that_reaches_its_limit_ends_the_run_with_an_error() {
    let folder = folder(2);
    let script =
        format!("ulimit -f 200; exec {} run x.toml --set repeats=100000 --json", env!("CARGO_BIN_EXE_rolecall"));
    let mut shell = Command::new("sh");
    let output = shell.current_dir(folder.path()).args(["-c", &script]);
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = complaint(&output);
    assert!(text.contains("the log of the run is incomplete"), "{text}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(printed["episodes"].is_number(), "one object and nothing else");
    let report = rolecall(folder.path(), &["report", "x", "--json"]);
    assert!(serde_json::from_slice::<Value>(&report.stdout).is_ok());
}

#[cfg(unix)]
#[test]
fn a_log_that_is_removed_meanwhile_is_no_success() {
    let folder = folder(2);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall"));
    let arguments = ["run", "x.toml", "--set", "user.kind=human"];
    let person = command.current_dir(folder.path()).args(arguments);
    let pipes = person.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.stdout(Stdio::null()).spawn().unwrap();
    // The question is the sign that the run goes on.
    let mut asked = [0];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut asked).unwrap();
    fs::remove_dir_all(folder.path().join("logs")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(complaint(&output).contains("removed meanwhile"), "{output:?}");
}

#[test]
fn what_happens_is_traced() {
    let folder = folder(1);
    add(folder.path(), "bad", "{");
    let output = run(folder.path(), &["-v"]);
    assert!(complaint(&output).contains("main:0:0"), "{output:?}");
    let trace = fs::read_to_string(folder.path().join("logs/x/trace.log")).unwrap();
    let lines = trace.lines().map(serde_json::from_str::<Value>);
    assert!(lines.map(Result::unwrap).count() >= 3, "{trace}");
}

#[test]
fn errors_steer_no_terminal() {
    let folder = folder(0);
    let output = rolecall(folder.path(), &["report", "x\u{1b}[2J\u{202e}"]);
    let text = complaint(&output);
    assert!(text.contains("x\\u{1b}[2J\\u{202e}"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}

#[test]
fn config_messages_name_what_helps() {
    let folder = folder(1);
    fs::write(folder.path().join("s.jsonl"), b"{\"moves\":[]}\n\xff").unwrap();
    fs::write(folder.path().join("n.jsonl"), "{\"moves\":[]}\nnonsense").unwrap();
    let scripted = |file: &str| {
        let file = format!("roles.executor.file={file}");
        let swap = "roles.executor.implementation=scripted";
        rolecall(folder.path(), &["check", "x.toml", "--set", swap, "--set", &file])
    };
    let text = complaint(&scripted("missing"));
    assert!(text.starts_with("error: the config has a problem\n"), "{text}");
    assert!(complaint(&scripted("s.jsonl")).contains("not UTF-8: the bytes from 13 on"));
    assert!(complaint(&scripted("n.jsonl")).contains("line 2, column 2: expected ident\n"));
    let set = |set: &str| complaint(&rolecall(folder.path(), &["check", "x.toml", "--set", set]));
    assert!(set("limit.steps=3").contains("`cells`, `matrix`, `mixture`, `extends`"));
    assert!(set("cells.a.seed=3").contains("the config has no `[[cells]]`"));
    assert!(set("limits.turn_seconds=1e300").contains("the number `1e300`;"));
}

#[test]
fn a_person_who_has_left_is_not_asked_again() {
    let folder = folder(2);
    let more = ["--set", "user.kind=human", "--set", "run.concurrency=1"];
    let output = run(folder.path(), &more);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = complaint(&output);
    assert_eq!(text.matches("you: ").count(), 1, "{text}");
    assert!(text.contains("Your task is to: ") && text.contains("standard input has ended"), "{text}");
}

#[test]
fn names_and_tasks_of_others_steer_no_terminal() {
    let hostile = "\u{1b}[31m\u{202e}\u{200b}";
    let folder = folder(1);
    let mut game: Value = serde_json::from_str(&good(1)).unwrap();
    let grammar = game["grammar"].as_str().unwrap();
    let written = "\\u001b[31m\\u202e\\u200b";
    let task = format!("Your task is to: {written}");
    game["grammar"] = grammar.replace("Your task is to: ", &task).into();
    add(folder.path(), &format!("a{hostile}"), &game.to_string());
    add(folder.path(), &format!("b{hostile}"), hostile);
    let logs = format!("logs{hostile}");
    let run = format!("{logs}/x");
    let human = ["--set", "user.kind=human", "--name", "human"];
    let commands = [
        &["run", "x.toml", "--logs", &logs][..],
        &[&["run", "x.toml", "--logs", &logs], &human[..]].concat(),
        &["check", "x.toml", "--set", &format!("run.logs={logs}")],
        &["check", "x.toml", "--set", &format!("user.kind={hostile}")],
        &["show", &run],
        &["show", &run, "main:0:0"],
        &["show", &run, "main:1:0"],
        &["report", &run],
        &["report", &run, "--markdown"],
    ];
    for command in commands {
        let output = rolecall(folder.path(), command);
        let all = out(&output) + &complaint(&output);
        assert!(!all.is_empty() && !all.contains("panicked"), "{all}");
        let raw = all.contains(['\u{1b}', '\u{202e}', '\u{200b}']);
        assert!(!raw, "{command:?}: {all:?}");
    }
    let shown = rolecall(folder.path(), &["show", &run, "main:0:0"]);
    assert!(out(&shown).contains("\\u{1b}[31m\\u{202e}"), "{shown:?}");
}
