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

/// What a person types.
const TYPED: &str = "look\ninventory\nthink: What now?\nlook\nlook\nlook\nlook\nlook\n";

fn ran(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = rolecall(folder, arguments);
    let piped = (Stdio::piped(), Stdio::piped(), Stdio::piped());
    let mut child = command
        .stdin(piped.0)
        .stdout(piped.1)
        .stderr(piped.2)
        .spawn()
        .unwrap();
    // A program that asks nobody reads nothing.
    let _ = child.stdin.take().unwrap().write_all(TYPED.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {} {}",
        text(&output.stdout),
        text(&output.stderr)
    );
    output
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok()
}

#[test]
fn every_kind_of_player_can_be_replayed_gone_on_with_branched_merged_and_exported() {
    for (kind, player) in PLAYERS {
        if kind == "process" && !has_python() {
            println!("skipped: there is no python3");
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let child = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors/children/player.py");
        fs::copy(child, at.join("player.py")).unwrap();
        fs::write(
            at.join("script.jsonl"),
            "{\"contains\": \"task\", \"text\": \"Act: look\"}\n",
        )
        .unwrap();
        let config = format!(
            "name = \"r\"\nseed = 3\nlimits.steps = 6\ntasks.limit = 2\n[run]\nconcurrency = 1\n\
             [environment]\nname = \"household\"\ndata = \"builtin\"\n[strategy]\nname = \"respact\"\n\
             [user]\nkind = \"owner\"\n{player}\n"
        );
        fs::write(at.join("r.toml"), config).unwrap();
        ran(at, &["run", "r.toml", "--no-report"]);
        let whole = events(at, "r");
        assert_eq!(whole.len(), 2, "{kind}");

        let replayed = text(&ran(at, &["replay", "r"]).stdout);
        assert!(
            replayed.contains("identical") && !replayed.contains("differ"),
            "{kind}: {replayed}"
        );

        ran(at, &["export", "r", "--out", "first", "--format", "rows"]);
        ran(at, &["export", "r", "--out", "second", "--format", "rows"]);
        let rows =
            |out: &str| fs::read_to_string(at.join(out).join("data/train-00000.jsonl")).unwrap();
        assert_eq!(rows("first"), rows("second"), "{kind}");
        assert_eq!(
            rows("first").contains("\"model\":\"m\""),
            ["model", "local"].contains(&kind),
            "{kind}"
        );

        ran(
            at,
            &[
                "branch",
                "r",
                "--episodes",
                "all",
                "--at",
                "first-turn",
                "--name",
                "b",
                "--no-report",
            ],
        );
        assert_eq!(events(at, "b").len(), 2, "{kind}");

        let halves = ["1/2", "2/2"].map(|shard| {
            let name = format!("part-{}", &shard[..1]);
            ran(
                at,
                &[
                    "run",
                    "r.toml",
                    "--shard",
                    shard,
                    "--name",
                    &name,
                    "--no-report",
                ],
            );
            format!("logs/{name}")
        });
        ran(at, &["merge", "m", &halves[0], &halves[1]]);
        assert_eq!(events(at, "m").len(), 2, "{kind}");

        let mut left = whole.clone();
        let last = left.values_mut().next_back().unwrap();
        last.truncate(last.len() / 2);
        rewrite(at, "r", &left);
        for file in ["results.jsonl", "timings.jsonl"] {
            fs::write(at.join("logs/r").join(file), "").unwrap();
        }
        ran(at, &["resume", "r", "--no-report"]);
        let again = events(at, "r");
        match kind {
            // A person goes on with other words.
            "human" => assert_eq!(again.len(), whole.len()),
            _ => assert_eq!(again, whole, "{kind}"),
        }
    }
}
