//! `rolecall run` with a model whose server goes away or refuses the key.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};

const KEY: &str = "sk-not-to-be-seen-5f3a";

/// A config whose executor is played by the model.
fn write_config(folder: &Path, server: &FakeModel) {
    let model = r#"api_key_env = "FAKE_KEY"
retries = { attempts = 3, first_wait_seconds = 0.05 }
"#;
    server.write_config(folder, "limits.steps = 12", model);
}

fn run(folder: &Path, more: &[&str]) -> Output {
    let arguments = [&["run", "live.toml", "--logs", "logs"], more].concat();
    let mut command = rolecall(folder, &arguments);
    command.env("FAKE_KEY", KEY).output().unwrap()
}

/// Everything that the program printed or wrote.
fn everything(folder: &Path, output: &Output) -> String {
    let mut all = text(&output.stdout) + &text(&output.stderr);
    for file in fs::read_dir(folder.join("logs/live")).unwrap() {
        all += &String::from_utf8_lossy(&fs::read(file.unwrap().path()).unwrap());
    }
    all
}

#[test]
fn a_refused_key_ends_the_run_and_says_what_to_do() {
    let server = FakeModel::start(Duration::ZERO, |_| {
        let body = format!(r#"{{"error":{{"message":"Invalid API Key {KEY}"}}}}"#);
        Does::Refuses(401, Vec::new(), body)
    });
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server);
    let output = run(folder.path(), &["--limit", "30"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let told_of = "the run ends early because of the model `fake`: the server refuses the key: ";
    assert!(told.contains(told_of), "{told}");
    assert!(told.contains("look at the environment variable `FAKE_KEY`"), "{told}");
    let results = fs::read_to_string(folder.path().join("logs/live/results.jsonl")).unwrap();
    assert!(!results.contains("broken"), "{results}");
    assert_eq!(results, "", "open episodes have no results");
    assert!(told.contains("go on with it: rolecall resume logs/live"), "{told}");
    assert!(!everything(folder.path(), &output).contains(KEY));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a thread of the test's own sleeps")]
fn a_pause_is_told_when_it_begins_and_when_it_ends() {
    let mut server = FakeModel::start(Duration::from_millis(20), |_| Does::Says("Act: look"));
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server);
    let path = folder.path().to_owned();
    let running = std::thread::spawn(move || run(&path, &["--limit", "30"]));
    while server.requests() < 100 {
        assert!(!running.is_finished(), "{:?}", running.join());
        std::thread::sleep(Duration::from_millis(5));
    }
    server.kill();
    std::thread::sleep(Duration::from_secs(2));
    server.restart();
    let output = running.join().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let pauses = told.lines().filter(|line| line.contains("`fake`") && line.contains("pause"));
    assert_eq!(pauses.count(), 2, "{told}");
    let results = fs::read_to_string(folder.path().join("logs/live/results.jsonl")).unwrap();
    assert_eq!(results.lines().count(), 30);
    assert!(!results.contains("broken"), "{results}");
    assert!(!everything(folder.path(), &output).contains(KEY));
}

fn nowhere() -> Does {
    let body = r#"{"error":{"message":"the model `any` does not exist"}}"#;
    Does::Refuses(404, Vec::new(), body.to_owned())
}

#[test]
fn a_server_that_accepts_nothing_ends_the_run() {
    let server = FakeModel::start(Duration::ZERO, |_| nowhere());
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server);
    let output = run(folder.path(), &["--limit", "30"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("the model `any` does not exist; it accepted no request so far"), "{told}");
    let results = fs::read_to_string(folder.path().join("logs/live/results.jsonl")).unwrap();
    assert!(!results.contains("broken"), "{results}");
}

#[test]
fn a_server_that_accepts_some_requests_is_no_reason_to_end_the_run() {
    let server = FakeModel::start(Duration::ZERO, |asked| match asked.number % 8 {
        7 => nowhere(),
        _ => Does::Says("Act: look"),
    });
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server);
    let output = run(folder.path(), &["--limit", "30"]);
    let told = text(&output.stderr);
    assert!(!told.contains("ends early"), "{told}");
    let results = fs::read_to_string(folder.path().join("logs/live/results.jsonl")).unwrap();
    assert_eq!(results.lines().count(), 30);
    assert!(!results.contains("cancelled"), "{results}");
}

#[test]
fn a_quiet_run_tells_of_no_pause() {
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"));
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server);
    let output = run(folder.path(), &["--quiet", "--limit", "1"]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_long_wait_that_a_server_asks_for_is_bounded_by_the_config() {
    let settings = ["asked_wait_seconds=0.2", "outage_seconds=0.2"];
    for (status, set) in [429, 500, 503].into_iter().flat_map(|status| settings.map(|set| (status, set))) {
        let server = FakeModel::start(Duration::ZERO, move |asked| match asked.number {
            3 => {
                let day = vec![("retry-after", "86400".to_owned())];
                Does::Refuses(status, day, "{}".to_owned())
            }
            _ => Does::Says("Act: look"),
        });
        let folder = tempfile::tempdir().unwrap();
        write_config(folder.path(), &server);
        let set = format!("models.fake.retries.{set}");
        let output = run(folder.path(), &["--limit", "2", "--set", &set]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(server.requests() > 4, "{status} {set}: nobody was asked to wait");
    }
}
