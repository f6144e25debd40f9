//! The world of one episode in another process.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::client::Client;
use super::errors::{ProcessError, of_world};
use super::seat::read;
use super::tries::Tries;
use super::worker::Live;
use crate::wire::Gone;
use rolecall_core::domain::{Action, Begun, Observation, Score, Utterance};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Environment, EnvironmentError};

/// The world of one episode in another process. If that dies, all is said to a new one that was said to it.
pub(super) struct ProcessWorld {
    client: Arc<Client>,
    worker: usize,
    /// Its name over there.
    name: String,
    /// The task, with what the environment is entrusted with.
    task: Arc<Value>,
    external: bool,
    calls: Option<Calls>,
    /// The connection that has it; 0 for none.
    generation: u64,
    /// Everything said to it, each with the digest of what it showed.
    history: Vec<(Said, u64)>,
}

/// Something that a world is told.
#[derive(Clone)]
enum Said {
    Begin(Begun),
    Perform(Action),
    Hear(Box<(Utterance, Utterance)>),
    Assess,
}

/// The answer of a world.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shown {
    Score(Box<Score>),
    Observation(Option<Observation>),
}

impl ProcessWorld {
    pub(super) fn new(client: Arc<Client>, task: Arc<Value>, external: bool) -> Self {
        let name = client.new_world();
        Self {
            worker: client.worker_of(&name),
            name,
            task,
            external,
            calls: None,
            generation: 0,
            history: Vec::new(),
            client,
        }
    }

    async fn tell(&mut self, said: Said) -> Result<Shown, EnvironmentError> {
        let (client, calls) = (Arc::clone(&self.client), self.calls.clone());
        let mut tries = Tries::new(&client, self.worker, calls.as_ref());
        if matches!(&said, Said::Begin(begun) if !begun.keep_world) {
            self.history.clear();
        }
        loop {
            let lease = tries.next().await.map_err(of_world)?;
            match self.once(&lease.live, &said).await.map_err(of_world)? {
                Ok((shown, digest)) => {
                    if !self.external {
                        self.history.push((said, digest));
                    }
                    return Ok(shown);
                }
                Err(gone) => {
                    drop(lease);
                    tries.died(gone).map_err(of_world)?;
                }
            }
        }
    }

    /// Tells it something, after all that it was told before if it is a new one.
    async fn once(&mut self, live: &Live, said: &Said) -> Result<Result<(Shown, u64), Gone>, ProcessError> {
        if self.generation != live.generation {
            for (before, digest) in &self.history {
                match self.ask(live, before).await? {
                    Ok((_, shown)) if shown == *digest => {}
                    Ok(_) => {
                        return Err(ProcessError::Failed(
                            "it died, and the new one shows something else than it did".to_owned(),
                        ));
                    }
                    Err(gone) => return Ok(Err(gone)),
                }
            }
            self.generation = live.generation;
        }
        self.ask(live, said).await
    }

    async fn ask(&self, live: &Live, said: &Said) -> Result<Result<(Shown, u64), Gone>, ProcessError> {
        let world = &self.name;
        let (method, params) = match said {
            Said::Begin(begun) => ("begin", json!({ "world": world, "task": &*self.task, "begun": begun })),
            Said::Perform(action) => ("perform", json!({ "world": world, "action": action })),
            Said::Hear(both) => {
                let (said, reply) = &**both;
                ("hear", json!({ "world": world, "said": said, "reply": reply }))
            }
            Said::Assess => ("assess", json!({ "world": world })),
        };
        let answer = match live.peer.call(method, &params).result().await {
            Ok(answer) => answer?,
            Err(gone) => return Ok(Err(gone)),
        };
        let shown = said.read(&answer)?;
        let bytes = serde_json::to_vec(&shown).map_err(|error| ProcessError::Failed(error.to_string()))?;
        Ok(Ok((shown, xxh3_64(&bytes))))
    }
}

impl Said {
    /// Reads what was shown for it.
    fn read(&self, answer: &RawValue) -> Result<Shown, ProcessError> {
        Ok(match self {
            Self::Assess => Shown::Score(Box::new(read(answer)?)),
            Self::Hear(_) => Shown::Observation(read(answer)?),
            Self::Begin(_) | Self::Perform(_) => Shown::Observation(Some(read(answer)?)),
        })
    }
}

/// The observation that an answer must hold.
fn observation(shown: Shown) -> Result<Observation, EnvironmentError> {
    match shown {
        Shown::Observation(Some(observation)) => Ok(observation),
        _ => Err(EnvironmentError::Failed("it shows nothing".to_owned())),
    }
}

#[async_trait]
impl Environment for ProcessWorld {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        observation(self.tell(Said::Begin(begun.clone())).await?)
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        observation(self.tell(Said::Perform(action.clone())).await?)
    }

    async fn hear(&mut self, said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        match self.tell(Said::Hear(Box::new((said.clone(), reply.clone())))).await? {
            Shown::Observation(shown) => Ok(shown),
            Shown::Score(_) => Ok(None),
        }
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = Some(calls.clone());
    }

    fn is_external(&self) -> bool {
        self.external
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        match self.tell(Said::Assess).await? {
            Shown::Score(score) => Ok(*score),
            Shown::Observation(_) => Err(EnvironmentError::Failed("it gives no score".to_owned())),
        }
    }
}

impl Drop for ProcessWorld {
    fn drop(&mut self) {
        self.client.worker(self.worker).notify(self.generation, "drop", &json!({ "world": self.name }));
    }
}
