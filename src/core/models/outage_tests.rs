use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::models::Failed;
use crate::models::server_tests::{Bench, CALL, accounted, fails, pointless};
use crate::ports::ModelError;
use crate::ports::model::{ModelHealth, RetryReason};

#[tokio::test(start_paused = true)]
async fn a_request_that_always_fails_fails_alone() {
    let bench = Bench::new(
        |_| {},
        |key, _| match key.starts_with("a:0:0/") {
            true => Err(fails(RetryReason::Server)),
            false => Ok(()),
        },
    );
    let others = async {
        for _ in 0..40 {
            assert!(bench.call("a:1:0/x/0/0/0").await.reply.is_ok());
            assert_eq!(bench.model.health(), ModelHealth::Working);
        }
    };
    let (done, ()) = tokio::join!(bench.call(CALL), others);
    assert_eq!(done.reply, Err(ModelError::Server("as asked".to_owned())));
    assert_eq!(done.trace.requests, 6);
    // Nor is it an outage if nobody else calls at all.
    let done = bench.call(CALL).await;
    assert_eq!((done.trace.requests, done.reply.is_err()), (6, true));
    accounted(&done);
    assert_eq!(bench.model.health(), ModelHealth::Working);
}

#[tokio::test(start_paused = true)]
async fn calls_wait_for_a_server_that_is_away_and_one_of_them_tries() {
    for reason in [RetryReason::Unreachable, RetryReason::Server] {
        let began = Instant::now();
        let back = move || began.elapsed() > Duration::from_secs(600);
        let bench = Bench::new(|_| {}, move |_, _| if back() { Ok(()) } else { Err(fails(reason)) }).was_there();
        let watch = async {
            sleep(Duration::from_secs(120)).await;
            let error = fails(reason).error;
            let told = ModelHealth::Paused(format!("{error}; trying again"));
            assert_eq!(bench.model.health(), told);
            let before = bench.server.asked.load(Ordering::SeqCst);
            sleep(Duration::from_secs(300)).await;
            // Nothing but a probe each half a minute.
            let probes = bench.server.asked.load(Ordering::SeqCst) - before;
            assert!((9..=11).contains(&probes), "{probes}");
        };
        let (done, ()) = tokio::join!(bench.calls(50), watch);
        assert!(done.iter().all(|done| done.reply.is_ok()), "{reason:?}");
        done.iter().for_each(accounted);
        assert_eq!(bench.model.health(), ModelHealth::Working);
        assert!(bench.times().iter().all(|at| *at < 640.0));
        // Nobody had to wait for that in its turn.
        assert!(done.iter().all(|done| done.waited > Duration::from_secs(500)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stays_away_is_lost() {
    let bench = Bench::new(
        |settings| settings.retries.outage = Duration::from_secs(100),
        |_, _| Err(fails(RetryReason::Unreachable)),
    )
    .was_there();
    let done = bench.calls(8).await;
    for done in &done {
        assert_eq!(done.reply, Err(fails(RetryReason::Unreachable).error));
        accounted(done);
    }
    let ModelHealth::Lost(why) = bench.model.health() else {
        panic!("it is not lost");
    };
    assert!(why.contains("for 100 s"), "{why}");
    assert!(bench.server.began.elapsed() < Duration::from_secs(130));
}

#[tokio::test(start_paused = true)]
async fn without_an_outage_allowed_calls_fail_after_their_attempts() {
    let bench =
        Bench::new(|settings| settings.retries.outage = Duration::ZERO, |_, _| Err(fails(RetryReason::Unreachable)))
            .was_there();
    let done = bench.calls(8).await;
    assert!(done.iter().all(|done| done.trace.requests == 6));
    assert_eq!(bench.model.health(), ModelHealth::Working);
}

#[tokio::test(start_paused = true)]
async fn a_refused_key_loses_the_model_and_cancelling_ends_its_calls() {
    let refused = || pointless(ModelError::Auth("wrong".to_owned()));
    let bench = Bench::new(|settings| settings.api_key_env = Some("LARGE_KEY".to_owned()), move |_, _| Err(refused()));
    let cancel = async {
        sleep(Duration::from_secs(5)).await;
        let ModelHealth::Lost(why) = bench.model.health() else {
            panic!("it is not lost");
        };
        assert!(why.contains("variable `LARGE_KEY`"), "{why}");
        bench.cancel.cancel();
    };
    let (done, ()) = tokio::join!(bench.calls(3), cancel);
    assert!(done.iter().all(|done| done.reply == Err(ModelError::Cancelled)));
    assert_eq!(bench.server.began.elapsed(), Duration::from_secs(5));
}

/// Message when the model is lost, and after how long.
async fn lost(bench: &Bench, calls: u32) -> (String, Duration) {
    let watch = async {
        while !matches!(bench.model.health(), ModelHealth::Lost(_)) {
            sleep(Duration::from_millis(50)).await;
        }
        let (health, after) = (bench.model.health(), bench.server.began.elapsed());
        bench.cancel.cancel();
        let ModelHealth::Lost(why) = health else {
            panic!("it was lost");
        };
        (why, after)
    };
    tokio::join!(bench.calls(calls), watch).1
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_was_there_is_lost_within_seconds() {
    for (reason, remedy) in [
        (RetryReason::Unreachable, "start it, or correct `models.large.base_url`"),
        (RetryReason::Server, "look at what it says itself"),
    ] {
        for (calls, wait, outage) in [(1, 0.5, 3600), (64, 0.5, 3600), (3, 600.0, 0)] {
            let bench = Bench::new(
                move |settings| {
                    settings.base_url = "http://me:canary@nowhere:9/v1?key=canary".to_owned();
                    settings.retries.first_wait = Duration::from_secs_f64(wait);
                    settings.retries.longest_wait = settings.retries.first_wait;
                    settings.retries.outage = Duration::from_secs(outage);
                },
                move |_, _| Err(fails(reason)),
            );
            let (why, after) = lost(&bench, calls).await;
            assert!(why.contains("; http://nowhere:9/v1 has not answered"), "{why}");
            assert!(why.contains(remedy) && !why.contains("canary"), "{why}");
            // Each attempt takes a second here.
            assert!((4..=8).contains(&after.as_secs()), "{reason:?} {calls}: {after:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_anything_is_there() {
    // What it says first, and then it is away for a minute.
    let busy = || Failed { is_there: true, ..fails(RetryReason::Server) };
    let firsts: [fn() -> Result<(), Failed>; 3] =
        [|| Ok(()), || Err(fails(RetryReason::RateLimit)), || Err(pointless(ModelError::BadRequest("no".to_owned())))];
    let firsts = firsts.into_iter().map(|first| first()).chain([Err(busy())]);
    for first in firsts {
        let (told, began) = (first.clone(), Instant::now());
        let bench = Bench::new(
            |_| {},
            move |_, number| match number {
                0 => first.clone(),
                _ if began.elapsed() < Duration::from_secs(60) => Err(fails(RetryReason::Unreachable)),
                _ => Ok(()),
            },
        );
        let _ = bench.call(CALL).await;
        let done = bench.calls(5).await;
        assert!(done.iter().all(|done| done.reply.is_ok()), "{told:?}");
        assert_eq!(bench.model.health(), ModelHealth::Working);
    }
}

#[tokio::test(start_paused = true)]
async fn one_bad_request_is_no_reason_while_others_are_on_their_way() {
    // The first call fails at once each time, the others take a minute.
    let bench = Bench::new(
        |settings| settings.limits.in_flight = 8,
        |key, _| match key.starts_with("a:0:") {
            true => Err(fails(RetryReason::Server)),
            false => Ok(()),
        },
    )
    .takes(|key| Duration::from_secs(if key.starts_with("a:0:") { 1 } else { 60 }));
    let done = bench.calls(4).await;
    assert!(done[0].reply.is_err() && done[1..].iter().all(|done| done.reply.is_ok()));
    assert_eq!(bench.model.health(), ModelHealth::Working);
}
