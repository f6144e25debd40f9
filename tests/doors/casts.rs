//! Every kind of player with everything that is done with a run: played by rules, a model, a program of its own, a
//! person, and the model inside the program; replayed, gone on with, branched, merged and exported.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::binary::{rolecall, text};
use crate::support::played::{events, rewrite};

/// The players, each with the lines of its config.
const PLAYERS: [(&str, &str); 5] = [
    ("rules", "[roles.executor]\nimplementation = \"rules\""),
    (
        "model",
        "[roles.executor]\nimplementation = \"model\"\nmodel = \"m\"\nmoves = \"text\"\n\
         [models.m]\nprovider = \"scripted\"\nscript = \"script.jsonl\"",
    ),
    (
        "process",
        "[roles.executor]\nimplementation = \"process\"\ncommand = [\"python3\", \"player.py\"]\n\
         parameters = {}",
    ),
    ("human", "[roles.executor]\nimplementation = \"human\""),
    (
        "local",
        "[roles.executor]\nimplementation = \"model\"\nmodel = \"m\"\npersona = \"local/executor\"\nspeech = \"ask\"\n\
         shots = 0\n[models.m]\nprovider = \"local\"",
    ),
];

/// What a person types, line after line.
const TYPED: [&str; 4] = [
    "look
",
    "inventory
",
    "think: What now?
",
    "look
",
];

fn ran(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = rolecall(folder, arguments);
    let piped = (Stdio::piped(), Stdio::piped(), Stdio::piped());
    let mut child = command.stdin(piped.0).stdout(piped.1).stderr(piped.2).spawn().unwrap();
    // A program that asks nobody reads nothing.
    let _ = child.stdin.take().unwrap().write_all(TYPED.concat().repeat(9).as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {} {}", text(&output.stdout), text(&output.stderr));
    output
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok()
}

/// A folder with a run `r` of two episodes by a kind of player.
fn played(kind: &str, player: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let child = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors/children/player.py");
    fs::copy(child, at.join("player.py")).unwrap();
    let script = "{\"contains\": \"task\", \"text\": \"Act: look\"}\n";
    fs::write(at.join("script.jsonl"), script).unwrap();
    let config = format!(
        "name = \"r\"\nseed = 3\nlimits.steps = 6\ntasks.limit = 2\n[run]\nconcurrency = 1\n\
         [environment]\nname = \"household\"\ndata = \"builtin\"\n[strategy]\nname = \"respact\"\n\
         [user]\nkind = \"owner\"\n{player}\n"
    );
    fs::write(at.join("r.toml"), config).unwrap();
    ran(at, &["run", "r.toml", "--no-report"]);
    assert_eq!(events(at, "r").len(), 2, "{kind}");
    folder
}

fn replayed(at: &Path, kind: &str) {
    let shown: serde_json::Value = serde_json::from_slice(&ran(at, &["replay", "r", "--json"]).stdout).unwrap();
    for way in shown["replays"].as_array().unwrap() {
        assert_eq!((&way["episodes"], &way["identical"]), (&2.into(), &2.into()), "{kind}: {shown}");
    }
}

fn exported(at: &Path, kind: &str) {
    let rows = |out: &str| {
        ran(at, &["export", "r", "--out", out, "--format", "rows"]);
        fs::read_to_string(at.join(out).join("data/train-00000.jsonl")).unwrap()
    };
    let (first, second) = (rows("first"), rows("second"));
    assert_eq!(first, second, "{kind}");
    let by_model = ["model", "local"].contains(&kind);
    assert_eq!(first.contains("\"model\":\"m\""), by_model, "{kind}: {first}");
}

fn branched(at: &Path, kind: &str) {
    let every = ["branch", "r", "--episodes", "all", "--at", "turn:1"];
    ran(at, &[&every[..], &["--name", "b", "--no-report"]].concat());
    assert_eq!(events(at, "b").len(), 2, "{kind}");
}

fn merged(at: &Path, kind: &str) {
    let halves = ["0/2", "1/2"].map(|shard| {
        let name = format!("part-{}", &shard[..1]);
        let run = ["run", "r.toml", "--shard", shard, "--name", &name, "--no-report"];
        ran(at, &run);
        format!("logs/{name}")
    });
    ran(at, &["merge", "m", &halves[0], &halves[1]]);
    assert_eq!(events(at, "m").len(), 2, "{kind}");
}

/// Takes the end of an episode away, and has the run gone on with.
fn gone_on_with(at: &Path, kind: &str) {
    let whole = events(at, "r");
    let mut left = whole.clone();
    let last = left.values_mut().next_back().unwrap();
    last.truncate(last.len() / 2);
    rewrite(at, "r", &left);
    for file in ["results.jsonl", "timings.jsonl"] {
        fs::write(at.join("logs/r").join(file), "").unwrap();
    }
    ran(at, &["resume", "r", "--no-report"]);
    match kind {
        // A person goes on with other words.
        "human" => assert_eq!(events(at, "r").len(), whole.len()),
        _ => assert_eq!(events(at, "r"), whole, "{kind}"),
    }
}

#[test]
fn every_kind_of_player_can_be_replayed_gone_on_with_branched_merged_and_exported() {
    for (kind, player) in PLAYERS {
        if kind == "process" && !has_python() {
            println!("skipped: there is no python3");
            continue;
        }
        let folder = played(kind, player);
        for check in [replayed, exported, branched, merged, gone_on_with] {
            check(folder.path(), kind);
        }
    }
}
