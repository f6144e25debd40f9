//! Operations of a queue on a server of NATS, in the server's words.

use std::time::Duration;

use async_nats::RequestErrorKind;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::kv::{CreateErrorKind, Operation};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::GetErrorKind;
use async_trait::async_trait;
use futures_util::stream::{StreamExt, TryStreamExt};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

use super::broker::{Broker, Bucket, Change, Delivery, Standing};
use super::server::{LONGEST, Run, Server};
use crate::capped;
use crate::machines::{Manifest, QueueError};

/// The time after which a server that hands nothing out, since as much is handed out as may be, says so.
const FULL: Duration = Duration::from_millis(250);
/// The time within which a server answers an acknowledgement of what it knows.
const ANSWERED: Duration = Duration::from_secs(1);
/// Bytes of an object for which a second more is waited.
const SECOND: usize = 128 << 10;

impl Server {
    /// Tells the server something of a message that was handed out.
    async fn say(&self, ticket: &str, word: &'static str) -> Result<(), QueueError> {
        let client = self.jetstream.client();
        let said = self.within(async {
            match client.request(ticket.to_owned(), word.into()).await {
                // Its consumer was deleted: the message is handed out once more, by another one.
                Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(()),
                other => other.map(drop),
            }
        });
        said.await
    }

    /// Makes the consumer anew if messages wait for the time of a lease and it hands none out: it happens to
    /// servers that this is needed.
    async fn watch(&self, run: &Run) -> Result<(), QueueError> {
        let info = self.within(run.consumer.get_info()).await?;
        let most = info.config.max_ack_pending;
        let full = most > 0 && info.num_ack_pending as i64 >= most;
        let made = info.created.to_string();
        let mut stuck = run.stuck.lock().await;
        if info.num_pending == 0 || full {
            *stuck = None;
            return Ok(());
        }
        let (since, by) = stuck.get_or_insert_with(|| (Instant::now(), made.clone()));
        if *by != made {
            *stuck = None;
        } else if since.elapsed() >= info.config.ack_wait {
            *stuck = None;
            self.within(run.stream.delete_consumer(&info.name)).await?;
            run.make_consumer(self).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Broker for Server {
    fn name(&self) -> &str {
        &self.name
    }

    async fn lay_out(&self, manifest: &Manifest) -> Result<(), QueueError> {
        self.lay_out(manifest).await
    }

    async fn publish(&self, key: &str, id: Option<&str>, message: Vec<u8>) -> Result<(), QueueError> {
        let run = self.run().await?;
        let mut publish = PublishMessage::build().payload(message.into());
        if let Some(id) = id {
            publish = publish.message_id(id);
        }
        let published = self.within(async {
            let sent = self.jetstream.send_publish(run.subject(key), publish).await;
            let answer = match sent {
                Ok(sent) => sent.await.map(drop),
                Err(error) => Err(error),
            };
            match answer {
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => Ok(Some(error)),
                other => other.map(|()| None),
            }
        });
        published.await?.map_or(Ok(()), |error| Err(self.unusable(error.to_string())))
    }

    async fn fetch(&self, most: usize) -> Result<Vec<Delivery>, QueueError> {
        let run = self.run().await?;
        let mut messages = self.within(run.consumer.fetch().max_messages(most).expires(FULL).messages()).await?;
        let (mut deliveries, start) = (Vec::new(), run.subject(""));
        let all = async {
            while let Some(message) = messages.next().await {
                let message = message?;
                let delivered = message.info()?.delivered;
                let key = message.subject.strip_prefix(&start).unwrap_or_default();
                deliveries.push(Delivery {
                    key: key.to_owned(),
                    delivered: capped(delivered),
                    ticket: message.reply.as_deref().unwrap_or("none").to_owned(),
                    message: message.message.payload.into(),
                });
            }
            Ok::<(), async_nats::Error>(())
        };
        let ended = timeout(LONGEST, all).await;
        if !deliveries.is_empty() {
            *run.stuck.lock().await = None;
            return Ok(deliveries);
        }
        match ended {
            Ok(Ok(())) => self.watch(run).await?,
            // Perhaps the consumer was deleted.
            Ok(Err(_)) => run.make_consumer(self).await?,
            Err(_) => return Err(self.unreachable(&"it does not answer")),
        }
        Ok(deliveries)
    }

    async fn extend(&self, ticket: &str) -> Result<(), QueueError> {
        self.say(ticket, "+WPI").await
    }

    async fn acknowledge(&self, ticket: &str) -> Result<(), QueueError> {
        // A server that was killed may have lost what it handed out last, and never answers for that: it hands
        // the message out once more.
        timeout(ANSWERED, self.say(ticket, "+ACK")).await.unwrap_or(Ok(()))
    }

    async fn queued(&self) -> Result<Vec<String>, QueueError> {
        let run = self.run().await?;
        let start = run.subject("");
        let mut subjects = self.within(run.stream.info_with_subjects(run.subject(">"))).await?;
        let mut keys = Vec::new();
        while let Some((subject, _)) = self.within(subjects.try_next()).await? {
            keys.extend(subject.strip_prefix(&start).map(str::to_owned));
        }
        Ok(keys)
    }

    async fn standing(&self) -> Result<Standing, QueueError> {
        let run = self.run().await?;
        let messages = self.within(run.stream.get_info()).await?.state.messages;
        let handed_out = self.within(run.consumer.get_info()).await?.num_ack_pending;
        Ok(Standing { messages: capped(messages), handed_out: capped(handed_out) })
    }

    async fn create(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<bool, QueueError> {
        let bucket = self.run().await?.bucket(bucket);
        self.within(async {
            match bucket.create(key, value.into()).await {
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
                other => other.map(|_| true),
            }
        })
        .await
    }

    async fn put(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<(), QueueError> {
        self.within(self.run().await?.bucket(bucket).put(key, value.into())).await.map(drop)
    }

    async fn get(&self, bucket: Bucket, key: &str) -> Result<Option<Vec<u8>>, QueueError> {
        Ok(self.within(self.run().await?.bucket(bucket).get(key)).await?.map(Vec::from))
    }

    async fn delete(&self, bucket: Bucket, key: &str) -> Result<(), QueueError> {
        self.within(self.run().await?.bucket(bucket).delete(key)).await
    }

    async fn changes(&self, bucket: Bucket, after: u64) -> Result<Vec<Change>, QueueError> {
        let bucket = self.run().await?.bucket(bucket);
        let last = self.within(bucket.stream.get_info()).await?.state.last_sequence;
        let mut changes = Vec::new();
        if last <= after {
            return Ok(changes);
        }
        let mut entries = self.within(bucket.watch_all_from_revision(after + 1)).await?;
        while let Some(entry) = self.within(entries.try_next()).await? {
            changes.push(Change {
                key: entry.key,
                value: (entry.operation == Operation::Put).then(|| entry.value.into()),
                revision: entry.revision,
            });
            if entry.delta == 0 {
                break;
            }
        }
        Ok(changes)
    }

    async fn put_object(&self, name: &str, bytes: &[u8]) -> Result<(), QueueError> {
        let parts = &self.run().await?.parts;
        let longest = LONGEST + Duration::from_secs((bytes.len() / SECOND) as u64);
        let mut bytes = bytes;
        self.within_time(longest, parts.put(name, &mut bytes)).await.map(drop)
    }

    async fn get_object(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError> {
        let parts = &self.run().await?.parts;
        let found = self.within(async {
            match parts.get(name).await {
                Err(error) if error.kind() == GetErrorKind::NotFound => Ok(None),
                other => other.map(Some),
            }
        });
        let Some(mut object) = found.await? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        while self.within(object.read_buf(&mut bytes)).await? > 0 {}
        Ok(Some(bytes))
    }
}
