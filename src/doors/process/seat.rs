//! Roles and users in other processes: a turn over the wire, and what of its view the other side has already.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::client::{Client, Kind};
use super::completions::Completions;
use super::errors::{NEED_VIEW, ProcessError};
use super::tries::Tries;
use super::worker::Live;
use crate::wire::{Gone, Signal, Watch};
use rolecall_core::domain::{Answer, Brief, EpisodeId, Event, Seat, Seed, Utterance};
use rolecall_core::ports::{
    Introduction, Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn, UserError, UserFactory, UserSetup,
    UserSimulator,
};
use rolecall_core::text::{json, visible};

/// The deepest nesting of what may become part of a log.
const MOST_LEVELS: usize = 64;

/// The part of a seat's view that the other process has.
#[derive(Default)]
pub(super) struct Sent {
    /// By which connection.
    generation: u64,
    /// The events by number, each with the digest of the view up to it.
    events: Vec<(u32, u64)>,
    /// Length of the episode when the view was sent.
    end: usize,
}

/// A turn as it is written.
#[derive(Serialize)]
struct Written<'a> {
    episode: &'a EpisodeId,
    seat: &'a Seat,
    number: u32,
    attempt: u32,
    seed: Seed,
    deadline_ms: u64,
    brief: Option<&'a Brief>,
    question: Option<&'a Utterance>,
    view: Since<'a>,
    digest: &'a str,
}

#[derive(Serialize)]
struct Since<'a> {
    since: usize,
    events: &'a [&'a Event],
}

/// Why a try ended without an answer.
enum Halt {
    Gone(Gone),
    Error(ProcessError),
}

impl Sent {
    /// Asks for the answer to a turn.
    pub(super) async fn ask<T: DeserializeOwned>(
        &mut self,
        client: &Client,
        method: &'static str,
        turn: &Turn,
    ) -> Result<T, ProcessError> {
        let mut tries = Tries::new(client, client.worker_of(&turn.episode.to_string()), Some(&turn.calls));
        let mut completions = Completions::default();
        let watch = Watch::new();
        loop {
            let lease = tries.next().await?;
            completions.rewind();
            let tried = Try { client, turn, method, watch };
            match tried.once(self, &lease.live, &mut completions).await {
                Ok(answer) => return read(&answer),
                Err(Halt::Error(error)) => return Err(error),
                Err(Halt::Gone(gone)) => {
                    drop(lease);
                    tries.died(gone)?;
                }
            }
        }
    }

    /// The events that it does not have, after forgetting those that are not in its view any more.
    fn new_events<'a>(&mut self, turn: &'a Turn) -> Vec<&'a Event> {
        let view = &turn.view;
        if matches!(turn.seat, Seat::Role(_)) {
            // What a role has seen it goes on seeing.
            return view.starting_at(self.end).collect();
        }
        let known = self.events.iter().map(|(seq, _)| *seq);
        let same = view.all().zip(known).take_while(|(event, seq)| event.seq == *seq).count();
        self.events.truncate(same);
        view.all().skip(same).collect()
    }
}

/// One try of a turn.
struct Try<'a> {
    client: &'a Client,
    turn: &'a Turn,
    method: &'static str,
    watch: Watch,
}

impl Try<'_> {
    async fn once(&self, sent: &mut Sent, live: &Live, completions: &mut Completions) -> Result<Box<RawValue>, Halt> {
        if sent.generation != live.generation {
            *sent = Sent { generation: live.generation, ..Sent::default() };
        }
        let mut pending = self.send(sent, live)?;
        loop {
            match pending.next().await {
                Signal::Answer(Ok(answer)) => {
                    sent.generation = live.generation;
                    return Ok(answer);
                }
                Signal::Answer(Err(error)) if error.code == NEED_VIEW => {
                    if sent.generation == 0 {
                        return Err(Halt::Error(ProcessError::Failed(
                            "it wants the whole view, which it was sent".to_owned(),
                        )));
                    }
                    // No connection has this number: what comes next sends all again.
                    *sent = Sent::default();
                    completions.rewind();
                    pending = self.send(sent, live)?;
                }
                Signal::Answer(Err(error)) => {
                    sent.generation = live.generation;
                    return Err(Halt::Error(error.into()));
                }
                Signal::Request { id, params, .. } => {
                    let params = params.as_deref();
                    let (client, turn) = (self.client, self.turn);
                    completions.answer(client, turn, &pending, &id, params).await;
                }
                Signal::Gone(gone) => return Err(Halt::Gone(gone)),
            }
        }
    }

    fn send(&self, sent: &mut Sent, live: &Live) -> Result<crate::wire::Pending, Halt> {
        let turn = self.turn;
        let events = sent.new_events(turn);
        let since = sent.events.len();
        let mut digest = sent.events.last().map_or(0, |(_, digest)| *digest);
        let mut line = Vec::new();
        for event in &events {
            line.clear();
            serde_json::to_writer(&mut line, event)
                .map_err(|error| Halt::Error(ProcessError::Failed(error.to_string())))?;
            digest = xxh3_64_with_seed(&line, digest);
            sent.events.push((event.seq, digest));
        }
        sent.end = turn.view.end();
        let left = turn.deadline.saturating_sub(self.watch.elapsed());
        let written = Written {
            episode: &turn.episode,
            seat: &turn.seat,
            number: turn.number,
            attempt: turn.attempt,
            seed: turn.seed,
            deadline_ms: u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            brief: turn.brief(),
            question: turn.question(),
            view: Since { since, events: &events },
            digest: &format!("{digest:016x}"),
        };
        Ok(live.peer.call(self.method, &written))
    }
}

/// Reads an answer of any kind.
///
/// # Errors
/// When it is none, or nests too deeply.
pub fn read<T: DeserializeOwned>(answer: &RawValue) -> Result<T, ProcessError> {
    let text = answer.get();
    if json::nests_deeper(text.as_bytes(), MOST_LEVELS) {
        return Err(ProcessError::Failed(format!("its answer nests deeper than {MOST_LEVELS} levels")));
    }
    json::read(text).map_err(|error| {
        let start: String = text.chars().take(200).collect();
        ProcessError::Failed(format!("its answer is none: {}: `{}`", visible(&error.to_string()), visible(&start)))
    })
}

/// A role or a user in another process.
pub struct ProcessSeat {
    client: Arc<Client>,
    sent: Sent,
}

impl ProcessSeat {
    /// One of an episode.
    pub fn new(client: Arc<Client>) -> Self {
        Self { client, sent: Sent::default() }
    }
}

#[async_trait]
impl Role for ProcessSeat {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        Ok(self.sent.ask(&self.client, "take_turn", turn).await?)
    }

    /// Whoever never said a word may be anybody.
    fn is_external(&self) -> bool {
        self.client.introduced().is_none_or(Introduction::is_taken)
    }

    fn introduction(&self) -> Result<Option<Introduction>, RoleError> {
        Ok(Some(self.client.introduction()?))
    }
}

#[async_trait]
impl UserSimulator for ProcessSeat {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        Ok(self.sent.ask(&self.client, "reply", turn).await?)
    }

    fn is_external(&self) -> bool {
        self.client.introduced().is_none_or(Introduction::is_taken)
    }

    fn introduction(&self) -> Result<Option<Introduction>, UserError> {
        Ok(Some(self.client.introduction()?))
    }
}

pub(super) fn build_role(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let client = Client::of(&setup.parameters, Kind::Role, setup.role.as_str())?;
    let client = Arc::new(client.with(&setup.persona, &setup.models, setup.parameters.list("models")));
    Ok(Arc::new(move || Box::new(ProcessSeat::new(Arc::clone(&client)))))
}

pub(super) fn build_user(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let client = Client::of(&setup.parameters, Kind::User, "user")?;
    let client = Arc::new(client.with(&setup.persona, &setup.models, setup.parameters.list("models")));
    Ok(Arc::new(move || Box::new(ProcessSeat::new(Arc::clone(&client)))))
}
