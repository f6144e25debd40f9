//! Shards, and runs that are merged from them: one run, byte for byte, whatever order they come in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};
use rolecall::log::RunFolder;
use tempfile::TempDir;

const SHARDS: u32 = 16;

/// All shards, in an order that an odd factor mixes.
fn mixed(factor: u32) -> Vec<u32> {
    (0..SHARDS).map(|shard| shard * factor % SHARDS).collect()
}

/// A folder with a run of all shipped cells, and its shards.
struct Played(TempDir);

impl Played {
    fn whole() -> Self {
        let played = Self(tempfile::tempdir().unwrap());
        played.said(&["run", "quickstart", "--name", "whole", "--quiet"]);
        played
    }

    fn sharded() -> Self {
        let played = Self::whole();
        (0..SHARDS).for_each(|index| played.shard(index, &[]));
        played
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Plays a shard, whatever comes of its episodes.
    fn shard(&self, index: u32, more: &[&str]) {
        let (shard, name) = (format!("{index}/{SHARDS}"), index.to_string());
        let run = ["run", "quickstart", "--logs", "shards", "--quiet", "--no-report"];
        let all = [&run[..], &["--shard", &shard, "--name", &name], more].concat();
        let output = self.output(&all);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }

    fn output(&self, arguments: &[&str]) -> Output {
        rolecall(self.0.path(), arguments).output().unwrap()
    }

    /// What the program printed on both outputs, if it ended well.
    fn said(&self, arguments: &[&str]) -> String {
        self.told(arguments, 0)
    }

    fn told(&self, arguments: &[&str], code: i32) -> String {
        let output = self.output(arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {all}");
        all
    }

    /// Merges parts into a run of this name, given by their numbers.
    fn merge(&self, run: &str, parts: &[u32], code: i32) -> String {
        let parts: Vec<String> = parts.iter().map(|part| format!("shards/{part}")).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.told(&[&["merge", run, "--no-report"], &parts[..]].concat(), code)
    }

    fn canonical(&self, run: &str) -> String {
        self.said(&["logs", "canonical", run])
    }

    fn results(&self, run: &str) -> Vec<String> {
        let all = fs::read_to_string(self.path(run).join("results.jsonl")).unwrap();
        let mut lines: Vec<String> = all.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }

    /// The run is that of one process in all that counts, and whole.
    fn assert_is_whole(&self, run: &str) {
        assert!(self.canonical(run) == self.canonical("whole"), "the events differ");
        assert_eq!(self.results(run), self.results("logs/whole"));
        self.said(&["logs", "verify", run]);
    }

    fn record(&self, run: &str) -> toml::Table {
        fs::read_to_string(self.path(run).join("run.toml")).unwrap().parse().unwrap()
    }

    /// Changes a file of a run.
    fn edit(&self, file: &str, change: impl Fn(&str) -> String) {
        let path = self.path(file);
        let was = fs::read_to_string(&path).unwrap();
        let is = change(&was);
        assert_ne!(was, is, "{file}");
        fs::write(path, is).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn shards_merged_in_any_order_are_one_run_byte_for_byte() {
    let played = Played::sharded();
    let episodes: i64 =
        (0..SHARDS).map(|shard| played.record(&format!("shards/{shard}"))["episodes"].as_integer().unwrap()).sum();
    assert_eq!(Some(episodes), played.record("logs/whole")["episodes"].as_integer());
    played.merge("runs/all", &mixed(5), 0);
    played.assert_is_whole("runs/all");
    let record = played.record("runs/all");
    assert_eq!(record["episodes"].as_integer(), Some(episodes));
    assert_eq!(record["name"].as_str(), Some("all"));
    assert_eq!(record["id"], played.record("shards/0")["id"]);
    assert!(record["run"].get("shard").is_none());
    let set = record["invocation"]["set"].to_string();
    assert!(!set.contains("shard="), "{set}");
    let workers = record["workers"].as_array().unwrap();
    let count = workers.iter().map(|worker| worker["episodes"].as_integer().unwrap());
    assert_eq!((workers.len(), count.sum::<i64>()), (SHARDS as usize, episodes));
    // Once more, in another order, nothing is added.
    let told = played.merge("runs/all", &mixed(11), 0);
    assert!(told.contains("0 episodes") && told.contains(&episodes.to_string()), "{told}");
    played.assert_is_whole("runs/all");
    for command in [
        vec!["show", "runs/all"],
        vec!["report", "runs/all", "--write"],
        vec!["compare", "runs/all", "logs/whole"],
        vec!["replay", "runs/all"],
        vec!["resume", "runs/all"],
    ] {
        played.said(&command);
    }
    played.assert_is_whole("runs/all");
    assert_eq!(played.record("runs/all")["workers"].as_array().unwrap().len(), SHARDS as usize);
    let report = fs::read_to_string(played.path("runs/all/report.md")).unwrap();
    assert!(report.contains("Workers"), "{report}");
}

#[test]
fn what_is_missing_is_merged_later_or_played_here() {
    let played = Played::sharded();
    let told = played.merge("runs/part", &[6, 1, 1, 3], 1);
    assert!(told.contains("rolecall resume runs/part"), "{told}");
    played.merge("runs/part", &[3, 0], 1);
    copy(&played.path("runs/part"), &played.path("runs/other"));
    played.said(&["resume", "runs/part", "--quiet"]);
    played.assert_is_whole("runs/part");
    // Merged runs are merged as shards are.
    let rest: Vec<u32> = (0..SHARDS).filter(|shard| ![0, 1, 3, 6].contains(shard)).collect();
    played.merge("runs/other", &rest, 0);
    played.assert_is_whole("runs/other");
    played.said(&["merge", "runs/third", "runs/other", "runs/part", "--quiet"]);
    played.assert_is_whole("runs/third");
}

#[test]
fn a_changed_event_is_named_and_shown_in_both_versions() {
    let played = Played::sharded();
    copy(&played.path("shards/2"), &played.path("shards/20"));
    played.edit("shards/20/events.jsonl", |events| events.replacen("\"text\":\"", "\"text\":\"X", 1));
    // The digest tells: restored from nowhere, it is left out.
    let told = played.merge("runs/all", &[2, 20], 2);
    assert!(told.contains("shards/20") && told.contains("when it closed"), "{told}");
    // Whoever changes the digests, too, has another version.
    for file in ["timings.jsonl", "results.jsonl"] {
        fs::write(played.path("shards/20").join(file), "").unwrap();
    }
    let told = played.merge("runs/new", &[2, 20], 2);
    for part in ["was played in two ways", "event ", "runs/new/events.jsonl", "shards/20/events.jsonl", "text\":\"X"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // What was merged before it stays, and the rest can be merged without it.
    played.merge("runs/new", &mixed(1), 0);
    played.assert_is_whole("runs/new");
}

#[test]
fn parts_of_other_runs_are_refused_by_what_differs() {
    let played = Played::whole();
    played.shard(0, &[]);
    played.shard(1, &["--seed", "2"]);
    let told = played.merge("runs/all", &[0, 1], 2);
    assert!(told.contains("`shards/1` is not of the same run as `shards/0`"), "{told}");
    assert!(told.contains("`seed` was 1 and is 2"), "{told}");
    played.shard(2, &[]);
    played.edit("shards/2/run.toml", |record| record.replacen("rolecall = \"", "rolecall = \"9", 1));
    let told = played.merge("runs/all", &[0, 2], 2);
    assert!(told.contains("`rolecall` was"), "{told}");
    played.shard(3, &["--set", "limits.steps=7"]);
    let told = played.merge("runs/all", &[0, 3], 2);
    assert!(told.contains("limits.steps"), "{told}");
    assert!(!played.path("runs/all").exists());
    // A shard is no run to merge into, nor goes it on as another one.
    let told = played.told(&["merge", "shards/0", "shards/2"], 2);
    assert!(told.contains("is not of the same run") || told.contains("is itself shard 0/16"), "{told}");
    let told = played.told(&["resume", "shards/0", "--set", "run.shard=1/16"], 2);
    assert!(told.contains("plays shard 0/16, but is to play shard 1/16"), "{told}");
    for wrong in ["3/3", "x", "0/0"] {
        let told = played.told(&["run", "quickstart", "--shard", wrong], 2);
        assert!(told.contains("is no shard") && told.contains("0/3, 1/3 and 2/3"), "{told}");
    }
}

#[test]
fn torn_ends_are_left_out_and_a_missing_segment_is_refused() {
    let played = Played::sharded();
    let part = played.path("shards/1");
    // A process was killed: its last lines are torn, and the ends of its last episode are not there.
    let events = fs::read_to_string(part.join("events.jsonl")).unwrap();
    let closed = events.rfind("\"closed\":").unwrap();
    fs::write(part.join("events.jsonl"), &events[..closed]).unwrap();
    let cut = |file: &str| {
        let all = fs::read_to_string(part.join(file)).unwrap();
        let start = all.trim_end().rfind('\n').map_or(0, |at| at + 1);
        fs::write(part.join(file), &all[..start]).unwrap();
    };
    cut("results.jsonl");
    cut("timings.jsonl");
    let told = played.merge("runs/all", &mixed(1), 1);
    assert!(told.contains("1 episode"), "{told}");
    let open = played.record("runs/all");
    assert!(open["workers"].as_array().unwrap().len() >= SHARDS as usize - 1);
    played.said(&["resume", "runs/all", "--quiet"]);
    played.assert_is_whole("runs/all");
    played.said(&["logs", "compact", "shards/2"]);
    played.merge("runs/again", &[2], 1);
    let segment = played.path("shards/2/events-000001.jsonl.zst");
    fs::rename(&segment, played.path("shards/2/events-000002.jsonl.zst")).unwrap();
    let told = played.merge("runs/other", &[2], 2);
    assert!(told.contains("is missing"), "{told}");
}

/// The command of a job that is started again and again.
const JOB: [&str; 9] = ["run", "live.toml", "--logs", "logs", "--name", "job", "--or-resume", "--shard", "0/1"];

fn job(folder: &Path, server: &FakeModel) -> Command {
    let more = "limits.steps = 6\ntasks.limit = 6\nrun.concurrency = 2";
    server.write_config(folder, more, "");
    rolecall(folder, &JOB)
}

fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

fn until(mut what: impl FnMut() -> bool) {
    for _ in 0..1500 {
        if what() {
            return;
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
    panic!("it did not happen within 15 seconds");
}

#[test]
fn one_command_begins_a_run_goes_on_with_it_and_leaves_it_alone_when_it_is_finished() {
    let server = FakeModel::start(Duration::from_millis(100), |_| Does::Says("Act: look"));
    let folder = tempfile::tempdir().unwrap();
    for (end, code) in [("TERM", Some(0)), ("KILL", None)] {
        let before = server.requests();
        let mut command = job(folder.path(), &server);
        let quiet = command.stderr(Stdio::null()).stdout(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        until(|| server.requests() >= before + 4);
        signal(child.id(), end);
        assert_eq!(child.wait().unwrap().code(), code, "{end}");
    }
    let locked = RunFolder::lock(&folder.path().join("logs/job")).unwrap();
    let busy = job(folder.path(), &server).output().unwrap();
    assert_eq!(busy.status.code(), Some(2), "{}", text(&busy.stderr));
    assert!(text(&busy.stderr).contains("is being written by"));
    drop(locked);
    let output = job(folder.path(), &server).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = |arguments: &[&str]| {
        let output = rolecall(folder.path(), arguments).output().unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    // Only what was under way when the process was killed is asked once more.
    let counts = server.counts();
    assert!(counts.by_key.values().filter(|count| **count > 1).count() <= 4);
    let asked = server.requests();
    let (code, text) = told(&JOB);
    assert_eq!((code, server.requests()), (Some(0), asked), "{text}");
    assert!(!folder.path().join("logs/job-2").exists());
    let (code, text) = told(&[&JOB[..], &["--seed", "5"]].concat());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is not the run of this command"), "{text}");
    // Two who were asked the same and answered otherwise: the one that the run has counts.
    let whole = ["run", "live.toml", "--logs", "logs", "--quiet", "--name"];
    assert_eq!(told(&[&whole[..], &["second"]].concat()).0, Some(0));
    let path = folder.path().join("logs/second/events.jsonl");
    let events = fs::read_to_string(&path).unwrap();
    fs::write(&path, events.replace("Act: look", "Act:  look")).unwrap();
    for file in ["timings.jsonl", "results.jsonl"] {
        fs::write(path.with_file_name(file), "").unwrap();
    }
    let (code, text) = told(&["merge", "runs/all", "logs/second", "logs/job"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("6 versions"), "{text}");
    let (_, canonical) = told(&["logs", "canonical", "runs/all"]);
    assert_eq!(canonical, told(&["logs", "canonical", "job"]).1);
}
