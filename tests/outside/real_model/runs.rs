//! Whole runs of the shipped configs against the real server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::server::{Own, free_port, servers};
use crate::support::binary::{rolecall, text};

/// Episodes of a run that is to be whole.
const EPISODES: usize = 20;

/// A call of `rolecall run` with a shipped config, in a folder of its own.
struct Run {
    folder: tempfile::TempDir,
    name: &'static str,
}

impl Run {
    fn new(name: &'static str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), name }
    }

    fn command(&self, address: &str, settings: &[&str]) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let config = root.join(format!("configs/household/{}.toml", self.name));
        let address = format!("models.agent.base_url={address}/v1");
        let mut arguments = vec!["run", config.to_str().unwrap(), "--json"];
        for setting in [address.as_str(), "cache.folder=cache"].iter().chain(settings) {
            arguments.extend(["--set", setting]);
        }
        rolecall(self.folder.path(), &arguments)
    }

    fn play(&self, address: &str, settings: &[&str]) -> Output {
        self.command(address, settings).output().unwrap()
    }

    /// The folders of the runs so far, the oldest first.
    fn logs(&self) -> Vec<PathBuf> {
        // There are none before the first run has begun.
        let folders = fs::read_dir(self.folder.path().join("logs")).into_iter().flatten();
        let mut folders: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path()).collect();
        folders.retain(|folder| folder.join("run.toml").is_file());
        folders.sort();
        folders
    }

    /// The canonical log of a run.
    fn canonical(&self, log: &Path) -> Vec<u8> {
        let arguments = ["logs", "canonical", log.to_str().unwrap()];
        let output = rolecall(self.folder.path(), &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        output.stdout
    }
}

/// Structured moves, so that a model of random weights says some; room for all the blanks that it
/// puts into them; few moves.
const SHORT: [&str; 3] = ["roles.executor.moves=json", "models.agent.sampling.max_tokens=1000", "limits.steps=4"];

fn results(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks that every episode was played to its end and the model was asked in each.
fn assert_whole(results: &Value, log: &Path) {
    assert_eq!(results["episodes"], EPISODES, "{results}");
    for kind in ["broken", "cancelled", "unfinished"] {
        assert_eq!(results[kind], 0, "{kind}: {results}");
    }
    assert!(calls(log) >= EPISODES, "{} calls", calls(log));
}

/// Calls of models in a log.
fn calls(log: &Path) -> usize {
    let events = fs::read_to_string(log.join("events.jsonl")).unwrap_or_default();
    events.matches("\"model_called\"").count()
}

/// The sum of a figure of `timings.jsonl` over all models and episodes.
fn tallied(log: &Path, figure: &str) -> f64 {
    let timings = fs::read_to_string(log.join("timings.jsonl")).unwrap();
    let lines = timings.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of = |line: Value| {
        let models = line["models"].as_object().cloned().unwrap_or_default();
        let figures = models.values().map(|model| model[figure].as_f64().unwrap_or(0.0));
        figures.sum::<f64>()
    };
    lines.map(of).sum()
}

#[test]
fn a_whole_run_breaks_nothing_and_a_second_one_needs_no_server() {
    let Some(servers) = servers() else { return };
    let Some(start) = &servers.start else {
        println!("skipped: ROLECALL_REAL_MODEL_START is not set");
        return;
    };
    let port = free_port();
    let server = Own::start(start, port);
    let run = Run::new("respact-model");
    let limit = format!("tasks.limit={EPISODES}");
    let settings = [&SHORT[..], &[&limit]].concat();
    let address = format!("http://127.0.0.1:{port}");
    let first = results(&run.play(&address, &[&settings[..], &["cache.mode=both"]].concat()));
    drop(server);
    let second = results(&run.play(&address, &[&settings[..], &["cache.mode=only"]].concat()));
    let [one, two] = &run.logs()[..] else {
        panic!("{:?}", run.logs());
    };
    assert_whole(&first, one);
    assert_whole(&second, two);
    assert!(tallied(one, "requests") >= EPISODES as f64);
    assert_eq!(tallied(two, "requests"), 0.0);
    assert_eq!(tallied(two, "cache_hits"), calls(two) as f64);
    assert_eq!(run.canonical(one), run.canonical(two));
}

#[test]
fn a_server_that_is_killed_and_comes_back_only_pauses_the_run() {
    let Some(servers) = servers() else { return };
    let Some(start) = &servers.start else {
        println!("skipped: ROLECALL_REAL_MODEL_START is not set");
        return;
    };
    let port = free_port();
    let server = Own::start(start, port);
    let run = Run::new("respact-model");
    let limit = format!("tasks.limit={EPISODES}");
    let more = [&limit, "cache.mode=off", "models.agent.retries.first_wait_seconds=0.1"];
    let settings = [&SHORT[..], &more].concat();
    let address = format!("http://127.0.0.1:{port}");
    let mut running = run.command(&address, &settings);
    let running = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let enough = || run.logs().first().is_some_and(|log| calls(log) >= 10);
    let since = Instant::now();
    while !enough() {
        assert!(since.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(server);
    let log = run.logs()[0].clone();
    std::thread::sleep(Duration::from_secs(1));
    let asleep = calls(&log);
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(calls(&log), asleep, "there is nobody to answer");
    let server = Own::start(start, port);
    let output = running.wait_with_output().unwrap();
    drop(server);
    let said = text(&output.stderr);
    for told in ["model `agent` pauses: ", "model `agent`: the pause is over after "] {
        assert!(said.contains(told), "{said}");
    }
    assert_whole(&results(&output), &log);
    assert!(calls(&log) > asleep);
    assert!(tallied(&log, "waited_ms") > 0.0);
}

#[test]
fn a_refused_key_ends_the_run_and_says_so() {
    let Some(servers) = servers() else { return };
    let Some((address, key)) = servers.locked else {
        println!("skipped: ROLECALL_REAL_MODEL_LOCKED and ROLECALL_REAL_MODEL_KEY are not set");
        return;
    };
    let run = Run::new("respact-model");
    let named = "models.agent.api_key_env=A_KEY_FOR_TESTS";
    let settings = [&SHORT[..], &[named, "tasks.limit=50", "cache.mode=off"]].concat();
    for key in [None, Some("sk-wrong-4711")] {
        let since = Instant::now();
        let mut command = run.command(&address, &settings);
        command.env_remove("A_KEY_FOR_TESTS");
        if let Some(key) = key {
            command.env("A_KEY_FOR_TESTS", key);
        }
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{said}");
        assert!(said.to_lowercase().contains("key"), "{said}");
        assert!(said.contains("agent") && !said.contains("4711"), "{key:?}: {said}");
        assert!(since.elapsed() < Duration::from_secs(30));
    }
    let mut command = run.command(&address, &[&SHORT[..], &[named, "tasks.limit=1"]].concat());
    let output = command.env("A_KEY_FOR_TESTS", &key).output().unwrap();
    assert_eq!(results(&output)["broken"], 0);
    for log in run.logs() {
        for file in fs::read_dir(log).unwrap() {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            let content = String::from_utf8_lossy(&bytes);
            assert!(!content.contains(&key) && !content.contains("sk-wrong-4711"));
        }
    }
}

#[test]
fn react_chooses_among_admissible_commands_by_their_scores() {
    let Some(servers) = servers() else { return };
    let run = Run::new("react-model");
    let settings = [
        "roles.executor.choose=score",
        "environment.list_admissible=true",
        "models.agent.endpoint=completions",
        "limits.steps=3",
        "tasks.limit=2",
    ];
    let results = results(&run.play(&servers.open, &settings));
    assert_eq!((&results["episodes"], &results["broken"]), (&2.into(), &0.into()));
    // What is admissible is never refused.
    assert_eq!(results["invalid"], 0.0, "{results}");
    let log = run.logs().remove(0);
    let events = fs::read_to_string(log.join("events.jsonl")).unwrap();
    assert!(events.contains("\"scores\""), "no scores are logged");
}
