//! A model behind the cache: what was asked before is not asked again.
//!
//! A reply is found by the address, the model that answers there and its fingerprint, the hash of its request (model,
//! messages, sampling, schema, seed), and by how many equal requests the seat made before in its episode. Replies of a
//! model without a fingerprint are found in their own run alone. Equal calls that come at the same time become one.

mod store;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use dashmap::DashMap;
use store::{CacheKey, Origin, Store};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::Transport;
use super::call::{Wait, wait};
use super::openai::shown_address;
use crate::domain::ModelReply;
use crate::ports::model::{
    CacheMode, CacheUse, CallContext, CallTrace, EarlierCalls, Embedding, EncodedRequest, ModelActivity, ModelHealth,
    ModelProfile, ModelSettings, ModelShare, Ranking,
};
use crate::ports::{ModelClient, ModelError, ModelRequest};

/// After so long a server that did not tell which model answers is asked again.
const AGAIN: Duration = Duration::from_secs(60);

/// A client that asks the one behind it for what the cache does not hold.
pub(crate) struct Cached<C> {
    inner: C,
    transport: Arc<dyn Transport>,
    mode: CacheMode,
    store: Store,
    /// Address of the server, without secrets; empty for a model inside the program.
    address: String,
    contact: Mutex<Contact>,
    /// Held by the call that asks which model answers.
    asking: tokio::sync::Mutex<()>,
    /// Calls that are on their way.
    flights: DashMap<CacheKey, Flight>,
}

/// Knowledge of the model that answers.
#[derive(Debug, Default)]
struct Contact {
    origin: Option<Arc<Origin>>,
    /// When a server that did not tell is asked again at the earliest.
    again: Option<Instant>,
    /// A live reply came.
    is_there: bool,
    /// The name in the first live reply that has one.
    served: Option<String>,
    /// Somebody was told that another name came.
    warned: bool,
}

/// Set by whoever fetches a reply; the others wait for it.
type Flight = Arc<OnceCell<ModelReply>>;

impl<C: ModelClient> Cached<C> {
    /// Keeps replies as the settings say.
    pub(crate) fn new(inner: C, transport: Arc<dyn Transport>, settings: &ModelSettings) -> Self {
        Self {
            inner,
            transport,
            mode: settings.cache.mode,
            store: Store::new(&settings.cache.folder),
            address: match settings.base_url.is_empty() {
                true => String::new(),
                false => shown_address(&settings.base_url),
            },
            contact: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
            flights: DashMap::new(),
        }
    }

    fn contact(&self) -> MutexGuard<'_, Contact> {
        self.contact.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model that answers: asked once, and again after a while if the server did not tell. Until then it is the model
    /// that this run met there, and where no server may be asked, else the one that any run met there last.
    async fn origin(&self, context: &CallContext, trace: &mut CallTrace) -> Result<Arc<Origin>, ModelError> {
        let known = |contact: &Contact| {
            let is_time = contact.again.is_some_and(|again| again <= Instant::now());
            contact.origin.clone().filter(|_| !is_time)
        };
        if let Some(origin) = known(&self.contact()) {
            return Ok(origin);
        }
        wait(context, trace, async {
            let _asking = self.asking.lock().await;
            if let Some(origin) = known(&self.contact()) {
                return origin;
            }
            let told = match self.mode {
                CacheMode::Only => None,
                _ => self.transport.served().await.ok(),
            };
            let server = [&*self.address, &self.profile().model];
            let last = self.store.met(server, "").await.flatten();
            let origin = match &told {
                Some(served) => Origin::new(server, served.clone(), &context.run),
                None => {
                    let of_run = self.store.met(server, &context.run).await;
                    let of_any = last.clone().filter(|_| self.mode == CacheMode::Only);
                    Origin::new(server, of_run.unwrap_or(of_any), &context.run)
                }
            };
            if let Some(served) = &told {
                if let (Some(last), Some(served)) = (&last, served)
                    && last != served
                {
                    let (was, is) = (&last.name, &served.name);
                    let address = &self.address;
                    tracing::warn!(address, was, is, "another model answers than before: its replies are kept apart");
                }
                self.store.meet(server, &context.run, served).await;
            }
            let origin = Arc::new(origin);
            let mut contact = self.contact();
            contact.origin = Some(Arc::clone(&origin));
            let is_open = told.is_none() && self.mode != CacheMode::Only;
            contact.again = is_open.then(|| Instant::now() + AGAIN);
            origin
        })
        .await
    }

    /// Takes note of the name in a live reply: another one than in the first is that of another model.
    fn answered(&self, reply: &ModelReply) {
        let mut contact = self.contact();
        if !std::mem::replace(&mut contact.is_there, true) && contact.again.is_some() {
            // It was away, and may tell by now who it is.
            contact.again = Some(Instant::now());
        }
        let is_other = match (&contact.served, &reply.served) {
            (Some(first), Some(served)) => first != served,
            _ => false,
        };
        if is_other && !contact.warned {
            contact.warned = true;
            let (was, is) = (contact.served.as_deref(), reply.served.as_deref());
            tracing::warn!(address = self.address, was, is, "replies come from several models or versions of one");
        }
        if contact.served.is_none() {
            contact.served.clone_from(&reply.served);
        }
    }

    fn reads(&self) -> bool {
        matches!(self.mode, CacheMode::Only | CacheMode::Read | CacheMode::Both)
    }

    fn writes(&self) -> bool {
        matches!(self.mode, CacheMode::Write | CacheMode::Both)
    }

    /// The reply from the cache, or from the server.
    async fn fetch(
        &self,
        key: CacheKey,
        origin: Arc<Origin>,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        if self.reads() {
            trace.cache = CacheUse::Miss;
            if let Some(reply) = self.store.read(key).await {
                trace.cache = CacheUse::Hit;
                return Ok(reply);
            }
        }
        if self.mode == CacheMode::Only {
            let text = format!("request {}, occurrence {}", request.hash, key.occurrence);
            return Err(ModelError::NotCached(text));
        }
        let reply = self.inner.send(request, context, trace).await?;
        self.answered(&reply);
        if self.writes() {
            // The reply is there, whatever the server says of itself by now.
            let origin = self.origin(context, trace).await.unwrap_or(origin);
            let key = CacheKey { request: origin.key(request.hash), ..key };
            self.store.write(key, &origin, &reply).await;
        }
        Ok(reply)
    }

    /// Waits for the call that fetches the same; fetches it if there is none, or if it fails.
    async fn join(
        &self,
        flight: &Flight,
        key: CacheKey,
        origin: Arc<Origin>,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        // Whoever waits for another call is not slow itself; whoever fetches may be.
        let mut waiting = Some(Wait::begin(&context.waiting));
        let mut fetched = false;
        let reply = flight
            .get_or_try_init(|| {
                trace.waited += waiting.take().map(Wait::end).unwrap_or_default();
                fetched = true;
                self.fetch(key, origin, request, context, trace)
            })
            .await?
            .clone();
        if !fetched {
            trace.waited += waiting.take().map(Wait::end).unwrap_or_default();
            trace.cache = CacheUse::Hit;
        }
        Ok(reply)
    }
}

/// Takes a flight off the map when the last one has left it. Outlives the place in the flight, so that
/// of two that leave at once, one sees that nobody is left. Those who join hold the map's lock while
/// they do.
struct Landing<'a> {
    flights: &'a DashMap<CacheKey, Flight>,
    key: CacheKey,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        let is_left = |_: &CacheKey, flight: &Flight| Arc::strong_count(flight) <= 1;
        self.flights.remove_if(&self.key, is_left);
    }
}

#[async_trait]
impl<C: ModelClient> ModelClient for Cached<C> {
    fn profile(&self) -> &ModelProfile {
        self.inner.profile()
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        self.inner.encode(request)
    }

    fn encode_embedding(&self, request: &Embedding) -> Result<EncodedRequest, ModelError> {
        self.inner.encode_embedding(request)
    }

    fn encode_ranking(&self, request: &Ranking) -> Result<EncodedRequest, ModelError> {
        self.inner.encode_ranking(request)
    }

    async fn send(
        &self,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        if self.mode == CacheMode::Off {
            return self.inner.send(request, context, trace).await;
        }
        let origin = self.origin(context, trace).await?;
        let key = CacheKey { request: origin.key(request.hash), occurrence: context.occurrence };
        let flights = &self.flights;
        // In this order: what is declared last is dropped first.
        let _landing = Landing { flights, key };
        let flight = Arc::clone(&flights.entry(key).or_default());
        tokio::select! {
            biased;
            () = context.cancel.cancelled() => Err(ModelError::Cancelled),
            reply = self.join(&flight, key, origin, request, context, trace) => reply,
        }
    }

    fn counts_requests(&self) -> bool {
        true
    }

    fn health(&self) -> ModelHealth {
        self.inner.health()
    }

    fn earlier(&self, calls: &EarlierCalls) {
        self.inner.earlier(calls);
    }

    fn share(&self, share: &ModelShare) -> Option<f64> {
        self.inner.share(share)
    }

    fn spent(&self) -> f64 {
        self.inner.spent()
    }

    fn bound_answers(&self, bytes: usize) {
        self.store.bound_answers(bytes);
        self.inner.bound_answers(bytes);
    }

    fn activity(&self) -> ModelActivity {
        self.inner.activity()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::domain::Choice;
    use crate::models::{Attempt, Failed, FirstByte, ServedModel, client};
    use crate::ports::model::{RequestHash, RetryReason, Waiting};

    /// A server with one model, whose replies are its name.
    struct Server {
        profile: ModelProfile,
        /// None where it is away.
        served: Option<Option<ServedModel>>,
        asked: AtomicU32,
    }

    #[async_trait]
    impl Transport for Server {
        fn profile(&self) -> &ModelProfile {
            &self.profile
        }

        fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
            Err(ModelError::Unsupported("not here".to_owned()))
        }

        async fn attempt(&self, _: &EncodedRequest, _: &str, _: &str, _: &FirstByte<'_>) -> Result<Attempt, Failed> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let text = self.served.clone().flatten().unwrap_or_default().name;
            let choices = vec![Choice { text, ..Choice::default() }];
            Ok(Attempt { reply: ModelReply { choices, ..ModelReply::default() }, requests: 1, ..Attempt::default() })
        }

        async fn served(&self) -> Result<Option<ServedModel>, Failed> {
            let away = ModelError::Unreachable("away".to_owned());
            let retry = Some(RetryReason::Unreachable);
            self.served.clone().ok_or(Failed {
                error: away,
                retry,
                after: None,
                is_there: false,
                requests: 1,
                answered: false,
            })
        }
    }

    fn model(name: &str, fingerprint: &str) -> Option<Option<ServedModel>> {
        Some(Some(ServedModel { name: name.to_owned(), fingerprint: fingerprint.to_owned() }))
    }

    /// The text of the reply in a run, and how often the server was asked for it, in a process of its own.
    async fn asked(folder: &Path, url: &str, served: Option<Option<ServedModel>>, run: &str) -> (String, u32) {
        let mut settings = ModelSettings::new("default", url);
        settings.cache.mode = CacheMode::Both;
        settings.cache.folder = folder.to_owned();
        let server = Arc::new(Server { profile: settings.profile.clone(), served, asked: AtomicU32::new(0) });
        let transport: Arc<dyn Transport> = server.clone();
        let model = client(transport, &settings);
        let request = EncodedRequest {
            hash: RequestHash([1; 16]),
            endpoint: "chat/completions",
            body: "{}".into(),
            choices: 1,
            estimated_tokens: 1,
        };
        let context = CallContext {
            key: "main:0:0/executor/0/0/0".to_owned(),
            run: run.into(),
            occurrence: 0,
            cancel: CancellationToken::new(),
            waiting: Waiting::default(),
        };
        let reply = model.send(&request, &context, &mut CallTrace::default()).await.unwrap();
        (reply.choices[0].text.clone(), server.asked.load(Ordering::SeqCst))
    }

    #[tokio::test]
    async fn a_reply_is_that_of_the_model_that_answers_now() {
        let folder = tempfile::tempdir().unwrap();
        let ask = |served, run: &'static str| asked(folder.path(), "http://localhost:1/v1", served, run);
        let answer = |text: &str, requests| (text.to_owned(), requests);
        assert_eq!(ask(model("a", "1"), "r1").await, answer("a", 1));
        assert_eq!(ask(model("a", "1"), "r2").await, answer("a", 0));
        // Another one behind the same address, by its fingerprint alone.
        assert_eq!(ask(model("b", "2"), "r3").await, answer("b", 1));
        assert_eq!(ask(model("b", "2"), "r3").await, answer("b", 0));
        assert_eq!(ask(model("b", "3"), "r3").await, answer("b", 1));
        // Where nobody answers, it is the one that the run has met.
        assert_eq!(ask(None, "r1").await, answer("a", 0));
        assert_eq!(ask(None, "r9").await, answer("", 1));
        // The same names at another address.
        assert_eq!(asked(folder.path(), "http://localhost:2/v1", model("a", "1"), "r1").await, answer("a", 1));
    }

    #[tokio::test]
    async fn what_has_no_fingerprint_is_kept_for_its_run_alone() {
        let folder = tempfile::tempdir().unwrap();
        let ask = |run: &'static str| asked(folder.path(), "http://localhost:1/v1", Some(None), run);
        let mut requests = Vec::new();
        for run in ["r1", "r1", "r2", "", ""] {
            requests.push(ask(run).await.1);
        }
        // Outside of runs a process is one.
        assert_eq!(requests, [1, 0, 1, 1, 0]);
    }

    /// Also when several leave at the same moment.
    #[test]
    fn the_last_to_leave_a_flight_takes_it_off_the_map() {
        let key = CacheKey { request: RequestHash([1; 16]), occurrence: 0 };
        let flights: DashMap<CacheKey, Flight> = DashMap::new();
        let barrier = std::sync::Barrier::new(4);
        for _ in 0..3000 {
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let landing = Landing { flights: &flights, key };
                        let flight = Arc::clone(&flights.entry(key).or_default());
                        barrier.wait();
                        drop(flight);
                        drop(landing);
                    });
                }
            });
            assert!(flights.is_empty());
        }
    }
}
