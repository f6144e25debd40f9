//! Runs that are gone on with, played again and branched from other folders; commands that are printed for
//! somebody to paste.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::binary::{rolecall, text};

const CONFIG: &str = r#"
name = "made"
strategy = { name = "respact" }
environment = { name = "household" }
tasks = { limit = 2 }
run = { concurrency = 2, arbiters = 1 }
roles.executor.implementation = "rules"
user.kind = "helpful"
"#;

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = rolecall(folder, arguments).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    text(&output.stdout)
}

/// A project whose run, with paths that are relative to it, lost its second half.
fn project(root: &Path) -> PathBuf {
    let project = root.join("project");
    fs::create_dir_all(project.join("configs")).unwrap();
    fs::write(project.join("configs/made.toml"), CONFIG).unwrap();
    let generate = ["data", "generate", "household", "--count", "2", "--out", "games"];
    done(&project, &generate);
    let set = ["--set", "environment.data=games", "--set", "environment.split=valid_unseen"];
    let run = [&["run", "configs/made.toml", "--quiet", "--no-report"][..], &set].concat();
    done(&project, &run);
    project
}

/// Has a whole run look as if it was killed, and gives its canonical log.
fn killed(run: &Path) -> String {
    let canonical = done(run, &["logs", "canonical", "."]);
    let events = fs::read(run.join("events.jsonl")).unwrap();
    fs::write(run.join("events.jsonl"), &events[..events.len() / 2]).unwrap();
    for name in ["results.jsonl", "timings.jsonl"] {
        fs::write(run.join(name), "").unwrap();
    }
    canonical
}

#[test]
fn a_run_is_gone_on_with_and_played_again_from_any_folder() {
    let root = tempfile::tempdir().unwrap();
    let (project, other) = (project(root.path()), root.path().join("other"));
    fs::create_dir(&other).unwrap();
    let record = fs::read_to_string(project.join("logs/made/run.toml")).unwrap();
    assert!(record.contains("\nfolder = \"../..\"\n"), "{record}");
    let run = "../project/logs/made";
    let canonical = killed(&project.join("logs/made"));
    done(&other, &["resume", run, "--quiet", "--no-report"]);
    assert_eq!(done(&other, &["logs", "canonical", run]), canonical);
    assert_eq!(fs::read_to_string(project.join("logs/made/run.toml")).unwrap(), record);
    done(&other, &["replay", run]);
    done(&project.join("logs/made"), &["replay", "."]);
    // A branch goes beside the run, or where it is asked for from here; both can be gone on with.
    let branch = ["branch", run, "--episodes", "all", "--at", "last", "--quiet", "--no-report"];
    done(&other, &[&branch[..], &["--name", "beside"]].concat());
    done(&other, &[&branch[..], &["--name", "here", "--logs", "mine"]].concat());
    for branched in [project.join("logs/beside"), other.join("mine/here")] {
        let canonical = killed(&branched);
        let branched = branched.to_str().unwrap();
        done(root.path(), &["resume", branched, "--quiet", "--no-report"]);
        assert_eq!(done(root.path(), &["logs", "canonical", branched]), canonical);
    }
    // Moved as a whole, or written by an older version.
    let moved = root.path().join("moved");
    fs::rename(&project, &moved).unwrap();
    done(&other, &["replay", "../moved/logs/made"]);
    let old = record.replace("\nfolder = \"../..\"\n", "\n");
    fs::write(moved.join("logs/made/run.toml"), old).unwrap();
    done(&other, &["replay", "../moved/logs/made"]);
    // The run alone, elsewhere: from where it was started.
    fs::rename(moved.join("logs/made"), other.join("made")).unwrap();
    done(&moved, &["replay", "../other/made"]);
    let lost = rolecall(&other, &["replay", "made"]).output().unwrap();
    let told = text(&lost.stderr);
    assert_eq!(lost.status.code(), Some(2), "{told}");
    assert!(told.contains("paths in it hold from the folder in which the run was started"), "{told}");
}

#[test]
fn a_run_outside_its_project_names_the_project() {
    let root = tempfile::tempdir().unwrap();
    let project = root.path().join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("made.toml"), CONFIG).unwrap();
    let run = ["run", "made.toml", "--logs", "../far", "--quiet", "--no-report", "--set"];
    done(&project, &[&run[..], &["environment.data=builtin"]].concat());
    let canonical = killed(&root.path().join("far/made"));
    done(Path::new("/"), &["resume", root.path().join("far/made").to_str().unwrap(), "--quiet"]);
    assert_eq!(done(root.path(), &["logs", "canonical", "far/made"]), canonical);
}

/// Has a shell do what was printed, from these words on.
#[cfg(unix)]
fn pasted(folder: &Path, printed: &str, from: &str) -> Output {
    let command = printed.lines().find_map(|line| line.find(from).map(|place| &line[place..]));
    let command = command.unwrap_or_else(|| panic!("no `{from}` in {printed}"));
    let command = command.strip_suffix(')').unwrap_or(command);
    let program = Path::new(env!("CARGO_BIN_EXE_rolecall"));
    let mut shell = Command::new("bash");
    shell.current_dir(folder).env("PATH", format!("{}:/usr/bin:/bin", program.parent().unwrap().display()));
    shell.args(["-c", command]).output().unwrap()
}

#[cfg(unix)]
#[test]
fn commands_that_are_printed_can_be_pasted_whatever_the_path() {
    for logs in ["two words", "it's $(id) `x` \"&;|", "-l", "~", "a\\b\tc\u{202e}d", "#é*[a]{b}?!"] {
        let folder = tempfile::tempdir().unwrap();
        let config = CONFIG.replace("\"household\"", "\"household\", data = \"builtin\"");
        fs::write(folder.path().join("made.toml"), config).unwrap();
        let logs_are = format!("--logs={logs}");
        let run = ["run", "made.toml", &logs_are, "--quiet", "--no-report"];
        let printed = done(folder.path(), &run);
        let shown = pasted(folder.path(), &printed, "rolecall show ");
        assert!(shown.status.success(), "{logs}: {printed}{}", text(&shown.stderr));
        assert!(text(&shown.stdout).contains("main:0:0"), "{printed}");
        // Of a run that is followed, and was killed.
        let path = folder.path().join(logs).join("made");
        let canonical = killed(&path);
        let follow = rolecall(&path, &["show", ".", "--follow"]).output().unwrap();
        assert!(follow.status.success(), "{}", text(&follow.stderr));
        let named = [&run[..], &["--name", "made"]].concat();
        let refused = rolecall(folder.path(), &named).output().unwrap();
        let told = text(&refused.stderr);
        let advice = told.split_once("go on with it by `").unwrap().1;
        let advice = advice.split_once("`, or choose").unwrap().0;
        let resumed = pasted(folder.path(), advice, "");
        assert!(resumed.status.success(), "{advice}: {}", text(&resumed.stderr));
        assert_eq!(done(&path, &["logs", "canonical", "."]), canonical);
    }
}
