//! A model behind the cache: what was asked before is not asked again.
//!
//! A reply is found by the hash of its request (model, messages, sampling, schema, seed) and by how
//! many equal requests the seat made before in its episode. Equal calls that come at the same time
//! become one.

mod store;

use std::sync::Arc;

use async_trait::async_trait;
use dashmap::DashMap;
use tokio::sync::OnceCell;

use crate::domain::ModelReply;
use crate::models::wait::Wait;
use crate::ports::model::{
    CacheMode, CacheSettings, CacheUse, CallContext, CallTrace, EncodedRequest, ModelHealth,
    ModelProfile,
};
use crate::ports::{ModelClient, ModelError, ModelRequest};
use store::{Entry, Key, Store};

/// A client that asks the one behind it for what the cache does not hold.
pub(crate) struct Cached<C> {
    inner: C,
    mode: CacheMode,
    store: Store,
    /// Calls that are on their way.
    flights: DashMap<Key, Flight>,
}

/// Set by whoever fetches a reply; the others wait for it.
type Flight = Arc<OnceCell<ModelReply>>;

impl<C: ModelClient> Cached<C> {
    /// Keeps replies as the settings say.
    pub(crate) fn new(inner: C, settings: &CacheSettings) -> Self {
        Self {
            inner,
            mode: settings.mode,
            store: Store::new(&settings.folder),
            flights: DashMap::new(),
        }
    }

    fn reads(&self) -> bool {
        matches!(
            self.mode,
            CacheMode::Only | CacheMode::Read | CacheMode::Both
        )
    }

    fn writes(&self) -> bool {
        matches!(self.mode, CacheMode::Write | CacheMode::Both)
    }

    /// The reply from the cache, or from the server.
    async fn fetch(
        &self,
        key: Key,
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
            let text = format!("request {}, occurrence {}", key.request, key.occurrence);
            return Err(ModelError::NotCached(text));
        }
        let reply = self.inner.send(request, context, trace).await?;
        if self.writes() {
            let entry = Entry::new(self.name(), key, &reply);
            self.store.write(key, entry).await;
        }
        Ok(reply)
    }

    /// Waits for the call that fetches the same; fetches it if there is none, or if it fails.
    async fn join(
        &self,
        flight: &Flight,
        key: Key,
        request: &EncodedRequest,
        context: &CallContext,
        trace: &mut CallTrace,
    ) -> Result<ModelReply, ModelError> {
        // Whoever waits for another call is not slow itself; whoever fetches may be.
        let mut waiting = Some(Wait::begin(&context.waiting));
        let mut fetched = false;
        let reply = flight.get_or_try_init(|| {
            trace.waited += waiting.take().map(Wait::end).unwrap_or_default();
            fetched = true;
            self.fetch(key, request, context, trace)
        });
        let reply = reply.await?.clone();
        if !fetched {
            trace.waited += waiting.take().map(Wait::end).unwrap_or_default();
            trace.cache = CacheUse::Hit;
        }
        Ok(reply)
    }
}

/// Leaves a flight; the last one to leave takes it off the map.
struct Landing<'a> {
    flights: &'a DashMap<Key, Flight>,
    key: Key,
    flight: Flight,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        // Those who join hold the map's lock while they do.
        self.flights
            .remove_if(&self.key, |_, flight| Arc::strong_count(flight) <= 2);
    }
}

#[async_trait]
impl<C: ModelClient> ModelClient for Cached<C> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn profile(&self) -> &ModelProfile {
        self.inner.profile()
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        self.inner.encode(request)
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
        let key = Key {
            request: request.hash,
            occurrence: context.occurrence,
        };
        // The map's lock is not held any longer than this.
        let flight = Arc::clone(&self.flights.entry(key).or_default());
        let landing = Landing {
            flights: &self.flights,
            key,
            flight,
        };
        tokio::select! {
            biased;
            () = context.cancel.cancelled() => Err(ModelError::Cancelled),
            reply = self.join(&landing.flight, key, request, context, trace) => reply,
        }
    }

    fn health(&self) -> ModelHealth {
        self.inner.health()
    }

    fn spent(&self) -> f64 {
        self.inner.spent()
    }
}
