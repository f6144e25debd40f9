//! A cast whose executor asks a model in each of its turns, and what its runs leave behind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole};
use rolecall::domain::{Answer, Ending, EpisodeId, Event, Message, Move};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::{LogSettings, LogWriter, ModelPause, ModelTally, RunLog};
use rolecall::ports::model::{
    CacheSettings, ChatMessage, ChatRole, Completion, ModelLimits, ModelSettings, Prompt, RetrySettings, Timeouts,
};
use rolecall::ports::{ModelClient, ModelRequest, Models, Role, RoleError, Turn};
use rolecall::runtime::{Directory, Launch, Launched, ModelOutage, Observer};

use crate::support::toy::{ToyTasks, executor, friend, plan, read_events};

const TWENTY: Duration = Duration::from_secs(20);

/// Settings for a server that is asked by tests: everything is a little faster.
pub fn settings(url: &str) -> ModelSettings {
    let mut settings = ModelSettings::new("fake", url);
    settings.limits = ModelLimits { in_flight: 128, ..ModelLimits::default() };
    settings.retries = RetrySettings {
        first_wait: Duration::from_millis(20),
        longest_wait: Duration::from_millis(500),
        ..RetrySettings::default()
    };
    settings.timeouts = Timeouts { connect: TWENTY, first_byte: TWENTY, idle: TWENTY, total: TWENTY };
    settings.cache = CacheSettings::default();
    settings
}

/// The client that the registry builds.
pub fn client(settings: &ModelSettings) -> Arc<dyn ModelClient> {
    let registry = rolecall::worlds();
    let mut entries = registry.models.iter();
    let entry = entries.find(|entry| entry.name == "openai").unwrap();
    (entry.build)(settings).unwrap()
}

/// Asks the model in each turn, does what it says, and wins in the last one.
struct Caller {
    model: Arc<dyn ModelClient>,
    turns: u32,
}

#[async_trait]
impl Role for Caller {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let task = turn.task().map_or("", |task| &task.id);
        let said = format!("Task {task}, turn {}: what now?", turn.number);
        let request = ModelRequest::Complete(Completion {
            prompt: Prompt::Chat(vec![ChatMessage::new(ChatRole::User, said)]),
            max_tokens: Some(16),
            ..Completion::default()
        });
        let reply = turn.complete(&*self.model, request).await?;
        let made = match turn.number + 1 < self.turns {
            true => Move::act(format!("try {}", reply.choices[0].text)),
            false => Move::act("win"),
        };
        Ok(made.into())
    }

    fn is_external(&self) -> bool {
        true
    }
}

/// A plan in which every episode calls the model once in each of its turns.
pub fn calling(model: &Arc<dyn ModelClient>, episodes: usize, turns: u32) -> Plan {
    let of_role = Arc::clone(model);
    let role = PlannedRole {
        role: executor(),
        implementation: "caller".to_owned(),
        factory: Arc::new(move || Box::new(Caller { model: Arc::clone(&of_role), turns })),
    };
    let mut plan = plan(ToyTasks::new(episodes), role, friend());
    plan.run.concurrency = episodes;
    plan.cells[0].limits.turn = Duration::from_secs(60);
    let mut models = Models::default();
    models.add(Arc::clone(model));
    plan.models = models;
    plan
}

/// Keeps what was paused, and when.
#[derive(Default)]
pub struct Pauses(pub Vec<ModelOutage>);

impl Observer for Pauses {
    fn closed(&mut self, _: &EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory, pauses: &[ModelOutage]) {
        let new = pauses.iter().filter(|pause| !self.0.contains(pause));
        let new: Vec<ModelOutage> = new.cloned().collect();
        self.0.extend(new);
    }
}

/// A run that is over.
pub struct Ran {
    pub launched: Launched,
    pub episodes: BTreeMap<EpisodeId, Vec<Event>>,
    /// What happened on the way to replies, over all episodes.
    pub tally: ModelTally,
    pub pauses: Vec<ModelPause>,
    /// What the observer was told.
    pub told: Vec<ModelOutage>,
    pub run: PathBuf,
    _folder: tempfile::TempDir,
}

impl Ran {
    /// How many episodes ended how.
    pub fn endings(&self) -> BTreeMap<String, usize> {
        let mut endings = BTreeMap::new();
        for events in self.episodes.values() {
            let ending = match &events.last().unwrap().message {
                Message::Closed(outcome) => format!("{:?}", outcome.ending),
                _ => "open".to_owned(),
            };
            *endings.entry(ending).or_default() += 1;
        }
        endings
    }

    /// Every episode was solved.
    pub fn assert_solved(&self, episodes: usize) {
        let solved = format!("{:?}", Ending::Solved);
        assert_eq!(self.endings(), BTreeMap::from([(solved, episodes)]));
    }

    /// The events of all episodes, in the order that does not depend on time.
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        rolecall::log::write_canonical(&RunLog::open(&self.run).unwrap(), &mut bytes).unwrap();
        bytes
    }
}

/// Plays the plan.
pub fn run(plan: Plan) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &LogSettings::default()).unwrap();
    let mut pauses = Pauses::default();
    let launch = Launch::new(plan, &writer, Vec::new());
    let launched = launch.run(&mut pauses).unwrap();
    writer.close().unwrap();
    Ran {
        launched,
        episodes: read_events(&path),
        tally: tally(&path),
        pauses: RunLog::open(&path).unwrap().model_outages(),
        told: pauses.0,
        run: path,
        _folder: folder,
    }
}

fn tally(run: &Path) -> ModelTally {
    let mut sum = ModelTally::default();
    for timing in RunLog::open(run).unwrap().timings() {
        for tally in timing.models.values() {
            sum.merge(tally);
        }
    }
    sum
}
