//! Many episodes against a model server that fails in every way that servers do.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::fake_model::cast::{calling, client, run, settings};
use crate::support::fake_model::{Asked, Does, FakeModel};

/// Storms of 429, each with another way to say how long to wait, and every other kind of fault for
/// some calls. A call that failed twice is answered, once the storms have passed.
fn badly(asked: &Asked) -> Does {
    let refused = |headers| Does::Refuses(429, headers, r#"{"error":"slow down"}"#.to_owned());
    let wait = |name, wait: &str| refused(vec![(name, wait.to_owned())]);
    match asked.number {
        0..200 => return refused(Vec::new()),
        600..620 => return wait("retry-after", "0.05"),
        1000..1020 => return wait("retry-after-ms", "30"),
        1400..1420 => return wait("llm_provider-retry-after", "0.05"),
        1800..1820 => return wait("x-ratelimit-reset-requests", "20ms"),
        _ => {}
    }
    let hash = blake3::hash(asked.key.as_bytes());
    let (first, second) = (hash.as_bytes()[0], hash.as_bytes()[1]);
    match (asked.again, first % 32, second % 4) {
        (0, 0 | 1, _) => Does::Refuses(500, Vec::new(), "Internal Server Error".to_owned()),
        (0, 2, _) => {
            let after = vec![("retry-after", "0.02".to_owned())];
            Does::Refuses(503, after, "{}".to_owned())
        }
        (0, 3 | 4, _) => Does::Closes,
        (0, 5, _) => Does::Cuts,
        (0, 6, _) => Does::Babbles,
        (0, 7, 0) => Does::Stalls(Duration::from_secs(30)),
        (1, _, 1) => Does::Refuses(529, Vec::new(), r#"{"error":{"message":"x"}}"#.to_owned()),
        _ => Does::Replies,
    }
}

#[test]
fn a_thousand_episodes_end_and_every_retry_is_accounted_for() {
    let server = FakeModel::start(Duration::from_millis(5), badly);
    let mut settings = settings(&server.url());
    // Long for a machine that is busy, short beside the stalls.
    settings.timeouts.total = Duration::from_secs(6);
    let ran = run(calling(&client(&settings), 1000, 3));
    ran.assert_solved(1000);
    let counts = server.counts();
    assert_eq!(ran.tally.calls, 3000);
    assert_eq!(ran.tally.requests, counts.requests);
    assert_eq!(ran.tally.retries, counts.faults);
    let retries: u64 = ran.tally.retries.values().sum();
    assert_eq!(ran.tally.requests, ran.tally.calls + retries);
    assert_eq!(counts.by_key.len(), 3000, "one key a call, the same for its retries");
    assert_eq!(counts.faults.len(), 4, "{:?}", counts.faults);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a thread of the test's own sleeps")]
fn a_server_that_dies_pauses_the_run_until_it_is_back() {
    let server = FakeModel::start(Duration::from_millis(20), |_| Does::Replies);
    let settings = settings(&server.url());
    let server = Arc::new(Mutex::new(server));
    let killer = Arc::clone(&server);
    let killing = std::thread::spawn(move || {
        let wait = || std::thread::sleep(Duration::from_millis(5));
        while killer.lock().unwrap().requests() < 300 {
            wait();
        }
        killer.lock().unwrap().kill();
        std::thread::sleep(Duration::from_secs(2));
        killer.lock().unwrap().restart();
    });
    let ran = run(calling(&client(&settings), 200, 4));
    killing.join().unwrap();
    ran.assert_solved(200);
    // First it cuts answers, then it is gone.
    let gone = |(model, why): &(String, String)| {
        model == "fake" && why == "the server cannot be reached: connection refused; trying again"
    };
    assert!(ran.told.iter().any(gone), "{:?}", ran.told);
    assert_eq!(ran.pauses.len(), 1);
    assert!(ran.pauses[0].wall_ms > 500.0, "{:?}", ran.pauses);
    let retries: u64 = ran.tally.retries.values().sum();
    assert_eq!((ran.tally.calls, ran.tally.requests), (800, 800 + retries));
    // What was on its way when the server died, each at most twice, and a few looks whether it is back.
    assert!(retries < 400, "{retries}");
}

#[test]
fn a_flood_costs_one_attempt_and_no_episode() {
    let server = FakeModel::start(Duration::ZERO, |asked| {
        // The attempt at the turn stands in the key.
        match asked.key.ends_with("/0/0") {
            true => Does::Floods,
            false => Does::Replies,
        }
    });
    let ran = run(calling(&client(&settings(&server.url())), 20, 2));
    ran.assert_solved(20);
    assert_eq!((ran.tally.calls, ran.tally.failed), (80, 40));
    assert_eq!(server.requests(), 80);
}

#[test]
fn a_refused_key_ends_the_run_without_breaking_episodes() {
    let server = FakeModel::start(Duration::ZERO, |_| {
        Does::Refuses(401, Vec::new(), r#"{"error":"Invalid API Key"}"#.to_owned())
    });
    let mut settings = settings(&server.url());
    settings.api_key_env = Some("FAKE_KEY".to_owned());
    let mut plan = calling(&client(&settings), 500, 2);
    plan.run.concurrency = 50;
    let ran = run(plan);
    let [(model, why)] = &ran.launched.lost[..] else {
        panic!("{:?}", ran.launched.lost);
    };
    assert_eq!(model, "fake");
    assert!(why.contains("Invalid API Key") && why.contains("`FAKE_KEY`"), "{why}");
    let endings = ran.endings();
    assert_eq!(endings.keys().collect::<Vec<_>>(), ["open"]);
    assert!(ran.launched.results.len() < 500);
    assert!(server.requests() <= 50);
}

#[test]
fn a_key_that_is_missing_is_named_without_asking() {
    let server = FakeModel::friendly();
    let mut settings = settings(&server.url());
    settings.api_key_env = Some("FAKE_KEY".to_owned());
    settings.missing_key = Some("FAKE_KEY".to_owned());
    let ran = run(calling(&client(&settings), 3, 2));
    assert!(ran.launched.lost[0].1.contains("`FAKE_KEY`"));
    assert_eq!(ran.endings().keys().collect::<Vec<_>>(), ["open"]);
    assert_eq!((server.requests(), ran.tally.requests), (0, 0));
}
