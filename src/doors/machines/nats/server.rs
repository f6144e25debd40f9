//! A server of NATS: the connection, its runs, and what a run has on it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, ErrorCode, kv, object_store};
use async_nats::{ConnectErrorKind, ConnectOptions};
use futures_util::stream::TryStreamExt;
use tokio::sync::{Mutex, OnceCell};
use tokio::time::{Instant, timeout};

use super::address::{Address, Credentials};
use super::broker::Bucket;
use crate::machines::{Manifest, QueueError};
use rolecall_core::text::visible;

/// The longest time for an operation on a server.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
/// The time for which a server remembers the ids of messages.
const DUPLICATES: Duration = Duration::from_secs(120);
/// The table of all runs of a server: their ids by their names and ids.
const RUNS: &str = "RC_runs";
/// The key of the settings of the consumer.
const CONSUMER: &str = "consumer";
/// The consumer. There is one pool of workers.
const POOL: &str = "default";

/// A server, and a run on it.
pub struct Server {
    address: Address,
    pub(super) name: String,
    pub(super) jetstream: Context,
    run: OnceCell<Run>,
}

/// The stream, tables and objects of a run.
pub(super) struct Run {
    pub(super) id: String,
    pub(super) stream: Stream,
    pub(super) consumer: PullConsumer,
    pub(super) parts: object_store::ObjectStore,
    /// Since when messages wait and none is handed out, by whom: when that consumer was made.
    pub(super) stuck: Mutex<Option<(Instant, String)>>,
    done: kv::Store,
    record: kv::Store,
    workers: kv::Store,
}

impl Run {
    pub(super) fn bucket(&self, bucket: Bucket) -> &kv::Store {
        match bucket {
            Bucket::Done => &self.done,
            Bucket::Run => &self.record,
            Bucket::Workers => &self.workers,
        }
    }

    /// The subject of the messages of a job, or of all.
    pub(super) fn subject(&self, key: &str) -> String {
        format!("rc.{}.jobs.{POOL}.{key}", self.id)
    }

    /// Makes the consumer, unless it is there.
    pub(super) async fn make_consumer(&self, server: &Server) -> Result<(), QueueError> {
        server.within(self.stream.create_consumer(self.consumer.cached_info().config.clone())).await.map(drop)
    }
}

impl Server {
    /// Connects to a server.
    ///
    /// # Errors
    /// If it cannot be reached, refuses, or has no JetStream.
    pub async fn connect(address: &str, worker: &str, credentials: &Credentials) -> Result<Self, QueueError> {
        let address = Address::parse(address)?;
        let name = address.to_string();
        let options = ConnectOptions::new()
            .name(format!("rolecall {}", visible(worker)))
            .connection_timeout(LONGEST)
            .request_timeout(Some(LONGEST))
            .require_tls(address.tls);
        let options = match credentials {
            Credentials::None => options,
            Credentials::Token(token) => options.token(token.clone()),
            Credentials::Seed(seed) => options.nkey(seed.clone()),
        };
        let client = match timeout(2 * LONGEST, options.connect(&address.server)).await {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(not_connected(name, &error)),
            Err(_) => {
                return Err(QueueError::Unreachable { queue: name, reason: "it does not answer".to_owned() });
            }
        };
        let server = Self { address, name, jetstream: jetstream::new(client), run: OnceCell::new() };
        server.check_jetstream().await?;
        Ok(server)
    }

    async fn check_jetstream(&self) -> Result<(), QueueError> {
        use jetstream::context::AccountErrorKind::{JetStream, JetStreamUnavailable};
        let missing = "it has no JetStream: start `nats-server` with `-js`, or `rolecall serve queue`";
        match self.jetstream.query_account().await {
            Ok(_) => Ok(()),
            Err(error) => match error.kind() {
                JetStreamUnavailable => Err(self.unusable(missing)),
                JetStream(error) if is_off(&error) => Err(self.unusable(missing)),
                _ => Err(self.unreachable(&error)),
            },
        }
    }

    pub(super) fn unusable(&self, reason: impl AsRef<str>) -> QueueError {
        QueueError::Unusable { queue: self.name.clone(), reason: visible(reason.as_ref()).into_owned() }
    }

    pub(super) fn unreachable(&self, reason: &dyn Display) -> QueueError {
        QueueError::Unreachable { queue: self.name.clone(), reason: visible(&reason.to_string()).into_owned() }
    }

    /// The outcome of an operation that may not take for ever. One that would only wait for a server that is away
    /// fails at once.
    pub(super) async fn within<T, E: Display>(
        &self,
        operation: impl Future<Output = Result<T, E>>,
    ) -> Result<T, QueueError> {
        self.within_time(LONGEST, operation).await
    }

    pub(super) async fn within_time<T, E: Display>(
        &self,
        longest: Duration,
        operation: impl Future<Output = Result<T, E>>,
    ) -> Result<T, QueueError> {
        if self.jetstream.client().connection_state() != State::Connected {
            return Err(self.unreachable(&"the connection is lost"));
        }
        match timeout(longest, operation).await {
            Ok(done) => done.map_err(|error| self.unreachable(&error)),
            Err(_) => Err(self.unreachable(&"it does not answer")),
        }
    }

    /// The run that the address names, or the only one.
    pub(super) async fn run(&self) -> Result<&Run, QueueError> {
        let open = async || self.open(&self.run_id().await?).await;
        self.run.get_or_try_init(open).await
    }

    async fn run_id(&self) -> Result<String, QueueError> {
        let nothing = "no run was planned there yet";
        let runs = match self.jetstream.get_key_value(RUNS).await {
            Ok(runs) => runs,
            Err(error) if has_no_stream(&error) => return Err(self.unreachable(&nothing)),
            Err(error) => return Err(self.unreachable(&error)),
        };
        if let Some(name) = &self.address.run
            && let Some(id) = self.within(runs.get(name)).await?
        {
            return Ok(String::from_utf8_lossy(&id).into_owned());
        }
        let keys: Vec<String> = self.within(self.within(runs.keys()).await?.try_collect()).await?;
        // The name of each; ids have themselves as values, and may be names, too.
        let mut names = BTreeMap::new();
        for key in keys {
            if let Some(id) = self.within(runs.get(&key)).await? {
                let id = String::from_utf8_lossy(&id).into_owned();
                if key != id || !names.contains_key(&id) {
                    names.insert(id, key);
                }
            }
        }
        let mut list: Vec<String> = names.values().map(|name| format!("`{name}`")).collect();
        list.sort();
        let list = list.join(", ");
        match (names.len(), &self.address.run) {
            (0, _) => Err(self.unreachable(&nothing)),
            (_, Some(run)) => Err(self.unreachable(&format!("it has no run `{run}`; it has {list}"))),
            (1, None) => Ok(names.into_keys().collect()),
            (_, None) => Err(self.unusable(format!(
                "it has several runs, {list}: write which one at the end of the address, as `{}/NAME`",
                self.address.server
            ))),
        }
    }

    /// Opens a run, if all of it is there.
    async fn open(&self, id: &str) -> Result<Run, QueueError> {
        let bucket = async |name: &str| {
            self.jetstream.get_key_value(format!("RC_{id}_{name}")).await.map_err(|error| {
                if has_no_stream(&error) {
                    self.unusable(format!("its run `{id}` is not there any more, or not as a whole"))
                } else {
                    self.unreachable(&error)
                }
            })
        };
        let record = bucket("run").await?;
        let config: pull::Config =
            serde_json::from_slice(&self.within(record.get(CONSUMER)).await?.unwrap_or_default())
                .map_err(|_| self.unusable(format!("its run `{id}` was not planned to the end: plan it once more")))?;
        let stream = self.within(self.jetstream.get_stream(format!("RC_{id}"))).await?;
        let consumer = self.within(stream.create_consumer(config)).await?;
        Ok(Run {
            id: id.to_owned(),
            consumer,
            parts: self.within(self.jetstream.get_object_store(format!("RC_{id}_parts"))).await?,
            stuck: Mutex::default(),
            done: bucket("done").await?,
            workers: bucket("workers").await?,
            record,
            stream,
        })
    }

    /// Makes what a run needs, unless it is there.
    pub(super) async fn lay_out(&self, manifest: &Manifest) -> Result<(), QueueError> {
        let (id, name) = (manifest.run.as_str(), manifest.name.as_str());
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Err(self.unusable("the run has no id: plan a run that this version began"));
        }
        if let Some(run) = &self.address.run
            && ![id, name].contains(&run.as_str())
        {
            return Err(self.unusable(format!("the address is that of run `{run}`, not of `{name}`")));
        }
        self.register(id, name).await?;
        let jobs = format!("rc.{id}.jobs.>");
        let stream = stream::Config {
            name: format!("RC_{id}"),
            subjects: vec![jobs.clone()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            // Room for those that are given back or refused, which are there twice for a moment.
            max_messages: 2 * i64::from(manifest.jobs) + 1000,
            duplicate_window: DUPLICATES,
            ..Default::default()
        };
        self.within(self.jetstream.create_stream(stream)).await?;
        for bucket in ["done", "workers", "run"] {
            self.make_bucket(format!("RC_{id}_{bucket}")).await?;
        }
        self.within(self.jetstream.create_object_store(object_store::Config {
            bucket: format!("RC_{id}_parts"),
            num_replicas: 1,
            ..Default::default()
        }))
        .await?;
        let most = manifest.in_flight.map(|most| most.div_ceil(manifest.per_job.max(1)));
        let consumer = pull::Config {
            durable_name: Some(format!("w-{POOL}")),
            filter_subject: jobs,
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::try_from_secs_f64(manifest.lease_seconds).unwrap_or(LONGEST),
            // Attempts are counted by whoever plays, who lets the episodes of the last one break.
            max_deliver: -1,
            max_ack_pending: most.map_or(-1, |most| i64::from(most.max(1))),
            max_waiting: 10_000,
            ..Default::default()
        };
        let consumer = serde_json::to_vec(&consumer).map_err(|error| self.unusable(error.to_string()))?;
        let record = self.make_bucket(format!("RC_{id}_run")).await?;
        // The first one counts: it is only missing if a planner was lost meanwhile.
        match record.create(CONSUMER, consumer.into()).await {
            Ok(_) => {}
            Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {}
            Err(error) => return Err(self.unreachable(&error)),
        }
        self.run.get_or_try_init(|| self.open(id)).await.map(drop)
    }

    /// Gives the run its name on this server.
    async fn register(&self, id: &str, name: &str) -> Result<(), QueueError> {
        let runs = self.make_bucket(RUNS.to_owned()).await?;
        for key in [id, name] {
            match runs.create(key, id.to_owned().into()).await {
                Ok(_) => continue,
                Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {}
                Err(error) => return Err(self.unreachable(&error)),
            }
            let known = self.within(runs.get(key)).await?.unwrap_or_default();
            if known != id.as_bytes() {
                let known = String::from_utf8_lossy(&known);
                return Err(self.unusable(format!(
                    "it has another run of the name `{key}`, with the id `{known}`: choose another name"
                )));
            }
        }
        Ok(())
    }

    async fn make_bucket(&self, bucket: String) -> Result<kv::Store, QueueError> {
        self.within(self.jetstream.create_key_value(kv::Config {
            bucket,
            history: 1,
            storage: StorageType::File,
            ..Default::default()
        }))
        .await
    }
}

/// Why a connection was not made.
fn not_connected(queue: String, error: &async_nats::ConnectError) -> QueueError {
    use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse, Tls};
    let mut reason = error.to_string();
    if let Some(source) = error.source().filter(|_| !reason.contains(": ")) {
        reason = format!("{reason}: {source}");
    }
    let reason = visible(&reason).into_owned();
    match error.kind() {
        Authentication | AuthorizationViolation => QueueError::Unusable {
            queue,
            reason: "it refuses the token or key: give the file of the right one".to_owned(),
        },
        ServerParse | Tls => QueueError::Unusable { queue, reason },
        _ => QueueError::Unreachable { queue, reason },
    }
}

fn is_off(error: &jetstream::Error) -> bool {
    [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT].contains(&error.error_code())
}

/// Whether there is no such bucket, as the server said.
fn has_no_stream(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.to_string().contains("stream not found") {
            return true;
        }
        next = error.source();
    }
    false
}
