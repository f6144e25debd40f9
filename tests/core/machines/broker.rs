//! A server of NATS that is only maps, behind the network of the simulation: a stream that hands messages out until
//! they are acknowledged, tables, objects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rolecall::machines::nats::{Broker, Bucket, Change, Delivery, NatsQueue, Standing};
use rolecall::machines::{Manifest, Queue, QueueError};
use tokio::time::Instant;

use super::net::{LEASE, Shared};

/// Within so many leases a message with the id of another is not added.
const WINDOW: u32 = 12;

struct Message {
    key: String,
    body: Vec<u8>,
    delivered: u32,
    /// Since when it is handed out.
    since: Option<Instant>,
}

impl Message {
    /// Whoever had it, has it no more.
    fn is_free(&self) -> bool {
        self.since.is_none_or(|since| since.elapsed() >= LEASE)
    }
}

/// A value with its revision; none where it was removed.
type Revised = (u64, Option<Vec<u8>>);

/// The state of a server.
#[derive(Default)]
struct Server {
    /// By the order in which they were published.
    stream: BTreeMap<u64, Message>,
    ids: BTreeMap<String, Instant>,
    tables: BTreeMap<(Bucket, String), Revised>,
    objects: BTreeMap<String, Vec<u8>>,
    /// Numbers of messages and revisions.
    last: u64,
    /// Its fence lets everybody in: a key can be created twice.
    is_broken: bool,
}

impl Server {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn publish(&mut self, key: String, id: Option<String>, body: Vec<u8>) {
        if let Some(id) = id {
            let known = self.ids.get(&id);
            if known.is_some_and(|at| at.elapsed() < LEASE * WINDOW) {
                return;
            }
            self.ids.insert(id, Instant::now());
        }
        let number = self.next();
        let message = Message { key, body, delivered: 0, since: None };
        self.stream.insert(number, message);
    }

    fn fetch(&mut self, most: usize) -> Vec<Delivery> {
        let free = self.stream.iter_mut().filter(|(_, own)| own.is_free());
        let handed_out = free.take(most).map(|(number, own)| {
            own.delivered += 1;
            own.since = Some(Instant::now());
            Delivery {
                key: own.key.clone(),
                message: own.body.clone(),
                delivered: own.delivered,
                ticket: number.to_string(),
            }
        });
        handed_out.collect()
    }

    fn extend(&mut self, ticket: &str) {
        let message = self.stream.get_mut(&ticket.parse().unwrap());
        if let Some(message) = message.filter(|own| own.since.is_some()) {
            message.since = Some(Instant::now());
        }
    }

    fn set(&mut self, bucket: Bucket, key: String, value: Option<Vec<u8>>) {
        let revision = self.next();
        self.tables.insert((bucket, key), (revision, value));
    }

    fn get(&self, bucket: Bucket, key: String) -> Option<Vec<u8>> {
        self.tables.get(&(bucket, key))?.1.clone()
    }

    fn create(&mut self, bucket: Bucket, key: String, value: Vec<u8>) -> bool {
        let is_free = self.get(bucket, key.clone()).is_none() || self.is_broken;
        if is_free {
            self.set(bucket, key, Some(value));
        }
        is_free
    }

    fn changes(&self, bucket: Bucket, after: u64) -> Vec<Change> {
        let entries = self.tables.iter().filter(|((own, _), (revision, _))| *own == bucket && *revision > after);
        let changes = entries.map(|((_, key), (revision, value))| Change {
            key: key.clone(),
            value: value.clone(),
            revision: *revision,
        });
        let mut changes: Vec<Change> = changes.collect();
        changes.sort_by_key(|change| change.revision);
        changes
    }
}

/// The server of a world.
#[derive(Clone)]
pub(super) struct Simulated {
    shared: Shared,
    server: Arc<Mutex<Server>>,
}

impl Simulated {
    pub(super) fn new(shared: &Shared, is_broken: bool) -> Self {
        let server = Server { is_broken, ..Server::default() };
        Self { shared: shared.clone(), server: Arc::new(Mutex::new(server)) }
    }

    /// The queue as a worker has it, whose clock runs so many times faster than others.
    pub(super) fn queue(&self, worker: &str, clock: f64) -> Box<dyn Queue> {
        let reach = Reach { all: self.clone(), worker: worker.to_owned(), clock };
        Box::new(NatsQueue::over(reach, worker))
    }

    /// The jobs whose messages are not acknowledged.
    pub(super) fn left(&self) -> Vec<String> {
        let server = self.server.lock().unwrap();
        server.stream.values().map(|own| own.key.clone()).collect()
    }
}

/// A worker's way to it.
struct Reach {
    all: Simulated,
    worker: String,
    clock: f64,
}

impl Reach {
    async fn request<T: Send + 'static>(
        &self,
        kind: &'static str,
        effect: impl FnOnce(&mut Server) -> T + Send + 'static,
    ) -> Result<T, QueueError> {
        let server = Arc::clone(&self.all.server);
        let effect = move || effect(&mut server.lock().unwrap());
        let done = self.all.shared.request(&self.worker, kind, effect).await;
        done.map_err(|error| QueueError::Unreachable { queue: self.name().to_owned(), reason: error.to_string() })
    }
}

#[async_trait]
impl Broker for Reach {
    fn name(&self) -> &str {
        "simulated"
    }

    async fn lay_out(&self, _: &Manifest) -> Result<(), QueueError> {
        self.request("lay_out", |_| ()).await
    }

    async fn publish(&self, key: &str, id: Option<&str>, body: Vec<u8>) -> Result<(), QueueError> {
        let (key, id) = (key.to_owned(), id.map(str::to_owned));
        self.request("publish", |own| own.publish(key, id, body)).await
    }

    async fn fetch(&self, most: usize) -> Result<Vec<Delivery>, QueueError> {
        self.request("fetch", move |own| own.fetch(most)).await
    }

    async fn extend(&self, ticket: &str) -> Result<(), QueueError> {
        let ticket = ticket.to_owned();
        self.request("extend", move |own| own.extend(&ticket)).await
    }

    async fn acknowledge(&self, ticket: &str) -> Result<(), QueueError> {
        let number: u64 = ticket.parse().unwrap();
        let effect = move |own: &mut Server| drop(own.stream.remove(&number));
        self.request("acknowledge", effect).await
    }

    async fn queued(&self) -> Result<Vec<String>, QueueError> {
        let effect = |own: &mut Server| own.stream.values().map(|own| own.key.clone()).collect();
        self.request("queued", effect).await
    }

    async fn standing(&self) -> Result<Standing, QueueError> {
        let count = |number: usize| u32::try_from(number).unwrap();
        let effect = move |own: &mut Server| Standing {
            messages: count(own.stream.len()),
            handed_out: count(own.stream.values().filter(|own| !own.is_free()).count()),
        };
        self.request("standing", effect).await
    }

    async fn create(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<bool, QueueError> {
        let key = key.to_owned();
        self.request("create", move |own| own.create(bucket, key, value)).await
    }

    async fn put(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<(), QueueError> {
        let key = key.to_owned();
        self.request("put", move |own| own.set(bucket, key, Some(value))).await
    }

    async fn get(&self, bucket: Bucket, key: &str) -> Result<Option<Vec<u8>>, QueueError> {
        let key = key.to_owned();
        let mut value = self.request("get", move |own| own.get(bucket, key)).await?;
        if let Some(value) = value.as_mut().filter(|_| bucket == Bucket::Run) {
            super::net::skew(value, self.clock);
        }
        Ok(value)
    }

    async fn delete(&self, bucket: Bucket, key: &str) -> Result<(), QueueError> {
        let key = key.to_owned();
        self.request("delete", move |own| own.set(bucket, key, None)).await
    }

    async fn changes(&self, bucket: Bucket, after: u64) -> Result<Vec<Change>, QueueError> {
        self.request("changes", move |own| own.changes(bucket, after)).await
    }

    async fn put_object(&self, name: &str, bytes: &[u8]) -> Result<(), QueueError> {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        let effect = move |own: &mut Server| drop(own.objects.insert(name, bytes));
        self.request("put_object", effect).await
    }

    async fn get_object(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError> {
        let name = name.to_owned();
        let effect = move |own: &mut Server| own.objects.get(&name).cloned();
        self.request("get_object", effect).await
    }
}
