//! Runs that rolecall 0.1.0 wrote, in `tests/logs/runs_of_0_1`: they are read, reported, played again, gone on with and
//! branched off as that version did.
//!
//! `logs` has one run of each kind, without what is for people (`trace.log`, reports), played from that folder by
//! `rolecall run <kind>.toml`. `unfinished` was ended by `kill -9`, only that its `running` names no machine;
//! `compacted` went through `rolecall logs compact`; `branched` is
//! `rolecall branch household 1 --at first-question --set user.kind=perturbed`. None of it is ever written anew.
//!
//! `expected` has what 0.1.0 printed about them, and the BLAKE3 of the canonical log of `unfinished` when nothing
//! interrupts it. A change that is meant to print something else writes the former anew:
//!
//! ```sh
//! UPDATE_EXPECTED=1 cargo test --test logs runs_of_0_1
//! ```

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::binary::{rolecall, text};
use serde_json::Value;

/// Each run with an episode of it to be shown.
const RUNS: [(&str, &str); 9] = [
    ("household", "main:1:0"),
    ("dialogue", "main:0:0"),
    ("relay", "main:0:0"),
    ("reflexion", "main:0:0"),
    ("model", "main:0:0"),
    ("cells", "react:0:0"),
    ("compacted", "main:1:0"),
    ("branched", "main:1:0"),
    ("unfinished", "main:0:0"),
];

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs/runs_of_0_1")
}

/// A folder with the runs and all that they were played with.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&kept(), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::write(&to, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// What the program says, and how it ends.
fn asked(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

/// What it prints when it ends well.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = asked(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text(&output.stdout)
}

/// Its first line that is another one, of an object with a value a line.
fn difference(expected: &str, now: &str) -> Option<String> {
    let lines = |text: &str| match serde_json::from_str::<Value>(text) {
        Ok(object) => serde_json::to_string_pretty(&object).unwrap(),
        Err(_) => text.to_owned(),
    };
    if expected == now {
        return None;
    }
    let (expected, now) = (lines(expected), lines(now));
    let mut pairs = expected.lines().zip(now.lines()).enumerate();
    let first = pairs.find(|(_, (expected, now))| expected != now);
    Some(match first {
        Some((line, (expected, now))) => {
            format!("line {}\n  kept {expected}\n  now  {now}", line + 1)
        }
        None => "one is longer, or spaced in another way".to_owned(),
    })
}

/// Compares what each run gives with the file `<run>.<kind>`, or writes the files if that is wanted.
fn as_recorded(kind: &str, printed: impl Fn(&Path, &str, &str) -> String) {
    let folder = copied();
    let mut wrong = Vec::new();
    for (run, episode) in RUNS {
        let now = printed(folder.path(), run, episode);
        let file = kept().join("expected").join(format!("{run}.{kind}"));
        if env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&file, &now).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        wrong.extend(difference(&expected, &now).map(|told| format!("{run}: {told}")));
    }
    assert!(wrong.is_empty(), "not as recorded:\n{}", wrong.join("\n"));
}

#[test]
fn their_results_are_reported_as_they_were() {
    // Exit code 1 says that episodes did not end.
    as_recorded("report.json", |folder, run, _| text(&asked(folder, &["report", run, "--json"]).stdout));
}

#[test]
fn they_are_analysed_as_they_were() {
    as_recorded("analyse.json", |folder, run, _| text(&asked(folder, &["analyse", run, "--json"]).stdout));
}

#[test]
fn their_transcripts_are_shown_as_they_were() {
    as_recorded("txt", |folder, run, episode| said(folder, &["show", run, episode, "--private", "--no-pager"]));
}

#[test]
fn nothing_is_wrong_with_their_logs() {
    let folder = copied();
    for (run, _) in RUNS {
        said(folder.path(), &["logs", "verify", run]);
    }
}

#[test]
fn their_episodes_come_out_the_same() {
    let folder = copied();
    for (run, _) in RUNS {
        let printed = said(folder.path(), &["replay", run, "--json"]);
        let found: Value = serde_json::from_str(&printed).unwrap();
        let ways = found["replays"].as_array().unwrap();
        assert_eq!(ways.len(), 2, "{run}: {printed}");
        for way in ways {
            assert!(way["episodes"].as_u64() > Some(0), "{run}: {printed}");
            assert_eq!(way["identical"], way["episodes"], "{run}: {printed}");
        }
    }
}

#[test]
fn a_cot_of_then_responds_at_once_however_often_it_is_gone_on_with() {
    let folder = copied();
    let identical = || {
        let printed = said(folder.path(), &["replay", "cells", "--json"]);
        let found: Value = serde_json::from_str(&printed).unwrap();
        let ways = found["replays"].as_array().unwrap().iter();
        ways.for_each(|way| assert_eq!(way["identical"], 2, "{printed}"));
    };
    let thoughts = |run: &str| {
        let log = said(folder.path(), &["logs", "canonical", run]);
        let own = log.lines().filter(|line| line.contains("\"episode\":\"cot:"));
        own.filter(|line| line.contains("\"kind\":\"think\"")).count()
    };
    identical();
    // Nothing has changed that anybody would have to accept.
    said(folder.path(), &["resume", "cells", "--no-report", "-q"]);
    identical();
    assert_eq!(thoughts("cells"), 0);
    // What is begun now reasons, and is recorded as such.
    let arguments = ["run", "cells.toml", "--no-report", "-q", "--name", "now"];
    said(folder.path(), &arguments);
    assert_eq!(thoughts("now"), 1);
    let record = fs::read_to_string(folder.path().join("logs/now/run.toml")).unwrap();
    assert!(record.contains("reasons = true"), "{record}");
    said(folder.path(), &["replay", "now"]);
}

#[test]
fn a_branch_of_one_is_the_branch_that_it_was() {
    let folder = copied();
    let swap = ["--set", "user.kind=perturbed", "--name", "again"];
    let branch = [&["branch", "household", "1", "--at", "first-question", "-q"], &swap[..]];
    said(folder.path(), &[&branch.concat()[..], &["--no-report"]].concat());
    let canonical = |run| said(folder.path(), &["logs", "canonical", run]);
    assert_eq!(canonical("again"), canonical("branched"));
}

#[test]
fn one_that_was_killed_is_gone_on_with_as_if_nothing_had_been() {
    let folder = copied();
    let log = folder.path().join("logs/unfinished");
    let before = fs::read_to_string(log.join("results.jsonl")).unwrap();
    said(folder.path(), &["resume", "unfinished", "--no-report", "-q"]);
    // Nobody has to accept the version, and it can be seen.
    let record = fs::read_to_string(log.join("run.toml")).unwrap();
    assert!(record.contains("[[changes]]") && record.contains("0.1.0"), "{record}");
    let canonical = said(folder.path(), &["logs", "canonical", "unfinished"]);
    let hash = fs::read_to_string(kept().join("expected/unfinished.blake3")).unwrap();
    let now = blake3::hash(canonical.as_bytes()).to_hex();
    assert_eq!(hash.trim(), now.as_str());
    let results = fs::read_to_string(log.join("results.jsonl")).unwrap();
    assert!(results.starts_with(&before), "{results}");
    assert_eq!(results.lines().count(), 6);
    said(folder.path(), &["logs", "verify", "unfinished"]);
}

#[test]
fn every_run_that_is_kept_is_tested() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(kept().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    };
    let runs = RUNS.map(|(run, _)| run.to_owned());
    assert_eq!(names("logs"), runs.clone().into());
    let kinds = ["report.json", "analyse.json", "txt"];
    let expected = runs.iter().flat_map(|run| kinds.map(|kind| format!("{run}.{kind}")));
    let mut expected: BTreeSet<String> = expected.collect();
    expected.insert("unfinished.blake3".to_owned());
    assert_eq!(names("expected"), expected);
}
