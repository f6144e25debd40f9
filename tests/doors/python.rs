//! The Python package: its own tests, what it sends, and runs whose seats are played by it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rolecall::domain::{Move, Observation, Score, Utterance};
use serde_json::Value;
use tempfile::TempDir;

use crate::page::{Block, Page};
use crate::support::clients;
use crate::support::fake_model::{Does, FakeModel};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder in which `python3` finds the package and `rolecall` is the program; none without Python.
struct Place {
    folder: TempDir,
    path: String,
}

impl Place {
    fn new() -> Option<Self> {
        let found = Command::new("sh").args(["-c", "command -v python3"]).output().unwrap();
        if !found.status.success() {
            println!("skipped: python3 is not installed");
            return None;
        }
        let python = String::from_utf8(found.stdout).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let names = folder.path().join("bin");
        fs::create_dir_all(&names).unwrap();
        let package = root().join("python/src");
        let starts = format!("#!/bin/sh\nPYTHONPATH='{}' exec '{}' -B \"$@\"\n", package.display(), python.trim());
        let file = names.join("python3");
        fs::write(&file, starts).unwrap();
        make_runnable(&file);
        let program = Path::new(env!("CARGO_BIN_EXE_rolecall"));
        std::os::unix::fs::symlink(program, names.join("rolecall")).unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", names.display());
        Some(Self { folder, path })
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A line of the shell, which must end well; what it printed.
    fn shell(&self, line: &str) -> String {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.folder());
        command.env("PATH", &self.path).env_remove("RUST_LOG").env_remove("ROLECALL");
        command.env("COLUMNS", "100");
        clients::printed(&command.output().unwrap())
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder().join(name), text).unwrap();
    }
}

fn make_runnable(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_tests_of_the_package_pass() {
    let Some(place) = Place::new() else { return };
    let tests = root().join("python/tests");
    place.shell(&format!("python3 -m unittest discover -q -s '{}' 2>&1", tests.display()));
}

/// The JSON that an expression of Python gives.
fn value<T: serde::de::DeserializeOwned>(place: &Place, expression: &str) -> T {
    let text =
        place.shell(&format!("python3 -c 'import json\nfrom rolecall import *\nprint(json.dumps({expression}))'"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{expression}: {text}: {error}"))
}

#[test]
fn moves_and_what_else_it_sends_are_those_of_the_log() {
    let Some(place) = Place::new() else { return };
    let moves: Vec<Value> = value(
        &place,
        r#"[think("a"), act("look"), call("search", of=[1]), speak("b"), speak("b", act="Affirm"),
            plan("go", act("look"), call("t"), {"description": "d", "variable": "E1", "action": {"text": "x"}}),
            judge(True), judge(False, "clear"), learn("c"), finish(), finish({"plan": [1]})]"#,
    );
    assert_eq!(moves.len(), 11);
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for sent in moves {
        let read: Move = serde_json::from_value(sent.clone()).unwrap();
        *kinds.entry(read.kind().as_str().to_owned()).or_default() += 1;
        assert_eq!(without_nulls(serde_json::to_value(&read).unwrap()), without_nulls(sent));
    }
    assert_eq!(kinds.len(), 7, "every kind of move has its word");
    let said: Utterance = value(&place, r#"utterance("bye", act="Deny", leaving=True, satisfied=True)"#);
    assert!(said.leaving && said.satisfied && said.act.is_some());
    let seen: Observation = value(&place, r#"observation("x", data={"a": 1}, asks="why?", done=True, invalid=True)"#);
    assert!(seen.done && seen.invalid && seen.asks.is_some() && seen.data.is_some());
    let score: Score = value(&place, r#"score(True, detail={"n": 1})"#);
    assert!(score.success && (score.reward - 1.0).abs() < 1e-9);
}

fn without_nulls(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
    }
    value
}

#[test]
fn the_role_of_twenty_lines_plays_with_a_model() {
    let Some(place) = Place::new() else { return };
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("look\nbecause"));
    let script = root().join("python/tests/children/careful.py");
    fs::copy(script, place.folder().join("careful.py")).unwrap();
    let config = format!(
        r#"name = "careful"
environment = {{ name = "household" }}
strategy.name = "react"
roles.executor = {{ implementation = "process", command = ["python3", "careful.py"] }}
limits.steps = 4
[models.local]
base_url = "{}"
model = "m"
"#,
        server.url()
    );
    place.write("careful.toml", &config);
    place.shell("rolecall run careful.toml --limit 3 --quiet --no-report");
    assert!(server.counts().requests >= 12, "every turn asks the model");
    let shown = place.shell("rolecall show careful main:0");
    assert!(shown.contains("look"), "{shown}");
    // The replies are in the log: a replay asks the code, and no model.
    drop(server);
    let replayed: Value = serde_json::from_str(&place.shell("rolecall replay careful --json")).unwrap();
    let models = replayed["replays"].as_array().unwrap().iter().find(|way| way["way"] == "models").unwrap();
    assert_eq!((models["episodes"].as_u64(), models["identical"].as_u64()), (Some(3), Some(3)), "{replayed}");
}

#[test]
fn what_new_writes_plays_and_a_second_time_it_refuses() {
    let Some(place) = Place::new() else { return };
    for (kind, name) in [("role", "my-role"), ("user", "my_user"), ("environment", "my-world")] {
        let module = name.replace('-', "_");
        let test = place.folder().join(format!("test_{module}.py"));
        place.shell(&format!("rolecall new {kind} {name} --python --dry-run"));
        assert!(!test.exists(), "{}", test.display());
        place.shell(&format!("rolecall new {kind} {name} --python"));
        assert!(test.exists(), "{}", test.display());
        place.shell(&format!("python3 -m unittest test_{module} 2>&1"));
        let again = place.shell(&format!("! rolecall new {kind} {name} --python 2>&1"));
        assert!(again.contains("exists already"), "{again}");
    }
    for (arguments, why) in [
        ("role json", "Python uses it already"),
        ("role role", "uses `Role` already"),
        ("metric my-metric", "roles, users and environments can be written in Python"),
        ("role x --environment shop", "cannot be used with"),
        ("role x --dir nowhere", "is no folder"),
    ] {
        let told = place.shell(&format!("! rolecall new {arguments} --python 2>&1"));
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn logs_are_read_as_they_are() {
    let Some(place) = Place::new() else { return };
    let config = root().join("configs/household/respact.toml");
    place.shell(&format!("rolecall run '{}' --limit 4 --quiet --no-report --name r", config.display()));
    let script = r#"
import json, rolecall
run = rolecall.read("logs/r")
assert len(run) == len(rolecall.results("logs/r")) == 4
for episode in sorted(run):
    for event in run[episode]:
        print(json.dumps(event, ensure_ascii=False, separators=(",", ":")))
"#;
    place.write("read.py", script);
    let canonical = place.shell("rolecall logs canonical r");
    assert_eq!(place.shell("python3 read.py"), canonical);
    place.shell("rolecall logs compact r");
    assert!(!place.folder().join("logs/r/events.jsonl").metadata().is_ok_and(|file| file.len() > 0));
    assert_eq!(place.shell("python3 read.py"), canonical);
}

/// Where a test may install the package; none if pip cannot.
fn installed(place: &Place) -> Option<PathBuf> {
    let package = root().join("python");
    let line = format!(
        "python3 -m venv venv && cp -r '{}' package && venv/bin/pip install -q --disable-pip-version-check \
         --retries 1 --timeout 20 ./package 2>&1 && echo done || true",
        package.display()
    );
    let told = place.shell(&line);
    if !told.ends_with("done\n") {
        println!("skipped: pip cannot install the package here: {told}");
        return None;
    }
    Some(place.folder().join("venv/bin"))
}

#[test]
fn the_page_is_true() {
    let Some(mut place) = Place::new() else {
        return;
    };
    if let Some(programs) = installed(&place) {
        // From here on `python3` is one that has nothing but what pip installed.
        fs::remove_file(place.folder().join("bin/python3")).unwrap();
        place.path = format!("{}:{}", programs.display(), place.path);
    }
    let page = fs::read_to_string(root().join("docs/python.md")).unwrap();
    let mut printed = String::new();
    for block in Page::parse(&page).blocks {
        match block {
            Block::File { path, text } => place.write(&path, &text),
            Block::Commands(lines) => {
                for line in lines {
                    printed = place.shell(&line);
                }
            }
            Block::Seen { text, whole } => {
                let same = if whole { printed == text } else { printed.starts_with(&text) };
                assert!(same, "the page shows:\n{text}\nbut seen is:\n{printed}");
            }
            Block::Module { path, text } | Block::Dependency { path, text } => panic!("no code here: {path}: {text}"),
            Block::Entry { path, table, text } => panic!("no tables here: {path} {table}: {text}"),
        }
    }
}

#[test]
fn types_are_checked_and_gymnasium_may_play() {
    let Some(python) = clients::python() else {
        return;
    };
    let mut command = Command::new(&python);
    let cache = tempfile::tempdir().unwrap();
    command.args(["-m", "mypy", "--strict", "--cache-dir"]).arg(cache.path());
    command.arg(root().join("python/src/rolecall"));
    clients::printed(&command.output().unwrap());
    let Some(place) = Place::new() else { return };
    let played = Server::start(&place);
    let script = root().join("tests/outside/clients/play_gymnasium.py");
    place.shell(&format!(
        "PYTHONPATH='{}' '{}' -B '{}' {}",
        root().join("python/src").display(),
        python.display(),
        script.display(),
        played.url
    ));
}

/// `rolecall serve env`, ended when dropped.
struct Server {
    child: std::process::Child,
    url: String,
}

impl Server {
    fn start(place: &Place) -> Self {
        use std::io::{BufRead, BufReader};
        let config = root().join("configs/household/respact.toml");
        let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall"));
        command.args(["serve", "env"]).arg(config).args(["--listen", "127.0.0.1:0", "--limit", "3"]);
        command.current_dir(place.folder()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let line = lines.find(|line| line.contains("http://")).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        let url = url.to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_trainer_plays_over_plain_sockets() {
    let Some(place) = Place::new() else { return };
    let served = Server::start(&place);
    place.write(
        "train.py",
        r#"
import sys, rolecall
from rolecall.env import EnvError
with rolecall.Env(sys.argv[1]) as env:
    (split,) = env.splits()
    assert len(env.tasks(split.name)) == 3
    step = env.reset(seed=7, task=1)
    assert "Your task is to" in step.text and step.reward is None and not step.done
    assert "speak" in step.observation.open
    step = env.step(rolecall.think("hm"))
    step = env.step(rolecall.speak("Where is the glassbottle? Where should I look for it first?"))
    assert step.observation["from"] == "user" and step.observation.metadata.questions == 1, step
    assert env.state().step_count == 2
    while not step.done:
        step = env.step("look")
    assert step.reward == 0 and step.observation.metadata.ending == "out of steps", step
    for wrong in (lambda: env.step("look"), lambda: env.reset(sed=1)):
        try:
            wrong()
        except EnvError as error:
            print(error.code)
    assert not env.reset().done
"#,
    );
    let told = place.shell(&format!("python3 train.py {}", served.url));
    assert_eq!(told, "SESSION_ERROR\nVALIDATION_ERROR\n");
}
