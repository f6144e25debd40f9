use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::models::server_tests::{Bench, CALL, accounted, fails, pointless};
use crate::ports::model::{ModelLimits, Prices};

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_sent_again_after_growing_waits() {
    use RetryReason::{Cut, Server, Timeout};
    let reasons = [Server, Timeout, Cut, Server];
    let bench =
        Bench::new(|_| {}, move |_, number| reasons.get(number as usize).map_or(Ok(()), |reason| Err(fails(*reason))));
    let done = bench.call(CALL).await;
    assert!(done.reply.is_ok());
    let expected = BTreeMap::from([(Server, 2), (Timeout, 1), (Cut, 1)]);
    assert_eq!(done.trace.retries, expected);
    assert_eq!((done.trace.requests, done.trace.cached_tokens), (5, 10));
    assert_eq!(done.trace.latency, Duration::from_secs(5));
    accounted(&done);
    let times = bench.times();
    let waits: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0] - 1.0).collect();
    for (wait, longest) in waits.iter().zip([0.5, 1.0, 2.0, 4.0]) {
        assert!((longest / 2.0..=longest + 0.01).contains(wait), "{waits:?}");
    }
    // The jitter is the call's own: the same again, and another for another call.
    let again = backoff(&RetrySettings::default(), CALL, 1, 1);
    assert_eq!(again, backoff(&RetrySettings::default(), CALL, 1, 1));
    assert_ne!(again, backoff(&RetrySettings::default(), "another", 1, 1));
}

#[tokio::test(start_paused = true)]
async fn what_is_pointless_is_not_sent_again() {
    let bench = Bench::new(|_| {}, |_, _| Err(pointless(ModelError::BadRequest("no".to_owned()))));
    let done = bench.call(CALL).await;
    assert_eq!(done.reply, Err(ModelError::BadRequest("no".to_owned())));
    assert_eq!(done.trace.requests, 1);
    assert_eq!(bench.model.health(), ModelHealth::Working);
}

#[tokio::test(start_paused = true)]
async fn a_server_gets_the_time_that_it_asks_for_from_every_call() {
    let bench = Bench::new(
        |settings| settings.limits.in_flight = 1,
        |_, number| match number {
            0 => Err(Failed { after: Some(Duration::from_secs(60)), ..fails(RetryReason::RateLimit) }),
            _ => Ok(()),
        },
    );
    let done = bench.calls(3).await;
    assert!(done.iter().all(|done| done.reply.is_ok()));
    done.iter().for_each(accounted);
    let times = bench.times();
    assert!(times[1..].iter().all(|at| *at >= 61.0), "{times:?}");
    assert!(times[3] < 70.0, "{times:?}");
    let waited: Duration = done.iter().map(|done| done.waited).max().unwrap();
    assert!(waited >= Duration::from_secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_long_wait_is_told_until_it_is_nearly_over() {
    let bench = Bench::new(
        |_| {},
        |_, number| match number {
            0 => Err(Failed { after: Some(Duration::from_secs(3600)), ..fails(RetryReason::RateLimit) }),
            _ => Ok(()),
        },
    );
    let health = async {
        sleep(Duration::from_secs(100)).await;
        let early = bench.model.health();
        sleep(Duration::from_secs(495)).await;
        (early, bench.model.health())
    };
    let (done, (early, late)) = tokio::join!(bench.call(CALL), health);
    assert!(done.reply.is_ok());
    let ModelHealth::Paused(why) = early else {
        panic!("it is held");
    };
    assert!(why.starts_with("held until "), "{why}");
    assert!(why.ends_with(" (Retry-After): its server asks to wait 3600 s"), "{why}");
    assert_eq!(late, ModelHealth::Working);
    // The server asked for an hour; the config allows it ten minutes.
    let times = bench.times();
    assert!((600.0..603.0).contains(&times[1]), "{times:?}");
}

/// As many seconds as this are the most that a server can have calls wait.
async fn held(change: Change, reason: RetryReason, calls: u32) -> (f64, ModelHealth) {
    let bench = Bench::new(change, move |_, number| match number {
        0 => Ok(()),
        _ => Err(Failed { after: Some(Duration::from_secs(24 * 3600)), ..fails(reason) }),
    });
    assert!(bench.call("a:9:0/x/0/0/0").await.reply.is_ok());
    let cancel = async {
        while !matches!(bench.model.health(), ModelHealth::Lost(_)) {
            sleep(Duration::from_millis(100)).await;
        }
        let at = bench.server.began.elapsed().as_secs_f64();
        bench.cancel.cancel();
        (at, bench.model.health())
    };
    tokio::join!(bench.calls(calls), cancel).1
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_to_wait_for_ever_is_lost_after_an_outage() {
    for reason in [RetryReason::RateLimit, RetryReason::Server] {
        for calls in [1, 20] {
            let change: Change = |settings| {
                settings.retries.outage = Duration::from_secs(20);
                settings.retries.attempts = 100;
            };
            let (after, health) = held(change, reason, calls).await;
            assert!((20.0..30.0).contains(&after), "{reason:?}: {after}");
            assert!(matches!(health, ModelHealth::Lost(why) if why.contains(", for 20 s (")));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_smaller_of_both_settings_bounds_a_wait() {
    for (asked_wait, outage, longest) in [(30, 3600, 32.0), (3600, 5, 7.0), (3600, 0, 2.0)] {
        let bench = Bench::new(
            |settings| {
                settings.retries.asked_wait = Duration::from_secs(asked_wait);
                settings.retries.outage = Duration::from_secs(outage);
            },
            |_, number| match number {
                0 => Err(Failed {
                    after: Some(Duration::from_secs(24 * 3600)),
                    is_there: true,
                    ..fails(RetryReason::Server)
                }),
                _ => Ok(()),
            },
        );
        assert!(bench.call(CALL).await.reply.is_ok());
        let times = bench.times();
        let least = asked_wait.min(outage) as f64;
        assert!((least..=longest).contains(&times[1]), "{times:?}");
    }
}

/// Every call costs 1 USD, of which the run may spend 5.
fn may_spend_five(settings: &mut ModelSettings) {
    settings.spend = Some(5.0);
    settings.profile.prices =
        Some(Prices { input: 1000.0, output: 0.0, cached_input: None, currency: "USD".to_owned() });
}

#[tokio::test(start_paused = true)]
async fn what_was_spent_before_counts() {
    let bench = Bench::new(may_spend_five, |_, _| Ok(()));
    let paid = |paid| EarlierCalls { paid, answered: true };
    bench.model.earlier(&paid(3.5));
    let done = bench.call(CALL).await;
    assert_eq!((done.trace.paid, bench.model.spent()), (Some(1.0), 4.5));
    assert_eq!(bench.model.health(), ModelHealth::Working);
    assert!(bench.call(CALL).await.reply.is_ok());
    assert!(matches!(bench.model.health(), ModelHealth::Lost(why) if why.contains("5.50 USD")));
    // A process that begins beyond the limit asks for nothing.
    bench.model.earlier(&paid(0.0));
    let asked = bench.server.asked.load(Ordering::SeqCst);
    assert!(bench.call(CALL).await.reply.is_err());
    assert_eq!(bench.server.asked.load(Ordering::SeqCst), asked);
}

#[tokio::test(start_paused = true)]
async fn activity_counts_what_is_on_its_way_and_what_came() {
    let bench = Bench::new(
        |_| {},
        |_, number| match number {
            0 => Err(fails(RetryReason::RateLimit)),
            _ => Ok(()),
        },
    );
    let look = async {
        sleep(Duration::from_millis(500)).await;
        bench.model.activity()
    };
    let (done, early) = tokio::join!(bench.calls(3), look);
    assert!(done.iter().all(|done| done.reply.is_ok()));
    assert_eq!((early.in_flight, early.replies), (3, 0));
    let expected = ModelActivity { in_flight: 0, replies: 3, tokens: 3000, retries: 1 };
    assert_eq!(bench.model.activity(), expected);
    // Also of a call that nobody waits for any more.
    let dropped = tokio::time::timeout(Duration::from_millis(500), bench.call(CALL)).await;
    assert!(dropped.is_err());
    assert_eq!(bench.model.activity().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn a_cost_limit_stops_the_run_and_keeps_the_reply() {
    let bench = Bench::new(may_spend_five, |_, _| Ok(()));
    for spent in 1..=5 {
        assert_eq!(bench.model.health(), ModelHealth::Working);
        assert!(bench.call(CALL).await.reply.is_ok());
        assert_eq!(bench.model.spent(), f64::from(spent));
    }
    let told = "the run has spent 5.00 USD of 5.00; raise `models.large.spend` to go on";
    assert_eq!(bench.model.health(), ModelHealth::Lost(told.to_owned()));
    assert!(bench.call(CALL).await.reply.is_err());
    assert_eq!(bench.server.asked.load(Ordering::SeqCst), 5);
}

type Change = fn(&mut ModelSettings);

#[tokio::test(start_paused = true)]
async fn cancelling_ends_every_wait_at_once() {
    let never: [(Change, RetryReason); 3] = [
        (|settings| settings.limits.in_flight = 1, RetryReason::Unreachable),
        (|settings| settings.limits.requests_per_minute = Some(1.0), RetryReason::Server),
        (|settings| settings.retries.first_wait = Duration::from_secs(600), RetryReason::Server),
    ];
    for (change, reason) in never {
        let bench = Bench::new(change, move |_, _| Err(fails(reason))).was_there();
        let cancel = async {
            sleep(Duration::from_secs(300)).await;
            bench.cancel.cancel();
        };
        let (done, ()) = tokio::join!(bench.calls(20), cancel);
        assert!(done.iter().all(|done| done.reply == Err(ModelError::Cancelled)));
        let late = bench.server.began.elapsed() - Duration::from_secs(300);
        // An attempt that is under way is not cut here: whoever drops the call cuts it.
        assert!(late <= Duration::from_secs(1), "{late:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn never_more_than_allowed_are_in_flight_and_a_storm_passes() {
    // A server that bears four at once and refuses the others.
    let now = Arc::new(AtomicU32::new(0));
    let (bears, inside) = (4, Arc::clone(&now));
    let bench = Bench::new(
        |settings| {
            settings.limits = ModelLimits { in_flight: 64, ..ModelLimits::default() };
        },
        move |_, _| {
            let count = inside.fetch_add(1, Ordering::SeqCst);
            let inside = Arc::clone(&inside);
            tokio::spawn(async move {
                sleep(Duration::from_millis(900)).await;
                inside.fetch_sub(1, Ordering::SeqCst);
            });
            if count < bears { Ok(()) } else { Err(fails(RetryReason::RateLimit)) }
        },
    );
    let done = bench.calls(500).await;
    assert!(done.iter().all(|done| done.reply.is_ok()));
    done.iter().for_each(accounted);
    assert!(bench.server.most_in_flight.load(Ordering::SeqCst) <= 64);
    let refused: u64 = done.iter().map(|done| done.trace.retries.values().sum::<u64>()).sum();
    let asked = bench.server.asked.load(Ordering::SeqCst);
    assert_eq!(u64::from(asked), 500 + refused);
    // It finds what the server bears instead of storming on.
    assert!(refused < 500, "{refused}");
}

#[tokio::test(start_paused = true)]
async fn one_call_that_is_dropped_leaves_its_place_to_others() {
    let bench = Bench::new(|settings| settings.limits.in_flight = 1, |_, _| Ok(()));
    {
        let first = bench.call(CALL);
        let dropped = tokio::time::timeout(Duration::from_millis(500), first).await;
        assert!(dropped.is_err());
    }
    assert!(bench.call("a:1:0/x/0/0/0").await.reply.is_ok());
    assert_eq!(bench.server.asked.load(Ordering::SeqCst), 2);
}
