//! A server that was never there, and a key that is not set: the run says so at once.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};

/// An address at which nothing listens: a port that a test was given and gave back may be another's.
const NOWHERE: &str = "http://127.0.0.1:1/v1";

fn says() -> FakeModel {
    FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"))
}

fn write_config(folder: &Path, more: &str) -> FakeModel {
    let server = says();
    server.write_config(folder, "limits.steps = 4", more);
    server
}

fn told(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = rolecall(folder, arguments).output().unwrap();
    (output.status.code(), text(&output.stderr))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time that people wait is what is tested")]
fn a_server_that_was_never_there_ends_the_run_within_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let _server = write_config(folder.path(), "");
    let fails = FakeModel::start(Duration::ZERO, |_| Does::Refuses(500, Vec::new(), "out of memory".to_owned()));
    let cases = [
        (NOWHERE.to_owned(), "connection refused", "start it, or correct `models.fake.base_url`"),
        ("http://no-such-host.invalid:1/v1".to_owned(), "unknown host", "start it, or correct `models.fake.base_url`"),
        (fails.url(), "out of memory", "look at what it says itself"),
    ];
    for (number, (url, error, remedy)) in cases.into_iter().enumerate() {
        for limit in ["1", "30"] {
            let name = format!("case-{number}-{limit}");
            let set = format!("models.fake.base_url={url}");
            let began = Instant::now();
            let run = ["run", "live.toml", "--name", &name, "--limit", limit, "--set", &set];
            let (code, told) = told(folder.path(), &run);
            // Four seconds on a machine that does nothing else.
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
            assert_eq!(code, Some(1), "{told}");
            let ends = "the run ends early because of the model `fake`: the server ";
            // A new run would ask again for what is in the log.
            let next = format!("go on with it: rolecall resume logs/{name}");
            let address = format!("; {url} has not answered");
            for part in [ends, error, remedy, &address, &next] {
                assert!(told.contains(part), "{part}: {told}");
            }
            let log = folder.path().join("logs").join(name);
            let results = fs::read_to_string(log.join("results.jsonl")).unwrap();
            assert_eq!(results, "", "open episodes have no results");
        }
    }
}

#[test]
fn a_server_that_was_there_in_an_earlier_process_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = write_config(
        folder.path(),
        "spend = 2\nlimits = { in_flight = 1 }\n\
        prices = { input = 0, output = 62500 }\nretries = { outage_seconds = 0.7 }\n",
    );
    assert_eq!(told(folder.path(), &["run", "live.toml", "--limit", "3"]).0, Some(1));
    server.kill();
    let again = ["resume", "live", "--accept-changes", "--set", "models.fake.spend=100"];
    let (code, told) = told(folder.path(), &again);
    assert_eq!(code, Some(1), "{told}");
    let waited = "the server cannot be reached: connection refused, for 0.7 s";
    assert!(told.contains(waited) && !told.contains("has not answered"), "{told}");
}

#[test]
fn a_key_that_is_not_set_is_an_error_before_anything_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = write_config(folder.path(), "api_key_env = \"FAKE_KEY\"\n");
    let run = ["run", "live.toml", "--limit", "2"];
    let named = "model `fake`: needs the environment variable `FAKE_KEY`, which is not set";
    let refused = |arguments: &[&str]| {
        let (code, told) = told(folder.path(), arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {told}");
        assert!(told.contains(named), "{arguments:?}: {told}");
    };
    refused(&run);
    assert!(!folder.path().join("logs").exists());
    // A server in the headers needs its variable, too.
    let header = ["--set", "models.fake.api_key_env=PATH", "--set", "models.fake.headers.X-Team=env:FAKE_KEY"];
    refused(&[&run[..], &header].concat());
    assert_eq!(server.requests(), 0);
    // With the key, the run is played, but for what its limit leaves open.
    let keyed = |arguments: &[&str]| {
        let mut command = rolecall(folder.path(), arguments);
        let output = command.env("FAKE_KEY", "a-key").output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let cache = ["--set", "cache.mode=both"];
    let (code, told_of) = keyed(&[&run[..], &cache].concat());
    assert_eq!(code, Some(0), "{told_of}");
    server.kill();
    refused(&["branch", "live", "0", "--at", "turn:1"]);
    // What is played again sends nothing, and what the cache answers neither.
    let (code, told_of) = told(folder.path(), &["replay", "live"]);
    assert_eq!(code, Some(0), "{told_of}");
    let only = ["--set", "cache.mode=only", "--name", "only"];
    let (code, told_of) = told(folder.path(), &[&run[..], &only].concat());
    assert_eq!(code, Some(0), "{told_of}");
    // Open episodes need it, a run that is over does not.
    assert_eq!(told(folder.path(), &["resume", "live"]).0, Some(0));
    let events = folder.path().join("logs/live/events.jsonl");
    let lines = fs::read_to_string(&events).unwrap();
    let first: Vec<&str> = lines.lines().take(3).collect();
    fs::write(&events, first.join("\n") + "\n").unwrap();
    fs::write(folder.path().join("logs/live/results.jsonl"), "").unwrap();
    let _ = fs::remove_file(folder.path().join("logs/live/timings.jsonl"));
    let _ = fs::remove_file(folder.path().join("logs/live/events.index"));
    refused(&["resume", "live"]);
}
