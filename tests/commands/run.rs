//! `rolecall run` and its relatives, through the binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::binary::{rolecall, text};
use rolecall::evaluation::Stored;
use rolecall::log::RunRecord;
use serde_json::Value;

fn config(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs").join(name);
    path.display().to_string()
}

fn run(folder: &Path, config_name: &str, more: &[&str]) -> Output {
    let file = config(config_name);
    let arguments = [&["run", &file, "--logs", "logs", "--quiet"], more].concat();
    rolecall(folder, &arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[test]
fn quickstart_plays_and_prints_a_table_and_where_the_log_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), "quickstart.toml", &["--limit", "12"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = text(&output.stdout);
    for word in ["puttwo", "respact-helpful", "logs/quickstart"] {
        assert!(printed.contains(word), "`{word}` is missing in\n{printed}");
    }
    let run = folder.path().join("logs/quickstart");
    for file in ["run.toml", "events.jsonl", "timings.jsonl", "results.jsonl", "trace.log"] {
        assert!(run.join(file).exists(), "{file}");
    }
    let again = self::run(folder.path(), "quickstart.toml", &["--limit", "1"]);
    assert!(text(&again.stdout).contains("logs/quickstart-2"));
    let named = self::run(folder.path(), "quickstart.toml", &["--name", "quickstart"]);
    assert_eq!(named.status.code(), Some(2), "a run is never written over another");
}

#[test]
fn results_as_json_have_the_documented_fields_and_report_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), "quickstart.toml", &["--json", "--limit", "4"]);
    let printed = json(&output);
    assert_eq!(printed["episodes"], 16);
    assert_eq!(printed["broken"], 0);
    for field in ["rate", "low", "high"] {
        assert!(printed["success"][field].is_number(), "success.{field}");
    }
    for field in ["mean", "low", "high"] {
        assert!(printed["reward"].get(field).is_some(), "reward.{field}");
    }
    for field in ["steps", "questions", "invalid"] {
        assert!(printed[field].is_number(), "{field}");
    }
    let groups = printed["groups"].as_array().unwrap();
    assert!(groups.len() >= 8);
    // Each cell and user has its total, which its task types add up to.
    let cells = printed["cells"].as_array().unwrap();
    let names = |one: &Value| (one["cell"].clone(), one["user"].clone());
    assert_eq!(cells.len(), 4, "{cells:?}");
    for cell in cells {
        let own = groups.iter().filter(|group| names(group) == names(cell));
        let episodes: u64 = own.map(|group| group["episodes"].as_u64().unwrap()).sum();
        assert_eq!(cell["episodes"], episodes);
        assert!(cell["success"]["rate"].is_number() && cell.get("kind").is_none());
        assert!(cell["reward"]["low"].is_number(), "{cell}");
    }
    let folder_name = printed["run"].as_str().unwrap();
    let arguments = ["report", folder_name, "--json"];
    let report = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(json(&report), printed, "metrics are functions of the log");
}

#[test]
fn what_is_left_out_of_a_config_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let said = |more: &[&str]| {
        let file = config("household/relay.toml");
        let arguments = [&["run", &file, "--logs", "logs", "--limit", "1"], more].concat();
        let output = rolecall(folder.path(), &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stderr)
    };
    let shorter = ["--set", "strategy.order=[\"planner\", \"executor\"]"];
    let line = "2 parts";
    assert!(said(&shorter).contains(line));
    assert!(!said(&[&shorter[..], &["--quiet"]].concat()).contains(line));
    assert!(!said(&[]).contains("left out"));
}

fn canonical(folder: &Path, run: &str) -> String {
    let output = rolecall(folder, &["logs", "canonical", run]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    text(&output.stdout)
}

#[test]
fn arbiters_and_concurrency_change_no_byte_of_the_canonical_log() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, arbiters: &str, concurrency: &str| {
        let more = ["--name", name, "--arbiters", arbiters, "--concurrency", concurrency, "--limit", "12"];
        assert_eq!(run(folder.path(), "quickstart.toml", &more).status.code(), Some(0));
        canonical(folder.path(), name)
    };
    let first = of("a", "1", "1");
    assert!(first.lines().count() > 500);
    assert!(first == of("b", "4", "1000") && first == of("c", "1", "1000"));
    let other_seed = run(folder.path(), "quickstart.toml", &["--name", "d", "--seed", "2", "--limit", "12"]);
    assert_eq!(other_seed.status.code(), Some(0));
    assert!(first != canonical(folder.path(), "d"), "another seed gives other episodes");
}

#[test]
fn an_episode_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "household/respact.toml", &["--limit", "2", "--name", "r"]);
    let list = rolecall(folder.path(), &["show", "r"]).output().unwrap();
    assert!(text(&list.stdout).contains("main:1:0"), "{list:?}");
    let shown = rolecall(folder.path(), &["show", "r", "main:1:0"]).output().unwrap();
    let shown = text(&shown.stdout);
    assert!(shown.contains("Your task is to:") && shown.contains("think"), "{shown}");
    assert!(!shown.contains("oracle_plan"), "private parts are hidden unless asked for");
    let private = rolecall(folder.path(), &["show", "r", "main:1:0", "--private"]).output().unwrap();
    assert!(text(&private.stdout).contains("oracle_plan"));
    let short = rolecall(folder.path(), &["show", "r", "1"]).output().unwrap();
    assert_eq!(text(&short.stdout), shown, "one episode plays task 1");
    let missing = rolecall(folder.path(), &["show", "r", "main:9:0"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("main:0:0"), "{missing:?}");
}

/// A script for the executor: the answers of one task, or of all.
fn scripted(folder: &Path, lines: &str) -> Vec<String> {
    std::fs::write(folder.join("script.jsonl"), lines).unwrap();
    let settings = ["roles.executor.implementation=scripted", "roles.executor.file=script.jsonl", "limits.attempts=1"];
    settings.iter().flat_map(|set| ["--set".to_owned(), (*set).to_owned()]).collect()
}

#[test]
fn a_broken_episode_is_told_apart_and_changes_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let think = r#"{"moves":[{"kind":"think","text":"hm"}]}"#;
    let settings = scripted(folder.path(), &format!("{think}\n{think}\n"));
    let mut more: Vec<&str> = settings.iter().map(String::as_str).collect();
    more.extend(["--limit", "3", "--json"]);
    let output = run(folder.path(), "household/react.toml", &more);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = json(&output);
    assert_eq!((&printed["episodes"], &printed["broken"]), (&3.into(), &3.into()));
    assert_eq!(printed["success"]["rate"], Value::Null, "nothing counts, so nothing is claimed");
}

#[test]
fn an_executor_that_speaks_as_the_log_says_is_swapped_by_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let look = r#"{"moves":[{"kind":"act","action":{"text":"look"}}]}"#;
    let settings = scripted(folder.path(), &format!("{look}\n").repeat(3));
    let mut more: Vec<&str> = settings.iter().map(String::as_str).collect();
    more.extend(["--limit", "1", "--set", "limits.steps=3", "--json"]);
    let output = run(folder.path(), "household/react.toml", &more);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(json(&output)["steps"], 3.0);
}

#[test]
fn a_log_folder_that_cannot_be_written_is_an_error_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let file = config("quickstart.toml");
    let arguments = ["run", &file, "--logs", "file/below"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("file/below"), "{output:?}");
}

#[test]
fn a_wrong_config_is_refused_with_every_problem_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = config("household/respact.toml");
    let arguments = ["run", &file, "--set", "user.kind=helpfull", "--set", "limits.step=3"];
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint.contains("helpful") && complaint.contains("steps"), "{complaint}");
    assert!(!folder.path().join("logs").exists(), "nothing was begun");
}

/// A run that would take long.
fn long_run(folder: &Path) -> std::process::Child {
    let file = config("quickstart.toml");
    let arguments = ["run", &file, "--logs", "logs", "--name", "long", "--set", "repeats=100000"];
    let mut command = rolecall(folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for(what: impl Fn() -> bool) {
    for _ in 0..600 {
        if what() {
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "a test waits for another process")]
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it did not happen within 12 seconds");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_cleanly_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let child = long_run(folder.path());
    let results: PathBuf = folder.path().join("logs/long/results.jsonl");
    wait_for(|| std::fs::metadata(&results).is_ok_and(|file| file.len() > 10_000));
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("rolecall resume logs/long\n"), "{output:?}");
    let report = rolecall(folder.path(), &["report", "long", "--json"]).output().unwrap();
    let report = json(&report);
    let run = folder.path().join("logs/long");
    let record = RunRecord::read(&run).unwrap();
    let closed = Stored::read(&run, &record).unwrap().results.len();
    let open = report["unfinished"].as_u64().unwrap();
    assert!(open <= 64, "{open} episodes are open");
    assert_eq!(
        report["episodes"].as_u64().unwrap() - open,
        closed as u64,
        "every other episode that was begun is closed"
    );
    let page = folder.path().join("logs/long/report.html");
    assert!(page.exists() && text(&output.stdout).contains("logs/long/report.html"));
}
