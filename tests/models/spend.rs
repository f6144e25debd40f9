//! `spend` bounds a run, however many processes play it.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use rolecall::log::RunLog;
use rolecall::ports::model::{CacheMode, EarlierCalls, ModelSettings, Prices};
use serde_json::Value;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::cast::{Ran, calling, client, run, settings};
use crate::support::fake_model::{Does, FakeModel};

/// A server whose every call generates 16 tokens for 1 EUR, and a run that may spend 10.
fn begin(folder: &Path) -> (FakeModel, Output) {
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look"));
    let model = "spend = 10\nlimits = { in_flight = 1 }\n\
                 prices = { input = 0, output = 62500, currency = \"EUR\" }\n";
    let limits = "limits.steps = 4\nrun = { concurrency = 2, arbiters = 1 }";
    server.write_config(folder, limits, model);
    let output = rolecall(folder, &["run", "live.toml", "--limit", "10"]);
    let output = { output }.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(server.requests(), 10);
    (server, output)
}

fn resume(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let arguments = [&["resume", "live", "--no-report"], more].concat();
    let output = rolecall(folder, &arguments).output().unwrap();
    (output.status.code(), text(&output.stderr))
}

const REACHED: &str = "the run has spent 10.00 EUR of 10.00; raise `models.fake.spend` to go on";

#[test]
fn resuming_pays_no_second_time_and_a_higher_limit_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (server, output) = begin(folder.path());
    assert!(text(&output.stderr).contains(REACHED));
    // A setting that the release did not have by which the run was begun is no change of the config.
    let record = folder.path().join("logs/live/run.toml");
    let lines = fs::read_to_string(&record).unwrap();
    let older = lines.replace("asked_wait_seconds = 600.0\n", "");
    assert_ne!(older, lines);
    fs::write(&record, older).unwrap();
    for _ in 0..3 {
        let (code, told) = resume(folder.path(), &[]);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(REACHED), "{told}");
        assert_eq!(server.requests(), 10);
    }
    let more = ["--accept-changes", "--set", "models.fake.spend=14"];
    let (code, told) = resume(folder.path(), &more);
    assert!(told.contains("14.00 EUR of 14.00"), "{told}");
    assert_eq!((code, server.requests()), (Some(1), 14));
    let more = ["--accept-changes", "--set", "models.fake.spend=1000"];
    assert_eq!(resume(folder.path(), &more).0, Some(0));
    assert_eq!(server.requests(), 40);
}

#[test]
fn calls_of_a_process_that_was_killed_count_at_their_list_cost() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = begin(folder.path());
    // As when the process was killed before any episode was left, or the file was lost.
    fs::remove_file(folder.path().join("logs/live/timings.jsonl")).unwrap();
    let (code, told) = resume(folder.path(), &[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains(REACHED), "{told}");
    assert_eq!(server.requests(), 10);
}

#[test]
fn a_branch_pays_for_its_own_calls_only() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = begin(folder.path());
    let branch = ["branch", "live", "0", "--at", "turn:3", "--name", "other", "--no-report"];
    let output = rolecall(folder.path(), &branch).output().unwrap();
    let own = (server.requests() - 10) as f64;
    assert!(own > 0.0, "{}", text(&output.stderr));
    let other = folder.path().join("logs/other");
    let paid = || {
        let run = RunLog::open(&other).unwrap();
        run.earlier_calls(&[]).unwrap()["fake"].paid
    };
    assert_eq!(paid(), own);
    fs::remove_file(other.join("timings.jsonl")).unwrap();
    assert_eq!(paid(), own);
}

/// Episodes that were played to their end, in cells of their own for what was known before.
struct Played {
    ran: Ran,
    settings: ModelSettings,
}

impl Played {
    fn new(mode: CacheMode, folder: &Path) -> Self {
        Self::at(&FakeModel::friendly(), mode, folder)
    }

    fn at(server: &FakeModel, mode: CacheMode, folder: &Path) -> Self {
        let mut settings = settings(&server.url());
        settings.profile.prices =
            Some(Prices { input: 0.0, output: 62_500.0, cached_input: None, currency: "EUR".to_owned() });
        settings.cache.mode = mode;
        settings.cache.folder = folder.to_owned();
        let ran = run(calling(&client(&settings), 5, 4));
        ran.assert_solved(5);
        Self { ran, settings }
    }

    /// Changes each line of the timings, or leaves it out.
    fn change(&self, change: impl Fn(usize, &mut Value) -> bool) {
        let path = self.ran.run.join("timings.jsonl");
        let lines = fs::read_to_string(&path).unwrap();
        let lines = lines.lines().enumerate().filter_map(|(number, line)| {
            let mut line = serde_json::from_str(line).unwrap();
            change(number, &mut line).then(|| format!("{line}\n"))
        });
        let lines: String = lines.collect();
        fs::write(&path, lines).unwrap();
    }

    fn earlier(&self) -> EarlierCalls {
        let run = RunLog::open(&self.ran.run).unwrap();
        let earlier = run.earlier_calls(std::slice::from_ref(&self.settings));
        earlier.unwrap().get("fake").copied().unwrap_or_default()
    }
}

fn earlier(paid: f64, answered: bool) -> EarlierCalls {
    EarlierCalls { paid, answered }
}

#[test]
fn what_was_paid_is_never_less_than_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let all = || Played::new(CacheMode::Off, folder.path());
    let played = all();
    assert_eq!(played.earlier(), earlier(20.0, true));
    // A process was killed in the middle of an episode, and another one went on.
    played.change(|number, line| {
        let end = line["events"][1].as_u64().unwrap();
        if number == 0 {
            line["events"] = serde_json::json!([end / 2, end]);
            line["models"]["fake"]["paid"] = 2.5.into();
        }
        true
    });
    let paid = played.earlier().paid;
    assert!((20.0..=21.5).contains(&paid), "{paid}");
    // Retries, and calls whose turn was over, are paid and not recorded.
    let played = all();
    played.change(|_, line| {
        line["models"]["fake"]["paid"] = 7.0.into();
        true
    });
    assert_eq!(played.earlier(), earlier(35.0, true));
    // Without a line.
    played.change(|number, _| number != 2);
    assert_eq!(played.earlier(), earlier(32.0, true));
    // Older releases did not say which events a line tells of.
    let played = all();
    played.change(|number, line| {
        line.as_object_mut().unwrap().remove("events").unwrap();
        if number == 0 {
            line["models"]["fake"]["paid"] = 1.0.into();
        }
        if number == 1 {
            line["models"]["fake"]["paid"] = 9.0.into();
        }
        true
    });
    assert_eq!(played.earlier(), earlier(25.0, true));
    // Without prices, nothing was known.
    let played = all();
    played.change(|_, line| {
        let tally = line["models"]["fake"].as_object_mut().unwrap();
        tally.remove("paid").is_some()
    });
    assert_eq!(played.earlier(), earlier(20.0, true));
}

#[test]
fn replies_of_the_cache_cost_nothing_and_show_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::friendly();
    let first = Played::at(&server, CacheMode::Both, folder.path());
    assert_eq!(first.earlier(), earlier(20.0, true));
    let second = Played::at(&server, CacheMode::Both, folder.path());
    assert_eq!(second.ran.tally.cache_hits, 20);
    assert_eq!(second.earlier(), earlier(0.0, false));
    // Nobody knows any more that they came from there.
    second.change(|_, _| false);
    assert_eq!(second.earlier(), earlier(20.0, false));
}
