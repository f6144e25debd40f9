use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::domain::Usage;
use crate::models::client;
use crate::ports::model::{ModelLimits, Prices, RequestHash, Waiting};

type Answer = dyn Fn(&str, u32) -> Result<(), Failed> + Send + Sync;

/// A server that answers as a function of the call and of how often it was asked in all.
struct Server {
    profile: ModelProfile,
    answer: Box<Answer>,
    takes: Duration,
    began: Instant,
    asked: AtomicU32,
    /// When which call was sent.
    sent: Mutex<Vec<(String, Duration)>>,
    in_flight: AtomicU32,
    most_in_flight: AtomicU32,
}

#[async_trait]
impl Transport for Server {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        Err(ModelError::Unsupported("not here".to_owned()))
    }

    async fn attempt(&self, _: &EncodedRequest, key: &str) -> Result<Attempt, Failed> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let at = self.began.elapsed();
        self.sent.lock().unwrap().push((key.to_owned(), at));
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        sleep(self.takes).await;
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        (self.answer)(key, number)?;
        let usage = Usage {
            prompt: 1000,
            completion: 0,
            estimated: false,
        };
        Ok(Attempt {
            reply: ModelReply {
                usage,
                ..ModelReply::default()
            },
            requests: 1,
            cached_tokens: 10,
        })
    }
}

fn fails(reason: RetryReason) -> Failed {
    let text = "as asked".to_owned();
    Failed {
        error: match reason {
            RetryReason::RateLimit => ModelError::RateLimit(text),
            RetryReason::Unreachable => ModelError::Unreachable(text),
            RetryReason::Timeout => ModelError::Timeout(text),
            RetryReason::Cut => ModelError::Truncated(text),
            RetryReason::Server => ModelError::Server(text),
        },
        retry: Some(reason),
        after: None,
        requests: 1,
    }
}

fn pointless(error: ModelError) -> Failed {
    Failed {
        error,
        retry: None,
        after: None,
        requests: 1,
    }
}

struct Bench {
    server: Arc<Server>,
    model: Arc<dyn ModelClient>,
    cancel: CancellationToken,
}

struct Done {
    reply: Result<ModelReply, ModelError>,
    trace: CallTrace,
    waited: Duration,
}

impl Bench {
    fn new(
        change: impl FnOnce(&mut ModelSettings),
        answer: impl Fn(&str, u32) -> Result<(), Failed> + Send + Sync + 'static,
    ) -> Self {
        let mut settings = ModelSettings::new("large", "http://localhost");
        change(&mut settings);
        let server = Arc::new(Server {
            profile: settings.profile.clone(),
            answer: Box::new(answer),
            takes: Duration::from_secs(1),
            began: Instant::now(),
            asked: AtomicU32::new(0),
            sent: Mutex::default(),
            in_flight: AtomicU32::new(0),
            most_in_flight: AtomicU32::new(0),
        });
        Self {
            model: client(Arc::clone(&server) as Arc<dyn Transport>, &settings),
            server,
            cancel: CancellationToken::new(),
        }
    }

    async fn call(&self, key: &str) -> Done {
        let context = CallContext {
            key: key.to_owned(),
            occurrence: 0,
            cancel: self.cancel.clone(),
            waiting: Waiting::default(),
        };
        let request = EncodedRequest {
            hash: RequestHash::of(&[key.as_bytes()]),
            endpoint: "x",
            body: bytes::Bytes::new(),
            estimated_tokens: 1000,
        };
        let mut trace = CallTrace::default();
        let reply = self.model.send(&request, &context, &mut trace).await;
        assert!(!context.waiting.is_waiting());
        Done {
            reply,
            trace,
            waited: context.waiting.waited(),
        }
    }

    async fn calls(&self, number: u32) -> Vec<Done> {
        let keys: Vec<String> = (0..number)
            .map(|call| format!("a:{call}:0/x/0/0/0"))
            .collect();
        join_all(keys.iter().map(|key| self.call(key))).await
    }

    fn times(&self) -> Vec<f64> {
        let sent = self.server.sent.lock().unwrap();
        sent.iter().map(|(_, at)| at.as_secs_f64()).collect()
    }
}

/// The trace's requests are its first one and its retries.
fn accounted(done: &Done) {
    assert_eq!(
        done.trace.requests,
        1 + done.trace.retries.values().sum::<u32>()
    );
    assert_eq!(done.trace.waited, done.waited);
}

const CALL: &str = "a:0:0/executor/0/0/0";

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_sent_again_after_growing_waits() {
    use RetryReason::{Cut, Server, Timeout};
    let reasons = [Server, Timeout, Cut, Server];
    let bench = Bench::new(
        |_| {},
        move |_, number| {
            reasons
                .get(number as usize)
                .map_or(Ok(()), |reason| Err(fails(*reason)))
        },
    );
    let done = bench.call(CALL).await;
    assert!(done.reply.is_ok());
    let expected = BTreeMap::from([(Server, 2), (Timeout, 1), (Cut, 1)]);
    assert_eq!(done.trace.retries, expected);
    assert_eq!((done.trace.requests, done.trace.cached_tokens), (5, 10));
    assert_eq!(done.trace.latency, Duration::from_secs(5));
    accounted(&done);
    let times = bench.times();
    let waits: Vec<f64> = times
        .windows(2)
        .map(|pair| pair[1] - pair[0] - 1.0)
        .collect();
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
    let bench = Bench::new(
        |_| {},
        |_, _| Err(pointless(ModelError::BadRequest("no".to_owned()))),
    );
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
            0 => Err(Failed {
                after: Some(Duration::from_secs(60)),
                ..fails(RetryReason::RateLimit)
            }),
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
        let bench = Bench::new(
            |_| {},
            move |_, _| if back() { Ok(()) } else { Err(fails(reason)) },
        );
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
        assert!(
            done.iter()
                .all(|done| done.waited > Duration::from_secs(500))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stays_away_is_lost() {
    let bench = Bench::new(
        |settings| settings.retries.outage = Duration::from_secs(100),
        |_, _| Err(fails(RetryReason::Unreachable)),
    );
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
    let bench = Bench::new(
        |settings| settings.retries.outage = Duration::ZERO,
        |_, _| Err(fails(RetryReason::Unreachable)),
    );
    let done = bench.calls(8).await;
    assert!(done.iter().all(|done| done.trace.requests == 6));
    assert_eq!(bench.model.health(), ModelHealth::Working);
}

#[tokio::test(start_paused = true)]
async fn a_refused_key_loses_the_model_and_cancelling_ends_its_calls() {
    let refused = || pointless(ModelError::Auth("wrong".to_owned()));
    let bench = Bench::new(
        |settings| settings.api_key_env = Some("LARGE_KEY".to_owned()),
        move |_, _| Err(refused()),
    );
    let cancel = async {
        sleep(Duration::from_secs(5)).await;
        let ModelHealth::Lost(why) = bench.model.health() else {
            panic!("it is not lost");
        };
        assert!(why.contains("variable `LARGE_KEY`"), "{why}");
        bench.cancel.cancel();
    };
    let (done, ()) = tokio::join!(bench.calls(3), cancel);
    assert!(
        done.iter()
            .all(|done| done.reply == Err(ModelError::Cancelled))
    );
    assert_eq!(bench.server.began.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_cost_limit_stops_the_run_and_keeps_the_reply() {
    let bench = Bench::new(
        |settings| {
            settings.spend = Some(5.0);
            settings.profile.prices = Some(Prices {
                input: 1000.0,
                output: 0.0,
                currency: "USD".to_owned(),
            });
        },
        |_, _| Ok(()),
    );
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

#[tokio::test(start_paused = true)]
async fn cancelling_ends_every_wait_at_once() {
    let never: [(fn(&mut ModelSettings), RetryReason); 3] = [
        (
            |settings| settings.limits.in_flight = 1,
            RetryReason::Unreachable,
        ),
        (
            |settings| settings.limits.requests_per_minute = Some(1.0),
            RetryReason::Server,
        ),
        (
            |settings| settings.retries.first_wait = Duration::from_secs(600),
            RetryReason::Server,
        ),
    ];
    for (change, reason) in never {
        let bench = Bench::new(change, move |_, _| Err(fails(reason)));
        let cancel = async {
            sleep(Duration::from_secs(300)).await;
            bench.cancel.cancel();
        };
        let (done, ()) = tokio::join!(bench.calls(20), cancel);
        assert!(
            done.iter()
                .all(|done| done.reply == Err(ModelError::Cancelled))
        );
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
            settings.limits = ModelLimits {
                in_flight: 64,
                ..ModelLimits::default()
            };
        },
        move |_, _| {
            let count = inside.fetch_add(1, Ordering::SeqCst);
            let inside = Arc::clone(&inside);
            tokio::spawn(async move {
                sleep(Duration::from_millis(900)).await;
                inside.fetch_sub(1, Ordering::SeqCst);
            });
            if count < bears {
                Ok(())
            } else {
                Err(fails(RetryReason::RateLimit))
            }
        },
    );
    let done = bench.calls(500).await;
    assert!(done.iter().all(|done| done.reply.is_ok()));
    done.iter().for_each(accounted);
    assert!(bench.server.most_in_flight.load(Ordering::SeqCst) <= 64);
    let refused: u32 = done
        .iter()
        .map(|done| done.trace.retries.values().sum::<u32>())
        .sum();
    assert_eq!(bench.server.asked.load(Ordering::SeqCst), 500 + refused);
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
