//! A participant in other processes, as everybody shares it who plays with it: its workers, and what it says
//! of itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::errors::ProcessError;
use super::setup::Whereabouts;
use super::worker::{Live, Worker};
use crate::wire::{Belongs, Gone, Peer, RpcError, Rules, Target, pause, wait, within};
use rolecall_core::ports::{Introduction, ModelClient, Models, Parameters, Persona, SetupError};
use rolecall_core::text::visible;

/// The number of the protocol that is spoken here.
const PROTOCOL: u64 = 1;
/// How long a call that was taken back may stay unanswered.
const CANCELLED: Duration = Duration::from_secs(5);
/// How often in a row a program may be killed as it starts.
const MOST_STARTS: u32 = 100;

/// The part that the other process plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A role.
    Role,
    /// A user.
    User,
    /// An environment.
    Environment,
}

impl Kind {
    /// The word of the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::User => "user",
            Self::Environment => "environment",
        }
    }
}

/// A participant in other processes.
pub struct Client {
    pub(super) place: Whereabouts,
    kind: Kind,
    /// The parameters of `initialize`.
    hello: Value,
    workers: Box<[Worker]>,
    introduction: OnceLock<Introduction>,
    worlds: AtomicU64,
    pub(super) models: Models,
    /// Names of the models that it may ask.
    pub(super) allowed: Vec<String>,
    /// Answers in place of every model.
    pub(super) stand_in: Option<Arc<dyn ModelClient>>,
}

impl Client {
    /// One that is not started before it is asked.
    pub fn new(target: Whereabouts, kind: Kind, seat: &str, parameters: &Value) -> Self {
        let mut hello = json!({
            "protocol": PROTOCOL,
            "rolecall": env!("CARGO_PKG_VERSION"),
            "kind": kind.as_str(),
            "parameters": parameters,
        });
        if kind != Kind::Environment {
            hello["seat"] = seat.into();
        }
        Self {
            workers: (0..target.workers).map(|_| Worker::default()).collect(),
            place: target,
            kind,
            hello,
            introduction: OnceLock::new(),
            worlds: AtomicU64::new(0),
            models: Models::default(),
            allowed: Vec::new(),
            stand_in: None,
        }
    }

    /// The client that the settings of a config describe.
    ///
    /// # Errors
    /// As [`Whereabouts::of`].
    pub(super) fn of(parameters: &Parameters, kind: Kind, seat: &str) -> Result<Self, SetupError> {
        let table = parameters.free("parameters").cloned().unwrap_or_else(|| json!({}));
        Ok(Self::new(Whereabouts::of(parameters)?, kind, seat, &table))
    }

    /// Adds a persona, and models that it may ask.
    #[must_use]
    pub fn with(mut self, persona: &Persona, models: &Models, allowed: &[String]) -> Self {
        self.hello["persona"] = json!({
            "name": persona.name,
            "prompt": persona.prompt,
            "exemplars": persona.exemplars,
        });
        self.hello["models"] = json!(allowed);
        self.models = models.clone();
        self.allowed = allowed.to_vec();
        self
    }

    /// The part that it plays.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its introduction when it was started; none if it was not.
    pub fn introduced(&self) -> Option<&Introduction> {
        self.introduction.get()
    }

    /// Its introduction; starts it if that was not done. Blocks.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn introduction(&self) -> Result<Introduction, ProcessError> {
        if let Some(introduction) = self.introduction.get() {
            return Ok(introduction.clone());
        }
        self.blocking(self.live(0))?;
        self.introduction.get().cloned().ok_or_else(|| self.slow())
    }

    /// Waits on this thread, for a little longer than anything may take to start.
    pub(super) fn blocking<T>(&self, future: impl Future<Output = Result<T, ProcessError>>) -> Result<T, ProcessError> {
        wait(future, self.place.start * 4 + Duration::from_secs(5)).unwrap_or_else(|| Err(self.slow()))
    }

    pub(super) fn slow(&self) -> ProcessError {
        let seconds = self.place.start.as_secs_f64();
        ProcessError::Unavailable(format!("{} does not answer within {seconds} s (start_seconds)", self.place.target))
    }

    /// The worker of everything that has this name.
    pub(super) fn worker_of(&self, name: &str) -> usize {
        match self.workers.len() {
            1 => 0,
            count => (xxh3_64(name.as_bytes()) % count as u64) as usize,
        }
    }

    pub(super) fn worker(&self, worker: usize) -> &Worker {
        &self.workers[worker]
    }

    /// A name for a world that no other one has.
    pub(super) fn new_world(&self) -> String {
        format!("w{}", self.worlds.fetch_add(1, Ordering::Relaxed))
    }

    /// The connection of a worker; starts it if it is not there.
    pub(super) async fn live(&self, worker: usize) -> Result<Live, ProcessError> {
        let worker = self.worker(worker);
        let _starting = worker.starting.lock().await;
        if let Some(live) = worker.current()? {
            return Ok(live);
        }
        let mut waits = [50, 500].map(Duration::from_millis).into_iter();
        for _ in 0..MOST_STARTS {
            match self.start().await {
                Ok(peer) => return Ok(worker.set(peer)),
                Err(Unstarted::Finally(error)) => return Err(error),
                Err(Unstarted::Killed) => {}
                Err(Unstarted::Perhaps(gone)) => match waits.next() {
                    Some(time) => pause(time).await,
                    None => {
                        return Err(ProcessError::Unavailable(format!(
                            "it did not start three times in a row: {gone}"
                        )));
                    }
                },
            }
        }
        Err(ProcessError::Unavailable(format!("it was killed {MOST_STARTS} times in a row as it started")))
    }

    async fn start(&self) -> Result<Peer, Unstarted> {
        let finally = |text: String| Unstarted::Finally(ProcessError::Failed(text));
        let peer = Peer::open(self.place.target.clone(), RULES);
        let asked = peer.call("initialize", &self.hello).result();
        let answer = match within(asked, self.place.start).await {
            None => return Err(Unstarted::Finally(self.slow())),
            Some(Err(Gone::Died(_))) if peer.was_killed() => return Err(Unstarted::Killed),
            Some(Err(gone @ Gone::Died(_))) => return Err(Unstarted::Perhaps(gone)),
            // Somebody else may be about to listen again.
            Some(Err(gone @ Gone::NotStarted(_))) => {
                return Err(match self.place.target {
                    Target::Program(_) => Unstarted::Finally(gone.into()),
                    Target::Address(_) => Unstarted::Perhaps(gone),
                });
            }
            Some(Err(gone)) => return Err(Unstarted::Finally(gone.into())),
            Some(Ok(answer)) => answer,
        };
        let target = &self.place.target;
        let answer = answer.map_err(|error| finally(format!("{target} does not take part: {error}")))?;
        let introduction = read_introduction(&answer)
            .map_err(|problem| finally(format!("{target} answers `initialize` with {problem}")))?;
        if *self.introduction.get_or_init(|| introduction.clone()) != introduction {
            return Err(finally(format!("{target} is another program than it was: it changed while the run goes on")));
        }
        Ok(peer)
    }
}

/// Why a program was not started.
enum Unstarted {
    /// Somebody killed it, which says nothing about it.
    Killed,
    /// It may be if it is tried again.
    Perhaps(Gone),
    Finally(ProcessError),
}

/// The rules of `rolecall/1` for calls.
const RULES: Rules = Rules {
    cancel: |id| ("cancel", json!({ "id": id })),
    belongs,
    answers_cancelled: Some(CANCELLED),
    skips_lines: false,
};

fn belongs(method: &str, params: Option<&RawValue>) -> Belongs {
    #[derive(Deserialize)]
    struct Of {
        call: u64,
    }
    if method != "complete" {
        return Belongs::Answered(Err(RpcError::unknown_method(format!("no method `{}`", visible(method)))));
    }
    match params.map(|params| serde_json::from_str::<Of>(params.get())) {
        Some(Ok(of)) => Belongs::Call(of.call),
        _ => {
            let error = RpcError::bad_params("`call` must be the number of the request within which it asks");
            Belongs::Answered(Err(error))
        }
    }
}

/// Reads what a program says of itself.
///
/// # Errors
/// The text says what stands there instead.
pub fn read_introduction(answer: &RawValue) -> Result<Introduction, String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Said {
        protocol: u64,
        name: Option<String>,
        version: Option<String>,
        digest: Option<String>,
        #[serde(default = "yes")]
        deterministic: bool,
        external: bool,
    }
    fn yes() -> bool {
        true
    }
    let said: Said = serde_json::from_str(answer.get()).map_err(|error| visible(&error.to_string()).into_owned())?;
    if said.protocol == 0 {
        return Err("no `protocol`, the highest number that it knows; it is at least 1".to_owned());
    }
    let text = |text: Option<String>| -> String { visible(&text.unwrap_or_default()).chars().take(200).collect() };
    Ok(Introduction {
        name: text(said.name),
        version: text(said.version),
        digest: text(said.digest),
        deterministic: said.deterministic,
        external: said.external,
    })
}
