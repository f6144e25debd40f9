//! What bounds the calls of a run: rates, permits, money, the limits of episodes, deadlines.

use std::time::{Duration, Instant};

use crate::support::fake_model::cast::{calling, client, run, settings};
use crate::support::fake_model::{Does, FakeModel};
use rolecall::ports::model::Prices;

fn prices() -> Option<Prices> {
    Some(Prices { input: 0.0, output: 62_500.0, cached_input: None, currency: "EUR".to_owned() })
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time that a run takes is what is tested")]
fn permits_and_rates_bound_what_a_server_sees() {
    let server = FakeModel::start(Duration::from_millis(20), |_| Does::Replies);
    let mut settings = settings(&server.url());
    settings.limits.requests_per_minute = Some(6000.0);
    let began = Instant::now();
    let ran = run(calling(&client(&settings), 50, 6));
    ran.assert_solved(50);
    // A second's worth (100) comes at once, the other 200 at 98.35 a second.
    let seconds = began.elapsed().as_secs_f64();
    assert!(seconds > 2.0, "{seconds}");
    assert_eq!(server.requests(), 300);
    assert!(ran.tally.waited_ms > 1000.0);
}

#[test]
fn waiting_for_a_permit_is_no_missed_deadline() {
    let server = FakeModel::start(Duration::from_millis(300), |_| Does::Replies);
    let mut settings = settings(&server.url());
    settings.limits.in_flight = 1;
    let mut plan = calling(&client(&settings), 12, 1);
    // Eleven of them wait longer than that, one after the other for 3.6 s in all.
    plan.cells[0].limits.turn = Duration::from_millis(1500);
    let ran = run(plan);
    ran.assert_solved(12);
    assert!(ran.launched.results.iter().all(|result| result.counts.faults == 0));
    assert_eq!(ran.tally.requests, 12);
}

#[test]
fn a_server_that_is_slow_to_answer_is_a_missed_deadline() {
    let stall = Duration::from_secs(30);
    let server = FakeModel::start(Duration::ZERO, move |_| Does::Stalls(stall));
    let mut plan = calling(&client(&settings(&server.url())), 3, 1);
    plan.cells[0].limits.turn = Duration::from_millis(300);
    let attempts = u64::from(plan.cells[0].limits.attempts);
    let ran = run(plan);
    assert!(ran.endings().keys().all(|ending| ending.starts_with("Broken")));
    let log = String::from_utf8(ran.canonical()).unwrap();
    assert_eq!(log.matches("\"deadline\"").count() as u64, 3 * attempts);
    // What was sent is accounted for although nobody waited for its end.
    assert_eq!(ran.tally.requests, server.requests());
    assert_eq!((ran.tally.calls, ran.tally.failed), (3 * attempts, 3 * attempts));
}

#[test]
fn a_cost_limit_of_the_run_ends_it() {
    let server = FakeModel::friendly();
    let mut settings = settings(&server.url());
    // Each call generates 16 tokens for 1 EUR.
    settings.profile.prices = prices();
    settings.limits.in_flight = 1;
    settings.spend = Some(10.0);
    let model = client(&settings);
    let ran = run(calling(&model, 8, 5));
    let lost =
        [("fake".to_owned(), "the run has spent 10.00 EUR of 10.00; raise `models.fake.spend` to go on".to_owned())];
    assert_eq!(ran.launched.lost, lost);
    assert_eq!((server.requests(), model.spent()), (10, 10.0));
    assert!(ran.endings()["open"] >= 6, "{:?}", ran.endings());
    assert!(ran.endings().keys().all(|ending| ["open", "Solved"].contains(&&**ending)));
}

#[test]
fn a_spend_without_prices_is_refused() {
    let mut settings = settings("http://localhost:1/v1");
    settings.spend = Some(1.0);
    let registry = rolecall::worlds();
    for entry in registry.models {
        let refused = (entry.build)(&settings).err().unwrap().to_string();
        assert!(refused.starts_with("spend: needs `prices`"), "{refused}");
    }
}

#[test]
fn limits_of_an_episode_end_it_where_they_are_reached() {
    let server = FakeModel::friendly();
    let mut settings = settings(&server.url());
    settings.profile.prices = prices();
    let limited = |change: fn(&mut rolecall::config::Limits)| {
        let mut plan = calling(&client(&settings), 4, 9);
        change(&mut plan.cells[0].limits);
        let ran = run(plan);
        (ran.endings(), ran.tally.calls)
    };
    let ended = |limit: &str, calls: u64| {
        let ending = format!("OutOf {{ limit: {limit} }}");
        (std::collections::BTreeMap::from([(ending, 4)]), 4 * calls)
    };
    assert_eq!(limited(|limits| limits.model_calls = Some(3)), ended("ModelCalls", 3));
    assert_eq!(limited(|limits| limits.cost = Some(5.0)), ended("Cost", 5));
    // A call has 16 tokens and those of its prompt, which are 30 to 50.
    let (endings, calls) = limited(|limits| limits.tokens = Some(120));
    assert_eq!(endings, ended("Tokens", 0).0);
    assert!((8..=12).contains(&calls), "{calls}");
}
