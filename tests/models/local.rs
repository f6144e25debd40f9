//! The model inside the program: it plays, is the same whatever plays beside it, and is trained again to the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary::{rolecall, text};
use crate::support::played::ends;

/// Settings of a training that takes seconds.
const SMALL: &str = r#"
name = "small"
[[data]]
make = "trajectories household --setting ambiguous --count 60 --seed 3"
[model]
width = 16
layers = 1
heads = 2
[learning]
tokens = 30000
batch = 1000
"#;

fn canonical(folder: &Path, run: &str) -> String {
    text(&ends(folder, &["logs", "canonical", run], 0).stdout)
}

fn success(folder: &Path, arguments: &[&str]) -> f64 {
    let all = [&["run"], arguments, &["--json", "--no-report", "-q"]].concat();
    let results: serde_json::Value = serde_json::from_slice(&ends(folder, &all, 0).stdout).unwrap();
    results["cells"][0]["success"]["rate"].as_f64().unwrap()
}

#[test]
fn the_shipped_model_solves_what_its_card_says() {
    let folder = tempfile::tempdir().unwrap();
    let card = include_str!("../../agents/local/README.md");
    assert!(card.contains("rolecall train agents/local/train.toml"), "{card}");
    // A bounded part of the games behind the card's figures, which are above these bounds.
    for (config, least) in [("aba-local", 0.8), ("respact-local", 0.75), ("react-local", 0.15)] {
        let config = format!("household/{config}");
        let rate = success(folder.path(), &[&config, "--limit", "12"]);
        assert!(rate >= least, "{config}: {rate}");
    }
}

#[test]
fn what_it_chose_and_what_it_wrote_are_rows_to_learn_from() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = ["run", "household/aba-local", "--limit", "2", "--name", "a"];
    ends(at, &[&run[..], &["-q", "--no-report"]].concat(), 0);
    ends(at, &["export", "a", "--format", "rows", "--out", "out"], 0);
    let lines = |file: &str| -> Vec<serde_json::Value> {
        let all = fs::read_to_string(at.join(file)).unwrap();
        all.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let answers: Vec<String> =
        lines("out/data/train-00000.jsonl").iter().map(|row| row["completion"].as_str().unwrap().to_owned()).collect();
    let events = lines("logs/a/events.jsonl");
    let moved = events.iter().filter_map(|event| event["message"].get("moved"));
    let moved: Vec<_> = moved.collect();
    assert_eq!(answers.len(), moved.len());
    for act in moved.iter().filter(|moved| moved["kind"] == "act") {
        let text = act["action"]["text"].as_str().unwrap();
        assert!(answers.contains(&format!(" {text}")), "{text}");
    }
}

#[test]
fn neither_threads_nor_neighbours_change_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, concurrency) in [("alone", "1"), ("together", "6")] {
        let concurrency = format!("run.concurrency={concurrency}");
        let all = ["household/respact-local", "--limit", "6", "--name", name, "--set", &concurrency];
        let drawn = ["--set", "models.local.sampling.temperature=1", "--no-report", "-q"];
        ends(folder.path(), &[&["run"], &all[..], &drawn].concat(), 0);
    }
    assert_eq!(canonical(folder.path(), "alone"), canonical(folder.path(), "together"));
    ends(folder.path(), &["replay", "together"], 0);
    let shown = text(&ends(folder.path(), &["show", "alone", "main:0:0", "--prompts", "--json"], 0).stdout);
    assert!(!shown.is_empty());
    for line in shown.lines() {
        let call: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(call["agrees"], true, "{call}");
    }
}

#[test]
fn words_that_no_token_is_for_break_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let card = "prompt = \"odd.md\"\nimplementation = \"model\"\n[sampling]\ntemperature = 0.0\nstop = [\"\\n\"]\n";
    let agents = folder.path().join("agents/odd");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("executor.toml"), card).unwrap();
    fs::write(agents.join("odd.md"), "\u{1f600} \u{202e}Zweifelhaft\t\u{0}§ 123456789\n{{ transcript }}\n>").unwrap();
    let odd = ["run", "household/respact-local", "--limit", "1", "--no-report", "--set", "limits.steps=3"];
    let set = ["--set", "roles.executor.persona=odd/executor", "--set", "agents=agents", "--name", "odd"];
    ends(folder.path(), &[&odd[..], &set].concat(), 0);
}

#[test]
fn a_checkpoint_that_is_none_is_named_with_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("broken");
    fs::create_dir(&at).unwrap();
    let refused = |part: &str| {
        let checkpoint = format!("models.local.checkpoint={}", at.display());
        let output = ends(folder.path(), &["check", "household/aba-local", "--set", &checkpoint], 2);
        let shown = text(&output.stderr);
        assert!(shown.contains("checkpoint") && shown.contains(part), "{part}: {shown}");
    };
    refused("model.safetensors");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/local");
    fs::copy(shipped.join("tokenizer.json"), at.join("tokenizer.json")).unwrap();
    fs::write(at.join("model.safetensors"), b"nothing").unwrap();
    refused("is no file of safetensors");
    let mut weights = fs::read(shipped.join("model.safetensors")).unwrap();
    weights.truncate(weights.len() / 2);
    fs::write(at.join("model.safetensors"), weights).unwrap();
    refused("is no file of safetensors");
    fs::copy(shipped.join("model.safetensors"), at.join("model.safetensors")).unwrap();
    fs::write(at.join("tokenizer.json"), "{\"names\": [], \"pieces\": [\"a\"]}").unwrap();
    refused("has 258 tokens");
}

fn train(folder: &Path, out: &str, more: &[&str]) -> Command {
    rolecall(folder, &[&["train", "small.toml", "--out", out], more].concat())
}

fn weights(folder: &Path, out: &str) -> Vec<u8> {
    fs::read(folder.join(out).join("model.safetensors")).unwrap()
}

#[test]
#[cfg(feature = "train")]
#[expect(clippy::disallowed_methods, reason = "it waits for another process")]
fn a_training_that_was_killed_goes_on_to_the_same_bytes_and_its_model_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("small.toml"), SMALL).unwrap();
    let done = |out: &str| -> Output {
        let output = train(at, out, &[]).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        output
    };
    let printed = text(&done("whole").stdout);
    assert!(printed.contains("act"), "{printed}");
    let card = fs::read_to_string(at.join("whole/README.md")).unwrap();
    assert!(card.contains("count 60") && card.contains("| act |"), "{card}");

    // Stopped by a signal as soon as it learns, then gone on with.
    let mut child = train(at, "stopped", &[]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let state = at.join("stopped/training.state");
    let deadline = Instant::now() + Duration::from_secs(60);
    let learns = || fs::read_dir(at.join("stopped")).is_ok_and(|files| files.count() > 0);
    while !learns() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    let code = child.wait().unwrap().code();
    assert!(code != Some(0) || !state.exists(), "{code:?}");
    done("stopped");
    assert_eq!(weights(at, "whole"), weights(at, "stopped"));
    assert!(!state.exists());

    let refused = train(at, "whole", &[]).output().unwrap();
    assert!(text(&refused.stderr).contains("holds a model already"), "{refused:?}");
    let checkpoint = format!("models.local.checkpoint={}", at.join("whole").display());
    let steps = ["--limit", "1", "--no-report", "--set", "limits.steps=4", "--set", &checkpoint];
    ends(at, &[&["run", "household/aba-local"], &steps[..]].concat(), 0);
}

#[test]
#[cfg(feature = "train")]
fn settings_that_cannot_be_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), SMALL).unwrap();
    for (set, part) in [
        ("learning.tokens=0", "`learning.tokens` must be at least 1"),
        ("model.heads=3", "`model`: a width of 16 has no 3 heads"),
        ("learning.speed=1", "unknown field `speed`"),
        ("data=[]", "`data` has no entry"),
        ("data=[{make = \"trajectories household --split unseen\"}]", "belongs to a split for tests"),
        ("data=[{make = \"trajectories household --nonsense\"}]", "--nonsense"),
    ] {
        let output = train(folder.path(), "none", &["--set", set]).output().unwrap();
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{set}: {shown}");
        assert!(shown.contains(part), "{set}: {shown}");
    }
}
