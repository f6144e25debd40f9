//! A model behind the cache: what was asked before is not asked again.
//!
//! A reply is found by the address, the model that answers there and its fingerprint, the hash of its request (model,
//! messages, sampling, schema, seed), and by how many equal requests the seat made before in its episode. Replies of a
//! model without a fingerprint are found in their own run alone. Equal calls that come at the same time become one.

mod origin;
mod store;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use dashmap::DashMap;
use origin::Origin;
use store::{CacheKey, Store};
use tokio::sync::OnceCell;

use super::Transport;
use super::call::{Wait, wait};
use super::openai::shown_address;
use crate::domain::ModelReply;
use crate::ports::model::{
    CacheMode, CacheUse, CallContext, CallTrace, EarlierCalls, Embedding, EncodedRequest, ModelActivity, ModelHealth,
    ModelProfile, ModelSettings, ModelShare, Ranking,
};
use crate::ports::{ModelClient, ModelError, ModelRequest};

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
    /// The server was asked, and told or did not.
    asked: bool,
    origin: Option<Arc<Origin>>,
    /// The name in the last live reply.
    served: Option<String>,
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

    /// The model that answers: asked once, and again while nothing was told. Where the server does not answer, the model
    /// of this run that was met there last, else of any run.
    async fn origin(&self, context: &CallContext, trace: &mut CallTrace) -> Result<Arc<Origin>, ModelError> {
        let known = |contact: &Contact| contact.origin.clone().filter(|_| contact.asked);
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
            let place = [&*self.address, &self.profile().model];
            let before = self.store.met(place, &context.run).await;
            let origin = match &told {
                Some(served) => Origin::new(place, served.clone(), &context.run, true),
                None => Origin::new(place, before.clone(), &context.run, false),
            };
            if let Some(served) = told.flatten() {
                if let Some(before) = before.filter(|before| *before != served) {
                    let (was, is) = (before.name, &served.name);
                    tracing::warn!(
                        address = self.address,
                        was,
                        is,
                        "another model answers than before: its replies are kept apart in the cache"
                    );
                }
                self.store.meet(place, &context.run, served).await;
            }
            let origin = Arc::new(origin);
            *self.contact() = Contact { asked: true, origin: Some(Arc::clone(&origin)), served: None };
            origin
        })
        .await
    }

    /// Takes note of a live reply: a server that was away may tell now who it is, and a name that changes is that of
    /// another model.
    async fn answered(
        &self,
        reply: &ModelReply,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<Arc<Origin>, ModelError> {
        {
            let mut contact = self.contact();
            let is_new = contact.served.as_ref().is_some_and(|served| reply.served.as_ref() != Some(served));
            if is_new {
                let (was, is) = (contact.served.as_deref(), reply.served.as_deref());
                tracing::warn!(address = self.address, was, is, "another model answers than a moment ago");
            }
            contact.served.clone_from(&reply.served);
            let is_told = contact.origin.as_ref().is_some_and(|origin| origin.is_told);
            contact.asked &= is_told && !is_new;
        }
        self.origin(context, trace).await
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
        let origin = self.answered(&reply, context, trace).await?;
        if self.writes() {
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
                self.fetch(key, request, context, trace)
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
            reply = self.join(&flight, key, request, context, trace) => reply,
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
    use super::*;
    use crate::ports::model::RequestHash;

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
