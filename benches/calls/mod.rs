//! Episodes that call a model again and again, under the runtime and in a bare loop that sends the same
//! bodies to the same server.

#![allow(dead_code, reason = "each bench uses a part")]

pub(crate) mod bare;
pub(crate) mod household;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rolecall::config::PlannedRole;
use rolecall::domain::{Answer, Move};
use rolecall::log::{LogSettings, LogWriter};
use rolecall::models::{self, openai};
use rolecall::ports::model::{ChatMessage, ChatRole, Completion, ModelSettings, Prompt};
use rolecall::ports::{ModelClient, ModelRequest, Role, RoleError, Turn};
use rolecall::runtime::{Directory, Launch, ModelOutage, Observer};

use self::bare::Recorded;
use crate::measure::{Spent, measured, resident_bytes};
use crate::support::{ToyTasks, executor, friend, plan};

/// Bytes of a prompt: what a ReSpAct executor sends in the middle of an episode without exemplars.
pub(crate) const PROMPT: usize = 2_000;

/// What is played.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// The server, which waits before it answers.
    pub(crate) base_url: String,
    /// Episodes, all at once.
    pub(crate) episodes: usize,
    /// Calls of one episode.
    pub(crate) calls: u32,
}

/// What it took. Memory is the most that was seen above what the process had before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) spent: Spent,
    pub(crate) memory: f64,
    pub(crate) events: u64,
    pub(crate) episodes: usize,
    pub(crate) moves: u64,
}

/// Asks the model each turn, and does what it says. The prompts are there already: what it costs to
/// render them is measured by `benches/prompts.rs`.
struct Caller(Arc<dyn ModelClient>, Arc<[ModelRequest]>);

#[async_trait]
impl Role for Caller {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let prompt = self.1[turn.number as usize % self.1.len()].clone();
        let reply = turn.complete(&*self.0, prompt).await?;
        let [choice] = &reply.choices[..] else {
            return Err(RoleError::Unusable("no choice".to_owned()));
        };
        Ok(Move::act(choice.text.clone()).into())
    }
}

#[derive(Default)]
struct Watch {
    resident: f64,
}

impl Observer for Watch {
    fn closed(&mut self, _: &rolecall::evaluation::EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory, _: &[ModelOutage]) {
        self.resident = self.resident.max(resident_bytes());
    }
}

impl Load {
    fn settings(&self) -> ModelSettings {
        let mut settings = ModelSettings::new("bench", self.base_url.clone());
        settings.limits.in_flight = u32::try_from(self.episodes).unwrap();
        settings
    }

    /// Different prompts, used again after a hundred calls.
    fn requests(&self) -> impl Iterator<Item = ModelRequest> {
        (0..self.calls.min(100)).map(|turn| {
            let text = format!("{turn:02} {}", "go to shelf 1. ".repeat(PROMPT / 15));
            ModelRequest::Complete(Completion {
                prompt: Prompt::Chat(vec![ChatMessage::new(ChatRole::User, text)]),
                max_tokens: Some(100),
                temperature: Some(0.0),
                ..Completion::default()
            })
        })
    }

    /// All episodes under the runtime, logged and measured as `rolecall run` does.
    pub(crate) fn under_the_runtime(&self) -> Took {
        let settings = self.settings();
        let model = models::client(openai::transport(&settings).unwrap(), &settings);
        let (caller, requests) = (Arc::clone(&model), self.requests().collect::<Arc<[_]>>());
        let role = PlannedRole {
            role: executor(),
            implementation: "caller".to_owned(),
            factory: Arc::new(move || Box::new(Caller(Arc::clone(&caller), Arc::clone(&requests)))),
        };
        let mut plan = plan(ToyTasks::new(self.episodes), role, friend());
        plan.cells[0].limits.steps = self.calls;
        plan.cells[0].limits.turn = Duration::from_secs(120);
        plan.run.concurrency = self.episodes;
        plan.models.add(model);
        let folder = tempfile::tempdir().unwrap();
        let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &LogSettings::default()).unwrap();
        let launch = Launch::new(plan, &writer, rolecall::worlds().measured());
        let before = resident_bytes();
        let mut watch = Watch::default();
        let (launched, spent) = measured(|| {
            let launched = launch.run(&mut watch).unwrap();
            writer.close().unwrap();
            launched
        });
        assert_eq!(launched.results.len(), self.episodes);
        for result in &launched.results {
            let counts = &result.counts;
            let made = (counts.model_calls, counts.faults);
            assert_eq!(made, (self.calls, 0), "{result:?}");
        }
        Took {
            spent,
            memory: watch.resident - before,
            events: launched.events,
            episodes: self.episodes,
            moves: self.episodes as u64 * u64::from(self.calls),
        }
    }

    /// The bodies that the runtime's client sends.
    fn bodies(&self) -> Vec<bytes::Bytes> {
        let settings = self.settings();
        let model = models::client(openai::transport(&settings).unwrap(), &settings);
        let bodies = self.requests();
        bodies.map(|request| model.encode(&request).unwrap().body).collect()
    }

    /// The same bodies in a bare loop.
    pub(crate) fn bare_loop(&self) -> Took {
        let url: Arc<str> = format!("{}/chat/completions", self.base_url).into();
        let bodies = self.bodies().into_iter();
        let recorded = Recorded(bodies.map(|body| (Arc::clone(&url), body)).collect());
        let before = resident_bytes();
        let (most, spent) = measured(|| bare::bare_loop(&recorded, self.episodes, self.calls as usize));
        Took {
            spent,
            memory: most - before,
            events: 0,
            episodes: self.episodes,
            moves: self.episodes as u64 * u64::from(self.calls),
        }
    }
}
