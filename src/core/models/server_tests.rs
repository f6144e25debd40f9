//! A server in memory, for tests under a paused clock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{Attempt, Failed, FirstByte, Transport, client};
use crate::domain::{ModelReply, Usage};
use crate::ports::model::{
    CallContext, CallTrace, EarlierCalls, EncodedRequest, ModelProfile, ModelSettings, RequestHash, RetryReason,
    Waiting,
};
use crate::ports::{ModelClient, ModelError, ModelRequest};

type Takes = dyn Fn(&str) -> Duration + Send + Sync;
type Answer = dyn Fn(&str, u32) -> Result<(), Failed> + Send + Sync;

/// A server that answers as a function of the call and of how often it was asked in all.
pub(super) struct Server {
    profile: ModelProfile,
    answer: Box<Answer>,
    takes: Mutex<Box<Takes>>,
    pub(super) began: Instant,
    pub(super) asked: AtomicU32,
    /// When which call was sent.
    sent: Mutex<Vec<(String, Duration)>>,
    in_flight: AtomicU32,
    pub(super) most_in_flight: AtomicU32,
}

#[async_trait]
impl Transport for Server {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        Err(ModelError::Unsupported("not here".to_owned()))
    }

    async fn attempt(
        &self,
        _: &EncodedRequest,
        key: &str,
        _: &str,
        first_byte: &FirstByte<'_>,
    ) -> Result<Attempt, Failed> {
        // All of its time is the answer.
        first_byte.came();
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let at = self.began.elapsed();
        self.sent.lock().unwrap().push((key.to_owned(), at));
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        let takes = (self.takes.lock().unwrap())(key);
        sleep(takes).await;
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        (self.answer)(key, number)?;
        let usage = Usage { prompt: 1000, completion: 0, ..Usage::default() };
        Ok(Attempt { reply: ModelReply { usage, ..ModelReply::default() }, requests: 1, cached_tokens: 10 })
    }
}

pub(super) fn fails(reason: RetryReason) -> Failed {
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
        is_there: !matches!(reason, RetryReason::Unreachable | RetryReason::Server),
        requests: 1,
        answered: false,
    }
}

pub(super) fn pointless(error: ModelError) -> Failed {
    Failed { error, retry: None, after: None, is_there: true, requests: 1, answered: false }
}

pub(super) struct Bench {
    pub(super) server: Arc<Server>,
    pub(super) model: Arc<dyn ModelClient>,
    pub(super) cancel: CancellationToken,
}

pub(super) struct Done {
    pub(super) reply: Result<ModelReply, ModelError>,
    pub(super) trace: CallTrace,
    pub(super) waited: Duration,
}

impl Bench {
    pub(super) fn new(
        change: impl FnOnce(&mut ModelSettings),
        answer: impl Fn(&str, u32) -> Result<(), Failed> + Send + Sync + 'static,
    ) -> Self {
        let mut settings = ModelSettings::new("large", "http://localhost");
        change(&mut settings);
        let server = Arc::new(Server {
            profile: settings.profile.clone(),
            answer: Box::new(answer),
            takes: Mutex::new(Box::new(|_| Duration::from_secs(1))),
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

    /// Each call takes this time.
    pub(super) fn takes(self, takes: impl Fn(&str) -> Duration + Send + Sync + 'static) -> Self {
        *self.server.takes.lock().unwrap() = Box::new(takes);
        self
    }

    /// Its server answered in an earlier process of the run.
    pub(super) fn was_there(self) -> Self {
        self.model.earlier(&EarlierCalls { paid: 0.0, answered: true });
        self
    }

    pub(super) async fn call(&self, key: &str) -> Done {
        let context = CallContext {
            key: key.to_owned(),
            run: Arc::default(),
            occurrence: 0,
            cancel: self.cancel.clone(),
            waiting: Waiting::default(),
        };
        let request = EncodedRequest {
            choices: 1,
            hash: RequestHash::of(&[key.as_bytes()]),
            endpoint: "x",
            body: bytes::Bytes::new(),
            estimated_tokens: 1000,
        };
        let mut trace = CallTrace::default();
        let reply = self.model.send(&request, &context, &mut trace).await;
        assert!(!context.waiting.is_waiting());
        Done { reply, trace, waited: context.waiting.waited() }
    }

    pub(super) async fn calls(&self, number: u32) -> Vec<Done> {
        let keys: Vec<String> = (0..number).map(|call| format!("a:{call}:0/x/0/0/0")).collect();
        join_all(keys.iter().map(|key| self.call(key))).await
    }

    pub(super) fn times(&self) -> Vec<f64> {
        let sent = self.server.sent.lock().unwrap();
        sent.iter().map(|(_, at)| at.as_secs_f64()).collect()
    }
}

/// The trace's requests are its first one and its retries.
pub(super) fn accounted(done: &Done) {
    assert_eq!(u64::from(done.trace.requests), 1 + done.trace.retries.values().sum::<u64>());
    assert_eq!(done.trace.waited, done.waited);
}

pub(super) const CALL: &str = "a:0:0/executor/0/0/0";
